//! `/source-storage/source-records`

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use octavo_records::plan::Plan;
use octavo_records::{Collection, Search, Totals};

use super::parameters;
use crate::app::search::{IdType, current, parsed};
use crate::collections;
use crate::store;

/// Ids that one request may ask for, as in FOLIO.
const IDS_MAX: usize = 32_767;

/// The records under the name that their lists have here.
static LISTED: LazyLock<Collection> = LazyLock::new(|| Collection {
    list_key: "sourceRecords".to_owned(),
    ..collections::records()
});

/// A page of source records.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let plan = parameters::source_records(&call)?;
    page(&call, &plan, paging.search()).await
}

/// The source records of the ids in the body.
///
/// # Errors
/// 400 for something that is not an id, or too many of them.
pub async fn fetch(call: Call) -> Result<Response, ApiError> {
    let ids: Vec<String> = call.json_as()?;
    if ids.len() > IDS_MAX {
        let message = format!("The number of IDs should not exceed {IDS_MAX}");
        return Err(ApiError::bad_request(message));
    }
    let plan = parameters::source_records_of(&call, &ids)?;
    let limit = IDS_MAX as i64;
    let search = Search {
        query: None,
        offset: 0,
        limit,
        totals: Totals::Exact,
    };
    page(&call, &plan, search).await
}

/// One source record.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, "id")?;
    let kind = parameters::id_type(&call, IdType::Record)?;
    let state = parameters::state(&call)?.unwrap_or_else(|| current(false));
    let wanted = octavo_records::plan::Predicate::All(vec![kind.among(&[id]), parsed()]);
    let database = &call.store().database;
    match store::newest_source_record(database, &call.tenant, &wanted, &state).await? {
        Some(record) => Ok(json_bytes(StatusCode::OK, record)),
        None => Err(ApiError::text(
            StatusCode::NOT_FOUND,
            format!("SourceRecord with id '{id}' was not found"),
        )),
    }
}

async fn page(call: &Call, plan: &Plan, search: Search<'_>) -> Result<Response, ApiError> {
    let sql = store::source_records(call.tenant.schema(), plan, search.limit, search.offset);
    Ok(page_of(call, &LISTED, plan, sql, search).await?)
}
