//! `/organizations/organizations`: what a user sees and changes depends on acquisitions units.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use octavo_records::plan::{Predicate, Sql};
use octavo_records::store::delete as delete_record;
use serde_json::{Map, Value};

use super::refusal::listed;
use crate::app::Refusal;
use crate::app::keep::{self, By};
use crate::units::{self, Operation};

const TABLE: &str = "organizations";
const PATH: &str = "/organizations/organizations/";
/// The permission to change the units of an organization.
pub const MANAGE: &str = "organizations.acquisitions-units-assignments.manage";

/// A page of the organizations that the user may see.
///
/// # Errors
/// 400 for a query that cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    page(&call).await.map_err(listed)
}

async fn page(call: &Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let collection = call.collection(TABLE);
    let store = call.store();
    let mut plan = store.plan(&call.tenant, collection, paging.query.as_deref())?;
    let visible = units::visible(&store.database, call.tables(), call.user_id()).await?;
    plan.predicate = Predicate::All(vec![plan.predicate, units::readable(&visible)]);
    let schema = call.tenant.schema();
    let sql = Sql::page(schema, TABLE, &plan, paging.limit, paging.offset);
    Ok(page_of(call, collection, &plan, sql, paging.search()).await?)
}

/// One organization.
///
/// # Errors
/// 404 when there is none, 403 when its units hide it from the user.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    one(&call).await.map_err(listed)
}

async fn one(call: &Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let store = call.store();
    let found = store.read(&call.tenant, call.collection(TABLE), id).await?;
    let stored = found.ok_or(StoreError::NotFound)?;
    let document: Map<String, Value> = serde_json::from_slice(&stored)?;
    let ids = units::of_record(&document);
    let standing = units::standing(&store.database, call.tables(), &ids, call.user_id()).await?;
    match standing.allow(Operation::Read, &ids) {
        Ok(()) => Ok(json_bytes(StatusCode::OK, stored)),
        Err(_) => Err(octavo_records::OperationError::from(Refusal::Restricted).into()),
    }
}

/// A new organization.
///
/// # Errors
/// 422 with FOLIO's code.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let by = by(&call);
    let document = call.record().map_err(listed)?;
    let made = keep::create(&call.context(), by, document).await;
    let (id, stored) = made.map_err(|declined| listed(declined.into()))?;
    Ok(created(stored, &format!("{PATH}{id}")))
}

/// A replaced organization.
///
/// # Errors
/// 404 when there is none, 403 and 422 with FOLIO's code.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let document = call.record().map_err(listed)?;
    let done = keep::replace(&call.context(), by(&call), id, document).await;
    done.map_err(|declined| listed(declined.into()))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A deleted organization; units are not asked.
///
/// # Errors
/// 404 when there is none, 400 when a bank account is that of the organization.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let database = &call.store().database;
    let deleted = delete_record(database, &call.tenant, call.collection(TABLE), id).await;
    deleted.map_err(|error| listed(error.into()))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn by(call: &Call) -> By {
    By::Business {
        may_manage_units: call.has_permission(MANAGE),
    }
}
