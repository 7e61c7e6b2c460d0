//! Path segments and parameters, refused as mod-audit does.

use http::StatusCode;
use octavo_platform::{ApiError, Call};
use uuid::Uuid;

use super::refusal::refused;
use crate::app::keep_history::catch_up;
use crate::app::work::{self, Histories};

/// Events that a request adds to histories before it answers. A job adds more.
const CAUGHT_UP: i64 = 500;

/// Adds what has just happened, and has the rest done in the background.
pub(super) async fn up_to_date(call: &Call) -> Result<(), ApiError> {
    let context = call.writer_context();
    if catch_up(&context, CAUGHT_UP).await? {
        work::enqueue(&context).await?;
        call.begin_work(Histories::shared());
    }
    Ok(())
}

/// The id of a record of acquisitions.
///
/// # Errors
/// 422 for a text that is none.
pub(super) fn acquisition_id(call: &Call) -> Result<Uuid, ApiError> {
    let text = call.segment("id");
    let unreadable = || ApiError::invalid(format!("Invalid UUID string: {text}"), "id", text);
    Uuid::try_parse(text).map_err(|_| unreadable())
}

/// The id of a record, and the instant before which its entries are asked for.
///
/// # Errors
/// 400 for a text that is no id, and for an instant that is no number of milliseconds.
pub(super) fn entity(call: &Call) -> Result<(Uuid, Option<i64>), ApiError> {
    let invalid = |message: String| refused(StatusCode::BAD_REQUEST, "validation", &message);
    let text = call.segment("entityId");
    let id = Uuid::try_parse(text).map_err(|_| invalid(format!("Invalid UUID string: {text}")))?;
    let before = call.parameter("eventTs")?;
    let before = before.map(|text| {
        let number = text.parse::<i64>().ok();
        // Beyond these the database has no instants.
        let number = number.filter(|ms| ms.unsigned_abs() <= 100_000_000_000_000);
        number.ok_or_else(|| invalid(format!("For input string: \"{text}\"")))
    });
    Ok((id, before.transpose()?))
}
