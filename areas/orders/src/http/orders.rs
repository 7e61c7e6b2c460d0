//! `/orders/composite-orders`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::Violation;
use serde_json::Value;

use super::acts::{act, body, flag};
use super::lists::{Listed, list};
use crate::app::composite::{LINES, Sent};
use crate::app::create_order::Created;
use crate::app::{change_order, create_order, delete_order, re_encumber, read_order, rollover};
use crate::rules::doc::{Doc, object, objects};
use crate::rules::patterns;
use crate::shapes::COMPOSITE_ORDER;
use crate::store::units::UnitsOf;

fn patterns_of(order: &Doc) -> Vec<Violation> {
    let mut wrong = patterns::of_order(order);
    for (at, line) in objects(order, LINES).enumerate() {
        wrong.extend(patterns::of_line(line, &format!("{LINES}[{at}].")));
    }
    wrong
}

/// A page of orders, without their lines.
///
/// # Errors
/// When the query cannot be run.
pub async fn page(call: Call) -> Result<Response, ApiError> {
    let listed = Listed {
        units: Some(UnitsOf::Itself),
        ..Listed::of("purchase_order")
    };
    list(&call, listed).await
}

/// A new order.
///
/// # Errors
/// FOLIO's refusals. An order that cannot be opened stays Pending.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = Sent::read(body(&call, &COMPOSITE_ORDER, patterns_of)?);
    let (made, currency) = act(&call, |act| {
        Box::pin(async move {
            let made = create_order::create(act, sent).await?;
            Ok((made, act.terms.currency.clone()))
        })
    })
    .await?;
    let Created {
        id,
        stored,
        refusal,
    } = made;
    if let Some(refusal) = refusal {
        return Err(refusal.into());
    }
    let context = call.writer_context();
    let order = match stored {
        Some((order, lines)) => read_order::composed(&context, order, lines, &currency).await?,
        None => read_order::with_totals(&context, id).await?,
    };
    Ok(created(&order, &format!("/orders/composite-orders/{id}")))
}

/// 201 with a record and its place.
#[must_use]
pub fn created(record: &Doc, location: &str) -> Response {
    let mut response = pretty(StatusCode::CREATED, &Value::Object(record.clone()));
    if let Ok(value) = http::HeaderValue::from_str(location) {
        response.headers_mut().insert(http::header::LOCATION, value);
    }
    response
}

/// An order with its lines and all totals.
///
/// # Errors
/// 404 when there is none, 403 when units protect it.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let rights = super::acts::rights(&call);
    let order = read_order::whole(&call.context(), call.id()?, rights).await?;
    Ok(pretty(StatusCode::OK, &Value::Object(order)))
}

/// An order replaced.
///
/// # Errors
/// FOLIO's refusals.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let sent = Sent::read(body(&call, &COMPOSITE_ORDER, patterns_of)?);
    let delete_holdings = flag(&call, "deleteHoldings")?;
    act(&call, |act| {
        Box::pin(change_order::change(act, id, sent, delete_holdings))
    })
    .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// An order encumbered again after a rollover.
///
/// # Errors
/// 400 when its ledgers are only partly rolled over, 409 when there is nothing to do.
pub async fn re_encumber(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    act(&call, |act| Box::pin(re_encumber::re_encumber(act, id))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The orders' part of a rollover.
///
/// # Errors
/// 400 for a body that is no rollover.
pub async fn roll_over(call: Call) -> Result<Response, ApiError> {
    let sent = object(call.json()?);
    let wanted = rollover::Rollover::read(&sent);
    let wanted = wanted.ok_or_else(|| {
        ApiError::bad_request("ledgerId and toFiscalYearId must be ids of a ledger and its year")
    })?;
    act(&call, |act| {
        Box::pin(async move { rollover::roll_over(act, &wanted).await })
    })
    .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// An order deleted with its lines.
///
/// # Errors
/// 400 when invoices are about it.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    act(&call, |act| Box::pin(delete_order::delete_order(act, id))).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
