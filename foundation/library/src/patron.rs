//! Users: patrons, proxies and staff. The views read stored documents and pass over what they do not
//! know.

use jiff::Timestamp;
use serde::Deserialize;

use crate::closed_set::closed_set;
use crate::{PatronGroupId, UserId, wire_time};

/// A stored user, as who borrows or asks for something.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Patron {
    /// The user's id.
    pub id: UserId,
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
    pub patron_group: Option<PatronGroupId>,
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

closed_set! {
    /// Whether a proxy relationship is in force.
    pub enum ProxyStatus {
        /// It is.
        Active = "Active",
        /// It is not.
        Inactive = "Inactive",
    }
}

fn proxy_status<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<ProxyStatus>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    Ok(name.as_deref().and_then(ProxyStatus::named_in_any_case))
}

/// Who may act for whom.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProxyRelationship {
    /// Whether it is in force.
    #[serde(default, deserialize_with = "proxy_status")]
    pub status: Option<ProxyStatus>,
    /// Until when.
    #[serde(default, with = "wire_time::optional")]
    pub expiration_date: Option<Timestamp>,
}

impl ProxyRelationship {
    /// Whether the relationship holds now.
    pub fn is_active(&self, now: Timestamp) -> bool {
        let active = self.status == Some(ProxyStatus::Active);
        active && self.expiration_date.is_none_or(|date| date >= now)
    }
}
