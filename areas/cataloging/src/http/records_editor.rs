//! `/records-editor`: records as quickMARC edits them.

use axum::response::Response;
use http::StatusCode;
use octavo_authorities::app::propagation::Propagation;
use octavo_authorities::rules::suggest::By;
use octavo_library::SourceRecordId;
use octavo_mapping::RecordKind;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};
use uuid::Uuid;

use super::refusal::{answer, malformed, not_found};
use crate::app::edit::{Refusal, create as create_record, creation_status, update, validated};
use crate::app::links::suggested;
use crate::app::show::shown;
use crate::editor::{Form, Ids};
use crate::propagation::Deriving;

/// The record of an instance, a holdings record or an authority.
///
/// # Errors
/// 400 without an id, 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let parameter = call.parameter("externalId")?;
    let text = parameter.ok_or_else(|| malformed("Parameter 'externalId' is required"))?;
    let id = Uuid::try_parse(&text).map_err(|_| malformed("Parameter 'externalId' is invalid"))?;
    if let Some(language) = call.parameter("lang")?
        && !(language.len() == 2 && language.bytes().all(|byte| byte.is_ascii_alphabetic()))
    {
        return Err(malformed("Parameter 'lang' must match \"[a-zA-Z]{2}\""));
    }
    let view = shown(&call.context(), id).await?;
    let view = view.ok_or_else(|| answer(Refusal::NotFound(id)))?;
    Ok(json_bytes(StatusCode::OK, view.to_string()))
}

/// The creation status of a record.
///
/// # Errors
/// 400 without an id, 404 when there is none.
pub async fn status(call: Call) -> Result<Response, ApiError> {
    let parameter = call.parameter("qmRecordId")?;
    let text = parameter.ok_or_else(|| malformed("Parameter 'qmRecordId' is required"))?;
    let id = Uuid::try_parse(&text).map_err(|_| malformed("Parameter 'qmRecordId' is invalid"))?;
    let status = creation_status(&call.context(), id).await?;
    let status = status.ok_or_else(|| not_found(format!("Record with id [{id}] was not found")))?;
    Ok(json_bytes(StatusCode::OK, status.to_string()))
}

/// A new record.
///
/// # Errors
/// 400 when malformed, 422 when invalid.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let form = Form::read(&body(&call)?).map_err(malformed)?;
    let status = create_record(&call.context(), &form).await;
    let status = status.map_err(answer)?;
    Ok(json_bytes(StatusCode::CREATED, status.to_string()))
}

/// A record replaced. FOLIO answers 202; here everything is committed before the response.
///
/// # Errors
/// 400 when malformed or for another id than the path's, 404 when there is none, 409 on a version
/// conflict, 422 when invalid.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = SourceRecordId::parse(call.segment("id"));
    let id = id.ok_or_else(|| malformed("Parameter 'id' is invalid"))?;
    let body = body(&call)?;
    let form = Form::read(&body).map_err(malformed)?;
    let ids = Ids::read(&body).map_err(malformed)?;
    if ids.parsed_record != id {
        return Err(malformed("Request id and entity id are not equal"));
    }
    let done = update(&call.context(), &form, &ids).await;
    done.map_err(answer)?;
    if form.kind == RecordKind::Authority {
        call.begin_work(Propagation::through(&Deriving::shared()));
    }
    Ok(empty(StatusCode::ACCEPTED))
}

/// Validates a record without storing it.
///
/// # Errors
/// 400 for a missing or unknown kind.
pub async fn validate(call: Call) -> Result<Response, ApiError> {
    let form = Form::read_leniently(&body(&call)?).map_err(malformed)?;
    if crate::validation::definition_of(form.kind).is_none() {
        return Err(malformed("Unknown format: HOLDINGS"));
    }
    let issues: Vec<Value> = validated(&form, None)
        .iter()
        .map(|issue| issue.to_json())
        .collect();
    let answer = json!({ "issues": issues });
    Ok(json_bytes(StatusCode::OK, answer.to_string()))
}

/// The record with suggested links.
///
/// # Errors
/// 400 for an invalid record or parameter.
pub async fn suggest(call: Call) -> Result<Response, ApiError> {
    let by = match call.parameter("authoritySearchParameter")?.as_deref() {
        None | Some("NATURAL_ID") => By::NaturalId,
        Some("ID") => By::Id,
        Some(_) => {
            return Err(malformed("Parameter 'authoritySearchParameter' is invalid"));
        }
    };
    let all_rules = match call.parameter("ignoreAutoLinkingEnabled")?.as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            return Err(malformed("Parameter 'ignoreAutoLinkingEnabled' is invalid"));
        }
    };
    let mut view = body(&call)?;
    let fields = view.get_mut("fields").and_then(Value::as_array_mut);
    let Some(fields) = fields else {
        return Err(malformed("Parameter 'fields' must not be null"));
    };
    let done = suggested(&call.context(), fields, by, all_rules).await;
    done.map_err(|refusal| answer(refusal.into()))?;
    Ok(json_bytes(StatusCode::OK, view.to_string()))
}

/// The body, which must be an object.
fn body(call: &Call) -> Result<Value, ApiError> {
    let body = call.json().map_err(|error| match error {
        ApiError::Text(StatusCode::BAD_REQUEST, message) => malformed(message),
        other => other,
    })?;
    match body {
        Value::Object(_) => Ok(body),
        _ => Err(malformed("The body must be a JSON object")),
    }
}

/// The specification of a fixed field.
///
/// # Errors
/// 400 for another kind of records, 404 for a field without one.
pub async fn specification(call: Call) -> Result<Response, ApiError> {
    use octavo_mapping::RecordKind;
    let (name, tag) = (call.segment("recordType"), call.segment("fieldTag"));
    let kind = match name.to_ascii_lowercase().as_str() {
        "bibliographic" => RecordKind::Bib,
        "holdings" => RecordKind::Holdings,
        "authority" => RecordKind::Authority,
        _ => return Err(malformed(format!("Unexpected value '{name}'"))),
    };
    if tag.len() != 3 || !tag.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(malformed("Parameter fieldTag must match \"^[0-9]{3}$\""));
    }
    if tag != "008" {
        let name = name.to_ascii_lowercase();
        return Err(not_found(format!(
            "Marc specification for [{name}] record type and [{tag}] field tag not found"
        )));
    }
    let specification = crate::validation::specification_of_008(kind);
    Ok(json_bytes(StatusCode::OK, specification.to_string()))
}
