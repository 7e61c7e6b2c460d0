//! `/templates`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::{Hooks, Refused, Replaced};
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use crate::app::delete_template::delete_template;
use crate::app::template_form::{TemplateFault, check};

/// Templates must be readable by their resolver; replacing one returns it, as in FOLIO.
pub const HOOKS: Hooks = Hooks {
    before: |call, _, template| checked(call, template),
    wording: |refused: Refused<'_>| of(refused.error, refused.id.unwrap_or_default()),
    replaced: Replaced::Record,
    ..Hooks::NONE
};

fn checked(call: &Call, template: &mut Value) -> Result<(), ApiError> {
    let shape = &call.collection("template").shape;
    shape.check(template).map_err(StoreError::Invalid)?;
    match check(template) {
        Ok(()) => Ok(()),
        Err(TemplateFault::Resolver(name)) => Err(ApiError::bad_request(format!(
            "Template resolver '{name}' is not supported"
        ))),
        Err(TemplateFault::Invalid(violations)) => Err(StoreError::Invalid(violations).into()),
    }
}

fn of(error: StoreError, id: Uuid) -> ApiError {
    match error {
        StoreError::NotFound => ApiError::text(
            StatusCode::NOT_FOUND,
            format!("Template with id '{id}' not found"),
        ),
        other => other.into(),
    }
}

/// A template deleted.
///
/// # Errors
/// 400 while a patron notice policy uses it, 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    match delete_template(&call, id)
        .await
        .map_err(|error| of(error, id))?
    {
        true => Ok(empty(StatusCode::NO_CONTENT)),
        false => Err(ApiError::bad_request(
            "Cannot delete template which is currently in use",
        )),
    }
}
