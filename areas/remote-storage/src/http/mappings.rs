//! `/remote-storage/mappings`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};
use serde_json::json;

use super::parameters::{id, segment, window};
use super::refusal::in_form;
use crate::rules::body::Body;
use crate::store::mappings::{self, Narrowed};

/// 200 with a page.
///
/// # Errors
/// 400 for a parameter that is no id or no number.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let narrowed = Narrowed {
        final_location: id(&call, "finalLocationId")?,
        configuration: id(&call, "remoteStorageConfigurationId")?,
        original: None,
    };
    let (database, tables) = (&call.store().database, call.tables());
    let page = mappings::mappings(database, tables, narrowed, window(&call)?).await?;
    Ok(json_bytes(StatusCode::OK, page))
}

/// 201 with the mapping; that of the location before goes.
///
/// # Errors
/// 422 for a body without the ids.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = call.json().map_err(in_form)?;
    let mut body = Body::new(&sent);
    let ids = (body.id("folioLocationId"), body.id("configurationId"));
    let (location, configuration) = body.done(ids).map_err(octavo_platform::Answer::answer)?;
    let (database, tables) = (&call.store().database, call.tables());
    mappings::put(database, tables, location, configuration).await?;
    let made = json!({"folioLocationId": location, "configurationId": configuration});
    Ok(super::json(StatusCode::CREATED, &made))
}

/// 200 with the mapping, or without a body.
///
/// # Errors
/// 400 when the id is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let location = segment(&call, "finalLocationId")?;
    let (database, tables) = (&call.store().database, call.tables());
    Ok(match mappings::mapping(database, tables, location).await? {
        Some(mapping) => json_bytes(StatusCode::OK, mapping),
        None => empty(StatusCode::OK),
    })
}

/// 204, whether there was one or not.
///
/// # Errors
/// 400 when the id is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let location = segment(&call, "finalLocationId")?;
    let (database, tables) = (&call.store().database, call.tables());
    mappings::delete(database, tables, location).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
