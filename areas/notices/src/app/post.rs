//! Stores and queues messages, in the caller's transaction.

use octavo_boxed::boxed;
use octavo_records::store::insert_many;
use octavo_records::{Executor, Stamp, Store, StoreError, Tenant};
use uuid::Uuid;

use crate::message::letter::Letter;
use crate::store::dispatch;

/// Stores messages, and queues sendable ones.
#[boxed]
pub async fn post(
    executor: &dyn Executor,
    store: &Store,
    tenant: &Tenant,
    letters: Vec<Letter>,
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let sendable = letters.iter().filter(|letter| letter.sendable);
    let (ids, channels): (Vec<Uuid>, Vec<&str>) = sendable
        .filter_map(|letter| {
            let id = letter.document.get("id")?.as_str()?;
            Some((Uuid::try_parse(id).ok()?, letter.channel.name()))
        })
        .unzip();
    let documents = letters.into_iter().map(|letter| letter.document).collect();
    let emails = store.catalog.declared("email_statistics");
    insert_many(executor, tenant, emails, documents, stamp).await?;
    if !ids.is_empty() {
        dispatch::line_up(executor, tenant, &ids, &channels, None).await?;
    }
    Ok(())
}
