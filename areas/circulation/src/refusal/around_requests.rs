//! Refusals of allowed service points and of requests for an instance.

use octavo_library::{InstanceId, ItemId, UserId};
use serde_json::Value;
use uuid::Uuid;

use super::error::Parameters;

/// Why such an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AroundRequests {
    /// A record of the query does not exist.
    Absent {
        /// `Instance`, `Request` or `User`.
        what: &'static str,
        /// The id asked for.
        id: String,
    },
    /// The item of the query does not exist.
    ItemAbsent {
        /// The id asked for.
        id: String,
    },
    /// The rules name a deleted request policy. FOLIO answers 500 with the same message.
    PolicyAbsent {
        /// The policy.
        id: Uuid,
    },
    /// A request for an instance lacks a property.
    PartMissing {
        /// What is missing, in words.
        what: &'static str,
        property: &'static str,
    },
    /// The instance has no holdings.
    NoHoldings,
    /// The instance has no items.
    NoItems,
    /// The requester has an open request for an item of the instance.
    AskedBefore {
        requester: UserId,
        /// The requested item.
        item: ItemId,
        instance: InstanceId,
    },
}

impl AroundRequests {
    /// FOLIO's message.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Absent { what, id } => format!("{what} with ID {id} was not found"),
            Self::ItemAbsent { id } => format!("Item with id={id} cannot be found"),
            Self::PolicyAbsent { id } => {
                format!("Request policy {id} could not be found, please check circulation rules")
            }
            Self::PartMissing { what, .. } => format!("Request must have {what}"),
            Self::NoHoldings => "There are no holdings for this instance".to_owned(),
            Self::NoItems => "There are no items for this instance".to_owned(),
            Self::AskedBefore { .. } => {
                "This requester already has an open request for an item of this instance".to_owned()
            }
        }
    }

    pub(super) fn parameters(&self) -> Parameters {
        match self {
            Self::Absent { .. } | Self::ItemAbsent { .. } | Self::PolicyAbsent { .. } => Vec::new(),
            Self::PartMissing { property, .. } => vec![(*property, Value::Null)],
            Self::NoHoldings => vec![("holdingsRecords", "null".into())],
            Self::NoItems => vec![("items", "empty".into())],
            Self::AskedBefore {
                requester,
                item,
                instance,
            } => vec![
                ("requesterId", requester.to_string().into()),
                ("itemId", item.to_string().into()),
                ("instanceId", instance.to_string().into()),
            ],
        }
    }
}
