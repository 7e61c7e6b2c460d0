//! An item returns to a storage. Where a patron waits for it, the storage is told, so that it sends it out again.

use octavo_boxed::boxed;
use serde_json::Value;
use uuid::Uuid;

use super::arrive::take_at_desk;
use super::{Dock, Outcome, configuration};
use crate::rules::Refusal;
use crate::store::{items, queues};

/// Checks the item in; gives whether somebody waits for it.
///
/// # Errors
/// When there is no such storage, or what the check-in says.
#[boxed]
pub async fn take_back(dock: Dock<'_>, storage: Uuid, barcode: &str) -> Outcome<bool> {
    let (context, tables) = (dock.context, dock.context.tables());
    let transaction = context.store.database.transaction().await?;
    let found = configuration(&transaction, &context, storage).await?;
    let found = found.ok_or(Refusal::NoReturnConfiguration(storage))?;
    let mut is_awaited = false;
    if found.looks_at_return
        && let Some(item) = items::by_barcode(&transaction, tables, barcode).await?
        && let Some(request) = items::first_waiting(&transaction, tables, item.id).await?
    {
        let requester = request.get("requesterId").and_then(Value::as_str);
        let requester = requester.unwrap_or_default();
        let id = Uuid::try_parse(requester).unwrap_or_default();
        if !items::is_user(&transaction, tables, id).await? {
            return Err(Refusal::NoRequester(requester.to_owned()).into());
        }
        let of = (item.id, Some(storage));
        is_awaited = queues::retrieve(&transaction, tables, &request, of, "PYR").await?;
    }
    take_at_desk(dock, transaction, storage, barcode).await?;
    Ok(is_awaited)
}
