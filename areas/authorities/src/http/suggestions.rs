//! `/links-suggestions/marc`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use super::{flag, object, refusal};
use crate::app::suggest::suggest;
use crate::rules::suggest::By;

/// Marks in records which field could follow which authority.
///
/// # Errors
/// 400 for what is not a record or parameter.
pub async fn marc(call: Call) -> Result<Response, ApiError> {
    let by = match call.parameter("authoritySearchParameter")?.as_deref() {
        None | Some("NATURAL_ID") => By::NaturalId,
        Some("ID") => By::Id,
        Some(other) => {
            let message = format!("Unexpected value '{other}'");
            return Err(refusal::bad(message, "authoritySearchParameter", other));
        }
    };
    let all_rules = flag(&call, "ignoreAutoLinkingEnabled")?;
    let mut form = object(&call)?;
    let Some(Value::Array(mut records)) = form.shift_remove("records") else {
        return Err(refusal::invalid(
            "records: must not be null",
            "records",
            "null",
        ));
    };
    suggest(&call.context(), &mut records, by, all_rules).await?;
    Ok(json_bytes(
        StatusCode::OK,
        json!({"records": records}).to_string(),
    ))
}
