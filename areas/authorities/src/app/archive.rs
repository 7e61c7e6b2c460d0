//! Purges archived authorities and their MARC records after the library's retention period.

use jiff::{SignedDuration, Timestamp};
use octavo_boxed::boxed;
use octavo_records::{StoreError, retried};
use octavo_source_records::store::delete_records_of_authorities;

use super::Context;
use crate::store;

/// Authorities that one transaction purges.
const PORTION: i64 = 500;
/// Maximal number of days, within the calendar's range.
const DAYS_MAX: i64 = 36_500;

/// Purges expired authorities; returns how many.
///
/// # Errors
/// On a database error; what was removed stays so.
#[boxed]
pub async fn expire(context: &Context<'_>) -> Result<i64, StoreError> {
    let database = &context.store.database;
    let settings = store::settings::all(database, context.tenant).await?;
    let value = |key: &str| {
        settings
            .iter()
            .find(|one| one.key == key)
            .map(|one| &one.value)
    };
    // The entry takes precedence over the settings, which only later releases have.
    let entry = store::settings::expiration_entry(database, context.tenant).await?;
    let said = |name: &str| entry.as_ref().and_then(|entry| entry.get(name));
    let enabled = said("expirationEnabled").or_else(|| value("archives.expiration.enabled"));
    if enabled.is_some_and(|enabled| *enabled == false) {
        return Ok(0);
    }
    let days = said("retentionInDays").or_else(|| value("archives.expiration.period"));
    let days = days.and_then(serde_json::Value::as_i64);
    let Some(days) = days else { return Ok(0) };
    let kept = SignedDuration::from_hours(24 * days.clamp(0, DAYS_MAX));
    let Ok(before) = context.stamp.at.checked_sub(kept) else {
        return Ok(0);
    };
    let mut removed = 0;
    loop {
        let gone = retried(|| remove_some(context, before)).await?;
        removed += gone;
        if gone < PORTION {
            return Ok(removed);
        }
    }
}

/// Purges some authorities deleted before an instant, and their MARC records, which were only marked
/// until now; returns how many.
async fn remove_some(context: &Context<'_>, before: Timestamp) -> Result<i64, StoreError> {
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    let gone = store::authorities::remove_archived(&transaction, tenant, before, PORTION).await?;
    // Lock order: source records last.
    delete_records_of_authorities(&transaction, tenant, &gone).await?;
    transaction.commit().await?;
    Ok(i64::try_from(gone.len()).unwrap_or(PORTION))
}
