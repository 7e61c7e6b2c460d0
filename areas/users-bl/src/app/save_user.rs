//! A user made or changed together with their permissions and, when they are new, a password.

use http::Method;
use octavo_login::app::create_credentials::add_credentials;
use octavo_login::app::password::hash_in_turn;
use octavo_platform::{ApiError, Call};
use octavo_records::store::{insert, replace};
use octavo_records::{Executor, StoreError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Failure, Refusal, collection, tables, users};
use crate::store::permissions;

/// What a client sends. It has no `Debug`: passwords belong in no log.
#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
pub struct SentUser {
    /// The user.
    pub user: Value,
    /// The permissions, when they are set too.
    pub permissions: Option<SentPermissions>,
    /// The password of a new user, when they get one.
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
    /// The password.
    pub password: String,
}

/// Makes a user with permissions and password, all or nothing; gives the id.
///
/// # Errors
/// Refused when one of the three cannot be made.
pub async fn create_user(call: &Call, sent: SentUser) -> Result<Uuid, Failure> {
    let wanted = sent.permissions.as_ref();
    may_give(call, wanted, "perms.users.item.post")?;
    let hash = match &sent.credentials {
        Some(credentials) => {
            Some(hash_in_turn(&call.platform, credentials.password.clone()).await?)
        }
        None => None,
    };
    let (store, tenant, stamp) = (call.writer(), &call.tenant, call.stamp());
    let keeper = users::keeper(call);
    // What a remote module has made is not taken back when the rest fails: it comes last there.
    let mut document = sent.user;
    let id = match &keeper {
        None => None,
        Some(_) => Some(given_id(&mut document)?),
    };
    let transaction = store.database.transaction().await?;
    let user_id = match id {
        Some(id) => id,
        None => {
            let users = collection(call, "users");
            let document = checked(call, document.clone())?;
            insert(&transaction, tenant, users, document, &stamp)
                .await?
                .0
        }
    };
    if let Some(wanted) = wanted {
        give(&transaction, call, user_id, wanted).await?;
    }
    if let Some(hash) = &hash
        && !add_credentials(&transaction, tenant, user_id, hash, &stamp).await?
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
    call.platform.settle().await;
    Ok(user_id)
}

/// Changes a user and, when they are sent, the permissions, all or nothing.
///
/// # Errors
/// Refused when there is no such user or a part cannot be changed.
pub async fn replace_user(call: &Call, id: Uuid, sent: SentUser) -> Result<(), Failure> {
    let wanted = sent.permissions.as_ref();
    may_give(call, wanted, "perms.users.item.put")?;
    let (store, tenant, stamp) = (call.writer(), &call.tenant, call.stamp());
    let mut document = sent.user;
    if let Some(user) = document.as_object_mut() {
        user.insert("id".to_owned(), json!(id));
    }
    let keeper = users::keeper(call);
    let transaction = store.database.transaction().await?;
    if keeper.is_none() {
        let users = collection(call, "users");
        let checked = checked(call, document.clone())?;
        match replace(&transaction, tenant, users, id, &checked, &stamp).await {
            Err(StoreError::NotFound) => return Err(Refusal::NoSuchUser(id).into()),
            other => other?,
        };
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

/// Whoever gives permissions needs FOLIO's permission for that, and those that they give.
fn may_give(call: &Call, wanted: Option<&SentPermissions>, needed: &str) -> Result<(), Refusal> {
    let Some(wanted) = wanted else {
        return Ok(());
    };
    let names = std::iter::once(needed).chain(wanted.permissions.iter().map(String::as_str));
    match names.into_iter().find(|name| !call.has_permission(name)) {
        Some(lacking) => Err(Refusal::Lacks(lacking.to_owned())),
        None => Ok(()),
    }
}

async fn give(
    executor: &impl Executor,
    call: &Call,
    user_id: Uuid,
    wanted: &SentPermissions,
) -> Result<(), StoreError> {
    let tables = tables(call, call.writer());
    permissions::give(
        executor,
        tables,
        user_id,
        &wanted.permissions,
        &call.stamp(),
    )
    .await
}

fn checked(call: &Call, mut document: Value) -> Result<Map<String, Value>, StoreError> {
    let users = collection(call, "users");
    users
        .shape
        .check(&mut document)
        .map_err(StoreError::Invalid)?;
    match document {
        Value::Object(document) => Ok(document),
        _ => Err(StoreError::Query("the user is no object".to_owned())),
    }
}

/// The id of a user that is kept elsewhere; one without gets one, so that the parts agree.
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
