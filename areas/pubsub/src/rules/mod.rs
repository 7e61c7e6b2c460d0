//! Decisions about events, without I/O.

pub mod descriptor;
pub mod period;
mod refusal;

pub use refusal::Refusal;

use serde::Serialize;

/// What a module does with events of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Role {
    Publisher,
    Subscriber,
}

impl Role {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Role::Publisher => "PUBLISHER",
            Role::Subscriber => "SUBSCRIBER",
        }
    }

    /// The role of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Role> {
        let roles = [Role::Publisher, Role::Subscriber];
        roles.into_iter().find(|role| role.name() == name)
    }
}
