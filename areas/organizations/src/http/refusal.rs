//! The refusals of mod-organizations in its form: an `errors` list with codes, whatever the status.

use http::StatusCode;
use octavo_platform::{Answer, ApiError};
use serde_json::{Value, json};

use crate::app::Refusal;

/// The code of what has none of its own.
const GENERIC: &str = "genericError";

impl Answer for Refusal {
    fn answer(self) -> ApiError {
        let status = status(&self);
        if self == Refusal::CredentialsMismatch {
            return ApiError::text(status, message(&self));
        }
        let mut error = error(message(&self), code(&self));
        if let Refusal::UnknownUnits(ids) = &self {
            error["acqUnitIds"] = json!(ids);
        }
        ApiError::Errors(status, vec![error])
    }
}

fn error(message: &str, code: &str) -> Value {
    json!({"message": message, "code": code, "parameters": []})
}

fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::AccountNumbers | Refusal::IdMismatch | Refusal::UnknownUnits(_) => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Refusal::Restricted | Refusal::MayNotManageUnits => StatusCode::FORBIDDEN,
        Refusal::CredentialsMismatch => StatusCode::BAD_REQUEST,
    }
}

fn code(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::AccountNumbers => "accountNumberMustBeUnique",
        Refusal::IdMismatch => "idMismatch",
        Refusal::Restricted => "userHasNoPermission",
        Refusal::MayNotManageUnits => "userHasNoAcqUnitsPermission",
        Refusal::UnknownUnits(_) => "organizationAcqUnitsNotFound",
        Refusal::CredentialsMismatch => GENERIC,
    }
}

fn message(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::AccountNumbers => "Account number must be unique for organization",
        Refusal::IdMismatch => "Mismatch between id in path and request body",
        Refusal::Restricted => "User does not have permissions - operation is restricted",
        Refusal::MayNotManageUnits => {
            "User does not have permissions to manage acquisition units assignments - operation is \
             restricted"
        }
        Refusal::UnknownUnits(_) => "Acquisitions units assigned to organization cannot be found",
        Refusal::CredentialsMismatch => "Interface credential id mismatch",
    }
}

/// An error in plain text in the form of mod-organizations.
pub(super) fn listed(error_in_text: ApiError) -> ApiError {
    match error_in_text {
        ApiError::Text(status, message) => ApiError::Errors(status, vec![error(&message, GENERIC)]),
        other => other,
    }
}
