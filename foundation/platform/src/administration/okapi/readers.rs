//! `GET /_/readers`: the read replicas.

use axum::response::Response;
use http::StatusCode;
use octavo_postgres::{Position, ReaderStatus};
use serde_json::{Value, json};

use crate::call::Call;
use crate::error::ApiError;
use crate::respond::pretty;

/// The replicas: address, whether they serve reads, how far they lag. Only for operators, whose
/// machines these are.
pub(super) async fn readers(call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    let Some(readers) = &call.platform.gateway.readers else {
        return Ok(pretty(
            StatusCode::OK,
            &json!({"readers": [], "totalRecords": 0}),
        ));
    };
    let status = readers.status();
    let writer = readers.position().await;
    let list: Vec<Value> = status
        .readers
        .iter()
        .map(|one| reader(one, writer))
        .collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({
            "readers": list,
            "totalRecords": list.len(),
            "writerPosition": writer.map(|position| position.to_string()),
            "positionsAsked": status.questions,
            "readsThatWaited": status.waits,
            "readsOnWriter": status.to_writer,
        }),
    ))
}

fn reader(status: &ReaderStatus, writer: Option<Position>) -> Value {
    let mut shown = json!({
        "place": status.place,
        "up": status.position.is_some(),
        "reads": status.reads,
        "readsRepeatedOnWriter": status.failed,
    });
    match (status.position, writer) {
        (Some(position), Some(writer)) => {
            shown["position"] = json!(position.to_string());
            // Positions on different timelines cannot be compared.
            if position.timeline == writer.timeline {
                shown["lagBytes"] = json!(writer.lsn.since(position.lsn));
            }
        }
        (Some(position), None) => shown["position"] = json!(position.to_string()),
        (None, _) => shown["reason"] = json!(status.why_down),
    }
    shown
}
