//! Permissions that a library defines itself: created, replaced, deleted, and deprecated ones purged.
//! Changes of a tenant's definitions run one at a time.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{fetch_locked, insert, replace as replace_record};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Change, missing, names};
use crate::refusal::{Failure, Refusal};
use crate::store::definitions;
use crate::store::holders::hold_definitions;

const TABLE: &str = "permissions";

/// Creates a permission from a checked document; returns the completed document.
///
/// # Errors
/// When the name or the id is taken, a part is not defined, or the operating user may not give one.
#[boxed]
pub async fn create(
    change: &Change<'_>,
    mut document: Map<String, Value>,
) -> Result<Map<String, Value>, Failure> {
    let id = match text(&document, "id") {
        Some(id) => id.to_owned(),
        None => Uuid::new_v4().to_string(),
    };
    let name = text(&document, "permissionName").unwrap_or(&id).to_owned();
    let parts = names(&document, "subPermissions");
    document.insert("id".to_owned(), json!(id));
    document.insert("permissionName".to_owned(), json!(name));
    document.entry("visible").or_insert(json!(true));
    complete(&mut document, &parts);
    let transaction = change.store.database.transaction().await?;
    definitions::lock(&transaction, change.tenant).await?;
    let of_name =
        hold_definitions(&transaction, change.tenant, std::slice::from_ref(&name)).await?;
    if !of_name.is_empty() {
        return Err(Refusal::NameTaken(name).into());
    }
    if parts.contains(&name) {
        return Err(Refusal::Cycle(vec![name]).into());
    }
    let defined = hold_definitions(&transaction, change.tenant, &parts).await?;
    // Else its creator could obtain permissions through a set of their own.
    change.may_give(defined.iter())?;
    change.may_give_all_of(&transaction, &parts).await?;
    let defined: Vec<String> = defined.into_iter().map(|one| one.name).collect();
    refuse_unknown(missing(&parts, &defined), &name)?;
    let mut stored = document.clone();
    stored.extend(derived(&Map::new()));
    insert(
        &transaction,
        change.tenant,
        change.collection(TABLE),
        stored,
        &change.stamp,
    )
    .await?;
    definitions::write_parents(&transaction, change.tenant, &parts).await?;
    transaction.commit().await?;
    Ok(document)
}

/// Replaces a permission by a checked document; returns the completed document.
///
/// # Errors
/// When there is none, a module defined it, the name differs, a part is not defined, the operating user
/// may not give a new part, or the set would contain itself.
#[boxed]
pub async fn replace(
    change: &Change<'_>,
    id: Uuid,
    mut document: Map<String, Value>,
) -> Result<Map<String, Value>, Failure> {
    let parts = names(&document, "subPermissions");
    complete(&mut document, &parts);
    let transaction = change.store.database.transaction().await?;
    definitions::lock(&transaction, change.tenant).await?;
    let before = own(change, &transaction, id, Refusal::ImmutableChanged);
    let before = before.await?;
    let Some(name) = text(&before, "permissionName") else {
        return Err(Refusal::NoPermission.into());
    };
    if text(&document, "permissionName") != Some(name) {
        return Err(Refusal::NameChanged.into());
    }
    let parts_before = names(&before, "subPermissions");
    let added = missing(&parts, &parts_before);
    let defined = hold_definitions(&transaction, change.tenant, &added).await?;
    change.may_give(defined.iter())?;
    change.may_give_all_of(&transaction, &added).await?;
    let defined: Vec<String> = defined.into_iter().map(|one| one.name).collect();
    refuse_unknown(missing(&added, &defined), name)?;
    if definitions::lead_to(&transaction, change.tenant, &added, name).await? {
        return Err(Refusal::Cycle(vec![name.to_owned()]).into());
    }
    let mut stored = document.clone();
    stored.extend(derived(&before));
    let collection = change.collection(TABLE);
    replace_record(
        &transaction,
        change.tenant,
        collection,
        id,
        &stored,
        &change.stamp,
    )
    .await?;
    let mut touched = missing(&parts_before, &parts);
    touched.extend(added);
    definitions::write_parents(&transaction, change.tenant, &touched).await?;
    transaction.commit().await?;
    Ok(document)
}

