//! The requests to the module of the interface `notify`, with its event names.

use serde_json::{Map, Value, json};

/// An event that a user is notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A link for a first password.
    CreatePassword,
    /// A link for a new one.
    ResetPassword,
    /// A first password was set.
    PasswordCreated,
    /// A new one was set.
    PasswordChanged,
    /// The username was requested.
    UsernameLocated,
}

impl Event {
    /// The name of the event's configuration in FOLIO.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Event::CreatePassword => "CREATE_PASSWORD_EVENT",
            Event::ResetPassword => "RESET_PASSWORD_EVENT",
            Event::PasswordCreated => "PASSWORD_CREATED_EVENT",
            Event::PasswordChanged => "PASSWORD_CHANGED_EVENT",
            Event::UsernameLocated => "USERNAME_LOCATED_EVENT",
        }
    }
}

/// The notification of a user, with more values for its template.
#[must_use]
pub fn notification(event: Event, user: &Value, more: Map<String, Value>) -> Value {
    let mut context = more;
    context.insert("user".to_owned(), user.clone());
    json!({
        "eventConfigName": event.name(),
        "recipientId": user["id"],
        "text": "",
        "lang": "en",
        "context": context,
    })
}
