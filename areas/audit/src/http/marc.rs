//! `/audit-data/marc/…`: what changed in MARC records of instances and authorities.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use super::acquisitions::date;
use super::parameters::entity;
use crate::app::expire::{AUTHORITY_RECORD, BIB};
use crate::rules::marc_diff::{differences, whole};
use crate::rules::setting::{AUTHORITY, INVENTORY};
use crate::store::marc::{MarcEntry, history};
use crate::store::settings::page_size;

/// The module that tells FOLIO's audit of MARC records.
const ORIGIN: &str = "mod-source-record-storage-5.10.15";

/// 200 with the latest changes of a bibliographic record, by the id that its generations share.
///
/// # Errors
/// 400 for parameters that cannot be read.
pub async fn of_bib(call: Call) -> Result<Response, ApiError> {
    changes((BIB, INVENTORY), call).await
}

/// The same for an authority record.
///
/// # Errors
/// As [`of_bib`].
pub async fn of_authority(call: Call) -> Result<Response, ApiError> {
    changes((AUTHORITY_RECORD, AUTHORITY), call).await
}

async fn changes(
    (kind, group): (&'static str, &'static str),
    call: Call,
) -> Result<Response, ApiError> {
    let (id, before) = entity(&call)?;
    let (database, tables) = (&call.store().database, call.tables());
    let size = page_size(database, tables, group).await?;
    let found = history(database, tables, (kind, id), before, size).await?;
    let items: Vec<Value> = found.entries.iter().map(shown).collect();
    let body = json!({"marcAuditItems": items, "totalRecords": found.total});
    Ok(pretty(StatusCode::OK, &body))
}

fn shown(entry: &MarcEntry) -> Value {
    let diff = match (&entry.was, &entry.became) {
        (Some(was), Some(became)) => differences(was, became),
        (None, Some(became)) => whole(became, true),
        (Some(was), None) => whole(was, false),
        (None, None) => None,
    };
    let mut item = json!({
        "eventId": entry.event, "entityId": entry.entity, "eventTs": entry.event_ms,
        "eventDate": date(entry.event_ms), "origin": ORIGIN, "action": entry.action,
        "userId": entry.user});
    if let Some(diff) = diff {
        item["diff"] = diff;
    }
    item
}
