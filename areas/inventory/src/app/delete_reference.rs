//! Deletes records that lists in other records refer to: statistical codes, subject sources and subject
//! types. Also backfills the reference tables for records older than these tables.

use octavo_boxed::boxed;
use octavo_records::StoreError;
use octavo_records::store::backfill::fill;
use octavo_records::store::delete;
use uuid::Uuid;

use super::{Context, Refusal};
use crate::rules::list_answers::{self, Act};
use crate::store::references;

/// Deletes a record of such a list unless it is used. It is locked first, so that no new reference to it
/// can be written.
///
/// # Errors
/// When there is none, or a record refers to it.
#[boxed]
pub async fn delete_reference(
    context: &Context<'_>,
    table: &'static str,
    id: Uuid,
) -> Result<(), Refusal> {
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    if !references::lock(&transaction, tenant, table, id).await? {
        let missing = list_answers::missing(table, Act::Delete);
        return Err(Refusal::Missing(missing));
    }
    if let Some(by) = references::used_by(&transaction, tenant, table, id).await? {
        return Err(in_use(table, id, by));
    }
    delete(&transaction, tenant, context.collection(table), id).await?;
    transaction.commit().await?;
    Ok(())
}

fn in_use(table: &str, id: Uuid, by: &'static str) -> Refusal {
    let user = match by {
        "item_statistical_code" => "item",
        "holdings_record_statistical_code" => "holdings record",
        "instance_statistical_code" => "instance",
        _ => {
            let message = format!(
                "Cannot delete {table}.id = {id} because id is still referenced from table {by}."
            );
            let table = by.to_owned();
            return StoreError::StillReferenced { message, table }.into();
        }
    };
    Refusal::Forbidden(format!(
        "foreign_key_violation: Key (id)=({id}) is still referenced from table \"{user}\"."
    ))
}

/// Backfills the remaining records; returns the number of portions.
///
/// # Errors
/// On a database error; what was committed before stays.
#[boxed]
pub async fn fill_references(context: &Context<'_>) -> Result<usize, Refusal> {
    Ok(fill(&references::Fill, &context.store.database, context.tenant).await?)
}
