//! A borrower or proxy, and what may keep them from borrowing. The types read stored documents and
//! pass over what they do not know.

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use crate::wire_time;

/// A user record as circulation sees it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Patron {
    /// The user's id.
    pub id: Uuid,
    /// The login name.
    pub username: Option<String>,
    /// The barcode.
    pub barcode: Option<String>,
    /// Whether the user is active; some records do not say.
    pub active: Option<bool>,
    /// When the record expires.
    #[serde(default, with = "wire_time::optional")]
    pub expiration_date: Option<Timestamp>,
    /// The patron group.
    pub patron_group: Option<Uuid>,
    /// The names.
    pub personal: Option<PersonalName>,
}

/// A user's names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonalName {
    /// Family name.
    pub last_name: Option<String>,
    /// Given name.
    pub first_name: Option<String>,
}

impl Patron {
    /// Whether the record has not expired by now; one without a date never expires.
    pub fn is_current(&self, now: Timestamp) -> bool {
        self.expiration_date.is_none_or(|date| date >= now)
    }

    /// `Last, First`, or the login name when one of them is missing.
    pub fn display_name(&self) -> Option<String> {
        let filled = |name: &Option<String>| name.clone().filter(|name| !name.trim().is_empty());
        let personal = self.personal.as_ref();
        let last = personal.and_then(|personal| filled(&personal.last_name));
        let first = personal.and_then(|personal| filled(&personal.first_name));
        match (last, first) {
            (Some(last), Some(first)) => Some(format!("{last}, {first}")),
            _ => self.username.clone(),
        }
    }
}

/// A block that staff put on a patron.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManualBlock {
    /// Why.
    #[serde(default)]
    pub desc: Option<String>,
    /// Until when.
    #[serde(default, with = "wire_time::optional")]
    pub expiration_date: Option<Timestamp>,
    /// Whether it forbids borrowing.
    #[serde(default)]
    pub borrowing: bool,
    /// Whether it forbids renewing.
    #[serde(default)]
    pub renewals: bool,
    /// Whether it forbids requesting.
    #[serde(default)]
    pub requests: bool,
}

impl ManualBlock {
    /// Whether the block forbids borrowing now.
    pub fn forbids_borrowing(&self, now: Timestamp) -> bool {
        self.borrowing && self.expiration_date.is_none_or(|date| date > now)
    }

    /// Whether the block forbids requesting now.
    pub fn forbids_requesting(&self, now: Timestamp) -> bool {
        self.requests && self.expiration_date.is_none_or(|date| date > now)
    }

    /// Whether the block forbids renewing now.
    pub fn forbids_renewing(&self, now: Timestamp) -> bool {
        self.renewals && self.expiration_date.is_none_or(|date| date > now)
    }
}

/// A block that follows from a patron block limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AutomatedBlock {
    /// What the patron is told.
    #[serde(default)]
    pub message: String,
    /// Whether it forbids borrowing.
    #[serde(default)]
    pub block_borrowing: bool,
}

/// Who may act for whom.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProxyRelationship {
    /// `Active` or `Inactive`.
    pub status: Option<String>,
    /// Until when.
    #[serde(default, with = "wire_time::optional")]
    pub expiration_date: Option<Timestamp>,
}

impl ProxyRelationship {
    /// Whether the relationship holds now.
    pub fn is_active(&self, now: Timestamp) -> bool {
        let active = self
            .status
            .as_deref()
            .is_some_and(|s| s.eq_ignore_ascii_case("Active"));
        active && self.expiration_date.is_none_or(|date| date >= now)
    }
}
