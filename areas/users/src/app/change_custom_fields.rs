//! Changes definitions of custom fields and the users' values of them, in one transaction and one change
//! at a time. Writers of users wait for definitions that are being changed or deleted.

use std::collections::HashSet;

use octavo_boxed::boxed;
use octavo_library::{CustomFieldId, UserId};
use octavo_postgres::Transaction;
use octavo_records::{StoreError, Violation};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::count_custom_fields::ENTITY;
use super::{Refusal, UserContext, object};
use crate::rules::custom_field::{self, Definition};
use crate::rules::custom_value::without_options;
use crate::store::custom_fields as store;

/// Users whose values one statement changes: a large tenant must not hold all its users' row locks in
/// one statement.
const PORTION: u32 = 1_000;

/// Definitions of one list at most.
const DEFINITIONS_MAX: usize = 1_000;

/// Stores a new definition after all others; returns it as it is stored.
///
/// # Errors
/// When it does not fit or is inconsistent.
#[boxed]
pub async fn create(
    context: &UserContext<'_>,
    username: Option<&str>,
    document: Value,
) -> Result<Definition, Refusal> {
    let mut definition = checked(context, document)?;
    let transaction = begin(context).await?;
    let all = store::all(&transaction, context.tenant).await?;
    let id = id_of(&definition).unwrap_or_else(|| Uuid::new_v4().into());
    if all.iter().any(|(other, _)| *other == id) {
        return Err(taken(id));
    }
    if all.len() >= DEFINITIONS_MAX {
        return Err(too_many());
    }
    let highest = all
        .iter()
        .filter_map(|(_, one)| one.get("order")?.as_i64())
        .max();
    settle_new(context, username, &mut definition, id, &references(&all));
    definition.insert("order".to_owned(), json!(highest.unwrap_or(0) + 1));
    let stored = [(id, definition)];
    store::store(&transaction, context.tenant, &stored).await?;
    transaction.commit().await?;
    let [(_, definition)] = stored;
    Ok(definition)
}

/// Replaces the definition of this id, which keeps its position and its reference.
///
/// # Errors
/// As [`create`], and when it does not exist or a fixed property would change.
#[boxed]
pub async fn change(
    context: &UserContext<'_>,
    username: Option<&str>,
    id: CustomFieldId,
    document: Value,
) -> Result<(), Refusal> {
    let definition = checked(context, document)?;
    let transaction = begin(context).await?;
    let all = store::all(&transaction, context.tenant).await?;
    let (_, old) = find(&all, id)?;
    let order = old.get("order").cloned().unwrap_or_default();
    replace(
        context,
        &transaction,
        username,
        definition,
        (id, old),
        order,
    )
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// Removes a definition and all values of it. The others move up.
#[boxed]
pub async fn delete(context: &UserContext<'_>, id: CustomFieldId) -> Result<(), Refusal> {
    let transaction = begin(context).await?;
    let mut all = store::all(&transaction, context.tenant).await?;
    let (_, old) = find(&all, id)?;
    remove_values(context, &transaction, old).await?;
    store::remove(&transaction, context.tenant, &[id]).await?;
    all.retain(|(other, _)| *other != id);
    for (at, (_, one)) in all.iter_mut().enumerate() {
        one.insert("order".to_owned(), json!(at + 1));
    }
    store::store(&transaction, context.tenant, &all).await?;
    transaction.commit().await?;
    Ok(())
}

/// Replaces all definitions of a record type, in this order: stores new ones, replaces known ones, and
/// removes the rest with their values.
///
/// # Errors
/// As [`change`]; then nothing is changed.
#[boxed]
pub async fn replace_all(
    context: &UserContext<'_>,
    username: Option<&str>,
    entity: &str,
    documents: Vec<Value>,
) -> Result<(), Refusal> {
    if documents.len() > DEFINITIONS_MAX {
        return Err(too_many());
    }
    let mut given = Vec::with_capacity(documents.len());
    for document in documents {
        given.push(checked(context, document)?);
    }
    check_entities(entity, &given)?;
    let mut seen = HashSet::new();
    if let Some(twice) = given.iter().filter_map(id_of).find(|id| !seen.insert(*id)) {
        return Err(Refusal::Definition(format!(
            "Custom field {twice} is given twice"
        )));
    }
    let transaction = begin(context).await?;
    let all = store::all(&transaction, context.tenant).await?;
    let (own, others): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|(_, one)| custom_field::text(one, "entityType") == entity);
    if let Some((foreign, _)) = others.iter().find(|(id, _)| seen.contains(id)) {
        return Err(taken(*foreign));
    }
    let (gone, kept): (Vec<_>, Vec<_>) = own.into_iter().partition(|(id, _)| !seen.contains(id));
    for (_, old) in &gone {
        remove_values(context, &transaction, old).await?;
    }
    let ids: Vec<CustomFieldId> = gone.iter().map(|(id, _)| *id).collect();
    store::remove(&transaction, context.tenant, &ids).await?;
    let mut taken = references(&others);
    taken.extend(references(&kept));
    for (at, mut definition) in given.into_iter().enumerate() {
        let id = id_of(&definition);
        let order = json!(at + 1);
        match kept.iter().find(|(other, _)| Some(*other) == id) {
            Some((id, old)) => {
                replace(
                    context,
                    &transaction,
                    username,
                    definition,
                    (*id, old),
                    order,
                )
                .await?;
            }
            None => {
                let id = id.unwrap_or_else(|| Uuid::new_v4().into());
                settle_new(context, username, &mut definition, id, &taken);
                definition.insert("order".to_owned(), order);
                taken.push(custom_field::text(&definition, "refId").to_owned());
                store::store(&transaction, context.tenant, &[(id, definition)]).await?;
            }
        }
    }
    transaction.commit().await?;
    Ok(())
}

