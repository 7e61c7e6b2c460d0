//! The body of a new document: JSON with the contents in base 64, read as a stream up to a limit.

use bytes::BytesMut;
use octavo_platform::{ApiError, Call};
use octavo_records::OperationError;
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::refusal::{Code, Refusal};

/// The largest document with its contents.
const DOCUMENT_BYTES_MAX: usize = 32_000_000;
/// Documents that are held in memory at once.
static ROOM: Semaphore = Semaphore::const_new(4);

/// The document that a client sends.
///
/// # Errors
/// 413 when it is too large, 400 when it is no JSON.
pub(super) async fn read(call: &Call) -> Result<Value, ApiError> {
    let busy = |_| ApiError::Unavailable("Too many documents are being sent now; try again");
    let _room = ROOM.acquire().await.map_err(busy)?;
    let upload = call.upload();
    let mut body = BytesMut::new();
    while let Some(chunk) = upload.next().await? {
        if body.len() + chunk.len() > DOCUMENT_BYTES_MAX {
            let mut refusal = Refusal::bad(Code::DocumentTooLarge);
            refusal.status = 413;
            return Err(OperationError::from(refusal).into());
        }
        body.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&body)
        .map_err(|error| ApiError::bad_request(format!("Cannot deserialize the body: {error}")))
}
