//! Who changes a record and when, and what the server writes into the document for it.

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::collection::Collection;
use crate::instant;
use crate::new_id::new_id;

/// Who changes a record, and when.
#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    pub user_id: Option<Uuid>,
    /// The instant for `metadata`.
    pub at: Timestamp,
}

impl Stamp {
    #[must_use]
    pub fn now(user_id: Option<Uuid>) -> Stamp {
        Stamp {
            user_id,
            at: Timestamp::now(),
        }
    }

    /// The `metadata` of a new record.
    #[must_use]
    pub fn created(&self) -> Value {
        let at = instant::format(self.at);
        match self.user_id {
            Some(user) => json!({
                "createdDate": at, "createdByUserId": user,
                "updatedDate": at, "updatedByUserId": user,
            }),
            None => json!({"createdDate": at, "updatedDate": at}),
        }
    }

    /// The part of `metadata` that an update overwrites.
    #[must_use]
    pub fn updated(&self) -> Value {
        let at = instant::format(self.at);
        match self.user_id {
            Some(user) => json!({"updatedDate": at, "updatedByUserId": user}),
            None => json!({"updatedDate": at}),
        }
    }

    /// Completes a validated document before it is first stored: id, metadata, version.
    pub fn complete(&self, collection: &Collection, document: &mut Map<String, Value>) -> Uuid {
        let given = document
            .get("id")
            .and_then(Value::as_str)
            .and_then(|id| Uuid::try_parse(id).ok());
        let id = given.unwrap_or_else(new_id);
        document.insert("id".to_owned(), json!(id));
        if collection.has_metadata() {
            document.insert("metadata".to_owned(), self.created());
        }
        if collection.locked {
            document.insert("_version".to_owned(), json!(1));
        }
        id
    }
}
