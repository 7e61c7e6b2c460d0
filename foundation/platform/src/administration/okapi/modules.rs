//! `/_/proxy/modules`: the registered modules, native and remote.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use serde_json::Value;

use super::list;
use super::scope::{created, document, encoded, flag, listed, missing, operator, shown};
use crate::call::Call;
use crate::error::ApiError;
use crate::registry::module_id::ModuleId;
use crate::registry::{ModuleDescriptor, Modules, resolve, store};
use crate::respond::empty;

pub(super) async fn create(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let module: ModuleDescriptor = document(&call)?;
    let location = format!("/_/proxy/modules/{}", encoded(&module.id));
    register(&call, vec![module.clone()]).await?;
    created(&module, &location)
}

/// Registers several modules, or none.
pub(super) async fn import(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    register(&call, document(&call)?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

async fn register(call: &Call, modules: Vec<ModuleDescriptor>) -> Result<(), ApiError> {
    let check = flag(call, "check", true)?;
    let snapshots = list::Snapshots::of(call)?;
    let database = &call.writer().database;
    let registry = &call.platform.registry;
    registry.load().await?;
    let known = &registry.state().modules;
    let mut all: Modules = known
        .iter()
        .filter(|(id, _)| ModuleId::parse(id).is_ok_and(|id| snapshots.take(&id)))
        .map(|(id, module)| (id.clone(), Arc::clone(module)))
        .collect();
    let mut new: Vec<(String, Value)> = Vec::new();
    for module in modules {
        if let Some(fault) = module.fault() {
            return Err(ApiError::bad_request(fault));
        }
        match known.get(&module.id) {
            // Registering the same descriptor again changes nothing. Native modules are skipped, so
            // that the descriptors of a whole FOLIO release can be sent.
            Some(same) if same.native || **same == module => {}
            Some(_) => {
                return Err(ApiError::bad_request(format!(
                    "create: module {} already exists",
                    module.id
                )));
            }
            None => {
                let stored = serde_json::to_value(&module)?;
                new.push((module.id.clone(), stored));
                all.insert(module.id.clone(), Arc::new(module));
            }
        }
    }
    if check {
        let lacking = resolve::missing(&all);
        if !lacking.is_empty() {
            return Err(ApiError::bad_request(lacking));
        }
    }
    if !new.is_empty() {
        store::add_modules(database, &new).await?;
        call.platform.settle().await;
    }
    Ok(())
}

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let state = call.platform.registry.state();
    Ok(listed(list::selected(&call, state.modules.values(), true)?))
}

pub(super) async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.segment("moduleId");
    let state = call.platform.registry.state();
    let module = state.modules.get(id).ok_or_else(|| missing(id))?;
    shown(StatusCode::OK, &**module)
}

/// Deletes a remote module that no tenant has enabled and no other module needs.
pub(super) async fn delete(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let id = call.segment("moduleId").to_owned();
    let registry = &call.platform.registry;
    registry.load().await?;
    let state = registry.state();
    let module = state.modules.get(&id).ok_or_else(|| {
        ApiError::text(
            StatusCode::NOT_FOUND,
            format!("delete: module {id} does not exist"),
        )
    })?;
    if module.native {
        return Err(ApiError::bad_request(format!(
            "delete: module {id}: it is served by this process itself; it can be disabled for a tenant"
        )));
    }
    let mut rest = state.modules.clone();
    rest.remove(&id);
    let lacking = resolve::missing(&rest);
    // Interfaces that were missing before do not prevent the deletion.
    if !lacking.is_empty() && lacking != resolve::missing(&state.modules) {
        return Err(ApiError::bad_request(format!(
            "delete: module {id}: {lacking}"
        )));
    }
    remove(&call, &[id]).await
}

async fn remove(call: &Call, ids: &[String]) -> Result<Response, ApiError> {
    let removed = store::remove_modules(&call.writer().database, ids).await;
    if let Some((module, tenant)) = removed? {
        return Err(ApiError::bad_request(format!(
            "delete: module {module} is used by tenant {tenant}"
        )));
    }
    call.platform.settle().await;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Deletes snapshots that later releases and snapshots of the same product have made obsolete.
pub(super) async fn clean_up(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let releases = number(&call, "saveReleases")?;
    let snapshots = number(&call, "saveSnapshots")?;
    let remove_dependencies = flag(&call, "removeDependencies", false)?;
    let state = call.platform.registry.state();
    let mut obsolete = obsolete(&state.modules, releases, snapshots);
    let mut rest = state.modules.clone();
    rest.retain(|id, _| !obsolete.contains(id));
    let before = resolve::missing(&state.modules);
    let lacking = resolve::missing(&rest);
    if !lacking.is_empty() && lacking != before {
        if !remove_dependencies {
            return Err(ApiError::bad_request(format!(
                "Removing obsolete modules resulted in missing dependencies.\n\
                 Supply removeDependencies=true if you think it's ok to remove them.\n{lacking}"
            )));
        }
        let alone = |rest: &Modules| {
            let mut ids = rest.values().filter(|module| {
                let uses = module.requires();
                let mut lacks = uses.filter(|one| {
                    !rest
                        .values()
                        .any(|other| other.provides().any(|given| given.id == one.id))
                });
                !module.native && lacks.next().is_some()
            });
            ids.next().map(|module| module.id.clone())
        };
        while let Some(id) = alone(&rest) {
            rest.remove(&id);
            obsolete.push(id);
        }
    }
    remove(&call, &obsolete).await
}

fn number(call: &Call, name: &str) -> Result<usize, ApiError> {
    let text = call
        .parameter(name)?
        .ok_or_else(|| ApiError::bad_request(format!("Missing value for parameter '{name}'")))?;
    text.parse()
        .map_err(|_| ApiError::bad_request(format!("Bad integer for parameter '{name}'")))
}

/// Remote modules' snapshots older than so many releases and so many snapshots.
fn obsolete(modules: &Modules, releases: usize, snapshots: usize) -> Vec<String> {
    let mut ids: Vec<ModuleId> = modules
        .values()
        .filter(|module| !module.native)
        .filter_map(|module| ModuleId::parse(&module.id).ok())
        .collect();
    ids.sort_by(|one, other| other.cmp(one));
    let mut obsolete = Vec::new();
    let mut product = String::new();
    let (mut later_releases, mut later_snapshots) = (0, 0);
    for id in ids {
        if id.product != product {
            product.clone_from(&id.product);
            (later_releases, later_snapshots) = (0, 0);
        }
        if id
            .version
            .as_ref()
            .is_some_and(|version| version.is_snapshot())
        {
            if later_releases >= releases && later_snapshots >= snapshots {
                obsolete.push(id.to_string());
            }
            later_snapshots += 1;
        } else {
            later_snapshots = 0;
            later_releases += 1;
        }
    }
    obsolete
}
