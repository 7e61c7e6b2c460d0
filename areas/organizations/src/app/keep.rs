//! Stores organizations: their types exist, and their units are respected where the interface asks for
//! them.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, insert, replace as replace_record};
use octavo_records::{Context, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::announce::{Happened, announce};
use super::{Declined, Refusal};
use crate::rules::{accounts, patterns};
use crate::store;
use crate::units::{self, Operation};

const TABLE: &str = "organizations";

/// Which of FOLIO's modules receives an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// mod-organizations-storage.
    Storage,
    /// mod-organizations, for a user who may change the units of records or not.
    Business { may_manage_units: bool },
}

impl By {
    fn is_business(self) -> bool {
        self != By::Storage
    }
}

/// Stores a new organization; returns its id and the stored JSON.
///
/// # Errors
/// When it does not fit, its code is taken, an account's number occurs twice or a type does not exist.
#[boxed]
pub async fn create(
    context: &Context<'_>,
    by: By,
    mut document: Value,
) -> Result<(Uuid, Bytes), Declined> {
    let organization = checked(context, by, &mut document)?;
    let transaction = context.store.database.transaction().await?;
    hold_types(context, &transaction, &organization).await?;
    let collection = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let stored = insert(
        &transaction,
        tenant,
        collection,
        organization.clone(),
        stamp,
    )
    .await?;
    let mut snapshot = organization;
    snapshot.insert("id".to_owned(), json!(stored.0));
    announce(context, &transaction, Happened::Create, stored.0, snapshot).await?;
    transaction.commit().await?;
    Ok(stored)
}

/// Replaces an organization.
///
/// # Errors
/// As [`create`]; when there is none, when the user may not change it or its units, and when a unit that is
/// given does not exist.
#[boxed]
pub async fn replace(
    context: &Context<'_>,
    by: By,
    id: Uuid,
    mut document: Value,
) -> Result<(), Declined> {
    if by.is_business() {
        settle_id(id, &mut document)?;
    }
    context.collection(TABLE).settle_id(id, &mut document);
    let mut organization = checked(context, by, &mut document)?;
    organization.insert("id".to_owned(), json!(id));
    let transaction = context.store.database.transaction().await?;
    let collection = context.collection(TABLE);
    let held = fetch_locked(&transaction, context.tenant, collection, id).await?;
    let Some(Value::Object(held)) = held else {
        return Err(StoreError::NotFound.into());
    };
    if let By::Business { may_manage_units } = by {
        respect_units(
            context,
            &transaction,
            (&held, &organization),
            may_manage_units,
        )
        .await?;
    }
    hold_types(context, &transaction, &organization).await?;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace_record(&transaction, tenant, collection, id, &organization, stamp).await?;
    announce(context, &transaction, Happened::Edit, id, organization).await?;
    transaction.commit().await?;
    Ok(())
}

/// The body's id is that of the path; a missing one is filled in.
pub(crate) fn settle_id(id: Uuid, document: &mut Value) -> Result<(), Refusal> {
    let sent = document.get("id").and_then(Value::as_str).unwrap_or("");
    if sent.is_empty() {
        if let Value::Object(document) = document {
            document.insert("id".to_owned(), json!(id));
        }
        return Ok(());
    }
    match Uuid::try_parse(sent) == Ok(id) {
        true => Ok(()),
        false => Err(Refusal::IdMismatch),
    }
}

fn checked(
    context: &Context<'_>,
    by: By,
    document: &mut Value,
) -> Result<Map<String, Value>, Declined> {
    let collection = context.collection(TABLE);
    let shape = collection.shape.check(document);
    shape.map_err(StoreError::Invalid)?;
    let violations = patterns::of_organization(document);
    if !violations.is_empty() {
        return Err(StoreError::Invalid(violations).into());
    }
    if by.is_business() && !accounts::have_distinct_numbers(document) {
        return Err(Refusal::AccountNumbers.into());
    }
    match document.take() {
        Value::Object(organization) => Ok(organization),
        _ => Err(StoreError::fault("a checked organization is no object").into()),
    }
}

/// Locks the types of an organization, so that none is deleted before the organization is stored.
async fn hold_types(
    context: &Context<'_>,
    transaction: &Transaction,
    organization: &Map<String, Value>,
) -> Result<(), StoreError> {
    let types = organization
        .get("organizationTypes")
        .and_then(Value::as_array);
    let ids: Vec<Uuid> = types
        .into_iter()
        .flatten()
        .filter_map(|id| Uuid::try_parse(id.as_str()?).ok())
        .collect();
    if ids.is_empty() {
        return Ok(());
    }
    let known = store::hold_types(transaction, context.tables(), &ids).await?;
    let Some(missing) = ids.iter().find(|id| !known.contains(id)) else {
        return Ok(());
    };
    Err(StoreError::MissingReference {
        status: 422,
        message: format!(
            "Cannot set organizations.organizationTypes = {missing} because it does not exist in \
             organization_types.id."
        ),
        field: "organizations.organizationTypes".to_owned(),
        value: missing.to_string(),
    })
}

async fn respect_units(
    context: &Context<'_>,
    transaction: &Transaction,
    (held, new): (&Map<String, Value>, &Map<String, Value>),
    may_manage: bool,
) -> Result<(), Declined> {
    let (had, given) = (units::of_record(held), units::of_record(new));
    let ids: Vec<Uuid> = had.iter().chain(&given).copied().collect();
    let user = context.stamp.user_id;
    let standing = units::standing(transaction, context.tables(), &ids, user).await?;
    let changes =
        had.iter().any(|id| !given.contains(id)) || given.iter().any(|id| !had.contains(id));
    if changes && !may_manage {
        return Err(Refusal::MayNotManageUnits.into());
    }
    let wrong = standing.not_assignable(&given, &had);
    if !wrong.is_empty() {
        return Err(Refusal::UnknownUnits(wrong).into());
    }
    let allowed = standing.allow(Operation::Update, &had);
    allowed.map_err(|_| Refusal::Restricted.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_the_path_is_filled_in() {
        let id = Uuid::from_u128(7);
        for (sent, fits) in [
            (json!({}), true),
            (json!({"id": id}), true),
            (json!({"id": ""}), true),
            (json!({"id": Uuid::from_u128(8)}), false),
        ] {
            let mut document = sent.clone();
            assert_eq!(settle_id(id, &mut document).is_ok(), fits, "{sent}");
            if fits {
                assert_eq!(document, json!({"id": id}));
            }
        }
    }
}
