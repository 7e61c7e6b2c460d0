//! Backfills the search tables with older records, in portions.

use octavo_records::StoreError;

use crate::store::SearchTables;

/// Backfills all remaining records; returns whether there were any.
///
/// # Errors
/// On a database error; finished portions are kept.
pub async fn fill(place: SearchTables<'_>) -> Result<bool, StoreError> {
    let filled = place.fill().await? > 0;
    if filled {
        place.learn().await?;
    }
    Ok(filled)
}
