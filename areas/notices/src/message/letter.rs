//! A message before it is stored: recipient, channel and content.

use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The channel of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// By e-mail, which this process sends.
    Email,
    /// On paper: stored for printing here, or by the remote module that provides `batch-print`.
    Mail,
}

impl Channel {
    /// The channel of this name; FOLIO knows no other.
    #[must_use]
    pub fn named(name: &str) -> Option<Channel> {
        match name {
            "email" => Some(Channel::Email),
            "mail" => Some(Channel::Mail),
            _ => None,
        }
    }

    /// FOLIO's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Channel::Email => "email",
            Channel::Mail => "mail",
        }
    }

    /// The `to` property: a user's address, for paper with the name.
    ///
    /// # Errors
    /// When the user has no address.
    pub fn address(self, user: &Value) -> Result<String, &'static str> {
        let personal = &user["personal"];
        let text = |name: &str| personal[name].as_str().unwrap_or_default().trim();
        match self {
            Channel::Email if text("email").is_empty() => Err("the user has no e-mail address"),
            Channel::Email => Ok(text("email").to_owned()),
            Channel::Mail if personal.is_object() => Ok(format!(
                "{},{},{}",
                text("lastName"),
                text("firstName"),
                text("email")
            )),
            Channel::Mail => Ok(user["id"].as_str().unwrap_or_default().to_owned()),
        }
    }
}

/// A message.
#[derive(Clone)]
pub struct Letter {
    /// Its channel.
    pub channel: Channel,
    /// Its record, in FOLIO's form of an e-mail.
    pub document: Map<String, Value>,
    /// Whether it can be sent at all.
    pub sendable: bool,
}

impl std::fmt::Debug for Letter {
    /// Without address and text, for logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Letter")
            .field("channel", &self.channel)
            .finish_non_exhaustive()
    }
}

/// The content of a message.
#[derive(Clone, Default)]
pub struct Content {
    /// The sender, if it is not that of the settings.
    pub from: Option<String>,
    /// The subject.
    pub header: String,
    /// The text.
    pub body: String,
    /// `text/html` or `text/plain`.
    pub output_format: Option<String>,
    /// In FOLIO's form.
    pub attachments: Vec<Value>,
}

impl Letter {
    /// A message for a user. Without an address it is marked as not sendable.
    #[must_use]
    pub fn to_user(notification: &str, channel: Channel, user: &Value, content: Content) -> Letter {
        match channel.address(user) {
            Ok(to) => Letter::new(notification, channel, &to, content),
            Err(fault) => Letter::failed(notification, channel, content, fault),
        }
    }

    fn new(notification: &str, channel: Channel, to: &str, content: Content) -> Letter {
        let mut document = Map::new();
        let mut put = |name: &str, value: Value| document.insert(name.to_owned(), value);
        put("id", json!(Uuid::new_v4()));
        put("notificationId", json!(notification));
        if let Some(from) = content.from {
            put("from", json!(from));
        }
        put("to", json!(to));
        put("header", json!(content.header));
        put("body", json!(content.body));
        if let Some(format) = content.output_format {
            put("outputFormat", json!(format));
        }
        put("attachments", Value::Array(content.attachments));
        put("status", json!("PROCESSING"));
        put("shouldRetry", json!(false));
        put("attemptCount", json!(0));
        Letter {
            channel,
            document,
            sendable: true,
        }
    }

    /// A message that cannot be sent, stored with the reason for staff.
    #[must_use]
    pub fn failed(notification: &str, channel: Channel, content: Content, fault: &str) -> Letter {
        let mut letter = Letter::new(notification, channel, "", content);
        letter
            .document
            .insert("status".to_owned(), json!("FAILURE"));
        letter
            .document
            .insert("message".to_owned(), json!(failure(fault)));
        let now = octavo_records::instant::format(jiff::Timestamp::now());
        letter.document.insert("date".to_owned(), json!(now));
        letter.sendable = false;
        letter
    }
}

/// FOLIO's message for a message that was not sent.
#[must_use]
pub fn failure(reason: &str) -> String {
    let reason: String = reason.chars().take(1_000).collect();
    format!("Error in the 'mod-email' module, the module didn't send email | message: {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_no_address_gets_nothing_and_it_is_told() {
        let user =
            json!({"id": "u", "personal": {"lastName": "L", "firstName": "F", "email": " "}});
        let letter = Letter::to_user("n", Channel::Email, &user, Content::default());
        assert!(!letter.sendable);
        assert_eq!(letter.document["status"], "FAILURE");
        assert!(
            letter.document["message"]
                .as_str()
                .expect("text")
                .ends_with("no e-mail address")
        );
        let paper = Letter::to_user("n", Channel::Mail, &user, Content::default());
        assert!(paper.sendable);
        assert_eq!(paper.document["to"], "L,F,");
        assert_eq!(Channel::named("sms"), None);
    }
}
