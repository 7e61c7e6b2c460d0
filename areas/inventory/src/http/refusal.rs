//! FOLIO's responses for refusals.

use http::StatusCode;
use octavo_platform::ApiError;
use octavo_records::StoreError;
use serde_json::{Value, json};

use crate::app::{Refusal, Wrong};

/// The expression of the key on human-readable ids; FOLIO's inventory does not show it.
const HRID_EXPRESSION: &str = "lower(f_unaccent(jsonb ->> 'hrid'::text))";

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        match refusal {
            Refusal::Store(error) => readable(error).into(),
            Refusal::InPlainText(error) => ApiError::bad_request(readable(error).to_string()),
            Refusal::Forbidden(sentence) => ApiError::bad_request(sentence),
            Refusal::Property {
                message,
                key,
                value,
            } => ApiError::invalid(message, key, value),
            Refusal::TooMany { .. } => {
                ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, refusal.to_string())
            }
            Refusal::Unprocessable(sentence) => {
                ApiError::text(StatusCode::UNPROCESSABLE_ENTITY, sentence)
            }
            Refusal::Missing(sentence) => ApiError::text(StatusCode::NOT_FOUND, sentence),
            Refusal::MissingNamed(sentence) => ApiError::text(StatusCode::NOT_FOUND, sentence),
            Refusal::AsFault(sentence) => {
                ApiError::text(StatusCode::INTERNAL_SERVER_ERROR, sentence)
            }
            Refusal::Listed(wrong) => ApiError::Errors(
                StatusCode::UNPROCESSABLE_ENTITY,
                wrong.iter().map(listed).collect(),
            ),
            Refusal::Illegal(wrong) => {
                ApiError::Errors(StatusCode::BAD_REQUEST, vec![listed(&wrong)])
            }
        }
    }
}

/// One error of a list; parameters without a value in FOLIO have none here.
fn listed(wrong: &Wrong) -> Value {
    let about = wrong.about.iter().map(|(key, value)| match value {
        Some(value) => json!({"key": key, "value": value}),
        None => json!({"key": key}),
    });
    let parameters: Vec<Value> = about.collect();
    let mut item = json!({"message": wrong.message, "code": wrong.code, "parameters": parameters});
    if wrong.code == UNNAMED {
        item["type"] = json!("1");
    }
    item
}

/// The code of errors without a specific code in FOLIO; only these have a type.
const UNNAMED: &str = "-1";

fn readable(error: StoreError) -> StoreError {
    match error {
        StoreError::Duplicate {
            status,
            message,
            field,
            value,
        } if field == HRID_EXPRESSION => {
            let message = message.replace(HRID_EXPRESSION, "HRID");
            StoreError::Duplicate {
                status,
                message,
                field: "HRID".to_owned(),
                value,
            }
        }
        StoreError::MissingReference { field, value, .. }
            if SUBJECTS.iter().any(|(column, _)| field == *column) =>
        {
            let of = SUBJECTS.iter().find(|(column, _)| field == *column);
            let name = of.map_or("reference", |(_, name)| name);
            StoreError::MissingReference {
                status: 400,
                message: format!("subject {name} doesn't exist: {value}"),
                field,
                value,
            }
        }
        other => other,
    }
}

/// References of subjects have special messages.
const SUBJECTS: [(&str, &str); 2] = [
    ("instance.source_id", "source"),
    ("instance.type_id", "type"),
];
