//! Takes up the records that were there before the tables for searching, portion by portion.

use octavo_records::StoreError;

use crate::store::SearchTables;

/// Takes up all that is left; returns whether there was any.
///
/// # Errors
/// On a database error; what was taken up stays.
pub async fn fill(place: SearchTables<'_>) -> Result<bool, StoreError> {
    let filled = place.fill().await? > 0;
    if filled {
        place.learn().await?;
    }
    Ok(filled)
}
