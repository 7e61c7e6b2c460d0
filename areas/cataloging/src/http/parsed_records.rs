//! `/change-manager/parsedRecords`: records as R1-2025's editor takes them from the records' manager.

use axum::response::Response;
use http::StatusCode;
use octavo_authorities::app::propagation::Propagation;
use octavo_mapping::RecordKind;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call, incorrect};
use serde_json::Value;
use uuid::Uuid;

use crate::app::parsed_record::{Sent, replaced, shown};
use crate::app::show::marc_of;
use crate::derive::Refusal;
use crate::propagation::Deriving;

/// The record of an instance, a holdings record or an authority.
///
/// # Errors
/// 400 without an id, 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let text = call.parameter("externalId")?;
    let text = text.ok_or_else(|| incorrect("externalId", "null", "must not be null"))?;
    let id = Uuid::try_parse(&text);
    let id = id.map_err(|_| incorrect("externalId", &text, "must be a UUID"))?;
    let record = shown(&call.context(), id).await?;
    let record = record.ok_or_else(|| {
        let sentence =
            format!("Error retrieving Record by externalId: '{id}', response code 404, Not Found");
        ApiError::text(StatusCode::NOT_FOUND, sentence)
    })?;
    Ok(json_bytes(StatusCode::OK, record.to_string()))
}

/// A record replaced, with what is derived from it. FOLIO does it after its 202; here everything is
/// committed before the response.
///
/// # Errors
/// 404 when there is none, 409 on a version conflict, 422 for an incomplete form, 400 when nothing can
/// be derived from it.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    call.id()?;
    let sent = read_form(&call.json()?)?;
    let kind = sent.kind;
    replaced(&call.context(), sent).await.map_err(answer)?;
    if kind == RecordKind::Authority {
        call.begin_work(Propagation::through(&Deriving::shared()));
    }
    Ok(empty(StatusCode::ACCEPTED))
}

fn read_form(body: &Value) -> Result<Sent, ApiError> {
    for name in ["id", "recordType", "parsedRecord", "relatedRecordVersion"] {
        if body[name].is_null() {
            return Err(ApiError::invalid("must not be null", name, "null"));
        }
    }
    let wrong =
        |name: &str, value: &Value| ApiError::invalid("is not valid", name, value.to_string());
    let (kind, property) = match body["recordType"].as_str() {
        Some("MARC_BIB") => (RecordKind::Bib, "instanceId"),
        Some("MARC_HOLDING") => (RecordKind::Holdings, "holdingsId"),
        Some("MARC_AUTHORITY") => (RecordKind::Authority, "authorityId"),
        _ => return Err(wrong("recordType", &body["recordType"])),
    };
    let external = &body["externalIdsHolder"][property];
    let id = external.as_str().and_then(|id| Uuid::try_parse(id).ok());
    let id = id.ok_or_else(|| wrong(&format!("externalIdsHolder.{property}"), external))?;
    let record = body.as_object().and_then(marc_of);
    let record = record
        .ok_or_else(|| ApiError::invalid("is no MARC in JSON", "parsedRecord.content", ""))?;
    let version = &body["relatedRecordVersion"];
    let number = match version {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_i64(),
    };
    Ok(Sent {
        kind,
        external: id,
        record,
        version: number.ok_or_else(|| wrong("relatedRecordVersion", version))?,
        suppress_discovery: body["additionalInfo"]["suppressDiscovery"].as_bool(),
    })
}

fn answer(refusal: Refusal) -> ApiError {
    let sentence = refusal.to_string();
    match refusal {
        Refusal::Stale { .. } => ApiError::text(StatusCode::CONFLICT, sentence),
        Refusal::NotFound { .. } => ApiError::text(StatusCode::NOT_FOUND, sentence),
        Refusal::Store(error) => error.into(),
        Refusal::Inventory(refusal) => refusal.into(),
        _ => ApiError::bad_request(sentence),
    }
}
