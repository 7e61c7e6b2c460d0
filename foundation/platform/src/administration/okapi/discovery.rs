//! `/_/discovery/modules`: the addresses of remote modules. Octavo starts no module; the operator
//! registers its address.

use axum::response::Response;
use http::{StatusCode, Uri};
use serde_json::Value;

use super::scope::{created, document, encoded, listed, missing, operator, shown};
use crate::call::Call;
use crate::error::ApiError;
use crate::registry::{Deployment, store};
use crate::respond::empty;

/// The longest id or address, in bytes.
const BYTES_MAX: usize = 1_000;

/// Registers an instance of a module.
pub(super) async fn add(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let given: Deployment = document(&call)?;
    let (service, instance, url) = parts(&given)?;
    if !call.platform.registry.state().modules.contains_key(service) {
        return Err(missing(service));
    }
    let database = &call.writer().database;
    let added = store::add_deployment(database, service, instance, url, &stored(&given)?).await;
    if !added? {
        return Err(ApiError::bad_request(format!(
            "Duplicate instId {instance}"
        )));
    }
    call.platform.settle().await;
    let location = format!(
        "/_/discovery/modules/{}/{}",
        encoded(service),
        encoded(instance)
    );
    created(&given, &location)
}

/// Changes the address of an instance.
pub(super) async fn change(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let mut given: Deployment = document(&call)?;
    let (service, instance) = (call.segment("serviceId"), call.segment("instanceId"));
    given.srvc_id.get_or_insert_with(|| service.to_owned());
    given.inst_id.get_or_insert_with(|| instance.to_owned());
    let (named_service, named_instance, url) = parts(&given)?;
    if (named_service, named_instance) != (service, instance) {
        return Err(ApiError::bad_request(format!(
            "The path is about {service}/{instance}, the body about {named_service}/{named_instance}"
        )));
    }
    let database = &call.writer().database;
    let stored = stored(&given)?;
    let changed = store::change_deployment(database, service, instance, url, &stored).await;
    if !changed? {
        return Err(missing(&format!("{service}/{instance}")));
    }
    call.platform.settle().await;
    shown(StatusCode::OK, &given)
}

/// Service, instance and address from the body.
fn parts(given: &Deployment) -> Result<(&str, &str, &str), ApiError> {
    let text = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    if given.descriptor.is_some() || given.node_id.is_some() {
        return Err(ApiError::bad_request(
            "Octavo starts no modules: start it yourself, and send srvcId, instId and url",
        ));
    }
    if text(&given.srvc_id).is_none() {
        return Err(ApiError::bad_request("Needs srvcId"));
    }
    if text(&given.inst_id).is_none() {
        return Err(ApiError::bad_request("Needs instId"));
    }
    let all = [&given.srvc_id, &given.inst_id, &given.url];
    let [service, instance, url] = all.map(|one| one.as_deref().unwrap_or_default());
    if let Some(long) = [service, instance, url]
        .iter()
        .find(|one| one.len() > BYTES_MAX)
    {
        let shown: String = long.chars().take(50).collect();
        return Err(ApiError::bad_request(format!(
            "{shown}…: at most {BYTES_MAX} bytes"
        )));
    }
    let parsed: Option<Uri> = url.parse().ok();
    let is_address = parsed.is_some_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some()
    });
    if !is_address {
        return Err(ApiError::bad_request(format!(
            "url {url:?} is no address like http://host:port"
        )));
    }
    Ok((service, instance, url))
}

fn stored(given: &Deployment) -> Result<Value, ApiError> {
    Ok(serde_json::to_value(given)?)
}

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let state = call.platform.registry.state();
    let all: Vec<&Deployment> = state.deployments.values().flatten().collect();
    shown(StatusCode::OK, &all)
}

pub(super) async fn of_service(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let service = call.segment("serviceId");
    let state = call.platform.registry.state();
    let instances = state
        .deployments
        .get(service)
        .ok_or_else(|| missing(service))?;
    shown(StatusCode::OK, instances)
}

pub(super) async fn read(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let (service, instance) = (call.segment("serviceId"), call.segment("instanceId"));
    let state = call.platform.registry.state();
    let mut all = state.deployments.get(service).into_iter().flatten();
    let found = all.find(|one| one.inst_id.as_deref() == Some(instance));
    shown(
        StatusCode::OK,
        found.ok_or_else(|| missing(&format!("{service}/{instance}")))?,
    )
}

/// Deletes instances: all, those of a module, or one.
pub(super) async fn remove(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let given = |name: &str| Some(call.segment(name)).filter(|text| !text.is_empty());
    let (service, instance) = (given("serviceId"), given("instanceId"));
    let removed = store::remove_deployments(&call.writer().database, service, instance).await;
    if let (0, Some(service)) = (removed?, service) {
        let what = [Some(service), instance]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>();
        return Err(missing(&what.join("/")));
    }
    call.platform.settle().await;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The modules that Okapi itself would have started: none.
pub(super) async fn started_here(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    Ok(listed(Vec::new()))
}
