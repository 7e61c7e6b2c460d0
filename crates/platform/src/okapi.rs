//! The gateway's own routes, `/_/` and `/admin/health`, first cut.

use axum::response::Response;
use http::{Method, StatusCode};
use octavo_records::Tenant;
use serde_json::{Value, json};

use crate::call::Call;
use crate::error::ApiError;
use crate::module::{Interface, Module};
use crate::respond::{json_bytes, pretty};
use crate::route::Handler;

/// The gateway as a module.
#[must_use]
pub fn module() -> Module {
    Module::new("okapi", env!("CARGO_PKG_VERSION")).interface(
        Interface::new("okapi", "1.9")
            .public(Method::GET, "/_/version", Handler::call(version))
            .public(Method::GET, "/admin/health", Handler::call(health))
            .route(
                Method::GET,
                "/_/proxy/tenants/{tenant_id}/modules",
                "okapi.proxy.tenants.modules.list",
                Handler::call(modules),
            ),
    )
}

async fn version(_: Call) -> Result<Response, ApiError> {
    let mut response = json_bytes(StatusCode::OK, env!("CARGO_PKG_VERSION"));
    response.headers_mut().insert(
        http::header::CONTENT_TYPE,
        http::HeaderValue::from_static("text/plain"),
    );
    Ok(response)
}

/// Healthy means that the database answers.
async fn health(call: Call) -> Result<Response, ApiError> {
    call.store().ping().await?;
    Ok(json_bytes(StatusCode::OK, "[ ]"))
}

/// The modules enabled for a tenant: `[{"id": "mod-users-19.5.0"}, …]`; `full=true` adds what each
/// provides.
async fn modules(call: Call) -> Result<Response, ApiError> {
    let id = call.segment("tenant_id");
    let known = match Tenant::new(id) {
        Ok(tenant) => call.platform.tenants.exists(call.store(), &tenant).await?,
        Err(_) => false,
    };
    if !known {
        return Err(ApiError::text(StatusCode::NOT_FOUND, id.to_owned()));
    }
    let full = call.parameter("full")?.as_deref() == Some("true");
    let list = call
        .platform
        .modules
        .iter()
        .map(|module| descriptor(module, full))
        .collect();
    Ok(pretty(StatusCode::OK, &Value::Array(list)))
}

fn descriptor(module: &Module, full: bool) -> Value {
    let id = format!("{}-{}", module.name, module.version);
    if !full {
        return json!({"id": id});
    }
    let provides: Vec<Value> = module
        .interfaces
        .iter()
        .map(|interface| {
            let handlers: Vec<Value> = interface
                .routes
                .iter()
                .map(|route| {
                    let required: Vec<&str> = match &route.access {
                        crate::route::Access::Permission(name) => vec![name],
                        _ => Vec::new(),
                    };
                    json!({
                        "methods": [route.method.as_str()],
                        "pathPattern": route.pattern,
                        "permissionsRequired": required,
                        "permissionsDesired": route.desired,
                    })
                })
                .collect();
            json!({"id": interface.id, "version": interface.version, "handlers": handlers})
        })
        .collect();
    json!({"id": id, "name": module.name, "provides": provides})
}
