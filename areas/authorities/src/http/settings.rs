//! `/authorities/config/groups…`: settings of authorities.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use super::{object, refusal};
use crate::store::settings::{self, Setting};

/// The only group.
const GROUP: &str = "authorities";
/// Maximal retention of deleted authorities, in days.
const DAYS_MAX: i64 = 36_500;

/// Permissions that handlers check besides the route's own.
pub const TO_READ: &[&str] = &["authorities.config.groups.settings.authorities.collection.get"];
/// The same, of each setting.
pub const TO_CHANGE: &[&str] = &[
    "authorities.config.groups.settings.authorities.mapping.extended.item.patch",
    "authorities.config.groups.settings.authorities.archives.expiration.enabled.item.patch",
    "authorities.config.groups.settings.authorities.archives.expiration.period.item.patch",
];

pub async fn groups(_: Call) -> Result<Response, ApiError> {
    let group =
        json!({"id": GROUP, "name": "Authorities", "description": "Settings of authorities"});
    let body = json!({"settingGroups": [group], "totalRecords": 1});
    Ok(json_bytes(StatusCode::OK, body.to_string()))
}

/// The settings of the group.
///
/// # Errors
/// 404 for another group, 403 without the group's permission.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    group(&call)?;
    permitted(&call, TO_READ[0])?;
    let settings = settings::all(&call.store().database, &call.tenant).await?;
    let shown: Vec<Value> = settings.iter().map(shown).collect();
    let body = json!({"settings": shown, "totalRecords": shown.len()});
    Ok(json_bytes(StatusCode::OK, body.to_string()))
}

/// A setting changed.
///
/// # Errors
/// 404 for another one, 403 without its permission, 422 for a value of another type.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    group(&call)?;
    let key = call.segment("settingId");
    let known = settings::all(&call.store().database, &call.tenant).await?;
    let Some(mut setting) = known.into_iter().find(|one| one.key == key) else {
        return Err(refusal::not_found("Setting", key));
    };
    let permission = format!("authorities.config.groups.settings.{GROUP}.{key}.item.patch");
    permitted(&call, &permission)?;
    let mut form = object(&call)?;
    let value = form.shift_remove("value").unwrap_or_default();
    let fits = match setting.kind.as_str() {
        "BOOLEAN" => value.is_boolean(),
        "INTEGER" => value
            .as_i64()
            .is_some_and(|days| (1..=DAYS_MAX).contains(&days)),
        _ => value.is_string(),
    };
    if !fits {
        let message = format!("value: must be of type {}", setting.kind);
        return Err(refusal::invalid(&message, "value", &value.to_string()));
    }
    let database = &call.store().database;
    settings::set(database, &call.tenant, key, &value, call.user_id()).await?;
    setting.value = value;
    Ok(json_bytes(StatusCode::OK, shown(&setting).to_string()))
}

fn group(call: &Call) -> Result<(), ApiError> {
    match call.segment("groupId") {
        GROUP => Ok(()),
        other => Err(refusal::not_found("Setting group", other)),
    }
}

fn permitted(call: &Call, permission: &str) -> Result<(), ApiError> {
    if call.has_permission(permission) {
        return Ok(());
    }
    Err(refusal::forbidden(permission))
}

fn shown(setting: &Setting) -> Value {
    json!({"key": setting.key, "value": setting.value, "type": setting.kind,
           "description": setting.description, "groupId": GROUP})
}
