//! Deletes expired messages.

use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_records::StoreError;

use crate::message::settings::EXPIRATION_HOURS_DEFAULT;
use crate::store::{dispatch, lookups};

/// Messages that one statement deletes.
const BATCH: i64 = 1_000;
/// The longest retention, in hours: ten years.
const HOURS_MAX: i64 = 10 * 366 * 24;

/// How long messages are kept, in hours.
#[boxed]
pub async fn expiration_hours(call: &Call) -> Result<i64, StoreError> {
    let store = call.writer();
    let (stored, _) = lookups::mail_server(&store.database, call.tables()).await?;
    let hours = stored.and_then(|value| value["expirationHours"].as_i64());
    Ok(hours
        .unwrap_or(EXPIRATION_HOURS_DEFAULT)
        .clamp(0, HOURS_MAX))
}

/// Deletes messages of a status that were tried before an instant; returns how many.
///
/// # Errors
/// On a database error; what was deleted before stays so.
#[boxed]
pub async fn expire(call: &Call, status: &str, before: &str) -> Result<i64, StoreError> {
    let database = &call.writer().database;
    let mut deleted = 0;
    loop {
        let some = dispatch::delete_before(database, &call.tenant, status, before, BATCH).await?;
        deleted += some;
        if some < BATCH {
            return Ok(deleted);
        }
    }
}
