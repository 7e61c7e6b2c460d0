//! Print entries and their documents: two tables, written together.

use octavo_platform::Call;
use octavo_records::store::{insert_if_absent, replace};
use octavo_records::{Executor, Stamp, StoreError, Tenant, instant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::collections::PRINTING;
use crate::store::printing;

/// A checked entry, and its document.
#[derive(Debug, Clone)]
pub struct Entry {
    pub id: Uuid,
    document: Map<String, Value>,
    content: String,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// One letter.
    Single,
    /// Merged letters.
    Batch,
}

impl Entry {
    /// A new entry with the current time.
    #[must_use]
    pub fn new(id: Uuid, kind: EntryKind, sorted_by: Option<&str>, content: String) -> Entry {
        let word = match kind {
            EntryKind::Single => "SINGLE",
            EntryKind::Batch => "BATCH",
        };
        let now = instant::format(jiff::Timestamp::now());
        let mut document = Map::new();
        document.insert("id".to_owned(), json!(id));
        document.insert("created".to_owned(), json!(now));
        document.insert("type".to_owned(), json!(word));
        if let Some(text) = sorted_by {
            document.insert("sortingField".to_owned(), json!(text));
        }
        Entry {
            id,
            document,
            content,
        }
    }

    /// The entry that a client sent, which has the right shape.
    #[must_use]
    pub fn sent(sent: Value) -> Option<Entry> {
        let Value::Object(mut document) = sent else {
            return None;
        };
        let id = Uuid::try_parse(document.get("id")?.as_str()?).ok()?;
        let content = document.shift_remove("content")?.as_str()?.to_owned();
        // Normalised, so that it can be compared as text.
        let created = instant::parse(document.get("created")?.as_str()?)?;
        document.insert("created".to_owned(), json!(instant::format(created)));
        Some(Entry {
            id,
            document,
            content,
        })
    }

    /// Stores it within a transaction; returns whether it did, or there is one of its id.
    pub async fn store(self, call: &Call, executor: &impl Executor) -> Result<bool, StoreError> {
        let (tenant, stamp): (&Tenant, Stamp) = (&call.tenant, call.stamp());
        let own = call.collection(PRINTING);
        let is_new = insert_if_absent(executor, tenant, own, self.document, &stamp).await?;
        if is_new {
            printing::keep_content(executor, tenant, self.id, &self.content).await?;
        }
        Ok(is_new)
    }
}

/// Stores a new entry; returns whether it did, or there is one of its id.
pub async fn create_entry(call: &Call, entry: Entry) -> Result<bool, StoreError> {
    let transaction = call.writer().database.transaction().await?;
    let is_new = entry.store(call, &transaction).await?;
    transaction.commit().await?;
    Ok(is_new)
}

/// Replaces the entry of its id.
pub async fn replace_entry(call: &Call, entry: Entry) -> Result<(), StoreError> {
    let store = call.writer();
    let (tenant, stamp) = (&call.tenant, call.stamp());
    let own = store.catalog.declared(PRINTING);
    let transaction = store.database.transaction().await?;
    replace(&transaction, tenant, own, entry.id, &entry.document, &stamp).await?;
    printing::keep_content(&transaction, tenant, entry.id, &entry.content).await?;
    transaction.commit().await?;
    Ok(())
}
