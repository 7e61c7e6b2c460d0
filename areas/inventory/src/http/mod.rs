//! Handlers: parse the request, call an operation, render the result. No SQL, no decisions.

pub mod batches;
pub mod blocked_fields;
pub mod bound_withs;
pub mod date_types;
pub mod dereferenced;
pub mod harvest;
pub mod holdings;
pub mod hrid_settings;
pub mod instances;
pub mod inventory_batch;
pub mod inventory_instances;
pub mod inventory_items;
pub mod isbn;
pub mod items;
pub mod jobs;
pub mod locations;
pub mod marc_json;
pub mod mark;
pub mod moves;
pub mod object_storage;
pub mod ownership;
mod parameters;
pub mod record_bulk;
pub mod references;
mod refusal;
pub mod reindex_records;
pub mod relationships;
pub mod retrieve;
pub mod service_points;
pub mod settings;
mod shown_places;
pub mod tenant_items;
pub mod titles;
pub mod views;

use bytes::Bytes;
use http::StatusCode;
use octavo_platform::{ApiError, Call, Paging};
use octavo_records::plan::Sql;

use crate::store::view;

/// The record composed by a view's statement.
async fn shown(call: &Call, sql: &Sql) -> Result<Bytes, ApiError> {
    let shown = view::read(&call.store().database, sql).await?;
    shown.ok_or_else(|| ApiError::text(StatusCode::NOT_FOUND, "Not Found"))
}

/// The patch that a request carries, with the record's id from the path.
fn patch(call: &Call) -> Result<(uuid::Uuid, serde_json::Value), ApiError> {
    Ok((call.id()?, call.json()?))
}

/// The parameters of mod-inventory's lists, with its message for an invalid number.
fn inventory_paging(call: &Call) -> Result<Paging, ApiError> {
    for name in ["limit", "offset"] {
        let sent = call.parameter(name)?;
        if sent.is_some_and(|text| text.parse::<i64>().is_err()) {
            return Err(ApiError::bad_request(
                "limit and offset must be numeric when supplied",
            ));
        }
    }
    call.paging()
}
