//! The tenants of a consortium to which users belong. A tenant outside any consortium has no such
//! records, and the consortium's rules do not apply to its users.

use octavo_boxed::boxed;
use octavo_records::StoreError;
use octavo_records::index::Index;
use octavo_records::plan::{Plan, Predicate, TextMatch};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Refusal, UserContext, object};
use crate::store::user_tenants;

/// The parameters of a search, and whether case and accents count.
pub const FIELDS: [(&str, bool); 8] = [
    ("userId", true),
    ("username", false),
    ("tenantId", true),
    ("email", true),
    ("phoneNumber", true),
    ("mobilePhoneNumber", true),
    ("barcode", true),
    ("externalSystemId", true),
];

/// Finds records that have all of these values, or any of them.
#[must_use]
pub fn plan(wanted: &[(&str, bool, String)], any: bool) -> Plan {
    let parts: Vec<Predicate> = wanted
        .iter()
        .map(|(field, exact, value)| {
            let index = match exact {
                true => Index::plain(field).case_sensitive().keep_accents(),
                false => Index::plain(field),
            };
            Predicate::Text(TextMatch::declared(index, "=", value.clone()))
        })
        .collect();
    let predicate = match (parts.is_empty(), any) {
        (true, _) => Predicate::Everything,
        (false, true) => Predicate::Any(parts),
        (false, false) => Predicate::All(parts),
    };
    Plan {
        predicate,
        sort: Vec::new(),
    }
}

/// Adds a record; returns its id, and whether it was added: a record of the same id is not replaced.
#[boxed]
pub async fn add(context: &UserContext<'_>, mut document: Value) -> Result<(Uuid, bool), Refusal> {
    let collection = context.collection("user_tenant");
    let checked = collection.shape.check(&mut document);
    checked.map_err(StoreError::Invalid)?;
    let mut record = object(document);
    let given = record.get("id").and_then(Value::as_str);
    let id = given.and_then(|id| Uuid::try_parse(id).ok());
    let id = id.unwrap_or_else(Uuid::new_v4);
    record.insert("id".to_owned(), json!(id));
    let database = &context.store.database;
    let record = Value::Object(record);
    let added = user_tenants::add(database, context.tenant, id, &record).await?;
    Ok((id, added))
}

/// Removes the records of a member, or the only one that a member's own tenant has; returns false when
/// that has not exactly one.
#[boxed]
pub async fn remove(context: &UserContext<'_>, member: Option<&str>) -> Result<bool, Refusal> {
    let database = &context.store.database;
    if let Some(member) = member {
        user_tenants::remove_of(database, context.tenant, member).await?;
        return Ok(true);
    }
    let transaction = database.transaction().await?;
    let removed = user_tenants::remove_only(&transaction, context.tenant).await?;
    transaction.commit().await?;
    Ok(removed)
}
