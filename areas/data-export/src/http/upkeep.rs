//! Upkeep of exports: `/data-export/expire-jobs`, `/clean-up-files`, `/configuration` and
//! `/related-users`; and the timer that continues with jobs.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use crate::app::jobs;
use crate::app::work::Exports;
use crate::store::{jobs as kept, users};

/// Maximal length of a setting's key and value.
const CHARS_MAX: usize = 255;

/// Gives up jobs that were tried in vain. Workers do, too, whenever they come to one.
pub async fn expire(call: Call) -> Result<Response, ApiError> {
    call.begin_work(Arc::new(Exports::default()));
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Deletes old files.
pub async fn clean_up(call: Call) -> Result<Response, ApiError> {
    jobs::clean_up(&call.writer_context()).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Resumes jobs of processes that ended.
pub async fn go_on(call: Call) -> Result<Response, ApiError> {
    call.begin_work(Arc::new(Exports::default()));
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Stores a setting.
///
/// # Errors
/// 400 for a slice size that is not a number, 422 for a body that does not fit.
pub async fn configure(call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let text = |name: &str| -> Result<String, ApiError> {
        match &body[name] {
            Value::String(text) if !text.is_empty() && text.chars().count() <= CHARS_MAX => {
                Ok(text.clone())
            }
            other => Err(ApiError::invalid(
                format!("{name}: a text of 1 to {CHARS_MAX} characters is expected"),
                name,
                other.to_string(),
            )),
        }
    };
    let (name, value) = (text("key")?, text("value")?);
    let whole = value.parse::<i32>();
    if name == "slice_size" {
        match whole {
            Err(_) => {
                let sentence = format!("Slice size is not a number: {value}");
                return Err(ApiError::bad_request(sentence));
            }
            Ok(size) if size < 1 => {
                let sentence = format!("Slice size value cannot be less than 1: {size}");
                return Err(ApiError::bad_request(sentence));
            }
            Ok(_) => {}
        }
    } else if name == jobs::FILES_DAYS_NAME && !whole.is_ok_and(|days| days >= 1) {
        return Err(ApiError::bad_request(format!(
            "{name} is a number of days, 1 or more: {value}"
        )));
    }
    kept::set_up(&call.writer().database, &call.tenant, &name, &value).await?;
    Ok(pretty(
        StatusCode::CREATED,
        &json!({"key": name, "value": value}),
    ))
}

/// Everyone who has run an export.
pub async fn runners(call: Call) -> Result<Response, ApiError> {
    let runners = users::runners(&call.store().database, &call.tenant).await?;
    let entries: Vec<Value> = runners
        .into_iter()
        .map(|(id, first, last)| json!({"userId": id, "firstName": first, "lastName": last}))
        .collect();
    let total = entries.len();
    let body = json!({"relatedUsers": entries, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}
