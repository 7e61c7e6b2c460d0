//! `PUT /finance/finance-data` and `PUT /finance-storage/finance-data`.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::store::{insert, replace};
use octavo_records::{Shape, instant, retried};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{checked, typed};
use crate::app::finance_data::{apply_rows, compute, log};
use crate::refusal::Declined;
use crate::rules::finance_data::{Known, Row};
use crate::store::numbers;

static BODY: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/bodies/finance-data.shape"))
        .expect("invariant: the shape is well formed")
});

const LOGS: &str = "fund_update_log";

fn read(call: &Call) -> Result<(Map<String, Value>, Vec<Row>), ApiError> {
    let mut body = checked(call, &BODY)?;
    let rows = body.shift_remove("fyFinanceData").unwrap_or_default();
    Ok((body, typed(rows)?))
}

async fn commit(call: &Call, rows: &[Row]) -> Result<(), Declined> {
    let transaction = call.store().database.transaction().await?;
    apply_rows(call.context(), &transaction, rows).await?;
    transaction.commit().await?;
    Ok(())
}

/// 204 after the rows are applied as they are.
pub async fn storage(call: Call) -> Result<Response, ApiError> {
    let (_, rows) = read(&call)?;
    commit(&call, &rows).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204 after the rows are checked and applied; 200 with what they would make for a preview.
pub async fn business(call: Call) -> Result<Response, ApiError> {
    let (mut body, mut rows) = read(&call)?;
    if rows.is_empty() {
        // There is nothing to do, and no ledger that a log would be of.
        body.insert("fyFinanceData".to_owned(), json!([]));
        return Ok(match body.get("updateType") == Some(&json!("Preview")) {
            true => pretty(StatusCode::OK, &Value::Object(body)),
            false => empty(StatusCode::NO_CONTENT),
        });
    }
    let known = compute(call.context(), &call.writer().database, &mut rows).await?;
    if body.get("updateType") == Some(&json!("Preview")) {
        body.insert("fyFinanceData".to_owned(), serde_json::to_value(&rows)?);
        return Ok(pretty(StatusCode::OK, &Value::Object(body)));
    }
    let name = body.get("worksheetName").and_then(Value::as_str);
    let (id, logged) = begin_log(&call, &rows, &known, name).await?;
    let outcome = retried(|| commit(&call, &rows)).await;
    let status = if outcome.is_ok() {
        "COMPLETED"
    } else {
        "ERROR"
    };
    end_log(&call, id, logged, status).await?;
    outcome?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The log is committed before the work, and says of it what came of it.
async fn begin_log(
    call: &Call,
    rows: &[Row],
    known: &Known,
    name: Option<&str>,
) -> Result<(Uuid, Map<String, Value>), ApiError> {
    let database = &call.store().database;
    let number = numbers::next(database, call.tables(), "FundUpdateLogs").await?;
    let now = instant::format(call.stamp().at);
    let day = now.get(..10).unwrap_or_default().replace('-', "");
    let document = log(rows, known, (name, &day), (number, "IN_PROGRESS"));
    let (id, stored) = insert(
        database,
        &call.tenant,
        call.collection(LOGS),
        document,
        &call.stamp(),
    )
    .await?;
    Ok((id, serde_json::from_slice(&stored)?))
}

async fn end_log(
    call: &Call,
    id: Uuid,
    mut logged: Map<String, Value>,
    status: &str,
) -> Result<(), ApiError> {
    logged.insert("status".to_owned(), json!(status));
    let database = &call.store().database;
    let collection = call.collection(LOGS);
    replace(
        database,
        &call.tenant,
        collection,
        id,
        &logged,
        &call.stamp(),
    )
    .await?;
    Ok(())
}
