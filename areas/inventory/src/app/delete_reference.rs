//! Deleting what lists in records refer to: statistical codes, subject sources and subject types. And
//! going through the records that were there before the database kept who refers to what.

use octavo_records::StoreError;
use octavo_records::store::backfill::fill;
use octavo_records::store::delete;
use uuid::Uuid;

use super::{Context, Refusal};
use crate::rules::list_entry;
use crate::store::references;

/// Deletes a record of such a list unless it is used. It is held first, so that nothing new can refer
/// to it.
///
/// # Errors
/// When there is none, or a record refers to it.
pub async fn delete_reference(
    context: &Context<'_>,
    table: &'static str,
    id: Uuid,
) -> Result<(), Refusal> {
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    if !references::lock(&transaction, tenant, table, id).await? {
        return Err(Refusal::Missing(list_entry::missing(table)));
    }
    let used = references::used_by_unfilled(&transaction, tenant, table, id).await?;
    if let Some(by) = used {
        let message = format!(
            "Cannot delete {table}.id = {id} because id is still referenced from table {by}."
        );
        let table = by.to_owned();
        return Err(StoreError::StillReferenced { message, table }.into());
    }
    delete(&transaction, tenant, context.collection(table), id).await?;
    transaction.commit().await?;
    Ok(())
}

/// Goes through the records that have not been gone through yet; gives how many portions that were.
///
/// # Errors
/// When the database does not answer; what was done before is kept.
pub async fn fill_references(context: &Context<'_>) -> Result<usize, Refusal> {
    Ok(fill(&references::Fill, &context.store.database, context.tenant).await?)
}
