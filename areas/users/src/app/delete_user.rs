//! Deletes users: one, or all that a query finds.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{delete, fetch_locked};
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

use super::{Refusal, UserContext, consortium_events, object};
use crate::rules::consortium::UserChange;
use crate::store::references::manual_blocks;
use crate::store::user_tenants::membership;

/// Deletes a user, and with them the blocks that staff put on them.
///
/// # Errors
/// When there is none, others still refer to them.
#[boxed]
pub async fn delete_user(context: &UserContext<'_>, id: Uuid) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    delete_within(context, &transaction, id).await?;
    transaction.commit().await?;
    // Every process must act on the change before the client gets the response.
    context.platform.settle().await;
    Ok(())
}

/// The same inside the caller's transaction. The caller must await [`octavo_platform::Platform::settle`]
/// after its commit.
///
/// # Errors
/// As [`delete_user`].
#[boxed]
pub async fn delete_within(
    context: &UserContext<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<(), Refusal> {
    let tenant = context.tenant;
    let collection = context.collection("users");
    let user = fetch_locked(transaction, tenant, collection, id).await?;
    let user = user.map(object).ok_or_else(|| Refusal::NotFound {
        kind: "user",
        id: id.to_string(),
    })?;
    let membership = membership(transaction, tenant).await?;
    delete(transaction, tenant, collection, id).await?;
    delete_blocks(context, transaction, tenant, id).await?;
    let (member_of, happened) = (membership.as_ref(), UserChange::Deleted);
    consortium_events::emit_to_consortium(context, transaction, member_of, happened, &user, None)
        .await?;
    Ok(())
}

async fn delete_blocks(
    context: &UserContext<'_>,
    transaction: &Transaction,
    tenant: &Tenant,
    user: Uuid,
) -> Result<(), StoreError> {
    // A composition may lack the area of fees.
    let Some(blocks) = context.store.catalog.get("manualblocks") else {
        return Ok(());
    };
    for id in manual_blocks(transaction, tenant, user).await? {
        match delete(transaction, tenant, blocks, id).await {
            // A concurrent request has deleted the block.
            Err(StoreError::NotFound) => {}
            other => other?,
        }
    }
    Ok(())
}

/// Deletes the users that a query finds. Blocks stay, as in mod-users.
///
/// # Errors
/// When the query cannot be run, one of them is still referred to.
#[boxed]
pub async fn delete_users(context: &UserContext<'_>, query: &str) -> Result<(), Refusal> {
    let (store, collection) = (context.store, context.collection("users"));
    let gone = store
        .delete_matching(context.tenant, collection, query)
        .await?;
    if gone > 0 {
        context.platform.settle().await;
    }
    Ok(())
}
