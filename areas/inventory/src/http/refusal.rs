//! Refusals as FOLIO answers them.

use http::StatusCode;
use octavo_platform::ApiError;
use octavo_records::StoreError;

use crate::app::Refusal;

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
        }
    }
}

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
        other => other,
    }
}
