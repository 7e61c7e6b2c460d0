//! The refusals of mod-invoice in its form: an `errors` list with codes, whatever the status.

use http::StatusCode;
use octavo_platform::{Answer, ApiError};
use serde_json::{Value, json};

use crate::refusal::{Code, Refusal};

impl Answer for Refusal {
    fn answer(self) -> ApiError {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
        let parameters: Vec<Value> = self
            .parameters
            .iter()
            .map(|(key, value)| json!({"key": key, "value": value}))
            .collect();
        let mut error = json!({"message": self.message, "code": self.code,
                               "parameters": parameters});
        if let Value::Object(error) = &mut error {
            error.extend(*self.extra);
        }
        ApiError::Errors(status, vec![error])
    }
}

/// An error in plain text in the form of mod-invoice.
pub(super) fn listed(error: ApiError) -> ApiError {
    match error {
        ApiError::Text(status, message) => {
            let item = json!({"message": message, "code": Code::Generic.name(), "parameters": []});
            ApiError::Errors(status, vec![item])
        }
        other => other,
    }
}
