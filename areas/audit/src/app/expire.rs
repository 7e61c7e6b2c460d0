//! Deletes entries that are older than the settings say. Where histories of a group are off, what they have is kept,
//! as in FOLIO; entries about acquisitions are kept for ever.

use octavo_boxed::boxed;
use octavo_records::StoreError;

use super::Context;
use crate::rules::setting::{AUTHORITY, INVENTORY};
use crate::store::{retention, settings};

/// The kinds of MARC records that have a history.
pub const BIB: &str = "MARC_BIB";
/// That of authorities.
pub const AUTHORITY_RECORD: &str = "MARC_AUTHORITY";

/// Deletes old entries; gives how many.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn expire(context: &Context<'_>) -> Result<u64, StoreError> {
    let (database, tables) = (&context.store.database, context.tables());
    let mut deleted = 0;
    if let Some(days) = kept_for(context, INVENTORY).await? {
        deleted += retention::expire_inventory(database, tables, days).await?;
        deleted += retention::expire_marc(database, tables, BIB, days).await?;
    }
    if let Some(days) = kept_for(context, AUTHORITY).await? {
        deleted += retention::expire_marc(database, tables, AUTHORITY_RECORD, days).await?;
    }
    Ok(deleted)
}

/// For how many days entries of a group are kept; none for ever.
async fn kept_for(context: &Context<'_>, group: &str) -> Result<Option<i32>, StoreError> {
    let (database, tables) = (&context.store.database, context.tables());
    match settings::is_on(database, tables, group).await? {
        true => settings::days(database, tables, group).await,
        false => Ok(None),
    }
}
