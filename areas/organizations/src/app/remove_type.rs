//! Deletes an organization type that no organization has.

use octavo_boxed::boxed;
use octavo_records::store::delete;
use octavo_records::{Context, StoreError};
use uuid::Uuid;

use crate::store;

/// Deletes a type.
///
/// # Errors
/// When there is none, or an organization has it.
#[boxed]
pub async fn remove_type(context: &Context<'_>, id: Uuid) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    let tables = context.tables();
    // The lock comes first: an organization that is stored meanwhile has locked the type and is seen.
    if !store::hold_type_for_deletion(&transaction, tables, id).await? {
        return Err(StoreError::NotFound);
    }
    if store::has_type(&transaction, tables, id).await? {
        return Err(StoreError::StillReferenced {
            message: format!(
                "Cannot delete organization_types.id = {id} because id is still referenced from table \
                 organizations."
            ),
            table: "organizations".to_owned(),
        });
    }
    let collection = context.collection("organization_types");
    delete(&transaction, context.tenant, collection, id).await?;
    transaction.commit().await?;
    Ok(())
}
