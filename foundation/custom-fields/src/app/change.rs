//! Changes definitions of custom fields and the records' values of them, in one transaction and one change
//! at a time. Writers of values wait for definitions that are being changed or deleted.

use std::collections::HashSet;

use octavo_boxed::boxed;
use octavo_library::CustomFieldId;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError, Violation};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Refusal, object};
use crate::rules::definition::{self as custom_field, Definition};
use crate::rules::value::without_options;
use crate::{CustomFields, Holder, store};

/// Records whose values one statement changes: a large tenant must not hold all its records' row locks in
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
    fields: &CustomFields,
    context: &Context<'_>,
    username: Option<&str>,
    document: Value,
) -> Result<Definition, Refusal> {
    let mut definition = checked(fields, context, document)?;
    let transaction = begin(fields, context).await?;
    let all = store::all(&transaction, context.tenant, fields.table).await?;
    let id = id_of(&definition).unwrap_or_else(|| Uuid::new_v4().into());
    if all.iter().any(|(other, _)| *other == id) {
        return Err(taken(fields, id));
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
    store::store(&transaction, context.tenant, fields.table, &stored).await?;
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
    fields: &CustomFields,
    context: &Context<'_>,
    username: Option<&str>,
    id: CustomFieldId,
    document: Value,
) -> Result<(), Refusal> {
    let definition = checked(fields, context, document)?;
    let transaction = begin(fields, context).await?;
    let all = store::all(&transaction, context.tenant, fields.table).await?;
    let (_, old) = find(&all, id)?;
    let order = old.get("order").cloned().unwrap_or_default();
    replace(
        fields,
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
pub async fn delete(
    fields: &CustomFields,
    context: &Context<'_>,
    id: CustomFieldId,
) -> Result<(), Refusal> {
    let transaction = begin(fields, context).await?;
    let mut all = store::all(&transaction, context.tenant, fields.table).await?;
    let (_, old) = find(&all, id)?;
    remove_values(fields, context, &transaction, old).await?;
    store::remove(&transaction, context.tenant, fields.table, &[id]).await?;
    all.retain(|(other, _)| *other != id);
    for (at, (_, one)) in all.iter_mut().enumerate() {
        one.insert("order".to_owned(), json!(at + 1));
    }
    store::store(&transaction, context.tenant, fields.table, &all).await?;
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
    fields: &CustomFields,
    context: &Context<'_>,
    username: Option<&str>,
    entity: &str,
    documents: Vec<Value>,
) -> Result<(), Refusal> {
    if documents.len() > DEFINITIONS_MAX {
        return Err(too_many());
    }
    let mut given = Vec::with_capacity(documents.len());
    for document in documents {
        given.push(checked(fields, context, document)?);
    }
    check_entities(entity, &given)?;
    let mut seen = HashSet::new();
    if let Some(twice) = given.iter().filter_map(id_of).find(|id| !seen.insert(*id)) {
        return Err(Refusal::Definition(format!(
            "Custom field {twice} is given twice"
        )));
    }
    let transaction = begin(fields, context).await?;
    let all = store::all(&transaction, context.tenant, fields.table).await?;
    let (own, others): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|(_, one)| custom_field::text(one, "entityType") == entity);
    if let Some((foreign, _)) = others.iter().find(|(id, _)| seen.contains(id)) {
        return Err(taken(fields, *foreign));
    }
    let (gone, kept): (Vec<_>, Vec<_>) = own.into_iter().partition(|(id, _)| !seen.contains(id));
    for (_, old) in &gone {
        remove_values(fields, context, &transaction, old).await?;
    }
    let ids: Vec<CustomFieldId> = gone.iter().map(|(id, _)| *id).collect();
    store::remove(&transaction, context.tenant, fields.table, &ids).await?;
    let mut taken = references(&others);
    taken.extend(references(&kept));
    for (at, mut definition) in given.into_iter().enumerate() {
        let id = id_of(&definition);
        let order = json!(at + 1);
        match kept.iter().find(|(other, _)| Some(*other) == id) {
            Some((id, old)) => {
                replace(
                    fields,
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
                store::store(
                    &transaction,
                    context.tenant,
                    fields.table,
                    &[(id, definition)],
                )
                .await?;
            }
        }
    }
    transaction.commit().await?;
    Ok(())
}

async fn begin(fields: &CustomFields, context: &Context<'_>) -> Result<Transaction, Refusal> {
    let transaction = context.store.database.transaction().await?;
    store::lock(&transaction, context.tenant, fields.table).await?;
    Ok(transaction)
}

fn checked(
    fields: &CustomFields,
    context: &Context<'_>,
    mut document: Value,
) -> Result<Definition, Refusal> {
    let shape = &context.collection(fields.table).shape;
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

fn taken(fields: &CustomFields, id: CustomFieldId) -> Refusal {
    Refusal::Store(StoreError::Duplicate {
        status: 422,
        message: format!("id value already exists in table {}: {id}", fields.table),
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
    found.ok_or(Refusal::NotFound(id))
}

fn references(all: &[(CustomFieldId, Definition)]) -> Vec<String> {
    all.iter()
        .map(|(_, one)| custom_field::text(one, "refId").to_owned())
        .collect()
}

/// Sets the properties of a new definition that the server decides.
fn settle_new(
    context: &Context<'_>,
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
    fields: &CustomFields,
    context: &Context<'_>,
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
    if let Some(holder) = fields.holder(old).filter(|_| !gone.is_empty()) {
        replace_options(holder, context, transaction, &definition, &gone).await?;
    }
    store::store(
        transaction,
        context.tenant,
        fields.table,
        &[(id, definition)],
    )
    .await?;
    Ok(())
}

/// Removes deleted options from records' values, a portion of the records at a time.
async fn replace_options(
    holder: &Holder,
    context: &Context<'_>,
    transaction: &Transaction,
    definition: &Map<String, Value>,
    gone: &[String],
) -> Result<(), StoreError> {
    let (tenant, reference) = (context.tenant, custom_field::text(definition, "refId"));
    let defaults = custom_field::default_ids(definition);
    let now = context.now();
    store::find_holders(transaction, tenant, holder, reference, Some(gone)).await?;
    loop {
        let held = store::next_holders(transaction, PORTION).await?;
        if held.is_empty() {
            return Ok(());
        }
        let values: Vec<(Uuid, Value)> = held
            .into_iter()
            .map(|(id, value)| {
                let left = without_options(&value, gone, &defaults);
                (id, left.unwrap_or_default())
            })
            .collect();
        store::set_values(transaction, tenant, holder, reference, &values, Some(&now)).await?;
    }
}

/// Removes all values of a field from records, a portion of the records at a time.
async fn remove_values(
    fields: &CustomFields,
    context: &Context<'_>,
    transaction: &Transaction,
    definition: &Definition,
) -> Result<(), StoreError> {
    let Some(holder) = fields.holder(definition) else {
        return Ok(());
    };
    let (tenant, reference) = (context.tenant, custom_field::text(definition, "refId"));
    store::find_holders(transaction, tenant, holder, reference, None).await?;
    loop {
        let mut held = store::next_holders(transaction, PORTION).await?;
        if held.is_empty() {
            return Ok(());
        }
        for (_, value) in &mut held {
            *value = Value::Null;
        }
        store::set_values(transaction, tenant, holder, reference, &held, None).await?;
    }
}
