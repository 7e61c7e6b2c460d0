//! `/orders/order-lines`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::Value;

use super::acts::{act, body, nothing_more};
use super::lists::{Listed, list};
use super::orders::created;
use crate::app::{delete_order, lines, read_order};
use crate::refusal::Refusal;
use crate::rules::doc::{Doc, at};
use crate::rules::line::Line;
use crate::rules::patterns;
use crate::rules::price::{check_distributions, estimated};
use crate::shapes::{COMPOSITE_LINE, FUND_DISTRIBUTIONS};
use crate::store::units::UnitsOf;

/// A page of lines, as they are stored.
///
/// # Errors
/// When the query cannot be run.
pub async fn page(call: Call) -> Result<Response, ApiError> {
    let listed = Listed {
        units: Some(UnitsOf::Order("purchaseorderid")),
        ..Listed::of("po_line")
    };
    list(&call, listed).await
}

/// A new line of a Pending order.
///
/// # Errors
/// FOLIO's refusals.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let line = sent(&call)?;
    let line = act(&call, |act| Box::pin(lines::create(act, line))).await?;
    let id = Line(&line).id();
    let shown = read_order::shown_line(&call.writer_context(), line).await?;
    Ok(created(&shown, &format!("/orders/order-lines/{id}")))
}

fn sent(call: &Call) -> Result<Doc, ApiError> {
    body(call, &COMPOSITE_LINE, |line| patterns::of_line(line, ""))
}

/// A line with its alerts and reporting codes.
///
/// # Errors
/// 404 when there is none, 403 when units protect its order.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let rights = super::acts::rights(&call);
    let line = read_order::line(&call.context(), call.id()?, rights).await?;
    Ok(pretty(StatusCode::OK, &Value::Object(line)))
}

/// A line replaced.
///
/// # Errors
/// FOLIO's refusals.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let line = sent(&call)?;
    act(&call, |act| Box::pin(lines::change(act, id, line))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A line deleted.
///
/// # Errors
/// 400 when lines of invoices are about it.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    act(&call, |act| Box::pin(delete_order::delete_line(act, id))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Whether distributions make up the price of a cost.
///
/// # Errors
/// 422 when they do not.
pub async fn validate_distributions(call: Call) -> Result<Response, ApiError> {
    let sent = body(&call, &FUND_DISTRIBUTIONS, nothing_more)?;
    let cost = at(&sent, "cost").and_then(Value::as_object);
    let cost =
        cost.ok_or_else(|| StoreError::Invalid(vec![octavo_records::Violation::missing("cost")]))?;
    match check_distributions(&sent, estimated(cost)) {
        Ok(()) => Ok(empty(StatusCode::NO_CONTENT)),
        Err(wrong) => Err(octavo_platform::Answer::answer(Refusal::invalid(*wrong))),
    }
}
