//! `/template-request`

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::{Shape, instant};
use serde_json::json;

use super::{fitting, refused};
use crate::app::render_template::{render_given, render_stored};

static REQUEST: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/template_request.shape"))
        .expect("invariant: the shape is well formed")
});
static PREVIEW: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/preview_request.shape"))
        .expect("invariant: the shape is well formed")
});

/// The text of a stored template.
///
/// # Errors
/// 400 when there is no such template, language or format, or it cannot be rendered.
pub async fn process(call: Call) -> Result<Response, ApiError> {
    let request = fitting(call.record()?, &REQUEST)?;
    let text = |name: &str| request[name].as_str().unwrap_or_default();
    let (template, language) = (text("templateId"), text("lang"));
    let format = text("outputFormat");
    let context = request.get("context").cloned();
    let made = render_stored(&call, template, language, format, context)
        .await
        .map_err(refused)?;
    let meta = json!({
        // FOLIO counts UTF-16 units, as Java does.
        "size": made.body.encode_utf16().count(), "dateCreate": instant::format(Timestamp::now()),
        "lang": language, "outputFormat": format,
    });
    let result = json!({"header": made.header, "body": made.body, "attachments": made.attachments});
    let answer = json!({"templateId": template, "result": result, "meta": meta});
    Ok(pretty(StatusCode::OK, &answer))
}

/// The text of a template sent along.
///
/// # Errors
/// 400 when it is not a template, with the place.
pub async fn preview(call: Call) -> Result<Response, ApiError> {
    let request = fitting(call.record()?, &PREVIEW)?;
    let text = |name: &str| request[name].as_str().unwrap_or_default();
    let context = request.get("context").cloned();
    let made = render_given(&call, text("header"), text("body"), context)
        .await
        .map_err(refused)?;
    let answer = json!({"header": made.header, "body": made.body});
    Ok(pretty(StatusCode::OK, &answer))
}
