//! Adds and removes permissions with modules: in the tenant's own definitions and, where a remote
//! module has `_tenantPermissions`, by calling that module.

use std::collections::HashSet;
use std::sync::Arc;

use octavo_records::{StoreError, Tenant};
use serde_json::{Value, json};

use super::{InstallOptions, LifecycleRefusal};
use crate::identity::ModulePermissions;
use crate::proxy::Remotes;
use crate::registry::{ModuleDescriptor, TenantView};
use crate::tenants::Tenants;

const INTERFACE: &str = "_tenantPermissions";

/// Announces a module that replaces another one, is enabled, or is disabled.
pub(super) async fn announce(
    tenants: &Tenants,
    remotes: &Remotes,
    view: &TenantView,
    from: Option<&ModuleDescriptor>,
    to: Option<&ModuleDescriptor>,
    options: &InstallOptions,
) -> Result<(), LifecycleRefusal> {
    let Some(module) = to.or(from) else {
        return Ok(());
    };
    let mut permissions = to
        .and_then(|to| to.permission_sets.clone())
        .unwrap_or_default();
    if !module.native {
        // Some permissions that another module defines in FOLIO belong to native routes here.
        let natives = view
            .enabled
            .values()
            .filter(|one| one.native && one.product() != module.product());
        let defined: HashSet<&str> = natives
            .flat_map(|one| one.permission_sets.iter().flatten())
            .map(|one| one.permission_name.as_str())
            .collect();
        permissions.retain(|one| !defined.contains(one.permission_name.as_str()));
    }
    let brought = ModulePermissions {
        module_id: module.id.clone(),
        permissions,
        replaces: from.filter(|_| to.is_some()).map(|from| from.id.clone()),
    };
    let document = json!({
        "moduleId": brought.module_id,
        "perms": brought.permissions,
        "replaces": to.and_then(|to| to.replaces.clone()),
    });
    let directory = &tenants.permissions.directory;
    let (store, tenant) = (tenants.store.clone(), view.tenant.clone());
    let mut brought = vec![brought];
    // The module that stores definitions has just been enabled, so it gets those of all modules
    // enabled before it.
    if to.is_some_and(|to| to.native && to.system(INTERFACE).is_some()) {
        let others = view.enabled.values().filter(|one| one.id != module.id);
        brought.extend(others.map(|one| ModulePermissions {
            module_id: one.id.clone(),
            permissions: one.permission_sets.clone().unwrap_or_default(),
            replaces: None,
        }));
    }
    directory.announce(store, tenant, brought).await?;
    // A module that starts to listen gets its own permissions and those of all modules enabled
    // before it.
    if let Some(listener) = to.filter(|to| to.system(INTERFACE).is_some() && !to.native) {
        for other in view.enabled.values() {
            let perms = other.permission_sets.clone().unwrap_or_default();
            let document = json!({"moduleId": other.id, "perms": perms});
            announce_to(remotes, view, listener, &document, options).await?;
        }
        return announce_to(remotes, view, listener, &document, options).await;
    }
    let listens = |one: &&Arc<ModuleDescriptor>| {
        !one.native && one.system(INTERFACE).is_some() && one.id != module.id
    };
    if let Some(listener) = view.enabled.values().find(listens) {
        announce_to(remotes, view, listener, &document, options).await?;
    }
    Ok(())
}

/// Announces several modules at once. A refusal is not an error here: the module's own announcement
/// will report it.
pub(super) async fn announce_together(
    tenants: &Tenants,
    tenant: &Tenant,
    modules: &[&Arc<ModuleDescriptor>],
) -> Result<(), LifecycleRefusal> {
    let brought = modules.iter().map(|module| ModulePermissions {
        module_id: module.id.clone(),
        permissions: module.permission_sets.clone().unwrap_or_default(),
        replaces: None,
    });
    let directory = &tenants.permissions.directory;
    let announcing = directory.announce(tenants.store.clone(), tenant.clone(), brought.collect());
    match announcing.await {
        Ok(()) | Err(StoreError::Query(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

async fn announce_to(
    remotes: &Remotes,
    view: &TenantView,
    listener: &ModuleDescriptor,
    document: &Value,
    options: &InstallOptions,
) -> Result<(), LifecycleRefusal> {
    if !options.invokes(&listener.id) {
        return Ok(());
    }
    let mut entries = listener
        .system(INTERFACE)
        .into_iter()
        .flat_map(|one| one.handlers());
    let entry = entries.find(|entry| entry.takes("POST")).ok_or_else(|| {
        LifecycleRefusal::Refused(format!(
            "Bad {INTERFACE} interface in module {}. No path to POST to",
            listener.id
        ))
    })?;
    let path = entry.static_path();
    let calling = remotes.call_without_user(view, listener, entry, "POST", path, Some(document));
    let answer = calling.await;
    let answer = answer.map_err(LifecycleRefusal::Refused)?;
    if answer.status.is_success() {
        return Ok(());
    }
    Err(LifecycleRefusal::Refused(format!(
        "POST request for {} {path} failed with {}: {}",
        listener.id,
        answer.status.as_u16(),
        answer.text()
    )))
}
