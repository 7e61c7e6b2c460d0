//! Deletes calendars, all of those named or none.

use uuid::Uuid;

use super::{Context, Declined, Refusal};
use crate::store;

/// Deletes the calendars of these ids.
///
/// # Errors
/// The unknown ids; then nothing is deleted.
pub async fn delete(context: Context<'_>, ids: &[Uuid]) -> Result<(), Declined> {
    let transaction = context.store.database.transaction().await?;
    let tables = context.tables();
    store::hold(&transaction, tables).await?;
    let deleted = store::delete(&transaction, tables, ids).await?;
    let mut missing: Vec<Uuid> = ids.to_vec();
    missing.retain(|id| !deleted.contains(id));
    missing.dedup();
    if !missing.is_empty() {
        return Err(Refusal::NotFound(missing).into());
    }
    transaction.commit().await?;
    Ok(())
}
