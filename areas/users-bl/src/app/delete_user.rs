//! Deletes a user without open transactions, with all records that belong to the user.

use http::Method;
use octavo_boxed::boxed;
use octavo_login::app::forget_user::forget_user;
use octavo_platform::Call;
use octavo_records::store::fetch;
use octavo_users::app::delete_user::delete_within;
use uuid::Uuid;

use super::open_transactions::open_transactions;
use super::{Failure, Refusal, still_open, users};
use crate::store::transactions;

/// Deletes a user, their permissions, passwords and request preferences.
///
/// # Errors
/// Refused when there is no such user or a transaction is open.
#[boxed]
pub async fn delete_user(call: &Call, user_id: Uuid) -> Result<(), Failure> {
    match users::keeper(call) {
        None => delete_ours(call, user_id).await?,
        Some(module) => {
            let found = users::remote_by_id(call, &module, user_id).await?;
            let user = found.ok_or(Refusal::NoSuchUser(user_id))?;
            let open = open_transactions(call, user_id).await?;
            if open.any() {
                return Err(still_open(&open, &user).into());
            }
            let path = format!("/users/{user_id}");
            let answer = module.send(call, Method::DELETE, &path, None).await?;
            if !answer.status.is_success() {
                return Err(Refusal::Remote(answer).into());
            }
            let store = call.writer();
            let transaction = store.database.transaction().await?;
            transactions::remove_belongings(&transaction, call.tables(), user_id).await?;
            forget_user(&transaction, &call.tenant, user_id.into()).await?;
            transaction.commit().await?;
        }
    }
    // Wait until all processes reject the deleted user's tokens.
    call.platform.settle().await;
    Ok(())
}

async fn delete_ours(call: &Call, user_id: Uuid) -> Result<(), Failure> {
    let store = call.writer();
    let (tenant, tables) = (&call.tenant, call.tables());
    let users = call.collection("users");
    let transaction = store.database.transaction().await?;
    // Locked first, so that nobody deletes the user while open transactions are counted.
    let held = transactions::hold_user(&transaction, tables, user_id).await?;
    let user = match held {
        true => fetch(&transaction, tenant, users, user_id).await?,
        false => None,
    };
    let user = user.ok_or(Refusal::NoSuchUser(user_id))?;
    let open = transactions::count(&transaction, tables, user_id).await?;
    if open.any() {
        return Err(still_open(&open, &user).into());
    }
    let deleted = Box::pin(delete_within(
        &octavo_users::app::UserContext::of(call),
        &transaction,
        user_id,
    ))
    .await;
    deleted.map_err(Refusal::ChangedUser)?;
    transactions::remove_belongings(&transaction, tables, user_id).await?;
    forget_user(&transaction, tenant, user_id.into()).await?;
    transaction.commit().await?;
    Ok(())
}
