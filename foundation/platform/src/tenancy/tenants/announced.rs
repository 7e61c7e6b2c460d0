//! Announces the permissions of native modules to a tenant whenever it is created or upgraded.

use octavo_records::{Store, StoreError, Tenant};

use super::NewTenant;
use crate::identity::{Directory, ModulePermissions};
use crate::module::Module;
use crate::registry::always_there;
use crate::registry::module_id::ModuleId;
use crate::registry::store::TenantModules;

/// Announces the tenant's modules, all at once. Where a name belongs to another module, the module
/// that claims it keeps its earlier definitions and the tenant is served all the same: its
/// administrator can resolve the conflict.
pub(super) async fn announce(
    store: &Store,
    modules: &[&Module],
    directory: &dyn Directory,
    tenant: &Tenant,
) -> Result<(), StoreError> {
    let all: Vec<ModulePermissions> = modules.iter().map(|module| module.brings()).collect();
    let announcing = directory.announce(store.clone(), tenant.clone(), all.clone());
    let reason = match announcing.await {
        Err(StoreError::Query(reason)) => reason,
        outcome => return outcome,
    };
    tracing::warn!(
        tenant = tenant.id(),
        reason,
        "permissions are announced one module at a time"
    );
    for one in all {
        let module = one.module_id.clone();
        let announcing = directory.announce(store.clone(), tenant.clone(), vec![one]);
        match announcing.await {
            Err(StoreError::Query(reason)) => tracing::error!(
                tenant = tenant.id(),
                module,
                reason,
                "the permissions of a module are not in force; delete the permission that is in its \
                 way, and upgrade the tenant again"
            ),
            outcome => outcome?,
        }
    }
    Ok(())
}

/// Whether a tenant has a native module. One that it disabled or that a remote module replaces
/// announces nothing.
pub(super) fn has(module: &str, chosen: Option<&TenantModules>, new: &NewTenant) -> bool {
    if always_there(module) {
        return true;
    }
    let Some(chosen) = chosen else {
        return new.native_modules;
    };
    let mut enabled = chosen.modules.iter().filter(|(_, enabled)| **enabled);
    let is_remote = enabled.any(|(id, _)| id != module && ModuleId::product_of(id) == module);
    let own = chosen.modules.get(module).copied();
    !is_remote && own.unwrap_or(chosen.native_modules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_is_informed_of_the_modules_that_it_has() {
        let new = |native_modules: bool| NewTenant {
            native_modules,
            ..NewTenant::default()
        };
        let chosen = |native_modules: bool, modules: &[(&str, bool)]| TenantModules {
            native_modules,
            modules: modules
                .iter()
                .map(|(id, enabled)| ((*id).to_owned(), *enabled))
                .collect(),
        };
        for (module, chosen, native, expected) in [
            ("mod-users", None, true, true),
            ("mod-users", None, false, false),
            ("okapi", None, false, true),
            ("mod-users", Some(chosen(true, &[])), false, true),
            ("mod-users", Some(chosen(false, &[])), true, false),
            (
                "mod-users",
                Some(chosen(false, &[("mod-users", true)])),
                true,
                true,
            ),
            (
                "mod-users",
                Some(chosen(true, &[("mod-users", false)])),
                true,
                false,
            ),
            (
                "mod-users",
                Some(chosen(true, &[("mod-users-20.0.0", true)])),
                true,
                false,
            ),
            (
                "mod-users",
                Some(chosen(true, &[("mod-users-20.0.0", false)])),
                true,
                true,
            ),
            (
                "mod-users",
                Some(chosen(true, &[("mod-users-bl-8.0.0", true)])),
                true,
                true,
            ),
        ] {
            assert_eq!(
                has(module, chosen.as_ref(), &new(native)),
                expected,
                "{module} {chosen:?}"
            );
        }
    }
}
