//! The gateway's own routes, `/_/` and `/admin/health`, first cut.

use axum::response::Response;
use http::{Method, StatusCode};
use octavo_postgres::{Position, ReaderStatus};
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
                "/_/readers",
                "octavo.readers.collection.get",
                Handler::call(readers),
            )
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

/// Healthy means that the database answers: without its replicas it does all the work itself.
async fn health(call: Call) -> Result<Response, ApiError> {
    call.writer().ping().await?;
    Ok(json_bytes(StatusCode::OK, "[ ]"))
}

/// The replicas that reads go to: where each is, whether it is read from, how far behind it is.
async fn readers(call: Call) -> Result<Response, ApiError> {
    let Some(readers) = &call.platform.readers else {
        return Ok(pretty(
            StatusCode::OK,
            &json!({"readers": [], "totalRecords": 0}),
        ));
    };
    let status = readers.status();
    let writer = readers.position().await;
    let list: Vec<Value> = status
        .readers
        .iter()
        .map(|one| reader(one, writer))
        .collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({
            "readers": list,
            "totalRecords": list.len(),
            "writerPosition": writer.map(|position| position.to_string()),
            "positionsAsked": status.questions,
            "readsThatWaited": status.waits,
            "readsOnWriter": status.to_writer,
        }),
    ))
}

fn reader(status: &ReaderStatus, writer: Option<Position>) -> Value {
    let mut shown = json!({
        "place": status.place,
        "up": status.position.is_some(),
        "reads": status.reads,
        "readsRepeatedOnWriter": status.failed,
    });
    match (status.position, writer) {
        (Some(position), Some(writer)) => {
            shown["position"] = json!(position.to_string());
            // Bytes of another timeline cannot be compared.
            if position.timeline == writer.timeline {
                shown["lagBytes"] = json!(writer.lsn.since(position.lsn));
            }
        }
        (Some(position), None) => shown["position"] = json!(position.to_string()),
        (None, _) => shown["reason"] = json!(status.why_down),
    }
    shown
}

/// The modules enabled for a tenant: `[{"id": "mod-users-19.5.0"}, …]`; `full=true` adds what each
/// provides.
async fn modules(call: Call) -> Result<Response, ApiError> {
    let id = call.segment("tenant_id");
    let known = match Tenant::new(id) {
        Ok(tenant) => call.platform.tenants.exists(call.writer(), &tenant).await?,
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
