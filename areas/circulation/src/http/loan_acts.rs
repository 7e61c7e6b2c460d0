//! Small operations on loans: a new due date, information, use at the location, and the check-out dry
//! run.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_library::{ServicePointId, wire_time};
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::{Map, Value, json};

use super::desk::CHECK_OUT_BLOCKS;
use super::{desk, located, overrides};
use crate::app::change_loan::{add_information, new_due_date};
use crate::app::dry_run;
use crate::app::{Declined, use_at_location};
use crate::check_out::CheckOutRequest;
use crate::config_cache::ConfigCache;
use crate::loan_change::Information;
use crate::refusal::{LoanRefusal, Refusal};

/// 204; the loan has the due date given.
///
/// # Errors
/// 404 without the loan; 422 without a date, or when the item's status forbids a change.
pub async fn change_due_date(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let due_date = match &body["dueDate"] {
        Value::Null => return Err(refused(LoanRefusal::WithoutDueDate)),
        Value::String(text) => wire_time::parse(text).ok_or_else(|| {
            let shown: String = text.chars().take(64).collect();
            ApiError::invalid("must be a date and time", "dueDate", shown)
        })?,
        other => {
            let shown: String = other.to_string().chars().take(64).collect();
            return Err(ApiError::invalid(
                "must be a date and time",
                "dueDate",
                shown,
            ));
        }
    };
    new_due_date(desk(&call, &cache), call.id()?.into(), due_date).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204; the information was added.
///
/// # Errors
/// 404 without the loan; 422 without kind or text.
pub async fn add_info(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let information = Information::from_body(&call.json()?).map_err(refused)?;
    add_information(desk(&call, &cache), call.id()?.into(), &information).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 200 with the loan; its item is held at the desk.
///
/// # Errors
/// 400 without an open loan for use at the location, 422 without a barcode.
pub async fn hold_at_location(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let item = filled(&body, "itemBarcode");
    let item = item.ok_or_else(|| refused(LoanRefusal::HoldWithoutItemBarcode))?;
    let loan = use_at_location::keep(desk(&call, &cache), item).await?;
    Ok(pretty(StatusCode::OK, &json!({"loan": loan})))
}

/// 200 with the loan; its borrower has the item again.
///
/// # Errors
/// 400 without an open loan for use at the location, 422 without both barcodes.
pub async fn pick_up_at_location(
    cache: Arc<ConfigCache>,
    call: Call,
) -> Result<Response, ApiError> {
    let body = call.json()?;
    let item = filled(&body, "itemBarcode");
    let item = item.ok_or_else(|| refused(LoanRefusal::PickupWithoutItemBarcode))?;
    let user = filled(&body, "userBarcode");
    let user = user.ok_or_else(|| refused(LoanRefusal::PickupWithoutUserBarcode))?;
    let loan = use_at_location::pick_up(desk(&call, &cache), item, user).await?;
    Ok(located(StatusCode::OK, &loan))
}

/// 201 with the policies that a loan would be made under; nothing is stored.
///
/// # Errors
/// 422 with all refusals of the check-out.
pub async fn check_out_dry_run(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let mut request: CheckOutRequest = call.json_as()?;
    // FOLIO requires neither service point, date nor policy here.
    request.service_point_id = Some(ServicePointId::default());
    (request.id, request.loan_date, request.force_loan_policy_id) = (None, None, None);
    let permissions = overrides(&call, &CHECK_OUT_BLOCKS);
    let policies = dry_run::dry_run(desk(&call, &cache), &request, permissions).await?;
    let mut answer = Map::new();
    answer.insert("loanPolicyId".into(), json!(policies.loan));
    answer.insert("overdueFinePolicyId".into(), json!(policies.overdue_fine));
    answer.insert("lostItemPolicyId".into(), json!(policies.lost_item));
    answer.insert("patronNoticePolicyId".into(), json!(policies.patron_notice));
    Ok(pretty(StatusCode::CREATED, &Value::Object(answer)))
}

fn filled<'b>(body: &'b Value, property: &str) -> Option<&'b str> {
    let text = body[property].as_str();
    text.filter(|text| !text.trim().is_empty())
}

fn refused(refusal: LoanRefusal) -> ApiError {
    Declined::from(Refusal::from(refusal)).into()
}
