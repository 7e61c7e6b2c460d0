//! Dates in a context: a property whose name ends with `Date` gets a companion with the time, and
//! instants are written in the tenant's language and zone. Names and order are CLDR's, as in FOLIO.

use std::fmt;

use icu_calendar::cal::Gregorian;
use icu_datetime::FixedCalendarDateTimeFormatter as Formatter;
use icu_datetime::fieldsets::{YMD, YMDT};
use icu_datetime::input::{Date, DateTime, Time};
use icu_locale_core::{Locale, locale};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

/// How a tenant writes dates.
#[derive(Debug, Clone)]
pub struct Locality {
    /// `de-DE`.
    pub language: String,
    /// Its time zone.
    pub zone: TimeZone,
}

impl Locality {
    /// A writer for it. It is bound to one thread, and cheap to make.
    #[must_use]
    pub fn writer(&self) -> DateWriter {
        DateWriter::new(&self.language, self.zone.clone())
    }
}

/// Writes instants for one tenant.
pub struct DateWriter {
    zone: TimeZone,
    date: Formatter<Gregorian, YMD>,
    date_time: Formatter<Gregorian, YMDT>,
    detailed: Formatter<Gregorian, YMDT>,
}

impl fmt::Debug for DateWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DateWriter").finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Date,
    DateTime,
    Detailed,
}

impl DateWriter {
    /// Writes in a language, `de-DE`, and a zone. A language that is not known is American English,
    /// FOLIO's default.
    #[must_use]
    pub fn new(language: &str, zone: TimeZone) -> DateWriter {
        let named = Locale::try_from_str(&language.replace('_', "-")).ok();
        let of = |locale: Locale| {
            let prefs = || locale.clone().into();
            Some(DateWriter {
                zone: zone.clone(),
                date: Formatter::try_new(prefs(), YMD::short()).ok()?,
                date_time: Formatter::try_new(prefs(), YMD::short().with_time_hm()).ok()?,
                detailed: Formatter::try_new(prefs(), YMD::long().with_time_hm()).ok()?,
            })
        };
        named
            .and_then(of)
            .or_else(|| of(locale!("en-US")))
            .expect("invariant: CLDR's data of English is compiled in")
    }

    /// Prepares a context for a template.
    pub fn prepare(&self, context: &mut Value) {
        complete(context);
        self.write_all(context);
    }

    fn write_all(&self, value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members.iter_mut() {
                    let written = match (&*member, style(name)) {
                        (Value::String(text), Some(style)) => self.written(text, style),
                        _ => None,
                    };
                    match written {
                        Some(text) => *member = Value::String(text),
                        None => self.write_all(member),
                    }
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|one| self.write_all(one)),
            _ => {}
        }
    }

    /// `None` when the text is not an instant: it stays unchanged.
    fn written(&self, text: &str, style: Style) -> Option<String> {
        let at = instant(text)?.to_zoned(self.zone.clone());
        let (month, day) = (at.month().unsigned_abs(), at.day().unsigned_abs());
        let date = Date::try_new_gregorian(at.year().into(), month, day).ok()?;
        let (hour, minute) = (at.hour().unsigned_abs(), at.minute().unsigned_abs());
        let time = Time::try_new(hour, minute, at.second().unsigned_abs(), 0).ok()?;
        let both = DateTime { date, time };
        Some(match style {
            Style::Date => self.date.format(&date).to_string(),
            Style::DateTime => self.date_time.format(&both).to_string(),
            Style::Detailed => self.detailed.format(&both).to_string(),
        })
    }
}

/// `2026-01-02T03:04:05.678Z` and with the offsets that FOLIO takes; an offset is needed.
fn instant(text: &str) -> Option<Timestamp> {
    // FOLIO's clients also send `+0000` and `+00`, and leave out the seconds.
    let is_instant = text.as_bytes().get(10) == Some(&b'T');
    is_instant.then(|| text.parse().ok())?
}

