//! Creates and replaces users.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_custom_fields::Definition;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, insert, replace};
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value, json};
use tokio::try_join;
use uuid::Uuid;

use super::{Refusal, UserContext, consortium_events, object};
use crate::collections::CUSTOM_FIELDS;
use crate::rules::consortium::UserChange;
use crate::rules::user_form;
use crate::store::references;
use crate::store::user_tenants::{Membership, membership};

/// Stores a new user; returns the id and the stored JSON.
#[boxed]
pub async fn create(context: &UserContext<'_>, document: Value) -> Result<(Uuid, Bytes), Refusal> {
    let user = new_user(context, document)?;
    let database = &context.store.database;
    let membership = membership(database, context.tenant).await?;
    if membership.is_none() && Named::of(&user).is_nothing() {
        return insert_user(context, database, user).await;
    }
    let transaction = database.transaction().await?;
    let made = insert_with_event(context, &transaction, user, membership.as_ref()).await?;
    transaction.commit().await?;
    Ok(made)
}

/// The same inside the caller's transaction.
#[boxed]
pub async fn create_within(
    context: &UserContext<'_>,
    transaction: &Transaction,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let user = new_user(context, document)?;
    let membership = membership(transaction, context.tenant).await?;
    insert_with_event(context, transaction, user, membership.as_ref()).await
}

fn new_user(context: &UserContext<'_>, document: Value) -> Result<Map<String, Value>, Refusal> {
    let mut user = checked(context, document)?;
    user.insert("createdDate".to_owned(), json!(context.now()));
    user.insert("updatedDate".to_owned(), json!(context.now()));
    Ok(user)
}

async fn insert_with_event(
    context: &UserContext<'_>,
    transaction: &Transaction,
    mut user: Map<String, Value>,
    membership: Option<&Membership>,
) -> Result<(Uuid, Bytes), Refusal> {
    Named::of(&user).check(context, transaction).await?;
    consortium_events::check(context, transaction, membership, &user, None).await?;
    let (id, stored) = insert_user(context, transaction, user.clone()).await?;
    user.insert("id".to_owned(), json!(id));
    let happened = UserChange::Created;
    consortium_events::emit_to_consortium(context, transaction, membership, happened, &user, None)
        .await?;
    Ok((id, stored))
}

async fn insert_user(
    context: &UserContext<'_>,
    executor: &dyn Executor,
    user: Map<String, Value>,
) -> Result<(Uuid, Bytes), Refusal> {
    let collection = context.collection("users");
    let stored = insert(executor, context.tenant, collection, user, &context.stamp).await;
    stored.map_err(missing)
}

/// Replaces the user of this id.
#[boxed]
pub async fn change(context: &UserContext<'_>, id: Uuid, document: Value) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let changed = change_within(context, &transaction, id, document).await?;
    transaction.commit().await?;
    if changed {
        // Every process must act on the change before the client gets the response.
        context.platform.settle().await;
    }
    Ok(())
}

/// The same inside the caller's transaction; returns whether [`octavo_platform::Platform::settle`] has
/// to be awaited after its commit.
#[boxed]
pub async fn change_within(
    context: &UserContext<'_>,
    transaction: &Transaction,
    id: Uuid,
    document: Value,
) -> Result<bool, Refusal> {
    let same = document["id"].as_str().map(Uuid::try_parse) == Some(Ok(id));
    let user = checked(context, document)?;
    if !same {
        return Err(Refusal::IdChanged);
    }
    let named = Named::of(&user);
    // Lock order: definitions before the user, because changes of definitions lock users last.
    let (types, definitions, membership, old) = try_join!(
        references::hold_address_types(transaction, context.tenant, &named.address_types),
        custom_fields(transaction, context, &named.custom_fields),
        membership(transaction, context.tenant),
        fetch_locked(transaction, context.tenant, context.collection("users"), id),
    )?;
    named.check_against(&types, &definitions)?;
    let old = old.map(object).ok_or_else(|| Refusal::NotFound {
        kind: "user",
        id: id.to_string(),
    })?;
    change_held(context, transaction, id, user, &old, membership.as_ref()).await
}

