//! `/_/proxy/tenants/{id}/interfaces`: the interfaces of a tenant's modules, and the modules that
//! provide one.

use axum::response::Response;
use http::StatusCode;
use serde_json::{Value, json};

use super::scope::{flag, listed, shown, tenant_seen};
use crate::call::Call;
use crate::error::ApiError;
use crate::registry::descriptor::InterfaceDescriptor;
use crate::registry::{ModuleDescriptor, TenantView};

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let view = tenant_seen(&call, "okapi.proxy.tenants.interfaces.list").await?;
    let full = flag(&call, "full", false)?;
    let kind = call.parameter("type")?;
    let mut seen = std::collections::HashSet::new();
    let mut found: Vec<&InterfaceDescriptor> = provided(&view, kind.as_deref())
        .map(|(_, interface)| interface)
        .filter(|interface| full || seen.insert(interface.id.as_str()))
        .collect();
    found.sort_by(|one, other| one.id.cmp(&other.id));
    if full {
        return shown(StatusCode::OK, &found);
    }
    let short = |one: &&InterfaceDescriptor| json!({"id": one.id, "version": one.version});
    Ok(listed(found.iter().map(short).collect()))
}

pub(super) async fn providers(call: Call) -> Result<Response, ApiError> {
    let view = tenant_seen(&call, "okapi.proxy.tenants.interfaces.get").await?;
    let kind = call.parameter("type")?;
    let id = call.segment("interfaceId");
    let modules: Vec<Value> = provided(&view, kind.as_deref())
        .filter(|(_, interface)| interface.id == id)
        .map(|(module, _)| json!({"id": module.id}))
        .collect();
    Ok(listed(modules))
}

/// Interfaces with their modules, without native ones that a remote module has taken over.
fn provided<'a>(
    view: &'a TenantView,
    kind: Option<&'a str>,
) -> impl Iterator<Item = (&'a ModuleDescriptor, &'a InterfaceDescriptor)> {
    view.enabled
        .values()
        .flat_map(|module| {
            module
                .provides()
                .map(move |interface| (&**module, interface))
        })
        .filter(|(module, interface)| {
            !module.native || interface.is_system() || view.serves(&interface.id)
        })
        .filter(move |(_, interface)| kind.is_none_or(|kind| interface.is_type(kind)))
}
