//! `/_/proxy/tenants/{id}/install` and `upgrade`: enables and disables several modules at once,
//! with their dependencies, and the jobs of asynchronous installations.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use http::header::LOCATION;
use octavo_trace::carried;
use serde_json::{Value, json};

use super::scope::{document, flag, listed, missing, shown, tenant};
use crate::call::Call;
use crate::error::ApiError;
use crate::lifecycle::{InstallOptions, Job, LifecycleRefusal, ModulesLock};
use crate::registry::resolve::Step;
use crate::registry::store;
use crate::respond::{empty, pretty};

/// The most modules in one request.
const WISHES_MAX: usize = 1_000;

pub(super) async fn install(call: Call) -> Result<Response, ApiError> {
    let wishes: Vec<Step> = document(&call)?;
    if wishes.len() > WISHES_MAX {
        return Err(ApiError::bad_request(format!(
            "{} modules; at most {WISHES_MAX} at once",
            wishes.len()
        )));
    }
    start(&call, Some(wishes)).await
}

/// Upgrades every module to its latest version.
pub(super) async fn upgrade(call: Call) -> Result<Response, ApiError> {
    if !call.body.is_empty() {
        return Err(ApiError::bad_request(
            "This request brings all modules to their latest versions and takes no body; to choose \
             versions, send them to /_/proxy/tenants/{tenantId}/install",
        ));
    }
    start(&call, None).await
}

async fn start(call: &Call, wishes: Option<Vec<Step>>) -> Result<Response, ApiError> {
    let mut options = options(call)?;
    let view = tenant(call).await?;
    let platform = Arc::clone(&call.platform);
    let turn = ModulesLock::acquire(&platform, &view.tenant)
        .await
        .map_err(refused)?;
    let mut steps = turn.plan(wishes, &options).map_err(refused)?;
    options.whole = turn.purges_everything(&steps, &options).map_err(refused)?;
    if options.simulate {
        return shown(StatusCode::OK, &steps);
    }
    let job = Job::new(call.writer().database.clone(), &view.tenant);
    if options.asynchronous {
        let location = format!("/_/proxy/tenants/{}/install/{}", job.tenant, job.id);
        let mut response = shown(StatusCode::CREATED, &steps)?;
        if let Ok(value) = location.parse() {
            response.headers_mut().insert(LOCATION, value);
        }
        job.note(&steps, false).await;
        tokio::spawn(carried(async move {
            let _ = job.run(&turn, &mut steps, &options).await;
        }));
        return Ok(response);
    }
    // A task of its own: a client that disconnects must not leave a module half enabled.
    let work = tokio::spawn(carried(async move {
        let outcome = job.run(&turn, &mut steps, &options).await;
        (steps, outcome)
    }));
    let (mut steps, outcome) = work.await.map_err(|error| ApiError::fault(error))?;
    outcome.map_err(refused)?;
    for step in &mut steps {
        step.stage = None;
    }
    shown(StatusCode::OK, &steps)
}

/// Okapi's options from the query string.
pub(super) fn options(call: &Call) -> Result<InstallOptions, ApiError> {
    let text = call.parameter("tenantParameters")?.unwrap_or_default();
    if let Some(parallel) = call.parameter("parallel")? {
        let number: i64 = parallel.parse().map_err(|_| {
            ApiError::bad_request("Bad integer for parameter 'parallel'".to_owned())
        })?;
        if number < 1 {
            return Err(ApiError::bad_request("parallel must be 1 or higher"));
        }
    }
    Ok(InstallOptions {
        simulate: flag(call, "simulate", false)?,
        asynchronous: flag(call, "async", false)?,
        purge: flag(call, "purge", false)?,
        whole: false,
        check_dependencies: flag(call, "depCheck", true)?,
        ignore_errors: flag(call, "ignoreErrors", false)?,
        reinstall: flag(call, "reinstall", false)?,
        parameters: InstallOptions::parameters_of(&text),
        invoke: call.parameter("invoke")?,
        pre_release: call.parameter("preRelease")?.as_deref() != Some("false"),
        front_end_builds: call.parameter("npmSnapshot")?.as_deref() != Some("false"),
    })
}

/// A refusal with Okapi's status.
pub(super) fn refused(refusal: LifecycleRefusal) -> ApiError {
    let status = match &refusal {
        LifecycleRefusal::NoTenant(_) | LifecycleRefusal::NoModule(_) => StatusCode::NOT_FOUND,
        LifecycleRefusal::Refused(_) => StatusCode::BAD_REQUEST,
        LifecycleRefusal::Forbidden(_) => StatusCode::FORBIDDEN,
        LifecycleRefusal::Store(_) => match refusal {
            LifecycleRefusal::Store(error) => return error.into(),
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        },
    };
    ApiError::text(status, refusal.to_string())
}

async fn read_jobs(call: &Call, id: Option<&str>) -> Result<Vec<Value>, ApiError> {
    let view = tenant(call).await?;
    let jobs = store::jobs(&call.writer().database, view.tenant.id(), id).await;
    Ok(jobs?)
}

pub(super) async fn jobs(call: Call) -> Result<Response, ApiError> {
    Ok(listed(read_jobs(&call, None).await?))
}

pub(super) async fn job(call: Call) -> Result<Response, ApiError> {
    let id = call.segment("installId");
    let job = read_jobs(&call, Some(id))
        .await?
        .pop()
        .ok_or_else(|| missing(id))?;
    Ok(pretty(StatusCode::OK, &job))
}

/// Deletes complete jobs.
pub(super) async fn forget_jobs(call: Call) -> Result<Response, ApiError> {
    forget(&call, None).await
}

/// Deletes one complete job.
pub(super) async fn forget_job(call: Call) -> Result<Response, ApiError> {
    let id = call.segment("installId");
    let job = read_jobs(&call, Some(id))
        .await?
        .pop()
        .ok_or_else(|| missing(id))?;
    if job["complete"] != json!(true) {
        return Err(ApiError::bad_request(format!(
            "Cannot delete non-completed job {id}"
        )));
    }
    forget(&call, Some(id)).await
}

async fn forget(call: &Call, id: Option<&str>) -> Result<Response, ApiError> {
    let view = tenant(call).await?;
    let done = store::remove_jobs(&call.writer().database, view.tenant.id(), id).await;
    done?;
    Ok(empty(StatusCode::NO_CONTENT))
}