async fn begin(context: &UserContext<'_>) -> Result<Transaction, Refusal> {
    let transaction = context.store.database.transaction().await?;
    store::lock(&transaction, context.tenant).await?;
    Ok(transaction)
}

fn checked(context: &UserContext<'_>, mut document: Value) -> Result<Definition, Refusal> {
    let shape = &context.collection("custom_fields").shape;
    shape.check(&mut document).map_err(StoreError::Invalid)?;
    let mut definition = object(document);
    custom_field::complete(&mut definition);
    custom_field::check(&definition).map_err(Refusal::Definition)?;
    Ok(definition)
}

fn check_entities(entity: &str, given: &[Definition]) -> Result<(), Refusal> {
    let mut kinds: Vec<&str> = Vec::new();
    for one in given {
        let kind = custom_field::text(one, "entityType");
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match kinds.as_slice() {
        [] => Ok(()),
        [kind] if *kind == entity => Ok(()),
        [kind] => Err(Refusal::Definition(format!(
            "Collection entityType '{entity}' does not match custom fields entityType '{kind}'"
        ))),
        several => Err(Refusal::Definition(format!(
            "Multiple entityTypes found: [{}]",
            several.join(", ")
        ))),
    }
}

fn taken(id: CustomFieldId) -> Refusal {
    Refusal::Store(StoreError::Duplicate {
        status: 422,
        message: format!("id value already exists in table custom_fields: {id}"),
        field: "id".to_owned(),
        value: id.to_string(),
    })
}

fn too_many() -> Refusal {
    Refusal::Store(StoreError::Invalid(vec![Violation {
        message: format!("a library has at most {DEFINITIONS_MAX} custom fields; delete some"),
        code: "-1",
        path: "customFields".to_owned(),
        value: String::new(),
    }]))
}

fn id_of(definition: &Definition) -> Option<CustomFieldId> {
    CustomFieldId::parse(custom_field::text(definition, "id"))
}

fn find(
    all: &[(CustomFieldId, Definition)],
    id: CustomFieldId,
) -> Result<&(CustomFieldId, Definition), Refusal> {
    let found = all.iter().find(|(other, _)| *other == id);
    found.ok_or_else(|| Refusal::NotFound {
        kind: "CustomField",
        id: id.to_string(),
    })
}

fn references(all: &[(CustomFieldId, Definition)]) -> Vec<String> {
    all.iter()
        .map(|(_, one)| custom_field::text(one, "refId").to_owned())
        .collect()
}

/// Sets the properties of a new definition that the server decides.
fn settle_new(
    context: &UserContext<'_>,
    username: Option<&str>,
    definition: &mut Definition,
    id: CustomFieldId,
    taken: &[String],
) {
    custom_field::arrange_options(definition);
    let base = custom_field::reference(custom_field::text(definition, "name"));
    definition.insert("id".to_owned(), json!(id));
    let reference = custom_field::free_reference(&base, taken);
    definition.insert("refId".to_owned(), json!(reference));
    let mut metadata = context.stamp.created();
    if let Some(username) = username {
        metadata["createdByUsername"] = json!(username);
    }
    definition.insert("metadata".to_owned(), metadata);
}

async fn replace(
    context: &UserContext<'_>,
    transaction: &Transaction,
    username: Option<&str>,
    mut definition: Definition,
    (id, old): (CustomFieldId, &Definition),
    order: Value,
) -> Result<(), Refusal> {
    custom_field::check_change(&definition, old).map_err(|(property, value, message)| {
        Refusal::DefinitionChanged {
            property: property.to_owned(),
            value,
            message,
        }
    })?;
    custom_field::arrange_options(&mut definition);
    definition.insert("id".to_owned(), json!(id));
    definition.insert("order".to_owned(), order);
    definition.insert(
        "refId".to_owned(),
        old.get("refId").cloned().unwrap_or_default(),
    );
    let mut metadata = old.get("metadata").cloned().map(object).unwrap_or_default();
    metadata.extend(object(context.stamp.updated()));
    if let Some(username) = username {
        metadata.insert("updatedByUsername".to_owned(), json!(username));
    }
    definition.insert("metadata".to_owned(), Value::Object(metadata));
    let gone = custom_field::removed_options(&definition, old);
    if !gone.is_empty() && custom_field::text(old, "entityType") == ENTITY {
        replace_options(context, transaction, &definition, &gone).await?;
    }
    store::store(transaction, context.tenant, &[(id, definition)]).await?;
    Ok(())
}

/// Removes deleted options from users' values, a portion of the users at a time.
async fn replace_options(
    context: &UserContext<'_>,
    transaction: &Transaction,
    definition: &Map<String, Value>,
    gone: &[String],
) -> Result<(), StoreError> {
    let (tenant, reference) = (context.tenant, custom_field::text(definition, "refId"));
    let defaults = custom_field::default_ids(definition);
    let now = context.now();
    store::find_holders(transaction, tenant, reference, Some(gone)).await?;
    loop {
        let held = store::next_holders(transaction, PORTION).await?;
        if held.is_empty() {
            return Ok(());
        }
        let values: Vec<(UserId, Value)> = held
            .into_iter()
            .map(|(user, value)| {
                let left = without_options(&value, gone, &defaults);
                (user, left.unwrap_or_default())
            })
            .collect();
        store::set_values(transaction, tenant, reference, &values, Some(&now)).await?;
    }
}

/// Removes all values of a field from users, a portion of the users at a time.
async fn remove_values(
    context: &UserContext<'_>,
    transaction: &Transaction,
    definition: &Definition,
) -> Result<(), StoreError> {
    if custom_field::text(definition, "entityType") != ENTITY {
        return Ok(());
    }
    let (tenant, reference) = (context.tenant, custom_field::text(definition, "refId"));
    store::find_holders(transaction, tenant, reference, None).await?;
    loop {
        let mut held = store::next_holders(transaction, PORTION).await?;
        if held.is_empty() {
            return Ok(());
        }
        for (_, value) in &mut held {
            *value = Value::Null;
        }
        store::set_values(transaction, tenant, reference, &held, None).await?;
    }
}
