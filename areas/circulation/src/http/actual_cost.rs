//! `POST /actual-cost-fee-fine/bill` and `/actual-cost-fee-fine/cancel`.

use std::sync::{Arc, LazyLock};

use axum::response::Response;
use http::StatusCode;
use octavo_fees::accounting::Money;
use octavo_library::id_at;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::{Shape, StoreError};
use serde_json::Value;

use super::desk;
use crate::app::actual_cost::{self, Unsettled};
use crate::config_cache::ConfigCache;
use crate::loss::actual_cost::{Bill, Information};

static BILL: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/actual_cost_bill.shape"))
        .expect("invariant: the shape is well formed")
});

static CANCEL: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/actual_cost_cancel.shape"))
        .expect("invariant: the shape is well formed")
});

/// 201 with the billed record.
///
/// # Errors
/// 422 with FOLIO's message as plain text, or naming the invalid property.
pub async fn bill(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body = body(&call, &BILL)?;
    let bill = Bill {
        record_id: body
            .get("actualCostRecordId")
            .and_then(id_at)
            .unwrap_or_default(),
        amount: Money::of(body.get("amount")),
        service_point_id: body.get("servicePointId").and_then(id_at),
        information: information(&body),
    };
    answered(actual_cost::bill(desk(&call, &cache), &bill).await)
}

/// 201 with the cancelled record.
///
/// # Errors
/// As [`bill`].
pub async fn cancel(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body = body(&call, &CANCEL)?;
    let id = body
        .get("actualCostRecordId")
        .and_then(id_at)
        .unwrap_or_default();
    let information = information(&body);
    answered(actual_cost::cancel(desk(&call, &cache), id, &information).await)
}

fn body(call: &Call, shape: &Shape) -> Result<Value, ApiError> {
    let mut body = call.json()?;
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    Ok(body)
}

fn information(body: &Value) -> Information {
    let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
    Information {
        for_staff: text("additionalInfoForStaff"),
        for_patron: text("additionalInfoForPatron"),
    }
}

fn answered(outcome: Result<Value, Unsettled>) -> Result<Response, ApiError> {
    match outcome {
        Ok(record) => Ok(pretty(StatusCode::CREATED, &record)),
        Err(Unsettled::Store(error)) => Err(error.into()),
        Err(refusal) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Err(ApiError::text(status, refusal.to_string()))
        }
    }
}
