//! `/authority-storage/authorities`.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call, records_http};
use octavo_records::Totals;
use octavo_records::plan::Sql;

use super::{flag, object, refusal, worded};
use crate::app::propagation::Propagation;
use crate::app::{self, Checked};
use crate::collections::{ARCHIVE, AUTHORITY};
use crate::link_followers::Follower;

/// Maximal number of ids in plain text.
const IDS_MAX: i64 = 200_000;

/// A page of authorities, or of their ids; of the deleted ones with `deleted=true`.
///
/// # Errors
/// 400 for whole records as plain text, 422 for a query that cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let table = if flag(&call, "deleted")? {
        ARCHIVE
    } else {
        AUTHORITY
    };
    let ids_only = flag(&call, "idOnly")?;
    let wants_text = accepts_text(&call);
    if wants_text && !ids_only {
        return Err(ApiError::bad_request(
            "message: It is not allowed to retrieve authorities in text/plain format\n\
             type: AuthoritiesRequestNotSupportedMediaTypeException\ncode: validation\n\
             parameters: [(key: Accept, value: text/plain),(key: idOnly, value: false)]",
        ));
    }
    if !ids_only {
        return super::page(&call, table).await;
    }
    let mut paging = call.paging_with_default(super::LIMIT_DEFAULT)?;
    paging.totals = Totals::Exact;
    if wants_text {
        paging.limit = paging.limit.min(IDS_MAX);
    }
    let collection = call.collection(table);
    let plan = call
        .store()
        .plan(&call.tenant, collection, paging.query.as_deref());
    let plan = plan.map_err(refusal::of_store)?;
    let schema = call.tenant.schema();
    let columns = "jsonb_build_object('id', id) AS jsonb";
    let sql = Sql::select(columns, schema, table, &plan, paging.limit, paging.offset);
    if !wants_text {
        let page = records_http::page_of(&call, collection, &plan, sql, paging.search()).await;
        return page.map_err(refusal::of_store);
    }
    // Planned with its values: the best plan depends on the query.
    let rows = call
        .store()
        .database
        .query_fresh(&sql.text, &sql.typed())
        .await;
    let rows = rows.map_err(|error| refusal::of_store(error.into()))?;
    let ids: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            row.get::<_, serde_json::Value>("jsonb")["id"]
                .as_str()
                .map(str::to_owned)
        })
        .collect();
    let mut response = Response::new(Body::from(ids.join("\n")));
    let text = HeaderValue::from_static("text/plain");
    response.headers_mut().insert(header::CONTENT_TYPE, text);
    Ok(response)
}

fn accepts_text(call: &Call) -> bool {
    let accepted = call
        .headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.trim() == "text/plain")
}

/// "Not found" names the kind of record.
pub const HOOKS: Hooks = Hooks {
    wording: |refused| worded(refused, app::authorities::KIND),
    ..super::HOOKS
};

/// A new authority.
///
/// # Errors
/// 422 when it does not fit, its id is taken or its source file does not exist.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = object(&call)?;
    let context = call.context();
    let transaction = context.store.database.transaction().await?;
    let (id, stored) = app::store_authority(&context, &transaction, document).await?;
    transaction.commit().await?;
    Ok(created(
        stored,
        &format!("/authority-storage/authorities/{id}"),
    ))
}

/// An authority replaced; linked records are updated.
///
/// # Errors
/// 404 when there is none, 409 on a version conflict, 422 as [`create`].
pub async fn replace(call: Call, follower: Arc<dyn Follower>) -> Result<Response, ApiError> {
    let id = call.id()?;
    let document = object(&call)?;
    let sent = document
        .get("id")
        .and_then(|id| id.as_str())
        .unwrap_or("null");
    if sent != id.to_string() {
        return Err(refusal::invalid(
            &format!("Request should have id = {id}"),
            "id",
            sent,
        ));
    }
    let context = call.context();
    let transaction = context.store.database.transaction().await?;
    app::replace_authority(&context, &transaction, id, document, Checked::Version).await?;
    transaction.commit().await?;
    call.begin_work(Propagation::through(&follower));
    Ok(empty(StatusCode::NO_CONTENT))
}

/// An authority deleted: archived for a while, and linked records are unlinked.
pub async fn delete(call: Call, follower: Arc<dyn Follower>) -> Result<Response, ApiError> {
    let id = call.id()?;
    let context = call.context();
    let transaction = context.store.database.transaction().await?;
    app::delete_authority(&context, &transaction, id).await?;
    transaction.commit().await?;
    call.begin_work(Propagation::through(&follower));
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Authorities from a file in an object storage, of which there is none.
///
/// # Errors
/// Always: 422 without the name of a file, else 501.
pub async fn bulk(call: Call) -> Result<Response, ApiError> {
    let form = object(&call)?;
    if form
        .get("recordsFileName")
        .is_none_or(|name| !name.is_string())
    {
        return Err(refusal::invalid(
            "recordsFileName: must not be null",
            "recordsFileName",
            "null",
        ));
    }
    Err(ApiError::text(
        StatusCode::NOT_IMPLEMENTED,
        "Authorities are not read from files in an object storage, since none is configured; load \
         MARC authority records, or send each to /authority-storage/authorities",
    ))
}
