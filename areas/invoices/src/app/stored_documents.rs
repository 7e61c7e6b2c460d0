//! Documents of invoices: their metadata is a record, their contents lie apart, so that lists never read them.

use octavo_boxed::boxed;
use octavo_records::store::insert;
use octavo_records::{Context, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::checked;
use crate::rules::document;
use crate::store::documents;

const TABLE: &str = "documents";

/// Why a document is not stored.
#[derive(Debug)]
pub enum NotStored {
    /// It names another invoice.
    InvoiceMismatch,
    Store(StoreError),
}

impl From<StoreError> for NotStored {
    fn from(error: StoreError) -> NotStored {
        NotStored::Store(error)
    }
}

impl From<octavo_postgres::DatabaseError> for NotStored {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> NotStored {
        NotStored::Store(error.into())
    }
}

/// Stores a document of an invoice; gives its id and the document as it is stored.
///
/// # Errors
/// When it does not fit or names another invoice.
#[boxed]
pub async fn create(
    context: &Context<'_>,
    invoice: Uuid,
    mut sent: Value,
) -> Result<(Uuid, Value), NotStored> {
    let data = contents(&sent)?;
    let metadata = sent["documentMetadata"].take();
    let metadata = checked(context, TABLE, metadata)?;
    if document::id(&metadata, "invoiceId") != Some(invoice) {
        return Err(NotStored::InvoiceMismatch);
    }
    let transaction = context.store.database.transaction().await?;
    let collection = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let (id, stored) = insert(&transaction, tenant, collection, metadata, stamp).await?;
    if let Some(data) = &data {
        documents::keep_contents(&transaction, context.tables(), id, data).await?;
    }
    transaction.commit().await?;
    let stored = serde_json::from_slice(&stored).map_err(|error| StoreError::json(error))?;
    Ok((id, whole(stored, data)))
}

/// The contents that are sent, if there are any; other properties are refused.
fn contents(sent: &Value) -> Result<Option<String>, StoreError> {
    let invalid = |message: &str, path: &str| {
        StoreError::Invalid(vec![octavo_records::Violation {
            message: message.to_owned(),
            code: "-1",
            path: path.to_owned(),
            value: String::new(),
        }])
    };
    let Value::Object(properties) = sent else {
        return Err(invalid("must be an object", ""));
    };
    let known = ["documentMetadata", "contents", "metadata"];
    if let Some(name) = properties
        .keys()
        .find(|name| !known.contains(&name.as_str()))
    {
        return Err(invalid(&format!("Unrecognized field \"{name}\""), name));
    }
    match properties.get("contents") {
        None | Some(Value::Null) => Ok(None),
        Some(contents) => match contents["data"].as_str() {
            Some(data) => Ok(Some(data.to_owned())),
            None => Err(invalid("must not be null", "contents.data")),
        },
    }
}

/// A document with its contents.
///
/// # Errors
/// When the invoice has no such document.
#[boxed]
pub async fn read(context: &Context<'_>, invoice: Uuid, id: Uuid) -> Result<Value, StoreError> {
    let database = &context.store.database;
    let found = documents::whole(database, context.tables(), invoice, id).await?;
    let (metadata, data) = found.ok_or(StoreError::NotFound)?;
    Ok(whole(metadata, data))
}

/// Deletes a document.
///
/// # Errors
/// When the invoice has no such document.
#[boxed]
pub async fn delete(context: &Context<'_>, invoice: Uuid, id: Uuid) -> Result<(), StoreError> {
    let database = &context.store.database;
    match documents::delete(database, context.tables(), invoice, id).await? {
        true => Ok(()),
        false => Err(StoreError::NotFound),
    }
}

fn whole(metadata: Value, data: Option<String>) -> Value {
    let mut whole = Map::new();
    if let Some(stamp) = metadata.get("metadata") {
        whole.insert("metadata".to_owned(), stamp.clone());
    }
    whole.insert("documentMetadata".to_owned(), metadata);
    if let Some(data) = data {
        whole.insert("contents".to_owned(), json!({"data": data}));
    }
    Value::Object(whole)
}