/// Deletes a permission, and removes it from all sets and users.
///
/// # Errors
/// When there is none, or a module defined it.
#[boxed]
pub async fn delete(change: &Change<'_>, id: Uuid) -> Result<(), Failure> {
    let transaction = change.store.database.transaction().await?;
    definitions::lock(&transaction, change.tenant).await?;
    let before = own(change, &transaction, id, Refusal::ImmutableDeleted).await?;
    let names: Vec<String> = text(&before, "permissionName")
        .map(str::to_owned)
        .into_iter()
        .collect();
    let updated = change.stamp.updated();
    definitions::delete(&transaction, change.tenant, &names, &updated).await?;
    Ok(transaction.commit().await?)
}

/// Deletes deprecated permissions, and removes them from all sets and users; returns the names.
#[boxed]
pub async fn purge(change: &Change<'_>) -> Result<Vec<String>, Failure> {
    let transaction = change.store.database.transaction().await?;
    definitions::lock(&transaction, change.tenant).await?;
    let names = definitions::deprecated(&transaction, change.tenant).await?;
    if !names.is_empty() {
        let updated = change.stamp.updated();
        definitions::delete(&transaction, change.tenant, &names, &updated).await?;
    }
    transaction.commit().await?;
    Ok(names)
}

/// A stored permission that no module defined, locked for a change.
async fn own(
    change: &Change<'_>,
    transaction: &Transaction,
    id: Uuid,
    otherwise: Refusal,
) -> Result<Map<String, Value>, Failure> {
    let collection = change.collection(TABLE);
    let Some(Value::Object(before)) =
        fetch_locked(transaction, change.tenant, collection, id).await?
    else {
        return Err(Refusal::NoPermission.into());
    };
    match before.get("mutable") {
        Some(Value::Bool(false)) => Err(otherwise.into()),
        _ => Ok(before),
    }
}

/// The permission as FOLIO's response shows it.
fn complete(document: &mut Map<String, Value>, parts: &[String]) {
    document.insert("subPermissions".to_owned(), json!(parts));
    document.insert("mutable".to_owned(), json!(true));
    document.entry("tags").or_insert(json!([]));
    document.remove("metadata");
}

/// Stored properties that clients do not send, taken from the permission before the change.
fn derived(before: &Map<String, Value>) -> Map<String, Value> {
    let parents = before.get("childOf").cloned().unwrap_or(json!([]));
    let pairs = [
        ("childOf", parents),
        ("dummy", json!(false)),
        ("deprecated", json!(false)),
    ];
    let pairs = pairs.into_iter();
    pairs.map(|(key, value)| (key.to_owned(), value)).collect()
}

fn refuse_unknown(names: Vec<String>, set: &str) -> Result<(), Refusal> {
    match names.is_empty() {
        true => Ok(()),
        false => Err(Refusal::UnknownToSet {
            names,
            set: set.to_owned(),
        }),
    }
}

fn text<'a>(document: &'a Map<String, Value>, property: &str) -> Option<&'a str> {
    document.get(property).and_then(Value::as_str)
}

/// An id as FOLIO's storage reads it.
///
/// # Errors
/// When it is not a UUID.
pub fn checked_id(document: &Map<String, Value>) -> Result<Option<Uuid>, StoreError> {
    match text(document, "id") {
        None => Ok(None),
        Some(id) => Uuid::try_parse(id).map(Some).map_err(|_| {
            let shown: String = id.chars().take(100).collect();
            StoreError::Query(format!("invalid input syntax for type uuid: \"{shown}\""))
        }),
    }
}
