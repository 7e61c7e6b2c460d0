//! An event of the circulation log that somebody delivers. The product's own changes fill the queues without it.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::Context;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Outcome, configuration};
use crate::rules::Refusal;
use crate::rules::log_record::{Meaning, meaning};
use crate::store::{items, queues};

/// Adds to the queue of retrievals what the event means.
///
/// # Errors
/// When it is about an item or a user that does not exist, or about the check-in of an item in no storage.
#[boxed]
pub async fn handle_event(context: &Context<'_>, event: &Value) -> Outcome<()> {
    let transaction = context.store.database.transaction().await?;
    match meaning(event) {
        Meaning::Nothing => {}
        Meaning::Page { barcode, request } => page(context, &transaction, barcode, request).await?,
        Meaning::CheckedIn { barcode } => checked_in(context, &transaction, barcode).await?,
    }
    transaction.commit().await?;
    Ok(())
}

async fn page(
    context: &Context<'_>,
    transaction: &Transaction,
    barcode: &str,
    request: &Map<String, Value>,
) -> Outcome<()> {
    let tables = context.tables();
    let item = items::by_barcode(transaction, tables, barcode).await?;
    let item = item.ok_or_else(|| Refusal::NoItem(barcode.to_owned()))?;
    if item.storage.is_none() {
        return Ok(());
    }
    let text = |name: &str| request.get(name).and_then(Value::as_str);
    let id = |name: &str| text(name).and_then(|text| Uuid::try_parse(text).ok());
    let requester = id("requesterId");
    let is_known = match requester {
        Some(requester) => items::is_user(transaction, tables, requester).await?,
        None => false,
    };
    if !is_known {
        let requester = text("requesterId").unwrap_or("null");
        return Err(Refusal::NoUser(requester.to_owned()).into());
    }
    // Only what the row needs, in the types that it needs.
    let told = json!({"id": text("id"), "requesterId": requester, "status": text("status"),
                      "pickupServicePointId": id("pickupServicePointId"),
                      "patronComments": text("patronComments")});
    queues::retrieve(transaction, tables, &told, (item.id, None), "PYR").await?;
    Ok(())
}

async fn checked_in(
    context: &Context<'_>,
    transaction: &Transaction,
    barcode: &str,
) -> Outcome<()> {
    let tables = context.tables();
    let item = items::by_barcode(transaction, tables, barcode).await?;
    let item = item.ok_or_else(|| Refusal::NoItem(barcode.to_owned()))?;
    let storage = item.storage;
    let storage = storage.ok_or_else(|| Refusal::NoMapping(item.at.unwrap_or_default()))?;
    let found = configuration(transaction, context, storage).await?;
    let found = found.ok_or(Refusal::NoReturnConfiguration(storage))?;
    if !found.told_at_check_in {
        return Ok(());
    }
    let Some(request) = items::first_waiting(transaction, tables, item.id).await? else {
        return Ok(());
    };
    queues::retrieve(transaction, tables, &request, (item.id, None), "REF").await?;
    Ok(())
}
