//! `/mapping-rules/{recordType}`

use axum::response::Response;
use http::StatusCode;
use octavo_mapping::RecordKind;
use octavo_platform::error_item;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use super::kind_in_path;
use crate::app::change_rules::{Refusal, current_rules, replace_rules, restore_rules};

/// The current rules for a kind of records.
///
/// # Errors
/// 400 for another kind.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let rules = current_rules(&call.context(), kind_in_path(&call)?).await?;
    Ok(answer(&rules))
}

/// Replaces the rules.
///
/// # Errors
/// 400 for another kind, rules for authorities, and invalid JSON; 422 for invalid rules, with each place
/// and what is expected there.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let kind = changeable_kind(&call)?;
    let rules: Value = serde_json::from_slice(&call.body).map_err(|_| not_json())?;
    if !rules.is_object() {
        return Err(not_json());
    }
    let stored = replace_rules(&call.context(), kind, rules).await;
    Ok(answer(&stored.map_err(refused)?))
}

/// Resets to the rules of the release.
///
/// # Errors
/// 400 for another kind.
pub async fn restore(call: Call) -> Result<Response, ApiError> {
    let rules = restore_rules(&call.context(), changeable_kind(&call)?).await?;
    Ok(answer(&rules))
}

/// The kind of records that the path names, for changes of rules.
fn changeable_kind(call: &Call) -> Result<RecordKind, ApiError> {
    let named = RecordKind::named(call.segment("recordType"));
    named.ok_or_else(|| ApiError::bad_request("Only marc-bib or marc-holdings supported"))
}

fn answer(rules: &Value) -> Response {
    json_bytes(StatusCode::OK, rules.to_string())
}

fn not_json() -> ApiError {
    ApiError::bad_request("Can not update rules in non-JSON format")
}

/// Maximal number of reported problems.
const PROBLEMS_MAX: usize = 100;

fn refused(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::Store(error) => error.into(),
        Refusal::Authority => ApiError::bad_request(refusal.to_string()),
        Refusal::Wrong(problems) => {
            let errors = problems.iter().take(PROBLEMS_MAX).map(|problem| {
                let about = [(problem.path.clone(), problem.problem.clone())];
                error_item(&problem.to_string(), Some("mappingRules.invalid"), &about)
            });
            ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, errors.collect())
        }
    }
}