fn style(name: &str) -> Option<Style> {
    let ends = |end: &str| {
        let from = name.len().checked_sub(end.len());
        from.and_then(|from| name.get(from..))
            .is_some_and(|last| last.eq_ignore_ascii_case(end))
    };
    match () {
        () if ends("DetailedDateTime") => Some(Style::Detailed),
        () if ends("Date") => Some(Style::Date),
        () if ends("DateTime") => Some(Style::DateTime),
        () => None,
    }
}

/// `dueDate` gets a `dueDateTime`, unless there is one.
fn complete(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let mut new = Map::new();
            for (name, member) in members.iter_mut() {
                match member.as_str() {
                    Some(text) if name.ends_with("Date") && !text.trim().is_empty() => {
                        new.insert(format!("{name}Time"), Value::from(text));
                    }
                    _ => complete(member),
                }
            }
            for (name, member) in new {
                members.entry(name).or_insert(member);
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(complete),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn prepared(language: &str, zone: &str, mut context: Value) -> Value {
        let zone = TimeZone::get(zone).expect("a zone");
        DateWriter::new(language, zone).prepare(&mut context);
        context
    }

    #[test]
    fn instants_are_written_in_language_and_zone() {
        for (language, zone, date, both, detailed) in [
            (
                "en-US",
                "UTC",
                "6/18/19",
                "6/18/19, 2:04\u{202f}PM",
                "June 18, 2019 at 2:04\u{202f}PM",
            ),
            (
                "en-US-u-nu-latn",
                "America/New_York",
                "6/18/19",
                "6/18/19, 10:04\u{202f}AM",
                "June 18, 2019 at 10:04\u{202f}AM",
            ),
            (
                "en-GB",
                "Europe/London",
                "18/06/2019",
                "18/06/2019, 15:04",
                "18 June 2019 at 15:04",
            ),
            (
                "de-DE",
                "Europe/Berlin",
                "18.06.19",
                "18.06.19, 16:04",
                "18. Juni 2019 um 16:04",
            ),
            (
                "fr_FR",
                "Europe/Paris",
                "18/06/2019",
                "18/06/2019 16:04",
                "18 juin 2019 à 16:04",
            ),
            (
                "sv-SE",
                "Asia/Tokyo",
                "2019-06-18",
                "2019-06-18 23:04",
                "18 juni 2019 kl. 23:04",
            ),
            (
                "no language",
                "UTC",
                "6/18/19",
                "6/18/19, 2:04\u{202f}PM",
                "June 18, 2019 at 2:04\u{202f}PM",
            ),
        ] {
            let at = "2019-06-18T14:04:33.205Z";
            let context = json!({"loans": [{"dueDate": at, "aDetailedDateTime": at}]});
            let expected = json!({"loans": [
                {"dueDate": date, "dueDateTime": both, "aDetailedDateTime": detailed}]});
            assert_eq!(prepared(language, zone, context), expected, "{language}");
        }
    }

    #[test]
    fn only_instants_under_such_names_change() {
        let at = "2019-06-18T14:04:33.205+0000";
        let context = json!({
            "update": "soon", "date": at, "dateTime": at, "when": at, "dueDate": " ",
            "dayDate": "2019-06-18", "list": {"Date": [at]}, "nullDate": null, "ADATE": at,
            "loan": {"dueDate": at, "dueDateTime": "kept"},
        });
        let written = prepared("en-US", "UTC", context);
        assert_eq!(written["update"], "soon");
        assert_eq!(written["date"], "6/18/19");
        assert_eq!(written["ADATE"], "6/18/19");
        assert_eq!(written["dateTime"], "6/18/19, 2:04\u{202f}PM");
        assert_eq!(written["when"], at);
        assert_eq!(
            (&written["dueDate"], written.get("dueDateTime")),
            (&json!(" "), None)
        );
        assert_eq!(written["dayDate"], "2019-06-18");
        assert_eq!(written["dayDateTime"], "2019-06-18");
        assert_eq!(written["list"]["Date"][0], at);
        assert_eq!(
            written["loan"],
            json!({"dueDate": "6/18/19", "dueDateTime": "kept"})
        );
    }
}