/// Replaces a user that the transaction has locked; returns whether the user became active or inactive,
/// so that [`octavo_platform::Platform::settle`] has to be awaited after the commit.
pub(super) async fn change_held(
    context: &UserContext<'_>,
    transaction: &Transaction,
    id: Uuid,
    mut user: Map<String, Value>,
    old: &Map<String, Value>,
    membership: Option<&Membership>,
) -> Result<bool, Refusal> {
    consortium_events::check(context, transaction, membership, &user, Some(old)).await?;
    stamp_change(&mut user, id, old, &json!(context.now()));
    let (collection, stamp) = (context.collection("users"), &context.stamp);
    replace(transaction, context.tenant, collection, id, &user, stamp)
        .await
        .map_err(missing)?;
    let happened = UserChange::Edited;
    consortium_events::emit_to_consortium(
        context,
        transaction,
        membership,
        happened,
        &user,
        Some(old),
    )
    .await?;
    Ok(user.get("active") != old.get("active"))
}

/// Sets what the server decides in a replaced user.
pub(super) fn stamp_change(
    user: &mut Map<String, Value>,
    id: Uuid,
    old: &Map<String, Value>,
    now: &Value,
) {
    user.insert("id".to_owned(), json!(id));
    user.insert("updatedDate".to_owned(), now.clone());
    match old.get("createdDate") {
        Some(created) => user.insert("createdDate".to_owned(), created.clone()),
        None => user.shift_remove("createdDate"),
    };
}

/// Normalises a document, and checks it against the record type and the rules that need no other record.
pub(super) fn checked(
    context: &UserContext<'_>,
    mut document: Value,
) -> Result<Map<String, Value>, Refusal> {
    user_form::tidy(&mut document);
    user_form::check(&document)?;
    context
        .collection("users")
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    Ok(object(document))
}

/// References of a user that no foreign key of the database checks.
pub(super) struct Named<'a> {
    pub(super) address_types: Vec<Uuid>,
    pub(super) custom_fields: Vec<String>,
    pub(super) values: Option<&'a Map<String, Value>>,
}

impl<'a> Named<'a> {
    pub(super) fn of(user: &'a Map<String, Value>) -> Named<'a> {
        let values = user_form::custom_fields(user);
        let names = values.into_iter().flat_map(Map::keys).cloned();
        Named {
            address_types: user_form::address_types(user),
            custom_fields: names.collect(),
            values,
        }
    }

    fn is_nothing(&self) -> bool {
        self.address_types.is_empty() && self.values.is_none()
    }

    async fn check(
        &self,
        context: &UserContext<'_>,
        transaction: &Transaction,
    ) -> Result<(), Refusal> {
        let (types, definitions) = try_join!(
            references::hold_address_types(transaction, context.tenant, &self.address_types),
            custom_fields(transaction, context, &self.custom_fields),
        )?;
        self.check_against(&types, &definitions)
    }

    pub(super) fn check_against(
        &self,
        types: &[Uuid],
        definitions: &[Definition],
    ) -> Result<(), Refusal> {
        let errors = self
            .values
            .map(|values| octavo_custom_fields::check(values, definitions))
            .unwrap_or_default();
        if !errors.is_empty() {
            return Err(Refusal::CustomFields(errors));
        }
        if types.len() < self.address_types.len() {
            return Err(Refusal::UnknownAddressType);
        }
        Ok(())
    }
}

/// The definitions of a user's custom fields, held.
pub(super) async fn custom_fields(
    transaction: &Transaction,
    context: &UserContext<'_>,
    references: &[String],
) -> Result<Vec<Definition>, StoreError> {
    let (tenant, fields) = (context.tenant, &CUSTOM_FIELDS);
    octavo_custom_fields::hold(transaction, tenant, fields, "user", references).await
}

/// Foreign keys check group and departments; this turns their violations into mod-users' refusals.
pub(super) fn missing(error: StoreError) -> Refusal {
    match error {
        StoreError::MissingReference { field, value, .. } if field == "users.patrongroup" => {
            Refusal::UnknownGroup(value)
        }
        StoreError::MissingReference { field, value, .. } if field == "users.department_id" => {
            Refusal::UnknownDepartment(value)
        }
        other => Refusal::Store(other),
    }
}
