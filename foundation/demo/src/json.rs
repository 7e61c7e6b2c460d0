//! Writes JSON text straight into a string, in the order of the calls.
//!
//! A large sample is millions of documents, so this builds no tree and writes ids and times without
//! intermediate strings. Names of properties must not need escaping.

use jiff::Timestamp;
use uuid::Uuid;

use crate::clock::utc;

/// A JSON text under construction.
pub(crate) struct Json {
    text: String,
}

impl Json {
    /// One object as text; `capacity` is the expected length in bytes.
    pub(crate) fn object(capacity: usize, write: impl FnOnce(&mut Self)) -> String {
        let mut json = Self {
            text: String::with_capacity(capacity),
        };
        json.braced(write);
        json.text
    }

    /// A string property.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.name(name);
        self.string(value);
    }

    /// A string property that is left out when there is no value.
    pub(crate) fn optional(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    /// A UUID property.
    pub(crate) fn id(&mut self, name: &str, value: Uuid) {
        self.name(name);
        self.uuid(value);
    }

    /// A whole number property.
    pub(crate) fn number(&mut self, name: &str, value: u64) {
        self.name(name);
        self.text.push_str(&value.to_string());
    }

    /// A boolean property.
    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        self.name(name);
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// A point in time, in the form FOLIO's storage modules write: milliseconds and `+00:00`.
    pub(crate) fn instant(&mut self, name: &str, value: Timestamp) {
        self.name(name);
        self.text.push('"');
        self.timestamp(value);
        self.text.push('"');
    }

    /// A calendar day, `YYYY-MM-DD`.
    pub(crate) fn day(&mut self, name: &str, value: Timestamp) {
        self.name(name);
        self.text.push('"');
        self.date(value);
        self.text.push('"');
    }

    /// An object property.
    pub(crate) fn nested(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.name(name);
        self.braced(write);
    }

    /// An array property; `write` adds its elements.
    pub(crate) fn list(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.name(name);
        self.text.push('[');
        write(self);
        self.text.push(']');
    }

    /// An array property of strings.
    pub(crate) fn texts(&mut self, name: &str, values: &[&str]) {
        self.list(name, |json| {
            for value in values {
                json.comma();
                json.string(value);
            }
        });
    }

    /// An array property of UUIDs.
    pub(crate) fn ids(&mut self, name: &str, values: &[Uuid]) {
        self.list(name, |json| {
            for value in values {
                json.comma();
                json.uuid(*value);
            }
        });
    }

    /// An object as the next element of the array being written.
    pub(crate) fn element(&mut self, write: impl FnOnce(&mut Self)) {
        self.comma();
        self.braced(write);
    }

    fn braced(&mut self, write: impl FnOnce(&mut Self)) {
        self.text.push('{');
        write(self);
        self.text.push('}');
    }

    fn name(&mut self, name: &str) {
        self.comma();
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":");
    }

    /// Writes a comma if one is due. Only an opening bracket can end the text when none is due:
    /// strings end with a quotation mark.
    fn comma(&mut self) {
        if !self.text.ends_with(['{', '[']) {
            self.text.push(',');
        }
    }

    fn uuid(&mut self, value: Uuid) {
        let mut buffer = Uuid::encode_buffer();
        self.text.push('"');
        self.text
            .push_str(value.as_hyphenated().encode_lower(&mut buffer));
        self.text.push('"');
    }

    fn string(&mut self, value: &str) {
        self.text.push('"');
        let mut copied = 0;
        for (at, byte) in value.bytes().enumerate() {
            if byte >= 0x20 && byte != b'"' && byte != b'\\' {
                continue;
            }
            self.text.push_str(&value[copied..at]);
            copied = at + 1;
            match byte {
                b'"' => self.text.push_str("\\\""),
                b'\\' => self.text.push_str("\\\\"),
                _ => self.text.push_str(&format!("\\u{byte:04x}")),
            }
        }
        self.text.push_str(&value[copied..]);
        self.text.push('"');
    }

    fn timestamp(&mut self, value: Timestamp) {
        let moment = utc(value);
        self.date(value);
        for (before, part) in [
            ('T', moment.hour()),
            (':', moment.minute()),
            (':', moment.second()),
        ] {
            self.text.push(before);
            self.digits(part.unsigned_abs().into(), 2);
        }
        self.text.push('.');
        self.digits(moment.millisecond().unsigned_abs().into(), 3);
        self.text.push_str("+00:00");
    }

    fn date(&mut self, value: Timestamp) {
        let day = utc(value).date();
        self.digits(day.year().unsigned_abs().into(), 4);
        self.text.push('-');
        self.digits(day.month().unsigned_abs().into(), 2);
        self.text.push('-');
        self.digits(day.day().unsigned_abs().into(), 2);
    }

    fn digits(&mut self, value: u32, width: u32) {
        for place in (0..width).rev() {
            let digit = value / 10u32.pow(place) % 10;
            self.text.push(char::from(b'0' + digit as u8));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_parses_as_json() {
        let text = Json::object(64, |json| {
            json.text("title", "She said \"ok\" \\ \n ünïcode [");
            json.optional("nothing", None);
            json.list("empty", |_| {});
            json.texts("tags", &["a{", "b"]);
            json.nested("status", |json| json.flag("active", true));
            json.list("notes", |json| {
                json.element(|json| json.number("n", 1));
                json.element(|json| json.number("n", 2));
            });
            json.instant("at", "2026-02-03T04:05:06.789Z".parse().unwrap());
            json.day("on", "2026-02-03T04:05:06.789Z".parse().unwrap());
            json.ids("ids", &[Uuid::nil()]);
        });
        let expected = serde_json::json!({
            "title": "She said \"ok\" \\ \n ünïcode [", "empty": [], "tags": ["a{", "b"],
            "status": {"active": true}, "notes": [{"n": 1}, {"n": 2}],
            "at": "2026-02-03T04:05:06.789+00:00", "on": "2026-02-03",
            "ids": ["00000000-0000-0000-0000-000000000000"],
        });
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            expected
        );
    }
}
