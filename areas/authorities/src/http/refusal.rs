//! Refusals in the form of mod-entities-links: always an `errors` list, with an exception's name as
//! `type` and one of a few codes.

use http::StatusCode;
use octavo_platform::ApiError;
use octavo_records::StoreError;
use serde_json::{Value, json};

use crate::app::Refusal;

/// Maximal number of characters of the input quoted in an error.
const SHOWN_CHARS_MAX: usize = 200;

const INVALID: &str = "RequestBodyValidationException";
const VALIDATION: &str = "validation";

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let message = refusal.to_string();
        let unprocessable = StatusCode::UNPROCESSABLE_ENTITY;
        match refusal {
            Refusal::NotFound { kind, .. } => missing(kind, &message),
            Refusal::NoSuchSourceFile => answer(
                unprocessable,
                &message,
                "EntityReferenceNotFoundException",
                VALIDATION,
                &[],
            ),
            Refusal::Changed { .. } => answer(
                StatusCode::CONFLICT,
                &message,
                "OptimisticLockingException",
                "optimistic locking",
                &[],
            ),
            Refusal::Invalid { parameters, .. } => {
                answer(unprocessable, &message, INVALID, VALIDATION, &parameters)
            }
            Refusal::Taken { code, .. } => answer(unprocessable, &message, VALIDATION, code, &[]),
            Refusal::NoNumbers(_) => answer(
                unprocessable,
                &message,
                "AuthoritySourceFileHridException",
                VALIDATION,
                &[],
            ),
            Refusal::Finished => answer(
                StatusCode::INTERNAL_SERVER_ERROR,
                &message,
                "IllegalStateException",
                "unknown",
                &[],
            ),
            Refusal::Crowded => answer(
                StatusCode::BAD_REQUEST,
                &message,
                "IllegalStateException",
                VALIDATION,
                &[],
            ),
            Refusal::Store(error) => of_store(error),
        }
    }
}

/// The response for a refusal of the store.
pub(super) fn of_store(error: StoreError) -> ApiError {
    match error {
        StoreError::Invalid(violations) => {
            let errors: Vec<Value> = violations
                .iter()
                .map(|one| {
                    let message = format!("{}: {}", one.path, one.message);
                    let parameter = [(one.path.clone(), one.value.clone())];
                    item(
                        &message,
                        "MethodArgumentNotValidException",
                        VALIDATION,
                        &parameter,
                    )
                })
                .collect();
            body(StatusCode::UNPROCESSABLE_ENTITY, errors)
        }
        StoreError::Query(message) => answer(
            StatusCode::UNPROCESSABLE_ENTITY,
            &message,
            "CqlQueryValidationException",
            VALIDATION,
            &[],
        ),
        StoreError::Duplicate { message, .. } => {
            let unprocessable = StatusCode::UNPROCESSABLE_ENTITY;
            answer(unprocessable, &message, VALIDATION, "-1", &[])
        }
        other => other.into(),
    }
}

/// 404 for a record of a kind.
pub(super) fn not_found(kind: &'static str, id: impl ToString) -> ApiError {
    Refusal::not_found(kind, id).into()
}

fn missing(kind: &str, message: &str) -> ApiError {
    // FOLIO names its exceptions after the kinds: "Authority Note Type" is `AuthorityNoteTypeNot…`.
    let name: String = kind
        .split(' ')
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|one| one.to_ascii_uppercase());
            first.into_iter().chain(letters).collect::<String>()
        })
        .collect();
    answer(
        StatusCode::NOT_FOUND,
        message,
        &format!("{name}NotFoundException"),
        "not-found",
        &[],
    )
}

/// 422 that names a parameter.
pub(super) fn invalid(message: &str, key: &str, value: &str) -> ApiError {
    Refusal::invalid(message, key, value).into()
}

/// 400 that names a parameter.
pub(super) fn bad(message: impl AsRef<str>, key: &str, value: &str) -> ApiError {
    let parameters = [(key.to_owned(), value.to_owned())];
    answer(
        StatusCode::BAD_REQUEST,
        message.as_ref(),
        "IllegalArgumentException",
        VALIDATION,
        &parameters,
    )
}

/// 403: a further permission is needed.
pub(super) fn forbidden(permission: &str) -> ApiError {
    let message = format!("Access requires permission: {permission}");
    ApiError::text(StatusCode::FORBIDDEN, message)
}

fn answer(
    status: StatusCode,
    message: &str,
    kind: &str,
    code: &str,
    parameters: &[(String, String)],
) -> ApiError {
    body(status, vec![item(message, kind, code, parameters)])
}

fn item(message: &str, kind: &str, code: &str, parameters: &[(String, String)]) -> Value {
    let shown = |value: &str| value.chars().take(SHOWN_CHARS_MAX).collect::<String>();
    let parameters: Vec<Value> = parameters
        .iter()
        .map(|(key, value)| json!({"key": key, "value": shown(value)}))
        .collect();
    let mut item = json!({"message": message, "type": kind, "code": code});
    if !parameters.is_empty() {
        item["parameters"] = Value::Array(parameters);
    }
    item
}

fn body(status: StatusCode, errors: Vec<Value>) -> ApiError {
    let total = errors.len();
    ApiError::Json(status, json!({"errors": errors, "total_records": total}))
}
