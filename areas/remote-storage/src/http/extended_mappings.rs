//! `/remote-storage/extended-mappings`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{Answer, ApiError, Call};
use serde_json::json;

use super::parameters::{id, segment, window};
use super::refusal::in_form;
use crate::app::map_location::{Pair, map_pair};
use crate::rules::body::Body;
use crate::store::mappings::{self, Narrowed, Window};

/// 200 with a page, one row for each pair.
///
/// # Errors
/// 400 for a parameter that is no id or no number.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let narrowed = Narrowed {
        final_location: id(&call, "finalLocationId")?,
        configuration: id(&call, "remoteStorageConfigurationId")?,
        original: id(&call, "originalLocationId")?,
    };
    let (database, tables) = (&call.store().database, call.tables());
    let page = mappings::pairs(database, tables, narrowed, window(&call)?).await?;
    Ok(json_bytes(StatusCode::OK, page))
}

/// 200 with a page of the locations from which items may go to a storage.
///
/// # Errors
/// 400 for a parameter that is no id or no number.
pub async fn locations(call: Call) -> Result<Response, ApiError> {
    let configuration = id(&call, "remoteStorageConfigurationId")?;
    let (database, tables) = (&call.store().database, call.tables());
    let page = mappings::origins(database, tables, configuration, window(&call)?).await?;
    Ok(json_bytes(StatusCode::OK, page))
}

/// 201 with the pair.
///
/// # Errors
/// 422 for a body without the ids.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = call.json().map_err(in_form)?;
    let mut body = Body::new(&sent);
    let pair = Pair {
        location: body.id("finalLocationId"),
        configuration: body.id("remoteConfigurationId"),
        original: body.id("originalLocationId"),
    };
    let pair = body.done(pair).map_err(Answer::answer)?;
    map_pair(&call.context(), pair).await?;
    let made = json!({"finalLocationId": pair.location, "originalLocationId": pair.original,
                      "remoteConfigurationId": pair.configuration});
    Ok(super::json(StatusCode::CREATED, &made))
}

/// 200 with the pairs of a final location, or without a body where it is none.
///
/// # Errors
/// 400 when the id is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let location = segment(&call, "finalLocationId")?;
    let (database, tables) = (&call.store().database, call.tables());
    if mappings::mapping(database, tables, location)
        .await?
        .is_none()
    {
        return Ok(empty(StatusCode::OK));
    }
    let narrowed = Narrowed {
        final_location: Some(location),
        ..Narrowed::default()
    };
    let all = Window {
        limit: i64::from(i32::MAX),
        offset: 0,
    };
    let page = mappings::pairs(database, tables, narrowed, all).await?;
    Ok(json_bytes(StatusCode::OK, page))
}

/// 204, whether there was such a pair or not. FOLIO names the first segment after the final location and takes it
/// for the configuration.
///
/// # Errors
/// 400 when one of the ids is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let configuration = segment(&call, "finalLocationId")?;
    let original = segment(&call, "originalLocationId")?;
    let (database, tables) = (&call.store().database, call.tables());
    mappings::delete_pair(database, tables, configuration, original).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
