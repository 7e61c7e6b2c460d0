//! Derives the descriptors of native modules from their declarations, so that nothing is declared
//! twice.

use http::Method;

use super::descriptor::{
    CronSchedule, InterfaceDescriptor, InterfaceReference, ModuleDescriptor, RoutingEntry,
};
use crate::module::{Interface, Module};
use crate::route::{Access, Route};
use crate::timer::{Schedule, Timer};

#[must_use]
pub fn descriptor(module: &Module) -> ModuleDescriptor {
    let mut provides: Vec<InterfaceDescriptor> = module.interfaces.iter().map(interface).collect();
    let declared = |id: &str| module.system.iter().find(|(one, _)| *one == id);
    let tenant = declared("_tenant").map(|(_, version)| *version);
    let keeps_records = !module.collections.is_empty();
    if let Some(version) = tenant.or(keeps_records.then_some("2.0")) {
        provides.push(tenant_interface(version));
    }
    if let Some((_, version)) = declared("_tenantPermissions") {
        provides.push(permissions_interface(version));
    }
    if !module.timers.is_empty() {
        provides.push(timer_interface(&module.timers));
    }
    ModuleDescriptor {
        id: module.id(),
        name: Some(module.name.to_owned()),
        requires: Some(references(&module.requires)),
        optional: Some(references(&module.optional)).filter(|all| !all.is_empty()),
        provides: Some(provides),
        permission_sets: Some(module.permissions.clone()),
        native: true,
        ..ModuleDescriptor::default()
    }
}

fn references(declared: &[(&str, &str)]) -> Vec<InterfaceReference> {
    let reference = |(id, version): &(&str, &str)| InterfaceReference {
        id: (*id).to_owned(),
        version: (*version).to_owned(),
    };
    declared.iter().map(reference).collect()
}

fn interface(declared: &Interface) -> InterfaceDescriptor {
    InterfaceDescriptor {
        id: declared.id.to_owned(),
        version: declared.version.to_owned(),
        satisfies: declared
            .satisfies
            .iter()
            .map(|one| (*one).to_owned())
            .collect(),
        interface_type: declared.multiple.then(|| "multiple".to_owned()),
        handlers: Some(declared.routes.iter().map(handler).collect()),
        ..InterfaceDescriptor::default()
    }
}

fn handler(route: &Route) -> RoutingEntry {
    let required = match &route.access {
        Access::Permission(name) => vec![name.clone()],
        Access::Public | Access::LoggedIn => Vec::new(),
    };
    let desired: Vec<String> = route
        .desired
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    RoutingEntry {
        methods: Some(vec![route.method.to_string()]),
        path_pattern: Some(okapis_pattern(route.pattern)),
        permissions_required: Some(required),
        permissions_desired: Some(desired).filter(|all| !all.is_empty()),
        ..RoutingEntry::default()
    }
}

/// Our router writes the rest of a path as `{*rest}`, Okapi as `*`.
fn okapis_pattern(pattern: &str) -> String {
    match pattern.find("{*") {
        Some(at) => format!("{}*", &pattern[..at]),
        None => pattern.to_owned(),
    }
}

/// The `_tenant` interface, which every module that stores records has.
fn tenant_interface(version: &str) -> InterfaceDescriptor {
    let entry = |method: Method, pattern: &str| RoutingEntry {
        methods: Some(vec![method.to_string()]),
        path_pattern: Some(pattern.to_owned()),
        ..RoutingEntry::default()
    };
    InterfaceDescriptor {
        id: "_tenant".to_owned(),
        version: version.to_owned(),
        interface_type: Some("system".to_owned()),
        handlers: Some(vec![
            entry(Method::POST, "/_/tenant"),
            entry(Method::GET, "/_/tenant/{id}"),
            entry(Method::DELETE, "/_/tenant/{id}"),
        ]),
        ..InterfaceDescriptor::default()
    }
}

/// The `_tenantPermissions` interface of a module that stores permissions.
fn permissions_interface(version: &str) -> InterfaceDescriptor {
    InterfaceDescriptor {
        id: "_tenantPermissions".to_owned(),
        version: version.to_owned(),
        interface_type: Some("system".to_owned()),
        handlers: Some(vec![RoutingEntry {
            methods: Some(vec![Method::POST.to_string()]),
            path_pattern: Some("/_/tenantpermissions".to_owned()),
            ..RoutingEntry::default()
        }]),
        ..InterfaceDescriptor::default()
    }
}

fn timer_interface(timers: &[Timer]) -> InterfaceDescriptor {
    InterfaceDescriptor {
        id: "_timer".to_owned(),
        version: "1.0".to_owned(),
        interface_type: Some("system".to_owned()),
        handlers: Some(timers.iter().map(timer).collect()),
        ..InterfaceDescriptor::default()
    }
}

fn timer(timer: &Timer) -> RoutingEntry {
    let (unit, delay, schedule) = match &timer.schedule {
        Schedule::Every { delay, unit } => {
            (Some((*unit).to_owned()), Some(delay.to_string()), None)
        }
        Schedule::Cron(cron) => {
            let cron = (*cron).to_owned();
            (None, None, Some(CronSchedule { cron, zone: None }))
        }
    };
    RoutingEntry {
        methods: Some(vec![timer.method.to_string()]),
        path_pattern: Some(timer.path.to_owned()),
        unit,
        delay,
        schedule,
        ..RoutingEntry::default()
    }
}
