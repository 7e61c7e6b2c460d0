//! How a report writes dates and amounts for a library's language.

/// How dates and amounts are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The time zone's name.
    pub zone: String,
    /// The form of dates, as the database's `to_char` takes it.
    pub date_format: &'static str,
    /// Places of the currency.
    pub places: i64,
}

impl Style {
    /// The style of a locale. Unknown languages get ISO 8601.
    #[must_use]
    pub fn new(locale: &str, currency: &str, zone: &str) -> Style {
        Style {
            zone: zone.to_owned(),
            date_format: date_format(locale),
            places: places(currency),
        }
    }
}

/// The short forms that FOLIO's reports use.
fn date_format(locale: &str) -> &'static str {
    let (language, country) = locale.split_once(['-', '_']).unwrap_or((locale, ""));
    match (language, country) {
        ("en", "GB" | "IE" | "IN" | "NZ") => "DD/MM/YY HH24:MI",
        ("en", "AU") => "FMDD/MM/YY FMHH12:MI AM",
        ("en", "CA") => "DD/MM/YY FMHH12:MI AM",
        ("en", _) => "FMMM/FMDD/YY FMHH12:MI AM",
        ("fr", "CA") => "YY-MM-DD HH24:MI",
        ("de" | "pl" | "tr", _) => "DD.MM.YY HH24:MI",
        ("fr" | "pt", _) => "DD/MM/YY HH24:MI",
        ("es", _) => "FMDD/MM/YY FMHH24:MI",
        ("it", _) => "DD/MM/YY HH24.MI",
        ("da", _) => "DD-MM-YY HH24:MI",
        ("cs", _) => "FMDD.FMMM.YY FMHH24:MI",
        ("ja", _) => "YY/MM/DD FMHH24:MI",
        _ => "YYYY-MM-DD HH24:MI",
    }
}

fn places(currency: &str) -> i64 {
    match currency {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX"
        | "VND" | "VUV" | "XAF" | "XOF" | "XPF" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_has_its_form_of_dates() {
        for (locale, form) in [
            ("en-US", "FMMM/FMDD/YY FMHH12:MI AM"),
            ("en-GB", "DD/MM/YY HH24:MI"),
            ("de-DE", "DD.MM.YY HH24:MI"),
            ("xx", "YYYY-MM-DD HH24:MI"),
        ] {
            assert_eq!(Style::new(locale, "USD", "UTC").date_format, form);
        }
        assert_eq!(["USD", "JPY", "KWD"].map(places), [2, 0, 3]);
    }
}
