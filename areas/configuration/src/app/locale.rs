//! A tenant's locale: the configuration's `localeSettings`; else as set by `PUT /locale`, which changes
//! the configuration too if that has them; else FOLIO's defaults. Circulation calculates due dates in
//! this time zone.

use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

const LOCALE_DEFAULT: &str = "en-US";
const CURRENCY_DEFAULT: &str = "USD";
const ZONE_DEFAULT: &str = "UTC";

/// A tenant's locale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locale {
    /// `de-DE`.
    pub locale: String,
    /// `EUR`.
    pub currency: String,
    /// `Europe/Berlin`.
    pub timezone: String,
    /// `latn` or `arab`, if given.
    pub numbering_system: Option<String>,
}

/// Why a document is not a locale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoLocale {
    /// A property is missing or blank.
    Missing(&'static str),
    /// A property that no locale has.
    Unknown(String),
    /// The numbering system is neither of the two.
    NumberingSystem,
    /// No time zone has this name.
    TimeZone(String),
}

impl NoLocale {
    /// FOLIO's message, where FOLIO has one.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            NoLocale::Missing(name) => format!("{name} missing"),
            NoLocale::Unknown(name) => format!("Unrecognized field \"{name}\""),
            NoLocale::NumberingSystem => {
                "numberingSystem must be latn or arab, or not defined".to_owned()
            }
            NoLocale::TimeZone(name) => format!(
                "timezone \"{name}\" is not known; give the name of the IANA time zone database, \
                 such as Europe/Berlin or UTC"
            ),
        }
    }
}

impl Locale {
    /// Reads a client's locale.
    ///
    /// # Errors
    /// What is missing or wrong. FOLIO takes any text as a time zone, and fails when a due date is
    /// calculated; here an unknown one is refused.
    pub fn sent(document: &Map<String, Value>) -> Result<Locale, NoLocale> {
        const NAMES: [&str; 4] = ["locale", "currency", "timezone", "numberingSystem"];
        if let Some(name) = document.keys().find(|name| !NAMES.contains(&name.as_str())) {
            return Err(NoLocale::Unknown(name.chars().take(100).collect()));
        }
        let given = |name| text(document, name).ok_or(NoLocale::Missing(name));
        let (locale, timezone, currency) =
            (given("locale")?, given("timezone")?, given("currency")?);
        let numbering_system = match document.get("numberingSystem") {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) if is_numbering_system(name) => Some(name.clone()),
            Some(_) => return Err(NoLocale::NumberingSystem),
        };
        if TimeZone::get(&timezone).is_err() {
            let shown = timezone.chars().take(100).collect();
            return Err(NoLocale::TimeZone(shown));
        }
        Ok(Locale {
            locale,
            currency,
            timezone,
            numbering_system,
        })
    }

    /// Reads the stored locale, JSON in a text; missing properties get FOLIO's defaults.
    #[must_use]
    pub fn stored(settings: Option<&str>) -> Locale {
        let settings = parsed(settings);
        let or = |name, default: &str| text(&settings, name).unwrap_or_else(|| default.to_owned());
        Locale {
            locale: or("locale", LOCALE_DEFAULT),
            currency: or("currency", CURRENCY_DEFAULT),
            timezone: or("timezone", ZONE_DEFAULT),
            numbering_system: text(&settings, "numberingSystem")
                .filter(|name| is_numbering_system(name)),
        }
    }

    /// The locale as clients see it.
    #[must_use]
    pub fn document(&self) -> Value {
        let mut document = json!({
            "locale": self.locale, "currency": self.currency, "timezone": self.timezone,
        });
        if let Some(name) = &self.numbering_system {
            document["numberingSystem"] = json!(name);
        }
        document
    }
}

/// The stored time zone; UTC when absent or unknown.
#[must_use]
pub fn zone(settings: Option<&str>) -> TimeZone {
    text(&parsed(settings), "timezone")
        .and_then(|name| TimeZone::get(&name).ok())
        .unwrap_or(TimeZone::UTC)
}

fn parsed(settings: Option<&str>) -> Map<String, Value> {
    settings
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default()
}

fn text(document: &Map<String, Value>, name: &str) -> Option<String> {
    let text = document.get(name)?.as_str()?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}

fn is_numbering_system(name: &str) -> bool {
    matches!(name, "latn" | "arab")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(document: Value) -> Result<Locale, String> {
        let document = document.as_object().cloned().unwrap_or_default();
        Locale::sent(&document).map_err(|error| error.message())
    }

    #[test]
    fn what_is_stored_is_completed() {
        let locale = Locale::stored(Some(
            r#"{"locale": "sv", "timezone": " ", "numberingSystem": "x"}"#,
        ));
        assert_eq!(
            locale.document(),
            json!({"locale": "sv", "currency": "USD", "timezone": "UTC"})
        );
        for none in [None, Some(""), Some("no JSON"), Some("[]")] {
            assert_eq!(Locale::stored(none).locale, "en-US", "{none:?}");
            assert_eq!(zone(none), TimeZone::UTC);
        }
        let berlin = zone(Some(r#"{"timezone": "Europe/Berlin"}"#));
        assert_eq!(berlin.iana_name(), Some("Europe/Berlin"));
        assert_eq!(zone(Some(r#"{"timezone": "Atlantis"}"#)), TimeZone::UTC);
    }

    #[test]
    fn what_is_sent_is_whole() {
        let whole = json!({"locale": "de-DE", "currency": "EUR", "timezone": "Europe/Berlin",
                           "numberingSystem": "arab"});
        assert_eq!(sent(whole.clone()).expect("it is whole").document(), whole);
        let with = |name: &str, value: Value| {
            let mut changed = whole.clone();
            changed[name] = value;
            sent(changed).err()
        };
        for name in ["locale", "currency", "timezone"] {
            for value in [json!(null), json!(" "), json!(7)] {
                assert_eq!(with(name, value), Some(format!("{name} missing")));
            }
        }
        assert_eq!(with("numberingSystem", json!(null)), None);
        for value in [json!("LATN"), json!(""), json!(1)] {
            let refused = with("numberingSystem", value).expect("it is refused");
            assert!(refused.starts_with("numberingSystem must be"));
        }
        let refused = with("timezone", json!("Atlantis")).expect("it is refused");
        assert!(refused.starts_with("timezone \"Atlantis\" is not known"));
        assert!(with("colour", json!("red")).is_some());
    }
}
