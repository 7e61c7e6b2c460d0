//! Users: patrons, proxies and staff. The views read stored documents and ignore unknown
//! properties.

use jiff::Timestamp;
use serde::Deserialize;

use crate::closed_set::closed_set;
use crate::{PatronGroupId, UserId, wire_time};

/// A stored user, as borrower or requester.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Patron {
    pub id: UserId,
    pub username: Option<String>,
    pub barcode: Option<String>,
    /// Whether the user is active; absent in some records.
    pub active: Option<bool>,
    /// When the record expires.
    #[serde(default, with = "wire_time::optional")]
    pub expiration_date: Option<Timestamp>,
    pub patron_group: Option<PatronGroupId>,
    pub personal: Option<PersonalName>,
}

/// A user's names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonalName {
    pub last_name: Option<String>,
    pub first_name: Option<String>,
}

impl Patron {
    /// Whether the record has not expired; one without a date never expires.
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

closed_set! {
    /// A proxy relationship's `status`.
    pub enum ProxyStatus {
        Active = "Active",
        Inactive = "Inactive",
    }
}

fn proxy_status<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<ProxyStatus>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    Ok(name.as_deref().and_then(ProxyStatus::named_in_any_case))
}

/// A stored proxy relationship: who may act for whom.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProxyRelationship {
    #[serde(default, deserialize_with = "proxy_status")]
    pub status: Option<ProxyStatus>,
    /// When the relationship ends.
    #[serde(default, with = "wire_time::optional")]
    pub expiration_date: Option<Timestamp>,
}

impl ProxyRelationship {
    /// Whether the relationship is active and has not expired.
    pub fn is_active(&self, now: Timestamp) -> bool {
        let active = self.status == Some(ProxyStatus::Active);
        active && self.expiration_date.is_none_or(|date| date >= now)
    }
}
