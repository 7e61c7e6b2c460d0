//! Creates and changes users together with their permissions and, for new users, a password.

use http::Method;
use octavo_boxed::boxed;
use octavo_login::app::create_credentials::add_credentials;
use octavo_login::app::password::hash_in_turn;
use octavo_permissions::rules::assigning::{GATEWAYS, may_give, may_give_all_of};
use octavo_permissions::store::definitions::gateways_within;
use octavo_permissions::store::holders::hold_definitions;
use octavo_platform::audit::AuditEvent;
use octavo_platform::{ApiError, Call};
use octavo_postgres::Transaction;
use octavo_users::app::write_user::{change_within, create_within};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Failure, Refusal, users};
use crate::store::permissions;

/// The body of a request. It has no `Debug`: passwords belong in no log.
#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
pub struct SentUser {
    pub user: Value,
    /// The permissions, if they are to be set.
    pub permissions: Option<SentPermissions>,
    /// The password of a new user, if there is one.
    pub credentials: Option<SentCredentials>,
}

/// The permissions of a user.
#[derive(Deserialize, Clone)]
pub struct SentPermissions {
    /// Their names.
    #[serde(default)]
    pub permissions: Vec<String>,
}

/// The password of a user.
#[derive(Deserialize, Clone)]
pub struct SentCredentials {
    pub password: String,
}

/// Creates a user with permissions and password, all or nothing; returns the id.
///
/// # Errors
/// Refused when one of the three is refused.
#[boxed]
pub async fn create_user(call: &Call, sent: SentUser) -> Result<Uuid, Failure> {
    let wanted = sent.permissions.as_ref();
    may_set(call, wanted, "perms.users.item.post")?;
    let hash = match &sent.credentials {
        Some(credentials) => {
            Some(hash_in_turn(&call.platform, credentials.password.clone()).await?)
        }
        None => None,
    };
    let (store, tenant, stamp) = (call.writer(), &call.tenant, call.stamp());
    let keeper = users::keeper(call);
    // A user created by a remote module cannot be rolled back: it is created last.
    let mut document = sent.user;
    let id = match &keeper {
        None => None,
        Some(_) => Some(given_id(&mut document)?),
    };
    let transaction = store.database.transaction().await?;
    let user_id = match id {
        Some(id) => id,
        None => {
            let made = Box::pin(create_within(
                &octavo_users::app::UserContext::of(call),
                &transaction,
                document.clone(),
            ))
            .await;
            made.map_err(Refusal::User)?.0
        }
    };
    if let Some(wanted) = wanted {
        give(&transaction, call, user_id, wanted).await?;
    }
    if let Some(hash) = &hash
        && !add_credentials(&transaction, tenant, user_id.into(), hash, &stamp).await?
    {
        return Err(Refusal::HasCredentials(user_id).into());
    }
    if let Some(module) = keeper {
        let answer = module.send(call, Method::POST, "/users", Some(&document));
        let answer = answer.await?;
        if !answer.status.is_success() {
            return Err(Refusal::Remote(answer).into());
        }
    }
    transaction.commit().await?;
    // Every process must act on the change before the client gets the response.
    call.platform.settle().await;
    Ok(user_id)
}

/// Changes a user and, if sent, the permissions, all or nothing.
///
/// # Errors
/// Refused when there is no such user or a part cannot be changed.
#[boxed]
pub async fn replace_user(call: &Call, id: Uuid, sent: SentUser) -> Result<(), Failure> {
    let wanted = sent.permissions.as_ref();
    may_set(call, wanted, "perms.users.item.put")?;
    let store = call.writer();
    let mut document = sent.user;
    if let Some(user) = document.as_object_mut() {
        user.insert("id".to_owned(), json!(id));
    }
    let keeper = users::keeper(call);
    let transaction = store.database.transaction().await?;
    if keeper.is_none() {
        let changed = Box::pin(change_within(
            &octavo_users::app::UserContext::of(call),
            &transaction,
            id,
            document.clone(),
        ))
        .await;
        changed.map_err(Refusal::ChangedUser)?;
    }
    if let Some(wanted) = wanted {
        give(&transaction, call, id, wanted).await?;
    }
    if let Some(module) = keeper {
        let path = format!("/users/{id}");
        let answer = module.send(call, Method::PUT, &path, Some(&document));
        let answer = answer.await?;
        if !answer.status.is_success() {
            return Err(Refusal::Remote(answer).into());
        }
    }
    transaction.commit().await?;
    call.platform.settle().await;
    Ok(())
}

/// Checks FOLIO's permission for setting permissions, which the routes declare as desired.
fn may_set(call: &Call, wanted: Option<&SentPermissions>, needed: &str) -> Result<(), Refusal> {
    match wanted {
        Some(_) if !call.has_permission(needed) => Err(Refusal::Lacks(needed.to_owned())),
        _ => Ok(()),
    }
}

/// Sets a user's permissions by the rules of mod-permissions: they must be defined, and the caller must
/// have them or may assign their kind. Permissions that the user has already are not checked.
async fn give(
    transaction: &Transaction,
    call: &Call,
    user_id: Uuid,
    wanted: &SentPermissions,
) -> Result<(), Failure> {
    let tables = call.tables();
    let wanted = &wanted.permissions;
    let defined = hold_definitions(transaction, &call.tenant, wanted).await?;
    let held = permissions::held(transaction, tables, user_id).await?;
    let is_new = |name: &String| !held.contains(name);
    let added = defined.iter().filter(|one| is_new(&one.name));
    // Without required tokens and without a token nothing is checked: this is how a tenant gets its
    // first users.
    let anyone = call.identity.is_none() && !call.view.authenticates;
    let has = |name: &str| anyone || call.has_permission(name);
    may_give(added, has).map_err(Refusal::NotTheirs)?;
    let new: Vec<String> = wanted.iter().filter(|name| is_new(name)).cloned().collect();
    let all = gateways_within(transaction, &call.tenant, &new, &GATEWAYS).await?;
    may_give_all_of(&all, has).map_err(Refusal::NotTheirs)?;
    let known = |name: &String| defined.iter().any(|one| one.name == *name && !one.dummy);
    let unknown: Vec<String> = wanted
        .iter()
        .filter(|name| is_new(name) && !known(name))
        .cloned()
        .collect();
    if !unknown.is_empty() {
        return Err(Refusal::Undefined(unknown).into());
    }
    permissions::give(transaction, tables, user_id, wanted, &call.stamp()).await?;
    if !new.is_empty() {
        let given = format!("given {}", new.join(" "));
        call.audit(
            AuditEvent::Permissions,
            Some(user_id.to_string()),
            Some(given),
        );
    }
    Ok(())
}

/// The id of a user in a remote module; generated if absent, so that all parts have the same.
fn given_id(document: &mut Value) -> Result<Uuid, Failure> {
    let wrong = || {
        ApiError::invalid(
            "must be an object with a UUID as id, or without",
            "user",
            "",
        )
    };
    let user = document.as_object_mut().ok_or_else(wrong)?;
    let id = match user.get("id").and_then(Value::as_str) {
        Some(text) => Uuid::try_parse(text).map_err(|_| wrong())?,
        None => Uuid::new_v4(),
    };
    user.insert("id".to_owned(), json!(id));
    Ok(id)
}
