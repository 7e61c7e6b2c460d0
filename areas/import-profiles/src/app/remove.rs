//! Deletes a profile with its nodes.

use octavo_boxed::boxed;
use octavo_library::ProfileId;
use octavo_records::store::{delete, fetch_locked};
use octavo_records::{StoreError, retried};

use super::{Context, Refusal};
use crate::kind::ProfileKind;
use crate::rules::defaults;
use crate::store::associations::is_detail;
use crate::store::profiles::hold;

/// Deletes a profile that no other uses.
///
/// # Errors
/// When it is a default profile, is below another, or does not exist.
#[boxed]
pub async fn remove(context: Context<'_>, kind: ProfileKind, id: ProfileId) -> Result<(), Refusal> {
    if defaults::is_undeletable(kind, id) {
        return Err(Refusal::Improper(format!(
            "Can`t delete default {} with id {id}",
            kind.name()
        )));
    }
    retried(|| async {
        let transaction = context.store.database.transaction().await?;
        let collection = context.collection(kind.table());
        hold(&transaction, context.tenant).await?;
        if is_detail(&transaction, context.tenant, id).await? {
            return Err(Refusal::InUse(format!(
                "Can not delete profile by id '{id}' cause profile associated with other profiles"
            )));
        }
        let missing = || {
            let class = kind.class();
            Refusal::NotFound(format!("{class} with id '{id}' was not found"))
        };
        fetch_locked(&transaction, context.tenant, collection, id.uuid())
            .await?
            .ok_or_else(missing)?;
        match delete(&transaction, context.tenant, collection, id.uuid()).await {
            Err(StoreError::NotFound) => return Err(missing()),
            outcome => outcome?,
        }
        transaction.commit().await?;
        Ok(())
    })
    .await
}
