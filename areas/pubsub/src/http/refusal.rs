//! Refusals in mod-pubsub's form: plain text, and for publishers one error for each type.

use http::StatusCode;
use octavo_platform::{Answer, ApiError};
use serde_json::{Value, json};

use crate::rules::Refusal;

impl Answer for Refusal {
    fn answer(self) -> ApiError {
        let message = self.message();
        let status = match self {
            Refusal::Descriptors(messages) => {
                let error = |message: &String| json!({"message": message});
                let errors: Vec<Value> = messages.iter().map(error).collect();
                let body = json!({"total_records": errors.len(), "errors": errors});
                return ApiError::Json(StatusCode::BAD_REQUEST, body);
            }
            Refusal::OtherContent { .. }
            | Refusal::InUse { .. }
            | Refusal::NoPublisher { .. }
            | Refusal::InactivePublisher { .. }
            | Refusal::NoModuleAndRole
            | Refusal::NoDates
            | Refusal::UnknownDate => StatusCode::BAD_REQUEST,
            Refusal::NoEventType(_)
            | Refusal::NotUpdated(_)
            | Refusal::NotDeleted(_)
            | Refusal::NoPayload(_) => StatusCode::NOT_FOUND,
        };
        ApiError::text(status, message)
    }
}
