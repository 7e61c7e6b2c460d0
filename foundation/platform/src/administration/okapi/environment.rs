//! `/_/env`: environment variables that Okapi would pass to modules it starts. They are only
//! stored: Octavo starts no module.

use axum::response::Response;
use http::StatusCode;
use serde::{Deserialize, Serialize};

use super::scope::{created, document, encoded, listed, missing, operator};
use crate::call::Call;
use crate::error::ApiError;
use crate::registry::store;
use crate::respond::{empty, pretty};

/// The most bytes of a name or value.
const BYTES_MAX: usize = 64 * 1024;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Option<String>,
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

/// Sets a variable.
pub(super) async fn set(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let entry: Entry = document(&call)?;
    let Some(name) = entry.name.clone().filter(|name| !name.is_empty()) else {
        return Err(ApiError::bad_request("missing name"));
    };
    let Some(value) = &entry.value else {
        return Err(ApiError::bad_request("missing value"));
    };
    if name.len().max(value.len()) > BYTES_MAX {
        return Err(ApiError::bad_request(format!(
            "a name or value has {BYTES_MAX} bytes at most"
        )));
    }
    let stored = serde_json::to_value(&entry)?;
    let written = store::set_environment(&call.writer().database, &name, &stored).await;
    written?;
    call.platform.settle().await;
    created(&entry, &format!("/_/env/{}", encoded(&name)))
}

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let state = call.platform.registry.state();
    Ok(listed(state.environment.values().cloned().collect()))
}

pub(super) async fn read(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let name = call.segment("id");
    let state = call.platform.registry.state();
    let entry = state.environment.get(name).ok_or_else(|| missing(name))?;
    Ok(pretty(StatusCode::OK, entry))
}

pub(super) async fn remove(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let name = call.segment("id");
    let removed = store::remove_environment(&call.writer().database, name).await;
    if !removed? {
        return Err(missing(name));
    }
    call.platform.settle().await;
    Ok(empty(StatusCode::NO_CONTENT))
}
