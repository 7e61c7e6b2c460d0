//! Anonymization of loans and requests: by hand, in the storage, and by timers.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_library::{LoanId, RequestId, UserId};
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{desk, unprocessable};
use crate::app::anonymize_loans::{self, Anonymized};
use crate::app::anonymize_requests;
use crate::config_cache::ConfigCache;
use crate::refusal::DeskRefusal;

/// Loans that one call may name.
const LOANS_MAX: usize = 50_000;

/// 200 with the borrower's anonymized loans, and the others by reason.
pub async fn loans_of_user(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let borrower = call.segment("userId");
    let done = anonymize_loans::of_borrower(desk(&call, &cache), borrower).await?;
    Ok(pretty(StatusCode::OK, &anonymized_document(&done)))
}

/// The timer: 200 with the same.
pub async fn loans_as_set(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let done = anonymize_loans::as_settings_say(desk(&call, &cache)).await?;
    if !done.loans.is_empty() {
        let loans = done.loans.len();
        tracing::info!(
            tenant = call.tenant.id(),
            loans,
            "closed loans became anonymous"
        );
    }
    Ok(pretty(StatusCode::OK, &anonymized_document(&done)))
}

fn anonymized_document(done: &Anonymized) -> Value {
    let errors: Vec<Value> = done
        .kept
        .iter()
        .map(|(kept, ids)| {
            // FOLIO's error parameter is a list written as text.
            let ids = json!(ids).to_string();
            json!({"message": kept.reason(), "parameters": [{"key": "loanIds", "value": ids}]})
        })
        .collect();
    json!({"anonymizedLoans": done.loans, "errors": errors})
}

/// FOLIO's storage: 204, all closed loans of the user are anonymous.
///
/// # Errors
/// 422 when the id is invalid.
pub async fn stored_loans_of_user(
    cache: Arc<ConfigCache>,
    call: Call,
) -> Result<Response, ApiError> {
    let given = call.segment("userId");
    let user = UserId::parse(given)
        .ok_or_else(|| ApiError::invalid("Invalid user ID, should be a UUID", "userId", given))?;
    anonymize_loans::all_of_borrower(desk(&call, &cache), user).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Loans {
    #[serde(default)]
    loan_ids: Vec<String>,
}

/// FOLIO's storage: 200 with the accepted ids, and the invalid ones.
///
/// # Errors
/// 422 when none of them is an id, 413 when there are too many.
pub async fn stored_loans(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body: Loans = call.json_as()?;
    if body.loan_ids.len() > LOANS_MAX {
        let message = format!("At most {LOANS_MAX} loans can be anonymized at once");
        return Err(ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    let is_id = |text: &&String| text.len() == 36 && Uuid::try_parse(text).is_ok();
    let (valid, invalid): (Vec<&String>, Vec<&String>) = body.loan_ids.iter().partition(is_id);
    if valid.is_empty() {
        let given = format!("[{}]", body.loan_ids.join(", "));
        let message = "Please provide valid loanIds";
        return Err(ApiError::invalid(message, "loanIds", given));
    }
    let ids: Vec<LoanId> = valid.iter().filter_map(|id| LoanId::parse(id)).collect();
    anonymize_loans::these(desk(&call, &cache), &ids).await?;
    let mut kept = Vec::new();
    if !invalid.is_empty() {
        kept.push(json!({"reason": "invalidLoanIds", "loanIds": invalid}));
    }
    let answer = json!({"anonymizedLoans": valid, "notAnonymizedLoans": kept});
    Ok(pretty(StatusCode::OK, &answer))
}

/// 200 with the request's id.
///
/// # Errors
/// 422 when the id is invalid or the request is not closed, 404 when it does not exist.
pub async fn request(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let given = call.segment("requestId");
    let Some(id) = RequestId::parse(given) else {
        let id = given.to_owned();
        return Err(unprocessable(&DeskRefusal::RequestIdInvalid { id }));
    };
    anonymize_requests::one(desk(&call, &cache), id).await?;
    let answer = json!({"requestId": id, "anonymized": true});
    Ok(pretty(StatusCode::OK, &answer))
}

/// The timer: 200.
pub async fn requests_as_set(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let requests = anonymize_requests::as_settings_say(desk(&call, &cache)).await?;
    if requests > 0 {
        let tenant = call.tenant.id();
        tracing::info!(tenant, requests, "closed requests became anonymous");
    }
    Ok(empty(StatusCode::OK))
}
