//! The unread rest of a request's body when the response is ready, since a refusal need not wait
//! for the body. A short rest is read and dropped; for a longer one the response says that the
//! connection closes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::response::Response;
use http::header::CONNECTION;
use http::{HeaderValue, Request, Version};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};

use crate::gateway::body;

/// So many bytes are read and dropped,
const BYTES_MAX: u64 = 64 * 1024;
/// if they arrive within this time.
const PATIENCE: Duration = Duration::from_millis(100);

/// Holds a body that was dropped before its end.
#[derive(Debug, Clone)]
pub(super) struct Leftover {
    body: Arc<Mutex<Option<Incoming>>>,
    is_short: bool,
}

impl Leftover {
    /// `None` for a request without a body, or on a connection that carries several requests at
    /// once.
    pub(super) fn of(request: &Request<Incoming>) -> Option<Leftover> {
        if request.body().is_end_stream() || request.version() > Version::HTTP_11 {
            return None;
        }
        let length = body::announced(request.headers());
        Some(Leftover {
            body: Arc::default(),
            is_short: length.is_some_and(|length| length <= BYTES_MAX),
        })
    }

    /// Keeps a body that was not read to its end.
    pub(super) fn put(&self, body: Incoming) {
        *self.body.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
    }

    /// Announces in a response that the connection closes, unless the whole body has been read.
    pub(super) async fn close_unless_read(self, response: &mut Response) {
        let body = self
            .body
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(body) = body else { return };
        let is_read = self.is_short
            && tokio::time::timeout(PATIENCE, thrown_away(body))
                .await
                .unwrap_or(false);
        if !is_read {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
    }
}

/// Reads a body to its end; false when it breaks off.
async fn thrown_away(mut body: Incoming) -> bool {
    while let Some(frame) = body.frame().await {
        if frame.is_err() {
            return false;
        }
    }
    true
}
