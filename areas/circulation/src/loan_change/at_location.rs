//! Loans of items that are used at the location only: in use, held at the desk, returned.

use jiff::Timestamp;
use octavo_library::wire_time;
use serde_json::{Map, Value};

/// The property of such a loan.
const PROPERTY: &str = "forUseAtLocation";

/// Where an item for use at the location is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceOfUse {
    /// The borrower has it.
    InUse,
    /// It is held for the borrower.
    Held,
    /// It was returned.
    Returned,
}

/// A change of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UseChange {
    /// The new state.
    pub place: PlaceOfUse,
    /// When it changed.
    pub at: Timestamp,
    /// The hold's expiration; without one an earlier date stays.
    pub kept_until: Option<Timestamp>,
}

impl UseChange {
    /// Whether a loan is one for use at the location.
    #[must_use]
    pub fn concerns(document: &Map<String, Value>) -> bool {
        document.get(PROPERTY).is_some_and(Value::is_object)
    }

    /// Writes the change into the loan's document, which becomes one for use at the location.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        let status = match self.place {
            PlaceOfUse::InUse => "In use",
            PlaceOfUse::Held => "Held",
            PlaceOfUse::Returned => "Returned",
        };
        let usage = document
            .entry(PROPERTY)
            .or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(usage) = usage else { return };
        usage.insert("status".into(), status.into());
        usage.insert("statusDate".into(), wire_time::format(self.at).into());
        if let Some(end) = self.kept_until {
            usage.insert(
                "holdShelfExpirationDate".into(),
                wire_time::format(end).into(),
            );
        }
    }
}
