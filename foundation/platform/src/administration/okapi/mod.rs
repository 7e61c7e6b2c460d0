//! The gateway's own routes: Okapi's API under `/_/`, version and health.
//!
//! Routes about one tenant are open to its own users with the permission; routes about the
//! installation to users of the supertenant and of operator tenants (`scope.rs`).

mod discovery;
mod environment;
mod health;
mod install;
mod interfaces;
mod list;
mod modules;
mod readers;
mod scope;
mod tenant_modules;
mod tenants;
mod timers;

use http::Method;

use crate::module::{Interface, Module};
use crate::route::Handler;

/// The gateway as a module.
#[must_use]
pub fn module() -> Module {
    Module::new("okapi", env!("CARGO_PKG_VERSION"))
        .permissions(include_str!("../permissions/okapi.tsv"))
        .interface(interface())
        .interface(Interface::new("okapi-proxy", "1.9"))
}

fn interface() -> Interface {
    let okapi = Interface::new("okapi", "1.9")
        .public(Method::GET, "/_/version", Handler::call(health::version))
        .public(Method::GET, "/admin/health", Handler::call(health::health))
        .public(
            Method::GET,
            "/_/proxy/health",
            Handler::call(health::health),
        )
        .route(
            Method::GET,
            "/_/readers",
            "octavo.readers.collection.get",
            Handler::call(readers::readers),
        );
    let okapi = tenants(modules(okapi));
    deployments(tenant_modules(okapi))
}

fn tenants(interface: Interface) -> Interface {
    const LIST: &str = "/_/proxy/tenants";
    const ONE: &str = "/_/proxy/tenants/{tenantId}";
    interface
        .route(
            Method::POST,
            LIST,
            "okapi.proxy.tenants.post",
            Handler::call(tenants::create),
        )
        .route(
            Method::GET,
            LIST,
            "okapi.proxy.tenants.list",
            Handler::call(tenants::list),
        )
        .route(
            Method::GET,
            ONE,
            "okapi.proxy.tenants.get",
            Handler::call(tenants::read),
        )
        .route(
            Method::PUT,
            ONE,
            "okapi.proxy.tenants.put",
            Handler::call(tenants::update),
        )
        .route(
            Method::DELETE,
            ONE,
            "okapi.proxy.tenants.delete",
            Handler::call(tenants::delete),
        )
}

fn modules(interface: Interface) -> Interface {
    const LIST: &str = "/_/proxy/modules";
    const ONE: &str = "/_/proxy/modules/{moduleId}";
    interface
        .route(
            Method::POST,
            LIST,
            "okapi.proxy.modules.post",
            Handler::call(modules::create),
        )
        .route(
            Method::GET,
            LIST,
            "okapi.proxy.modules.list",
            Handler::call(modules::list),
        )
        .route(
            Method::GET,
            ONE,
            "okapi.proxy.modules.get",
            Handler::call(modules::read),
        )
        .route(
            Method::DELETE,
            ONE,
            "okapi.proxy.modules.delete",
            Handler::call(modules::delete),
        )
        .route(
            Method::POST,
            "/_/proxy/import/modules",
            "okapi.proxy.modules.post",
            Handler::call(modules::import),
        )
        .route(
            Method::POST,
            "/_/proxy/cleanup/modules",
            "okapi.proxy.cleanup.modules",
            Handler::call(modules::clean_up),
        )
}

