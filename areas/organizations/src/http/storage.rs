//! `/organizations-storage/…`: organizations, their types, and texts with a pattern.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};
use octavo_records::{StoreError, Violation};

use crate::app::keep::{self, By};
use crate::app::remove_type::remove_type;
use crate::rules::patterns;

/// Contacts: their web addresses have a pattern.
pub const CONTACTS: Hooks = Hooks {
    before: |_, _, document| fits(patterns::of_urls(document)),
    ..Hooks::NONE
};

/// Free-standing web addresses.
pub const URLS: Hooks = Hooks {
    before: |_, _, document| fits(patterns::of_url(document)),
    ..Hooks::NONE
};

fn fits(violations: Vec<Violation>) -> Result<(), ApiError> {
    match violations.is_empty() {
        true => Ok(()),
        false => Err(StoreError::Invalid(violations).into()),
    }
}

/// A new organization.
///
/// # Errors
/// 422 when it does not fit, its code is taken or a type does not exist.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    let (id, stored) = keep::create(&call.context(), By::Storage, document).await?;
    Ok(created(stored, &id.to_string()))
}

/// A replaced organization.
///
/// # Errors
/// 404 when there is none; as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let document = call.record()?;
    keep::replace(&call.context(), By::Storage, id, document).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A deleted organization type.
///
/// # Errors
/// 404 when there is none, 400 when an organization has it.
pub async fn delete_type(call: Call) -> Result<Response, ApiError> {
    remove_type(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Does nothing: events are written into the platform's outbox with the change itself.
///
/// # Errors
/// None.
pub async fn process_outbox(_: Call) -> Result<Response, ApiError> {
    Ok(empty(StatusCode::OK))
}
