//! Stores many users at once, for imports: one statement for each table. A refusal has the reason
//! but not the user: the caller retries with fewer.

use octavo_boxed::boxed;
use octavo_custom_fields::Definition;
use octavo_postgres::Transaction;
use octavo_records::store::{Hold, Locking, fetch_many, insert_many, replace_many};
use serde_json::{Map, Value, json};
use tokio::try_join;
use uuid::Uuid;

use super::write_user::{self, Named, custom_fields};
use super::{Refusal, UserContext, consortium_events, object};
use crate::rules::consortium::UserChange;
use crate::store::references;
use crate::store::user_tenants::{Membership, membership};

/// A user who replaces a stored one.
#[derive(Debug, Clone)]
pub struct Changed {
    /// Whose.
    pub id: Uuid,
    /// The checked document.
    pub user: Map<String, Value>,
    /// The stored document, locked by the caller's transaction.
    pub old: Map<String, Value>,
}

/// Records that users refer to, locked against change until the transaction ends.
#[derive(Debug)]
pub struct HeldReferences {
    types: Vec<Uuid>,
    definitions: Vec<Definition>,
    membership: Option<Membership>,
}

/// Normalises and checks a document as mod-users does, without looking at stored records.
pub fn checked(context: &UserContext<'_>, document: Value) -> Result<Map<String, Value>, Refusal> {
    write_user::checked(context, document)
}

/// Locks the records that these users refer to. Call it before locking the users: changes of definitions
/// lock users last.
pub async fn hold(
    context: &UserContext<'_>,
    transaction: &Transaction,
    users: impl Iterator<Item = &Map<String, Value>>,
) -> Result<HeldReferences, Refusal> {
    let (mut types, mut fields) = (Vec::new(), Vec::new());
    for user in users {
        let named = Named::of(user);
        types.extend(named.address_types);
        fields.extend(named.custom_fields);
    }
    fields.sort_unstable();
    fields.dedup();
    types.sort_unstable();
    types.dedup();
    let (types, definitions, membership) = try_join!(
        references::hold_address_types(transaction, context.tenant, &types),
        custom_fields(transaction, context, &fields),
        membership(transaction, context.tenant),
    )?;
    Ok(HeldReferences {
        types,
        definitions,
        membership,
    })
}

/// The stored users of these ids, locked against change until the transaction ends.
#[boxed]
pub async fn hold_users(
    context: &UserContext<'_>,
    transaction: &Transaction,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, Map<String, Value>)>, Refusal> {
    let users = context.collection("users");
    let found = fetch_many(transaction, context.tenant, users, ids, Hold::Exclusive).await?;
    let found = found.into_iter().map(|(id, user)| (id, object(user)));
    Ok(found.collect())
}

/// Stores new users, who have their ids, and changed ones; returns whether anybody becomes active or
/// inactive, so that [`octavo_platform::Platform::settle`] has to be awaited after the commit.
///
/// # Errors
/// Why one of them is refused: the caller must then roll back, or return to a savepoint.
#[boxed]
pub async fn write(
    context: &UserContext<'_>,
    transaction: &Transaction,
    held: &HeldReferences,
    mut new: Vec<Map<String, Value>>,
    mut changed: Vec<Changed>,
) -> Result<bool, Refusal> {
    let (tenant, stamp, now) = (context.tenant, &context.stamp, json!(context.now()));
    let membership = held.membership.as_ref();
    for user in &mut new {
        check(held, user, None)?;
        user.insert("createdDate".to_owned(), now.clone());
        user.insert("updatedDate".to_owned(), now.clone());
        consortium_events::check(context, transaction, membership, user, None).await?;
    }
    let mut settles = false;
    for Changed { id, user, old } in &mut changed {
        check(held, user, Some(old))?;
        consortium_events::check(context, transaction, membership, user, Some(old)).await?;
        write_user::stamp_change(user, *id, old, &now);
        settles |= user.get("active") != old.get("active");
    }
    let for_consortium = membership.is_some().then(|| new.clone());
    let collection = context.collection("users");
    insert_many(transaction, tenant, collection, new, stamp)
        .await
        .map_err(write_user::missing)?;
    let documents: Vec<(Uuid, Map<String, Value>)> = changed
        .iter()
        .map(|one| (one.id, one.user.clone()))
        .collect();
    replace_many(
        transaction,
        tenant,
        collection,
        &documents,
        stamp,
        Locking::Suppressed,
    )
    .await
    .map_err(write_user::missing)?;
    for user in for_consortium.iter().flatten() {
        let happened = UserChange::Created;
        consortium_events::emit_to_consortium(
            context,
            transaction,
            membership,
            happened,
            user,
            None,
        )
        .await?;
    }
    for Changed { user, old, .. } in &changed {
        let happened = UserChange::Edited;
        consortium_events::emit_to_consortium(
            context,
            transaction,
            membership,
            happened,
            user,
            Some(old),
        )
        .await?;
    }
    Ok(settles)
}

/// References that do not change were checked when they were first stored.
fn check(
    held: &HeldReferences,
    user: &Map<String, Value>,
    old: Option<&Map<String, Value>>,
) -> Result<(), Refusal> {
    let mut named = Named::of(user);
    if let Some(old) = old {
        let before = Named::of(old).address_types;
        named.address_types.retain(|id| !before.contains(id));
        if user.get("customFields") == old.get("customFields") {
            named.values = None;
        }
    }
    let known: Vec<Uuid> = named
        .address_types
        .iter()
        .filter(|id| held.types.contains(id))
        .copied()
        .collect();
    named.check_against(&known, &held.definitions)
}
