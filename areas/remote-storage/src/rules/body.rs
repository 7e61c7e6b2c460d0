//! Bodies of mod-remote-storage: which properties they need. Others are ignored.

use octavo_records::Violation;
use serde_json::Value;
use uuid::Uuid;

use super::Refusal;

/// Reads the required properties of a body; all that are missing or wrong are reported together.
#[derive(Debug)]
pub struct Body<'a> {
    sent: &'a Value,
    wrong: Vec<Violation>,
}

impl<'a> Body<'a> {
    #[must_use]
    pub fn new(sent: &'a Value) -> Body<'a> {
        Body {
            sent,
            wrong: Vec::new(),
        }
    }

    /// A text; empty where it is missing.
    pub fn text(&mut self, name: &str) -> String {
        match self.sent.get(name) {
            Some(Value::String(text)) => return text.clone(),
            None | Some(Value::Null) => self.wrong.push(Violation::missing(name)),
            Some(other) => self.refuse(name, "must be a string", other.to_string()),
        }
        String::new()
    }

    /// An id; nil where it is missing.
    pub fn id(&mut self, name: &str) -> Uuid {
        let before = self.wrong.len();
        let text = self.text(name);
        match Uuid::try_parse(&text) {
            Ok(id) if text.len() == 36 => id,
            _ => {
                if self.wrong.len() == before {
                    self.refuse(name, "must be a UUID", text);
                }
                Uuid::nil()
            }
        }
    }

    fn refuse(&mut self, name: &str, message: &str, value: String) {
        self.wrong.push(Violation {
            message: message.to_owned(),
            code: "-1",
            path: name.to_owned(),
            value,
        });
    }

    /// What was read, unless something was wrong.
    ///
    /// # Errors
    /// Everything that was missing or wrong.
    pub fn done<T>(self, read: T) -> Result<T, Refusal> {
        match self.wrong.is_empty() {
            true => Ok(read),
            false => Err(Refusal::Invalid(self.wrong)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let sent = json!({"finalLocationId": "x", "originalLocationId": 7, "more": 1});
        let mut body = Body::new(&sent);
        let ids = (
            body.id("finalLocationId"),
            body.id("remoteConfigurationId"),
            body.id("originalLocationId"),
        );
        let Err(Refusal::Invalid(wrong)) = body.done(ids) else {
            panic!("it is refused");
        };
        let told: Vec<_> = wrong
            .iter()
            .map(|one| (&*one.path, &*one.message))
            .collect();
        assert_eq!(
            told,
            [
                ("finalLocationId", "must be a UUID"),
                ("remoteConfigurationId", "must not be null"),
                ("originalLocationId", "must be a string"),
            ]
        );
    }
}
