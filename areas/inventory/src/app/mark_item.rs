//! An item gets a status from staff: missing, withdrawn and the like. The request that it was to
//! fill is open again, in the same transaction. A loan of the item stays as it is.

use octavo_boxed::boxed;
use octavo_library::ItemStatus;
use octavo_records::store::{fetch_locked, replace};
use serde_json::{Value, json};
use uuid::Uuid;

use super::cross_module_updates::release_request;
use super::{Context, Refusal, object};
use crate::rules::status;
use crate::rules::status_moves::Mark;

/// Marks an item. A concurrent check-out happens wholly before or wholly after: both hold the item, and
/// the status that it has then decides.
///
/// # Errors
/// When there is no such item, or its status does not allow it.
#[boxed]
pub async fn mark_item(context: &Context<'_>, id: Uuid, mark: Mark) -> Result<(), Refusal> {
    let (items, tenant) = (context.collection("item"), context.tenant);
    let transaction = context.store.database.transaction().await?;
    let old = fetch_locked(&transaction, tenant, items, id).await?;
    let old = old.ok_or(Refusal::Missing("No item found"))?;
    if !ItemStatus::of(&old).is_some_and(|present| mark.takes(present)) {
        let sentence = format!("Item is not allowed to be marked as {}", mark.status());
        let present = status::name(&old).unwrap_or_default();
        return Err(Refusal::property(sentence, "status.name", present));
    }
    let mut item = old.clone();
    if let Value::Object(item) = &mut item {
        item.insert("status".to_owned(), json!({"name": mark.status()}));
    }
    status::date_item_status(&mut item, Some(&old), &context.now());
    let item = object(item);
    // The item before its request, as at the desk.
    replace(&transaction, tenant, items, id, &item, &context.stamp).await?;
    release_request(&transaction, context, id).await?;
    transaction.commit().await?;
    Ok(())
}
