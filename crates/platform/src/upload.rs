//! Bodies of requests that are read as they come, for what is too large to be held in memory.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::StatusCode;
use http_body_util::BodyExt;
use tokio::sync::Mutex;

use crate::error::ApiError;

/// A body that is read piece by piece.
#[derive(Clone, Debug)]
pub struct Upload {
    body: Arc<Mutex<Body>>,
    patience: Duration,
}

impl Upload {
    /// What a client is sending; between two pieces it has this long.
    pub(crate) fn new(body: Body, patience: Duration) -> Upload {
        Upload {
            body: Arc::new(Mutex::new(body)),
            patience,
        }
    }

    /// A body that is here already.
    pub(crate) fn whole(body: Bytes) -> Upload {
        Upload::new(Body::from(body), Duration::MAX)
    }

    /// The next piece; nothing at the end.
    ///
    /// # Errors
    /// 400 when the client breaks off, 408 when it takes too long.
    pub async fn next(&self) -> Result<Option<Bytes>, ApiError> {
        let mut body = self.body.lock().await;
        loop {
            let frame = match tokio::time::timeout(self.patience, body.frame()).await {
                Ok(frame) => frame,
                Err(_) => {
                    let waited = self.patience.as_secs_f64();
                    return Err(ApiError::text(
                        StatusCode::REQUEST_TIMEOUT,
                        format!("No more of the request body arrived within {waited} s"),
                    ));
                }
            };
            let Some(frame) = frame else {
                return Ok(None);
            };
            let frame = frame.map_err(|_| ApiError::bad_request("The request body ended early"))?;
            match frame.into_data() {
                Ok(data) if !data.is_empty() => return Ok(Some(data)),
                _ => {}
            }
        }
    }
}
