//! Which locations lie in a storage, and from which locations items go there.

use octavo_boxed::boxed;
use octavo_records::{Context, StoreError};
use uuid::Uuid;

use crate::store::mappings;

/// A pair of locations of a storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    pub location: Uuid,
    pub configuration: Uuid,
    pub original: Uuid,
}

/// Adds a pair; the original location had another one in this storage at most, which goes.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn map_pair(context: &Context<'_>, pair: Pair) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    mappings::put_pair(
        &transaction,
        context.tables(),
        pair.location,
        pair.configuration,
        pair.original,
    )
    .await?;
    transaction.commit().await?;
    Ok(())
}
