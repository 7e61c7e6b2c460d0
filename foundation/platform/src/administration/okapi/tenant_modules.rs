//! `/_/proxy/tenants/{id}/modules`: the enabled modules of a tenant, changed one at a time.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_trace::carried;
use serde_json::json;

use super::install::{options, refused};
use super::list;
use super::scope::{created, document, encoded, listed, missing, tenant, tenant_seen};
use crate::call::Call;
use crate::error::ApiError;
use crate::lifecycle::{InstallOptions, ModulesLock};
use crate::registry::module_id::ModuleId;
use crate::registry::resolve::{self, Action, Step};
use crate::registry::{Modules, TenantView, always};
use crate::respond::{empty, pretty};

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let view = tenant_seen(&call, "okapi.proxy.tenants.modules.list").await?;
    Ok(listed(list::selected(&call, view.enabled.values(), false)?))
}

pub(super) async fn read(call: Call) -> Result<Response, ApiError> {
    let view = tenant_seen(&call, "okapi.proxy.tenants.modules.enabled.get").await?;
    let id = call.segment("moduleId");
    if !view.enabled.contains_key(id) {
        return Err(missing(id));
    }
    Ok(pretty(StatusCode::OK, &json!({"id": id})))
}

pub(super) async fn enable(call: Call) -> Result<Response, ApiError> {
    let step: Step = document(&call)?;
    exchanged(&call, None, Some(step.id)).await
}

/// Replaces an enabled module by another one.
pub(super) async fn exchange(call: Call) -> Result<Response, ApiError> {
    let step: Step = document(&call)?;
    let from = call.segment("moduleId").to_owned();
    exchanged(&call, Some(from), Some(step.id)).await
}

pub(super) async fn disable(call: Call) -> Result<Response, ApiError> {
    let from = call.segment("moduleId").to_owned();
    exchanged(&call, Some(from), None).await
}

async fn exchanged(
    call: &Call,
    from: Option<String>,
    to: Option<String>,
) -> Result<Response, ApiError> {
    let options = options(call)?;
    let view = tenant(call).await?;
    let platform = Arc::clone(&call.platform);
    let turn = ModulesLock::acquire(&platform, &view.tenant)
        .await
        .map_err(refused)?;
    let state = platform.registry.state();
    let known = |id: &String| {
        let parsed =
            ModuleId::parse(id).map_err(|error| ApiError::bad_request(error.to_string()))?;
        let id = match parsed.version {
            Some(_) => id.clone(),
            None => parsed.latest(state.modules.keys().map(String::as_str)),
        };
        if state.modules.contains_key(&id) {
            Ok(id)
        } else {
            Err(missing(&id))
        }
    };
    let from = from.as_ref().map(known).transpose()?;
    let to = to.as_ref().map(known).transpose()?;
    let now = state.tenants.get(view.tenant.id()).cloned().unwrap_or(view);
    let step = match (from, &to) {
        (from, Some(to)) => Step::enable(to, from),
        (Some(from), None) => {
            if state
                .modules
                .get(&from)
                .is_some_and(|module| always(module))
            {
                return Err(ApiError::bad_request(format!(
                    "Module {from} is the gateway itself; it cannot be disabled"
                )));
            }
            Step::disable(&from)
        }
        (None, None) => return Ok(empty(StatusCode::NO_CONTENT)),
    };
    if options.check_dependencies {
        check(&now, &state.modules, &step)?;
    }
    // Plans the step alone, to check that it is allowed at all.
    let unchecked = InstallOptions {
        check_dependencies: false,
        ..options.clone()
    };
    turn.plan(Some(vec![step.clone()]), &unchecked)
        .map_err(refused)?;
    let work = tokio::spawn(carried(
        async move { turn.carry_out(&step, &options).await },
    ));
    work.await
        .map_err(|error| ApiError::fault(error))?
        .map_err(refused)?;
    match to {
        Some(to) => {
            let tenant = call.segment("tenantId");
            let location = format!("/_/proxy/tenants/{tenant}/modules/{}", encoded(&to));
            created(&json!({"id": to}), &location)
        }
        None => Ok(empty(StatusCode::NO_CONTENT)),
    }
}

/// Whether the dependencies of the tenant's modules are met afterwards; no other module is enabled
/// or disabled with it.
fn check(view: &TenantView, all: &Modules, step: &Step) -> Result<(), ApiError> {
    let mut after = view.enabled.clone();
    let enables = step.action == Some(Action::Enable);
    if !enables {
        if !after.contains_key(&step.id) {
            return Err(missing(&step.id));
        }
        // Dependencies that are not met already do not prevent disabling a module.
        if !resolve::faults(&after).is_empty() {
            return Ok(());
        }
        after.remove(&step.id);
    }
    if let Some(from) = &step.from {
        after.remove(from);
    }
    if enables {
        let Some(module) = all.get(&step.id) else {
            return Err(missing(&step.id));
        };
        if after.insert(step.id.clone(), Arc::clone(module)).is_some() {
            return Err(ApiError::bad_request(format!(
                "Module {} already provided",
                step.id
            )));
        }
    }
    let faults = resolve::faults(&after);
    if faults.is_empty() {
        Ok(())
    } else {
        Err(ApiError::bad_request(faults.join(". ")))
    }
}

/// Disables all modules that can be disabled.
pub(super) async fn disable_all(call: Call) -> Result<Response, ApiError> {
    let mut options = InstallOptions {
        check_dependencies: false,
        ..options(&call)?
    };
    let view = tenant(&call).await?;
    let turn = ModulesLock::acquire(&call.platform, &view.tenant)
        .await
        .map_err(refused)?;
    let enabled = call
        .platform
        .registry
        .known(view.tenant.id())
        .unwrap_or(view);
    let can = |module: &&Arc<crate::registry::ModuleDescriptor>| !always(module);
    let wishes = enabled
        .enabled
        .values()
        .filter(can)
        .map(|module| Step::disable(&module.id));
    let steps = turn
        .plan(Some(wishes.collect()), &options)
        .map_err(refused)?;
    options.whole = turn.purges_everything(&steps, &options).map_err(refused)?;
    let work = tokio::spawn(carried(async move {
        for step in &steps {
            turn.carry_out(step, &options).await?;
        }
        turn.clear_up(&options).await
    }));
    work.await
        .map_err(|error| ApiError::fault(error))?
        .map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}
