//! `/_/octavo/indexes`: the tenant's indexes, and the button of an advice. What `octavo index` does
//! on the command line, for the caller's own tenant.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call, Platform};
use octavo_records::{Index, IndexListing, IndexOrigin, StoreError, Tenant};
use serde::Deserialize;
use serde_json::{Value, json};

/// Which tenants' indexes this process builds, by the advice that is followed.
#[derive(Debug, Default)]
pub(super) struct IndexBuilds(Mutex<HashMap<String, i64>>);

impl IndexBuilds {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    /// The number of the advice.
    advice: i64,
}

pub(super) async fn list(builds: Arc<IndexBuilds>, call: Call) -> Result<Response, ApiError> {
    let listed = call.writer().index_list(&call.tenant).await?;
    let indexes: Vec<Value> = listed
        .iter()
        .map(|one| {
            json!({
                "index": one.name,
                "collection": one.collection,
                "from": match one.origin {
                    IndexOrigin::Declared => "release",
                    IndexOrigin::Applied => "applied",
                    IndexOrigin::Undeclared => "undeclared",
                },
                "bytes": one.state.as_ref().map(|state| state.size_bytes),
                "scans": one.state.as_ref().map(|state| state.scans),
                "state": state(one),
                "reason": one.problem,
            })
        })
        .collect();
    let building = builds.lock().get(call.tenant.id()).copied();
    Ok(pretty(
        StatusCode::OK,
        &json!({"indexes": indexes, "building": building, "totalRecords": indexes.len()}),
    ))
}

fn state(one: &IndexListing) -> &'static str {
    match (&one.state, &one.problem) {
        (_, Some(_)) => "failed",
        (None, None) => "missing",
        (Some(state), None) if !state.valid => "building",
        (Some(state), None) if state.scans == 0 => "unused",
        (Some(_), None) => "in use",
    }
}

/// Follows an advice: the indexes are wanted at once, and built in the background beside writers.
pub(super) async fn build(builds: Arc<IndexBuilds>, call: Call) -> Result<Response, ApiError> {
    let body: Body = serde_json::from_slice(&call.body).map_err(|error| {
        ApiError::bad_request(format!("The body must be {{\"advice\": number}}: {error}"))
    })?;
    let store = call.writer();
    let advice = store.index_advice(&call.tenant).await?;
    let Some(followed) = advice.iter().find(|one| one.number == body.advice) else {
        return Err(ApiError::text(
            StatusCode::NOT_FOUND,
            format!(
                "There is no advice {}: its searches are served, or were never made",
                body.advice
            ),
        ));
    };
    let lacking: Vec<(String, Index)> = followed
        .lacking
        .iter()
        .map(|one| (one.collection.clone(), one.index.clone()))
        .collect();
    if let Some(other) = begin(&builds, &call.tenant, body.advice) {
        return Err(ApiError::text(
            StatusCode::CONFLICT,
            format!("The indexes of advice {other} are being built; wait until they are done"),
        ));
    }
    let mut names = Vec::new();
    for (collection, index) in &lacking {
        match store.want_index(&call.tenant, collection, index).await {
            Ok(name) => names.push(name),
            Err(error) => {
                builds.lock().remove(call.tenant.id());
                return Err(refusal(error));
            }
        }
    }
    tokio::spawn(build_all(
        builds,
        Arc::clone(&call.platform),
        call.tenant.clone(),
    ));
    Ok(pretty(
        StatusCode::ACCEPTED,
        &json!({"state": "building", "index": names.first(), "indexes": names}),
    ))
}

/// Notes that a tenant's indexes are built; the advice that is followed already.
fn begin(builds: &IndexBuilds, tenant: &Tenant, advice: i64) -> Option<i64> {
    let mut under_way = builds.lock();
    let other = under_way.get(tenant.id()).copied();
    if other.is_none() {
        under_way.insert(tenant.id().to_owned(), advice);
    }
    other
}

/// A failed build is listed with its reason and tried again at the next start or apply.
async fn build_all(builds: Arc<IndexBuilds>, platform: Arc<Platform>, tenant: Tenant) {
    let built = platform.store.build_indexes(&tenant, &|_| {}).await;
    if let Err(error) = built {
        tracing::warn!(tenant = tenant.id(), %error, "indexes could not be built");
    }
    builds.lock().remove(tenant.id());
}

pub(super) async fn remove(call: Call) -> Result<Response, ApiError> {
    let name = call.segment("name");
    let dropped = call.writer().drop_applied_index(&call.tenant, name).await;
    dropped.map_err(refusal)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// What the store refuses with a remedy is the caller's to mend.
fn refusal(error: StoreError) -> ApiError {
    match error {
        StoreError::Query(reason) => ApiError::bad_request(reason),
        other => other.into(),
    }
}
