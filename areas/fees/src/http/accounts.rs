//! `/accounts/{id}/…` and `/accounts-bulk/…`: actions on accounts.

use std::sync::{Arc, LazyLock};

use axum::response::Response;
use http::StatusCode;
use octavo_library::AccountId;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::{Shape, StoreError, Violation};
use serde_json::{Value, json};

use super::body;
use crate::account_followers::Follower;
use crate::accounting::{ACCOUNTS_MAX, ActRequest, CheckRequest, Refusal};
use crate::app::Declined;
use crate::app::act::{self, Act};

macro_rules! shape {
    ($name:ident, $file:literal) => {
        static $name: LazyLock<Shape> = LazyLock::new(|| {
            Shape::parse(include_str!(concat!("../shapes/", $file)))
                .expect("invariant: the shape is well formed")
        });
    };
}

shape!(ACT, "act.shape");
shape!(BULK_ACT, "bulk_act.shape");
shape!(CANCEL, "cancel.shape");
shape!(BULK_CANCEL, "bulk_cancel.shape");
shape!(CHECK, "check.shape");
shape!(BULK_CHECK, "bulk_check.shape");

/// 201 with the actions.
///
/// # Errors
/// 404 without the account, 422 with FOLIO's message.
pub async fn one(follower: Arc<dyn Follower>, act: Act, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let shape = if act == Act::Cancel { &CANCEL } else { &ACT };
    let request: ActRequest = body(&call, shape)?;
    let done = act::act(
        call.context(),
        follower.as_ref(),
        act,
        &[id.into()],
        &request,
    )
    .await;
    let done = done.map_err(|declined| {
        answered(declined, |refusal| {
            without_nulls(json!({"accountId": id, "amount": request.amount,
                        "errorMessage": refusal.to_string()}))
        })
    })?;
    let amount = done.amount.map(|amount| amount.to_string());
    let body = json!({"accountId": id, "amount": amount,
                      "remainingAmount": done.remaining.to_string(),
                      "feefineactions": done.actions});
    Ok(pretty(StatusCode::CREATED, &without_nulls(body)))
}

/// 201 with the actions on all accounts.
///
/// # Errors
/// 404 when an account is missing, 422 with FOLIO's message.
pub async fn many(follower: Arc<dyn Follower>, act: Act, call: Call) -> Result<Response, ApiError> {
    let cancels = act == Act::Cancel;
    let shape = if cancels { &BULK_CANCEL } else { &BULK_ACT };
    let request: ActRequest = body(&call, shape)?;
    let ids = each_once(&request.account_ids)?;
    let done = act::act(call.context(), follower.as_ref(), act, &ids, &request).await;
    let done = done.map_err(|declined| {
        answered(declined, |refusal| {
            without_nulls(
                json!({"accountIds": request.account_ids, "amount": request.amount,
                        "errorMessage": refusal.to_string()}),
            )
        })
    })?;
    let amount = done.amount.map(|amount| amount.to_string());
    let body = json!({"accountIds": request.account_ids, "feefineactions": done.actions,
                      "amount": amount});
    Ok(pretty(StatusCode::CREATED, &without_nulls(body)))
}

/// 200 when the action is possible.
///
/// # Errors
/// 404 without the account, 422 when it is not.
pub async fn check_one(refund: bool, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let CheckRequest { amount, .. } = body(&call, &CHECK)?;
    let outcome = act::check(call.context(), refund, &[id.into()], &amount).await;
    let (counted, remaining) = outcome.map_err(|declined| {
        answered(declined, |refusal| {
            json!({"accountId": id, "amount": amount, "allowed": false,
                   "errorMessage": refusal.to_string()})
        })
    })?;
    let body = json!({"accountId": id, "amount": counted.to_string(), "allowed": true,
                      "remainingAmount": remaining.to_string()});
    Ok(pretty(StatusCode::OK, &body))
}

/// 200 when the action is possible for all of them.
///
/// # Errors
/// 404 when an account is missing, 422 when it is not possible.
pub async fn check_many(refund: bool, call: Call) -> Result<Response, ApiError> {
    let CheckRequest {
        account_ids,
        amount,
    } = body(&call, &BULK_CHECK)?;
    let ids = each_once(&account_ids)?;
    let outcome = act::check(call.context(), refund, &ids, &amount).await;
    let (_, remaining) = outcome.map_err(|declined| {
        answered(declined, |refusal| {
            json!({"accountIds": account_ids, "amount": amount, "allowed": false,
                   "errorMessage": refusal.to_string()})
        })
    })?;
    let body = json!({"accountIds": account_ids, "amount": amount, "allowed": true,
                      "remainingAmount": remaining.to_string()});
    Ok(pretty(StatusCode::OK, &body))
}

fn each_once(ids: &[AccountId]) -> Result<Vec<AccountId>, ApiError> {
    if ids.len() > ACCOUNTS_MAX {
        let violation = Violation {
            message: format!("size must be between 0 and {ACCOUNTS_MAX}: name fewer at a time"),
            code: "jakarta.validation.constraints.Size.message",
            path: "accountIds".to_owned(),
            value: format!("{} ids", ids.len()),
        };
        return Err(StoreError::Invalid(vec![violation]).into());
    }
    let mut seen = std::collections::HashSet::with_capacity(ids.len());
    Ok(ids.iter().copied().filter(|id| seen.insert(*id)).collect())
}

/// Removes null properties of a body.
fn without_nulls(mut body: Value) -> Value {
    if let Value::Object(map) = &mut body {
        map.retain(|_, value| !value.is_null());
    }
    body
}

fn answered(declined: Declined, body: impl FnOnce(&Refusal) -> Value) -> ApiError {
    match declined {
        Declined::Store(error) => error.into(),
        Declined::Refused(refusal @ Refusal::NotFound(_)) => {
            ApiError::text(StatusCode::NOT_FOUND, refusal.to_string())
        }
        Declined::Refused(refusal) => {
            ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, body(&refusal))
        }
    }
}