fn tenant_modules(interface: Interface) -> Interface {
    const MODULES: &str = "/_/proxy/tenants/{tenantId}/modules";
    const MODULE: &str = "/_/proxy/tenants/{tenantId}/modules/{moduleId}";
    const INSTALL: &str = "/_/proxy/tenants/{tenantId}/install";
    const JOB: &str = "/_/proxy/tenants/{tenantId}/install/{installId}";
    const TIMERS: &str = "/_/proxy/tenants/{tenantId}/timers";
    const TIMER: &str = "/_/proxy/tenants/{tenantId}/timers/{timerId}";
    let of = |name: &str| format!("okapi.proxy.tenants.{name}");
    interface
        .route(
            Method::POST,
            MODULES,
            &of("modules.post"),
            Handler::call(tenant_modules::enable),
        )
        // As in FOLIO, users need no permission to see the modules of their own tenant.
        .logged_in(Method::GET, MODULES, Handler::call(tenant_modules::list))
        .route(
            Method::DELETE,
            MODULES,
            &of("modules.enabled.delete"),
            Handler::call(tenant_modules::disable_all),
        )
        .route(
            Method::POST,
            MODULE,
            &of("modules.enabled.post"),
            Handler::call(tenant_modules::exchange),
        )
        .logged_in(Method::GET, MODULE, Handler::call(tenant_modules::read))
        .route(
            Method::DELETE,
            MODULE,
            &of("modules.enabled.delete"),
            Handler::call(tenant_modules::disable),
        )
        .route(
            Method::POST,
            INSTALL,
            &of("install.post"),
            Handler::call(install::install),
        )
        .route(
            Method::GET,
            INSTALL,
            &of("install.list"),
            Handler::call(install::jobs),
        )
        .route(
            Method::DELETE,
            INSTALL,
            &of("install.delete"),
            Handler::call(install::forget_jobs),
        )
        .route(
            Method::GET,
            JOB,
            &of("install.get"),
            Handler::call(install::job),
        )
        .route(
            Method::DELETE,
            JOB,
            &of("install.delete"),
            Handler::call(install::forget_job),
        )
        .route(
            Method::POST,
            "/_/proxy/tenants/{tenantId}/upgrade",
            &of("upgrade.post"),
            Handler::call(install::upgrade),
        )
        .logged_in(
            Method::GET,
            "/_/proxy/tenants/{tenantId}/interfaces",
            Handler::call(interfaces::list),
        )
        .logged_in(
            Method::GET,
            "/_/proxy/tenants/{tenantId}/interfaces/{interfaceId}",
            Handler::call(interfaces::providers),
        )
        .logged_in(Method::GET, TIMERS, Handler::call(timers::list))
        .logged_in(Method::PATCH, TIMERS, Handler::call(timers::patch))
        .logged_in(Method::GET, TIMER, Handler::call(timers::read))
        .logged_in(Method::PATCH, TIMER, Handler::call(timers::patch_one))
}

fn deployments(interface: Interface) -> Interface {
    const ALL: &str = "/_/discovery/modules";
    const SERVICE: &str = "/_/discovery/modules/{serviceId}";
    const INSTANCE: &str = "/_/discovery/modules/{serviceId}/{instanceId}";
    const HEALTH: &str = "/_/discovery/health";
    const ENVIRONMENT: &str = "/_/env";
    const VARIABLE: &str = "/_/env/{id}";
    let get = "okapi.discovery.get";
    let delete = "okapi.discovery.delete";
    let health = "okapi.discovery.health.get";
    interface
        .route(
            Method::POST,
            ALL,
            "okapi.discovery.post",
            Handler::call(discovery::add),
        )
        .route(Method::GET, ALL, get, Handler::call(discovery::list))
        .route(
            Method::DELETE,
            ALL,
            delete,
            Handler::call(discovery::remove),
        )
        .route(
            Method::GET,
            SERVICE,
            get,
            Handler::call(discovery::of_service),
        )
        .route(
            Method::DELETE,
            SERVICE,
            delete,
            Handler::call(discovery::remove),
        )
        .route(Method::GET, INSTANCE, get, Handler::call(discovery::read))
        .route(
            Method::PUT,
            INSTANCE,
            "okapi.discovery.put",
            Handler::call(discovery::change),
        )
        .route(
            Method::DELETE,
            INSTANCE,
            delete,
            Handler::call(discovery::remove),
        )
        .route(
            Method::GET,
            HEALTH,
            health,
            Handler::call(health::of_modules),
        )
        .route(
            Method::GET,
            "/_/discovery/health/{serviceId}",
            health,
            Handler::call(health::of_modules),
        )
        .route(
            Method::GET,
            "/_/discovery/health/{serviceId}/{instanceId}",
            health,
            Handler::call(health::of_modules),
        )
        .route(
            Method::GET,
            "/_/deployment/modules",
            "okapi.deployment.get",
            Handler::call(discovery::started_here),
        )
        .route(
            Method::POST,
            ENVIRONMENT,
            "okapi.env.post",
            Handler::call(environment::set),
        )
        .route(
            Method::GET,
            ENVIRONMENT,
            "okapi.env.list",
            Handler::call(environment::list),
        )
        .route(
            Method::GET,
            VARIABLE,
            "okapi.env.get",
            Handler::call(environment::read),
        )
        .route(
            Method::DELETE,
            VARIABLE,
            "okapi.env.delete",
            Handler::call(environment::remove),
        )
}
