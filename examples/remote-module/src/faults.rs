//! `/reading-lists/faults/…`: ways in which a module can misbehave towards a gateway, for tests.
//! Not an example to follow.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, StatusCode, header};
use http_body_util::BodyExt;
use http_body_util::channel::Channel;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::Module;
use crate::answer::{self, BodyError, Refusal, Response};
use crate::caller::Caller;
use crate::lists::number;
use crate::wire::Spoiler;

/// Bytes of one chunk of a large response.
const PIECE_BYTES: usize = 64 * 1024;

/// Misbehaves as the path names it.
pub async fn provoke(
    module: &Module,
    caller: Caller,
    fault: &str,
    request: Request<Incoming>,
) -> Result<Response, Refusal> {
    let query = request.uri().query().unwrap_or_default();
    match fault {
        "slow" => {
            let wait = Duration::from_millis(number(query, "ms", 1_000)?);
            tokio::time::sleep(wait).await;
            Ok(answer::text(StatusCode::OK, "at last"))
        }
        "never" => std::future::pending().await,
        "garbage" => {
            if let Some(spoiler) = request.extensions().get::<Spoiler>() {
                spoiler.spoil();
            }
            Ok(answer::text(StatusCode::OK, "nobody sees this"))
        }
        "early" => Ok(early(number(query, "bytes", 1_000_000)?)),
        "big" => Ok(octets(Pieces {
            left: number(query, "bytes", 1_000_000)?,
        })),
        "status" => {
            let code = number(query, "code", 500)?;
            let status = StatusCode::from_u16(code)
                .ok()
                .filter(|code| code.as_u16() >= 200);
            let status = status.ok_or_else(|| {
                Refusal::bad_request(format!("{code} is not the status of an answer"))
            })?;
            Ok(answer::text(status, "as you wish"))
        }
        "echo" => Ok(echo(request)),
        "headers" => Ok(answer::json(StatusCode::OK, &described(&request))),
        "count" => count(request.into_body()).await,
        "calls" => Ok(answer::json(
            StatusCode::OK,
            &json!({"calls": module.call_log.of(&caller.tenant)}),
        )),
        _ => Err(Refusal::not_found()),
    }
}

/// Sends the body back chunk by chunk as it arrives.
fn echo(request: Request<Incoming>) -> Response {
    let kind = request.headers().get(header::CONTENT_TYPE).cloned();
    let mut response = http::Response::new(answer::boxed(request.into_body()));
    if let Some(kind) = kind {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}

/// Describes the request as it was received, for tests to compare with what they sent. A header
/// that is repeated becomes a list.
fn described(request: &Request<Incoming>) -> Value {
    let mut headers = Map::new();
    for name in request.headers().keys() {
        let values: Vec<String> = request
            .headers()
            .get_all(name)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .collect();
        let value = match values.len() {
            1 => json!(values[0]),
            _ => json!(values),
        };
        headers.insert(name.as_str().to_owned(), value);
    }
    json!({
        "method": request.method().as_str(),
        "target": request.uri().to_string(),
        "headers": headers,
    })
}

/// The length and SHA-256 of a body, computed without buffering it.
async fn count(mut body: Incoming) -> Result<Response, Refusal> {
    let (mut bytes, mut pieces, mut digest) = (0_u64, 0_u64, Sha256::new());
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Refusal::bad_request("The request body ended early"))?;
        if let Some(data) = frame.data_ref() {
            bytes += data.len() as u64;
            pieces += 1;
            digest.update(data);
        }
    }
    let mut sha256 = String::with_capacity(64);
    for byte in digest.finalize() {
        sha256.push_str(&format!("{byte:02x}"));
    }
    Ok(answer::json(
        StatusCode::OK,
        &json!({"bytes": bytes, "pieces": pieces, "sha256": sha256}),
    ))
}

/// Announces a length, sends half of the bytes, and closes.
fn early(bytes: u64) -> Response {
    let (mut sender, body) = Channel::<Bytes, BodyError>::new(1);
    tokio::spawn(async move {
        let mut left = bytes / 2;
        while left > 0 {
            let piece = piece(left);
            left -= piece.len() as u64;
            if sender.send_data(piece).await.is_err() {
                return;
            }
        }
        // Gives the bytes sent so far time to leave before the connection is cut.
        tokio::time::sleep(Duration::from_millis(50)).await;
        sender.abort("this body ends early".into());
    });
    let mut response = octets(body);
    let length = HeaderValue::from(bytes);
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, length);
    response
}

fn octets<B>(body: B) -> Response
where
    B: Body<Data = Bytes, Error = BodyError> + Send + Sync + 'static,
{
    let mut response = http::Response::new(answer::boxed(body));
    let kind = HeaderValue::from_static("application/octet-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// A body of so many bytes, generated while it is sent.
struct Pieces {
    left: u64,
}

/// The next chunk of a body with so many bytes left.
fn piece(left: u64) -> Bytes {
    static PIECE: [u8; PIECE_BYTES] = [b'x'; PIECE_BYTES];
    let length = usize::try_from(left).map_or(PIECE_BYTES, |left| left.min(PIECE_BYTES));
    Bytes::from_static(&PIECE[..length])
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let piece = piece(self.left);
        self.left -= piece.len() as u64;
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
