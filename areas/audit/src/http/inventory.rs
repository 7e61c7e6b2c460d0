//! `/audit-data/inventory/…`: what changed in instances, holdings and items.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use super::acquisitions::date;
use super::parameters::{entity, up_to_date};
use crate::rules::setting::INVENTORY;
use crate::store::inventory::history;
use crate::store::settings::page_size;

/// 200 with the latest changes of a record, before the instant `eventTs` where it is given.
///
/// # Errors
/// 400 for parameters that cannot be read.
pub async fn changes(kind: &'static str, call: Call) -> Result<Response, ApiError> {
    let (id, before) = entity(&call)?;
    up_to_date(&call).await?;
    let (database, tables) = (&call.writer().database, call.tables());
    let size = page_size(database, tables, INVENTORY).await?;
    let found = history(database, tables, (kind, id), before, size).await?;
    let items = found.entries.into_iter().map(|entry| {
        let mut item = json!({
            "eventId": entry.event, "entityId": entry.entity, "eventTs": entry.event_ms,
            "eventDate": date(entry.event_ms), "action": entry.action, "userId": entry.user});
        if let Some(diff) = entry.diff {
            item["diff"] = diff;
        }
        item
    });
    let items: Vec<Value> = items.collect();
    let body = json!({"inventoryAuditItems": items, "totalRecords": found.total});
    Ok(pretty(StatusCode::OK, &body))
}
