//! Removes uploaded files that will not be imported.

use jiff::ToSpan;
use octavo_records::instant;

use super::upload::forget;
use super::{Context, Refusal};
use crate::store::{files, parts};

/// Retention of files waiting for import, in hours since the last change of their definition.
const KEPT_HOURS: i64 = 48;

/// Expires definitions that were not changed for long, and removes files that no job will read.
pub(crate) async fn sweep(context: &Context<'_>) -> Result<(), Refusal> {
    let before = context.stamp.at.checked_sub(KEPT_HOURS.hours());
    let before = instant::format(before.unwrap_or(jiff::Timestamp::UNIX_EPOCH));
    let (database, tenant) = (&context.store.database, context.tenant);
    for upload in files::forgotten(database, tenant, &before).await? {
        forget(context, upload, &before).await?;
    }
    parts::forget(database, tenant, KEPT_HOURS).await?;
    let unused = files::unused(database, tenant).await?;
    Ok(files::remove(database, tenant, &unused).await?)
}
