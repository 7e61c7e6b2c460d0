//! `/inventory-reindex-records/publish`: records of a range of ids as events.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::{Shape, StoreError};
use uuid::Uuid;

use crate::app::publish_records::publish_records;
use crate::store::reindex::Whole;

static REQUEST: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/reindex_records_request.shape"))
        .expect("invariant: a shape of inventory's own")
});

/// POST: writes the events.
///
/// # Errors
/// 422 when the body does not fit, 400 when the range is invalid, 413 when it has too many records.
pub async fn publish(call: Call) -> Result<Response, ApiError> {
    let mut request = call.json()?;
    REQUEST.check(&mut request).map_err(StoreError::Invalid)?;
    let range = &request["recordIdsRange"];
    let end = |name: &str| {
        let text = range[name].as_str().unwrap_or_default();
        Uuid::try_parse(text).map_err(|_| {
            let shown: String = text.chars().take(100).collect();
            ApiError::bad_request(format!(
                "recordIdsRange.{name} must be a UUID, but is '{shown}'"
            ))
        })
    };
    let (from, upto) = (end("from")?, end("to")?);
    if from > upto {
        return Err(ApiError::bad_request(
            "recordIdsRange.from must not be behind recordIdsRange.to; exchange them",
        ));
    }
    let what = match request["recordType"].as_str() {
        Some("item") => Whole::Item,
        Some("holdings") => Whole::Holdings,
        _ => Whole::Instance,
    };
    let key = request["id"]
        .as_str()
        .and_then(|id| Uuid::try_parse(id).ok());
    let key = key.unwrap_or_default();
    publish_records(&call.context(), what, key, (from, upto)).await?;
    Ok(empty(StatusCode::CREATED))
}
