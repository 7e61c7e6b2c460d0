//! `/record-bulk/ids`: the ids of all that a query finds, streamed.

use axum::response::Response;
use octavo_platform::{ApiError, Call, incorrect, records_http};
use octavo_records::Collection;
use octavo_records::plan::renamed;

use crate::rules::view_query;
use crate::store::inventory_view;

/// Without a limit of the client's, all of them.
const ALL: i64 = i32::MAX as i64;

/// GET: a list of ids.
///
/// # Errors
/// 400 when the query cannot be run, or another field or record type is asked for.
pub async fn ids(call: Call) -> Result<Response, ApiError> {
    match call.parameter("field")?.as_deref() {
        None | Some("id") => {}
        Some(other) => return Err(incorrect("field", other, "must be id")),
    }
    let table = match call.parameter("recordType")?.as_deref() {
        None | Some("INSTANCE") => "instance",
        Some("HOLDING") => "holdings_record",
        Some(other) => {
            return Err(incorrect(
                "recordType",
                other,
                "must be INSTANCE or HOLDING",
            ));
        }
    };
    let mut paging = call.paging_with_default(ALL)?;
    paging.query = paging
        .query
        .map(|query| renamed(&query, view_query::of_record_bulk));
    let search = paging.search();
    let collection = call.context().collection(table);
    let plan = call.store().plan(&call.tenant, collection, search.query)?;
    let schema = call.tenant.schema();
    let sql = inventory_view::ids(schema, table, &plan, search.limit, search.offset);
    let told = Collection {
        list_key: "ids".to_owned(),
        ..Collection::clone(collection)
    };
    Ok(records_http::page_of(&call, &told, &plan, sql, search).await?)
}
