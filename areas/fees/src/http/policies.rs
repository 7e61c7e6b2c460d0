//! `/overdue-fines-policies` and `/lost-item-fees-policies`, as far as they have rules of their own.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::created;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};

use super::{collection, refused};
use crate::app::block_rules::Broken;
use crate::app::record_rules::{check_lost_policy, check_overdue_policy};

/// A kind of policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// For overdue fines.
    Overdue,
    /// For lost items.
    Lost,
}

impl Kind {
    fn table(self) -> &'static str {
        match self {
            Kind::Overdue => "overdue_fine_policy",
            Kind::Lost => "lost_item_fee_policy",
        }
    }

    fn rule(self) -> fn(&Value) -> Result<(), Broken> {
        match self {
            Kind::Overdue => check_overdue_policy,
            Kind::Lost => check_lost_policy,
        }
    }

    fn name_is_taken(self) -> ApiError {
        let (message, code) = match self {
            Kind::Overdue => (
                "The Overdue fine policy name entered already exists. Please enter a different \
                 name.",
                "feesfines.policy.overdue.duplicate",
            ),
            Kind::Lost => (
                "The Lost item fee policy name entered already exists. Please enter a different \
                 name.",
                "feesfines.policy.lost.duplicate",
            ),
        };
        let error = json!({"message": message, "code": code, "parameters": []});
        ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, vec![error])
    }
}

/// 201 with the policy.
///
/// # Errors
/// 422 when it does not fit, or there is one of its name.
pub async fn create(kind: Kind, call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    kind.rule()(&document).map_err(refused)?;
    let policies = collection(&call, kind.table());
    let stored = call
        .store()
        .create(&call.tenant, policies, document, &call.stamp())
        .await;
    let (id, stored) = stored.map_err(|error| match error {
        StoreError::Duplicate { ref field, .. } if field.contains("name") => kind.name_is_taken(),
        error => error.into(),
    })?;
    Ok(created(stored, &id.to_string()))
}

/// 204.
///
/// # Errors
/// 404 when there is none, 422 when it does not fit.
pub async fn replace(kind: Kind, call: Call) -> Result<Response, ApiError> {
    super::replace(&call, kind.table(), kind.rule()).await
}
