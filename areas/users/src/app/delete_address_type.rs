//! Deletes an address type that no user has.

use octavo_boxed::boxed;
use octavo_records::store::delete;
use uuid::Uuid;

use super::{Refusal, UserContext};
use crate::store::references::{any, hold_for_deletion};

/// Deletes an address type.
///
/// # Errors
/// When there is none, a user has an address of it.
#[boxed]
pub async fn delete_address_type(context: &UserContext<'_>, id: Uuid) -> Result<(), Refusal> {
    let (store, tenant) = (context.store, context.tenant);
    let (types, users) = (
        context.collection("addresstype"),
        context.collection("users"),
    );
    let plan = store.plan(tenant, users, Some(&format!("addressTypes=\"{id}\"")))?;
    let transaction = store.database.transaction().await?;
    // Writers of users lock the types of their addresses, so this waits for them.
    hold_for_deletion(&transaction, tenant, types, id).await?;
    if any(&transaction, tenant, users, &plan).await? {
        return Err(Refusal::InUse(format!(
            "Cannot remove address type '{id}' as it is being used"
        )));
    }
    delete(&transaction, tenant, types, id).await?;
    transaction.commit().await?;
    Ok(())
}
