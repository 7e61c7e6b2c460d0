//! Makes a user of a registration, or merges it into an existing user.

use octavo_boxed::boxed;
use octavo_records::store::{delete, fetch, fetch_locked, insert};
use serde_json::{Map, Value, json};
use tokio::try_join;
use uuid::Uuid;

use super::write_user::change_held;
use super::{Refusal, UserContext, consortium_events, object};
use crate::rules::consortium::UserChange;
use crate::rules::staging;
use crate::store::references::hold_address_types;
use crate::store::staging::by_name;
use crate::store::user_tenants::membership;

/// The type of the address that a registration gives.
const HOME: &str = "Home";
/// The group of new grown-up users.
const REMOTE_GROUP: &str = "Remote Non-circulating";
const MINOR_GROUP: &str = "Basic -- Minor (INTERNAL)";

/// Makes the user and removes the registration; returns the user's id.
///
/// # Errors
/// When registration, user, address type or group does not exist.
#[boxed]
pub async fn merge_staging(
    context: &UserContext<'_>,
    registration_id: &str,
    user_id: Option<&str>,
) -> Result<Uuid, Refusal> {
    let registration_uuid = parsed("staging user", registration_id)?;
    let user_uuid = user_id.map(|id| parsed("user", id)).transpose()?;
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    let staging_users = context.collection("staging_users");
    let (registration, home, membership) = try_join!(
        fetch_locked(&transaction, tenant, staging_users, registration_uuid),
        by_name(
            &transaction,
            tenant,
            context.collection("addresstype"),
            "addressType",
            HOME
        ),
        membership(&transaction, tenant),
    )?;
    let registration = registration
        .map(object)
        .ok_or_else(|| not_found("staging user", registration_id))?;
    let held: Vec<Uuid> = home.into_iter().map(|(id, _)| id).collect();
    let held = hold_address_types(&transaction, tenant, &held).await?;
    let home = held.first().copied().ok_or_else(|| {
        Refusal::Missing("unable to find address with home as address type".to_owned())
    })?;
    let minor = registration.get("minor") == Some(&json!(true));
    let old = match user_uuid {
        None => None,
        Some(id) => {
            let found = fetch_locked(&transaction, tenant, context.collection("users"), id);
            let found = found.await?.map(object);
            Some((id, found.ok_or_else(|| not_found("user", &id.to_string()))?))
        }
    };
    let group = match (&old, minor) {
        (_, true) => named_group(context, &transaction, MINOR_GROUP).await?,
        (None, false) => named_group(context, &transaction, REMOTE_GROUP).await?,
        (Some((_, user)), false) => own_group(context, &transaction, user).await?,
    };
    let stored = old.as_ref().map(|(_, user)| user);
    let mut user = staging::user(&registration, stored, home.into(), Uuid::new_v4());
    user.insert("patronGroup".to_owned(), group["id"].clone());
    let enrolled = user.get("enrollmentDate").and_then(Value::as_str);
    let ends = enrolled.zip(group["expirationOffsetInDays"].as_i64());
    if let Some(ends) = ends.and_then(|(enrolled, days)| staging::expiration(enrolled, days)) {
        user.insert("expirationDate".to_owned(), json!(ends));
    }
    let member_of = membership.as_ref();
    let (id, changed) = match old {
        Some((id, old)) => {
            let changed = change_held(context, &transaction, id, user, &old, member_of).await?;
            (id, changed)
        }
        None => {
            user.insert("createdDate".to_owned(), json!(context.now()));
            user.insert("updatedDate".to_owned(), json!(context.now()));
            let (users, stamp) = (context.collection("users"), &context.stamp);
            let (id, _) = insert(&transaction, tenant, users, user.clone(), stamp).await?;
            user.insert("id".to_owned(), json!(id));
            let happened = UserChange::Created;
            consortium_events::emit_to_consortium(
                context,
                &transaction,
                member_of,
                happened,
                &user,
                None,
            )
            .await?;
            (id, false)
        }
    };
    delete(&transaction, tenant, staging_users, registration_uuid).await?;
    transaction.commit().await?;
    if changed {
        // Every process must act on the change before the client gets the response.
        context.platform.settle().await;
    }
    Ok(id)
}

fn parsed(kind: &'static str, id: &str) -> Result<Uuid, Refusal> {
    Uuid::try_parse(id).map_err(|_| not_found(kind, id))
}

fn not_found(kind: &'static str, id: &str) -> Refusal {
    Refusal::NotFound {
        kind,
        id: id.chars().take(100).collect(),
    }
}

async fn named_group(
    context: &UserContext<'_>,
    transaction: &octavo_postgres::Transaction,
    name: &str,
) -> Result<Value, Refusal> {
    let groups = context.collection("groups");
    let found = by_name(transaction, context.tenant, groups, "group", name).await?;
    found.map(|(_, group)| group).ok_or_else(|| {
        Refusal::Missing(format!("unable to find patron group with {name} as group"))
    })
}

async fn own_group(
    context: &UserContext<'_>,
    transaction: &octavo_postgres::Transaction,
    user: &Map<String, Value>,
) -> Result<Value, Refusal> {
    let id = user.get("patronGroup").and_then(Value::as_str);
    let group = match id.and_then(|id| Uuid::try_parse(id).ok()) {
        Some(id) => {
            fetch(
                transaction,
                context.tenant,
                context.collection("groups"),
                id,
            )
            .await?
        }
        None => None,
    };
    group.ok_or_else(|| {
        let id = id.unwrap_or("null");
        Refusal::Missing(format!("Unable to find the patron group by id: {id}"))
    })
}
