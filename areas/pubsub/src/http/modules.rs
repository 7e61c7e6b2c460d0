//! Publishers and subscribers.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{Answer, ApiError, Call, incorrect};
use serde_json::{Value, json};

use super::bodies::{PUBLISHER, SUBSCRIBER, read, text};
use crate::app::declare::{Subscription, declare_publisher, declare_subscriber};
use crate::rules::{Refusal, Role};
use crate::store::registered;

const NAME: &str = "eventTypeName";

/// 201 when the module publishes these types from now on.
///
/// # Errors
/// 400 with an error for each type that is unknown or described in another way.
pub async fn publisher(call: Call) -> Result<Response, ApiError> {
    let sent = read(&call, &PUBLISHER)?;
    let types: &[Value] = sent["eventDescriptors"]
        .as_array()
        .map_or(&[], Vec::as_slice);
    declare_publisher(&call.context(), &text(&sent["moduleId"]), types).await?;
    Ok(empty(StatusCode::CREATED))
}

/// 201 when the module gets events of these types from now on.
///
/// # Errors
/// 422 for a body that is none.
pub async fn subscriber(call: Call) -> Result<Response, ApiError> {
    let sent = read(&call, &SUBSCRIBER)?;
    let subscriptions = sent["subscriptionDefinitions"].as_array();
    let subscriptions: Vec<Subscription> = subscriptions
        .into_iter()
        .flatten()
        .map(|one| Subscription {
            event_type: text(&one["eventType"]),
            callback: text(&one["callbackAddress"]),
        })
        .collect();
    declare_subscriber(&call.context(), &text(&sent["moduleId"]), &subscriptions).await?;
    Ok(empty(StatusCode::CREATED))
}

async fn list(call: Call, role: Role) -> Result<Response, ApiError> {
    let (database, tables) = (&call.store().database, call.tables());
    let all = registered::of_type(database, tables, call.segment(NAME), role).await?;
    let page = json!({"totalRecords": all.len(), "messagingModules": all});
    Ok(pretty(StatusCode::OK, &page))
}

async fn forget(call: Call, role: Role) -> Result<Response, ApiError> {
    let module = call.parameter("moduleId")?;
    let module = module.ok_or_else(|| incorrect("moduleId", "null", "must not be null"))?;
    let (database, tables) = (&call.store().database, call.tables());
    registered::forget(database, tables, Some(call.segment(NAME)), &module, role).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 200 with the publishers of a type.
///
/// # Errors
/// When the database does not answer.
pub async fn publishers(call: Call) -> Result<Response, ApiError> {
    list(call, Role::Publisher).await
}

/// 200 with the subscribers of a type.
///
/// # Errors
/// When the database does not answer.
pub async fn subscribers(call: Call) -> Result<Response, ApiError> {
    list(call, Role::Subscriber).await
}

/// 204, whether the module published the type or not.
///
/// # Errors
/// 400 without a module.
pub async fn forget_publisher(call: Call) -> Result<Response, ApiError> {
    forget(call, Role::Publisher).await
}

/// 204, whether the module subscribed to the type or not.
///
/// # Errors
/// 400 without a module.
pub async fn forget_subscriber(call: Call) -> Result<Response, ApiError> {
    forget(call, Role::Subscriber).await
}

/// 204 when the module is registered for nothing in this role.
///
/// # Errors
/// 400 without a module or a role.
pub async fn forget_module(call: Call) -> Result<Response, ApiError> {
    let role = call.parameter("moduleRole")?;
    let (Some(module), Some(role)) = (call.parameter("moduleId")?, role) else {
        return Err(Refusal::NoModuleAndRole.answer());
    };
    let unknown = || incorrect("moduleRole", &role, "must be PUBLISHER or SUBSCRIBER");
    let role = Role::named(&role).ok_or_else(unknown)?;
    let (database, tables) = (&call.store().database, call.tables());
    registered::forget(database, tables, None, &module, role).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
