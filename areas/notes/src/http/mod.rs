//! mod-notes and mod-tags over HTTP: requests in, answers out; no decisions.

pub mod note_links;
pub mod note_types;
pub mod notes;
mod refusal;
pub mod tags;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call, Paging};
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Collection, Totals};
use refusal::{Subject, in_form, of_store};

/// The limit of lists without one.
const LIMIT_DEFAULT: i64 = 1_000;

/// `query`, `offset` and `limit` as mod-notes reads them; totals are always exact there.
fn paging(call: &Call) -> Result<Paging, ApiError> {
    let paging = call.paging_with_default(LIMIT_DEFAULT)?;
    if paging.limit < 1 {
        return Err(ApiError::bad_request(
            "limit: must be greater than or equal to 1",
        ));
    }
    Ok(Paging {
        totals: Totals::Exact,
        ..paging
    })
}

fn collection<'a>(call: &'a Call, table: &str) -> &'a Collection {
    call.store()
        .catalog
        .get(table)
        .expect("invariant: notes declares its own tables")
}

/// 200 with a page of a table's records, as `view` shows them.
async fn page(
    call: &Call,
    subject: Subject,
    view: impl Fn(&str, &Plan, i64, i64) -> Sql,
) -> Result<Response, ApiError> {
    let paging = paging(call).map_err(in_form)?;
    let refused = |error| of_store(error, subject, None);
    let collection = collection(call, subject.table());
    let plan = call
        .store()
        .plan(&call.tenant, collection, paging.query.as_deref())
        .map_err(refused)?;
    let sql = view(call.tenant.schema(), &plan, paging.limit, paging.offset);
    page_of(call, collection, &plan, sql, paging.search())
        .await
        .map_err(refused)
}

/// 204 when the record in the path is deleted.
async fn delete(call: &Call, subject: Subject) -> Result<Response, ApiError> {
    let id = call.id().map_err(in_form)?;
    let outcome = call
        .store()
        .delete(&call.tenant, collection(call, subject.table()), id)
        .await;
    outcome.map_err(|error| of_store(error, subject, Some(id)))?;
    Ok(empty(StatusCode::NO_CONTENT))
}
