//! `/browse/config` and `/search/config`.

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use super::{form, ok, place, refusal};
use crate::app::config::{OptionForm, options, set_option};
use crate::app::features::{self, FeatureForm};
use crate::app::languages::{self, LanguageForm};

/// The options of a list.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let found = options(place(&call), call.segment("browseType")).await;
    Ok(ok(&found.map_err(refusal::of)?))
}

/// Changes an option.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let form: OptionForm = form(&call)?;
    let (list, id) = (call.segment("browseType"), call.segment("browseConfigId"));
    let done = set_option(place(&call), list, id, &form).await;
    done.map_err(refusal::of)?;
    Ok(empty(StatusCode::OK))
}

pub async fn languages(call: Call) -> Result<Response, ApiError> {
    let found = languages::list(place(&call)).await;
    Ok(ok(&found.map_err(refusal::of)?))
}

pub async fn add_language(call: Call) -> Result<Response, ApiError> {
    let form: LanguageForm = form(&call)?;
    let added = languages::add(place(&call), &form).await;
    Ok(ok(&added.map_err(refusal::of)?))
}

pub async fn change_language(call: Call) -> Result<Response, ApiError> {
    let form: LanguageForm = form(&call)?;
    let changed = languages::change(place(&call), call.segment("id"), &form).await;
    Ok(ok(&changed.map_err(refusal::of)?))
}

/// Removes a language, if there is one.
pub async fn remove_language(call: Call) -> Result<Response, ApiError> {
    place(&call).remove_language(call.segment("id")).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

pub async fn features(call: Call) -> Result<Response, ApiError> {
    let found = features::list(place(&call)).await;
    Ok(ok(&found.map_err(refusal::of)?))
}

/// Adds a feature flag.
pub async fn add_feature(call: Call) -> Result<Response, ApiError> {
    let form: FeatureForm = form(&call)?;
    let added = features::add(place(&call), &form).await;
    Ok(ok(&added.map_err(refusal::of)?))
}

/// Changes a feature flag.
pub async fn change_feature(call: Call) -> Result<Response, ApiError> {
    let form: FeatureForm = form(&call)?;
    let changed = features::change(place(&call), call.segment("id"), &form).await;
    Ok(ok(&changed.map_err(refusal::of)?))
}

/// Removes a feature flag.
pub async fn remove_feature(call: Call) -> Result<Response, ApiError> {
    let done = features::remove(place(&call), call.segment("id")).await;
    done.map_err(refusal::of)?;
    Ok(empty(StatusCode::NO_CONTENT))
}
