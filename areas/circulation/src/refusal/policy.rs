//! Why a policy is not stored or deleted, with messages of FOLIO's storage.

use serde_json::{Value, json};

/// A refusal to store or delete a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyRefusal {
    /// A service point of a request policy does not exist, or is not a pickup location.
    #[error("One or more Pickup locations are no longer available")]
    PointUnavailable,
    /// Another patron notice policy has the name.
    #[error("'{name}' name in not unique")]
    NameTaken { name: String },
    /// The circulation rules name the patron notice policy.
    #[error("Cannot delete in use notice policy")]
    InUse,
}

impl PolicyRefusal {
    /// The error object for the body's `errors` list.
    #[must_use]
    pub fn to_error(&self) -> Value {
        let code = match self {
            PolicyRefusal::PointUnavailable => Some("INVALID_ALLOWED_SERVICE_POINT"),
            PolicyRefusal::NameTaken { .. } => Some("duplicate.name"),
            PolicyRefusal::InUse => None,
        };
        json!({"message": self.to_string(), "code": code, "parameters": []})
    }
}
