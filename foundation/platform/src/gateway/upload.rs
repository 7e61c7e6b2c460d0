//! Request bodies that are read as a stream, because they are too large for memory. Each holds one
//! of few permits; a slow one loses it when others wait.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use bytes::Bytes;
use http::StatusCode;
use http_body_util::BodyExt;
use octavo_boxed::boxed;
use tokio::sync::Mutex;

use crate::error::ApiError;
use crate::shares::{Party, Share, Shares};

/// The most streamed bodies at the same time in one process.
pub(crate) const UPLOADS_MAX: usize = 32;
/// In each period of this length
const STRETCH: Duration = Duration::from_secs(60);
/// so many bytes have to arrive; every usable line is faster.
const STRETCH_BYTES_MIN: usize = 32 * 1024;

/// A body that is read chunk by chunk.
#[derive(Clone, Debug)]
pub struct Upload {
    incoming: Arc<Mutex<IncomingBody>>,
    patience: Duration,
}

#[derive(Debug)]
struct IncomingBody {
    body: Body,
    /// Its permit; none for a body that is in memory already.
    place: Option<Share>,
    stretch: Instant,
    stretch_bytes: usize,
}

impl Upload {
    /// A body that a client is sending, with this time-out between two chunks.
    ///
    /// # Errors
    /// 503 when there is no permit for it.
    pub(crate) async fn new(
        body: Body,
        patience: Duration,
        places: &Arc<Shares>,
        party: Party,
    ) -> Result<Upload, ApiError> {
        let mut place = places.enter(party);
        let full = "Too many files are being sent now; try again in a moment";
        let growing = place.grow(1).await;
        growing.map_err(|_| ApiError::Unavailable(full))?;
        Ok(Upload::of(body, patience, Some(place)))
    }

    /// A body that is in memory already.
    pub(crate) fn whole(body: Bytes) -> Upload {
        Upload::of(Body::from(body), Duration::MAX, None)
    }

    fn of(body: Body, patience: Duration, place: Option<Share>) -> Upload {
        let incoming = IncomingBody {
            body,
            place,
            stretch: Instant::now(),
            stretch_bytes: 0,
        };
        Upload {
            incoming: Arc::new(Mutex::new(incoming)),
            patience,
        }
    }

    /// The next chunk; `None` at the end.
    ///
    /// # Errors
    /// 400 when the client breaks off, 408 when it takes too long, 503 when others need the permit
    /// of a slow one.
    #[boxed]
    pub async fn next(&self) -> Result<Option<Bytes>, ApiError> {
        let mut incoming = self.incoming.lock().await;
        loop {
            let IncomingBody { body, place, .. } = &mut *incoming;
            let leaving = async {
                match place {
                    Some(place) => place.asked_to_leave().await,
                    None => std::future::pending().await,
                }
            };
            let framed = tokio::select! {
                framed = tokio::time::timeout(self.patience, body.frame()) => framed,
                () = leaving => return Err(ApiError::Unavailable(
                    "Others want to send files, and this one came slowly; send it again",
                )),
            };
            let Ok(frame) = framed else {
                let waited = self.patience.as_secs_f64();
                return Err(ApiError::text(
                    StatusCode::REQUEST_TIMEOUT,
                    format!("No more of the request body arrived within {waited} s"),
                ));
            };
            let Some(frame) = frame else {
                return Ok(None);
            };
            let frame = frame.map_err(|_| ApiError::bad_request("The request body ended early"))?;
            match frame.into_data() {
                Ok(data) if !data.is_empty() => {
                    incoming.count(data.len())?;
                    return Ok(Some(data));
                }
                _ => {}
            }
        }
    }
}

impl IncomingBody {
    fn count(&mut self, bytes: usize) -> Result<(), ApiError> {
        let Some(place) = &self.place else {
            return Ok(());
        };
        place.moved(bytes);
        self.stretch_bytes += bytes;
        if self.stretch.elapsed() < STRETCH {
            return Ok(());
        }
        if self.stretch_bytes < STRETCH_BYTES_MIN {
            return Err(ApiError::text(
                StatusCode::REQUEST_TIMEOUT,
                format!(
                    "Less than {STRETCH_BYTES_MIN} bytes of the request body arrived within {} s",
                    STRETCH.as_secs()
                ),
            ));
        }
        self.stretch = Instant::now();
        self.stretch_bytes = 0;
        Ok(())
    }
}
