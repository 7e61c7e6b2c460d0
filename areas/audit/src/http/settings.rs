//! `/audit/config/groups`: the settings of histories.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::{Shape, StoreError};
use serde_json::{Value, json};

use super::refusal::{lacking, missing};
use crate::app::change_setting::change_setting;
use crate::rules::setting::{GROUPS, is_group};
use crate::store::settings::of_group;

static SETTING: LazyLock<Shape> = LazyLock::new(|| {
    let text = include_str!("../shapes/bodies/setting.shape");
    Shape::parse(text).expect("invariant: the shapes of this area are well formed")
});

/// 200 with the groups.
///
/// # Errors
/// None.
pub async fn groups(_: Call) -> Result<Response, ApiError> {
    let groups: Vec<Value> = GROUPS
        .iter()
        .map(|group| json!({"id": group.id, "name": group.name, "description": group.description}))
        .collect();
    let body = json!({"settingGroups": groups, "totalRecords": GROUPS.len()});
    Ok(pretty(StatusCode::OK, &body))
}

/// 200 with the settings of a group.
///
/// # Errors
/// 403 without the group's own permission, 404 for an unknown group.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let group = call.segment("groupId");
    require(
        &call,
        &format!("audit.config.groups.settings.{group}.collection.get"),
    )?;
    if !is_group(group) {
        return Err(missing(&format!(
            "Setting group with id '{group}' not found"
        )));
    }
    let settings = of_group(&call.store().database, call.tables(), group).await?;
    let body = json!({"totalRecords": settings.len(), "settings": settings});
    Ok(pretty(StatusCode::OK, &body))
}

/// 204 when a setting is changed.
///
/// # Errors
/// 403 without the setting's own permission, 404 for an unknown setting, 422 for a value that does not fit.
pub async fn change(call: Call) -> Result<Response, ApiError> {
    let (group, key) = (call.segment("groupId"), call.segment("settingId"));
    let mut body = call.record()?;
    SETTING.check(&mut body).map_err(StoreError::Invalid)?;
    require(
        &call,
        &format!("audit.config.groups.settings.{group}.{key}.item.put"),
    )?;
    change_setting(&call.context(), (group, key), &body).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn require(call: &Call, permission: &str) -> Result<(), ApiError> {
    match call.has_permission(permission) {
        true => Ok(()),
        false => Err(lacking(permission)),
    }
}
