//! The storage's own operations: orders, lines, titles and pieces have side effects there.

use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use octavo_platform::records_http::{Hooks, Write};
use octavo_platform::respond::{created, empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call, incorrect};
use octavo_records::plan::Plan;
use octavo_records::{StoreError, Violation};
use serde_json::{Value, json};
use uuid::Uuid;

use super::lists::{Listed, list};
use crate::app::{claim_late, keep_line, keep_order, keep_piece, keep_title, replace_instance};
use crate::rules::doc::{Doc, id as id_at, object};
use crate::rules::{patterns, view_query};
use crate::store::numbers::next_order_number;
use crate::store::views;

/// Numbers for lines that one request can take.
const NUMBERS_MAX: i64 = 1_000;

/// A new order.
///
/// # Errors
/// When it does not fit, or its number is taken.
pub async fn create_order(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = keep_order::create(&call.context(), call.record()?).await?;
    let location = format!("/orders-storage/purchase-orders/{id}");
    Ok(created(stored, &location))
}

/// An order replaced.
///
/// # Errors
/// When there is none, or it does not fit.
pub async fn replace_order(call: Call) -> Result<Response, ApiError> {
    keep_order::change(&call.context(), call.id()?, call.record()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// An order deleted.
///
/// # Errors
/// When there is none, or it has lines.
pub async fn delete_order(call: Call) -> Result<Response, ApiError> {
    keep_order::remove(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A new line.
///
/// # Errors
/// When it does not fit.
pub async fn create_line(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = keep_line::create(&call.context(), call.record()?).await?;
    Ok(created(stored, &format!("/orders-storage/po-lines/{id}")))
}

/// A line replaced.
///
/// # Errors
/// When there is none, or it does not fit.
pub async fn replace_line(call: Call) -> Result<Response, ApiError> {
    let line = (call.id()?, call.record()?);
    keep_line::change(&call.context(), vec![line]).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Many lines replaced.
///
/// # Errors
/// When one of them is missing or does not fit: then none is.
pub async fn replace_lines(call: Call) -> Result<Response, ApiError> {
    let lines = in_list(&call, "poLines")?;
    let with_id = |line: Value| {
        let id = line.as_object().and_then(|line| id_at(line, "id"));
        id.map(|id| (id, line)).ok_or_else(no_id)
    };
    let lines = lines.into_iter().map(with_id).collect::<Result<_, _>>()?;
    keep_line::change(&call.context(), lines).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A line deleted with its titles and pieces.
///
/// # Errors
/// When there is none.
pub async fn delete_line(call: Call) -> Result<Response, ApiError> {
    keep_line::remove(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Another instance for a line.
///
/// # Errors
/// 400 without the instance or the holdings.
pub async fn patch_line(call: Call) -> Result<Response, ApiError> {
    let request = replace_instance::StoragePatch::read(&object(call.json()?))?;
    replace_instance::in_storage(&call.context(), call.id()?, &request).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A new title.
///
/// # Errors
/// When it does not fit, or its line has one.
pub async fn create_title(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = keep_title::create(&call.context(), call.record()?).await?;
    Ok(created(stored, &format!("/orders-storage/titles/{id}")))
}

/// New pieces.
///
/// # Errors
/// When one of them does not fit.
pub async fn create_pieces(call: Call) -> Result<Response, ApiError> {
    let pieces = in_list(&call, "pieces")?;
    let stored = keep_piece::create_many(&call.context(), pieces).await?;
    let total = stored.len();
    let body = json!({"pieces": stored, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}

/// Many pieces replaced.
///
/// # Errors
/// When one of them is missing or does not fit.
pub async fn replace_pieces(call: Call) -> Result<Response, ApiError> {
    let pieces = in_list(&call, "pieces")?;
    keep_piece::change_many(&call.context(), pieces).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn in_list(call: &Call, key: &str) -> Result<Vec<Value>, ApiError> {
    let mut body = object(call.json()?);
    let Some(Value::Array(list)) = body.remove(key) else {
        return Err(StoreError::Invalid(vec![Violation::missing(key)]).into());
    };
    if list.len() > keep_piece::PIECES_MAX {
        let most = keep_piece::PIECES_MAX;
        return Err(ApiError::bad_request(format!(
            "{key}: at most {most} records at a time"
        )));
    }
    Ok(list)
}

fn no_id() -> ApiError {
    StoreError::Invalid(vec![Violation::missing("id")]).into()
}

/// The next number of an order.
///
/// # Errors
/// On a database error.
pub async fn order_number(call: Call) -> Result<Response, ApiError> {
    let next = next_order_number(&call.writer().database, &call.tenant).await?;
    Ok(pretty(
        StatusCode::OK,
        &json!({"poNumber": next.to_string()}),
    ))
}

/// The next numbers of an order's lines.
///
/// # Errors
/// When there is no such order.
pub async fn line_numbers(call: Call) -> Result<Response, ApiError> {
    let order = call.parameter("purchaseOrderId")?.unwrap_or_default();
    let id = Uuid::try_parse(&order)
        .map_err(|_| incorrect("purchaseOrderId", &order, "must be a UUID"))?;
    let wanted = call.number("poLineNumbers", 1, 1)?.min(NUMBERS_MAX);
    let numbers = keep_order::take_line_numbers(&call.writer_context(), id, wanted).await?;
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    Ok(pretty(StatusCode::OK, &json!({"sequenceNumbers": numbers})))
}

/// The receiving history.
const HISTORY: Listed = Listed {
    list_key: Some("receivingHistory"),
    fields: Some(view_query::of_receiving_history),
    view: Some(views::receiving_history),
    ..Listed::of("pieces")
};
const WRAPPED: Listed = Listed {
    list_key: Some("wrapperPieces"),
    fields: Some(view_query::of_wrapper_pieces),
    view: Some(views::wrapper_pieces),
    ..Listed::of("pieces")
};

/// Pieces with their line and order.
///
/// # Errors
/// When the query cannot be run.
pub async fn receiving_history(call: Call) -> Result<Response, ApiError> {
    list(&call, HISTORY).await
}

/// Pieces with all that they belong to.
///
/// # Errors
/// When the query cannot be run.
pub async fn wrapper_pieces(call: Call) -> Result<Response, ApiError> {
    list(&call, WRAPPED).await
}

/// One piece with all that it belongs to.
///
/// # Errors
/// 404 when there is none.
pub async fn wrapper_piece(call: Call) -> Result<Response, ApiError> {
    let plan = Plan::of_id(call.id()?);
    let sql = views::wrapper_pieces(call.tables(), &plan, 1, 0);
    let found: Option<Bytes> = call.store().one_of(&plan, &sql).await?;
    let found = found.ok_or_else(ApiError::not_found)?;
    Ok(json_bytes(StatusCode::OK, found))
}

/// The former view of orders with their lines: the orders of the lines that a query finds.
///
/// # Errors
/// When the query cannot be run.
pub async fn orders_view(call: Call) -> Result<Response, ApiError> {
    let listed = Listed {
        fields: Some(view_query::of_orders_view),
        ..Listed::of("purchase_order")
    };
    list(&call, listed).await
}

/// The former view of lines with their orders.
///
/// # Errors
/// When the query cannot be run.
pub async fn lines_view(call: Call) -> Result<Response, ApiError> {
    let listed = Listed {
        fields: Some(view_query::of_lines_view),
        ..Listed::of("po_line")
    };
    list(&call, listed).await
}

/// Pieces that are late become so.
///
/// # Errors
/// On a database error.
pub async fn process_claims(call: Call) -> Result<Response, ApiError> {
    let late = claim_late::mark_late(&call.writer_context()).await?;
    if late > 0 {
        tracing::info!(tenant = call.tenant.id(), late, "pieces became late");
    }
    Ok(empty(StatusCode::OK))
}

/// Does nothing: events are written into the platform's outbox with the change itself.
///
/// # Errors
/// None.
pub async fn process_outbox(_: Call) -> Result<Response, ApiError> {
    Ok(empty(StatusCode::OK))
}

/// Reporting codes have a form.
pub const REPORTING_CODES: Hooks = Hooks {
    before: |_, _: Write, document| fits(document, patterns::of_reporting_code),
    ..Hooks::NONE
};

fn fits(document: &Value, rule: fn(&Doc) -> Vec<Violation>) -> Result<(), ApiError> {
    let violations = document.as_object().map(rule).unwrap_or_default();
    match violations.is_empty() {
        true => Ok(()),
        false => Err(StoreError::Invalid(violations).into()),
    }
}
