//! Routes requests when there are replicas: reads to one that has everything that the caller may
//! have seen, everything else to the writer. A read that a replica fails to answer is repeated on
//! the writer.

use std::time::Instant;

use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use octavo_postgres::{Position, ReaderLease, Readers};
use octavo_records::WHOLE_RECORDS_MAX;
use octavo_trace as trace;

use crate::call::Call;
use crate::error::ApiError;
use crate::gateway;
use crate::router::Endpoint;

/// Carries a position in the database's log (WAL), both ways. A client that sends the header gets
/// the position of each response, and its reads see at least everything before the position that it
/// sends.
pub const POSITION: HeaderName = HeaderName::from_static("x-octavo-position");
/// The value when the position is not known. A client that sends it back is treated as one that
/// sends no position.
const UNKNOWN: HeaderValue = HeaderValue::from_static("unknown");

/// Serves a request.
///
/// # Errors
/// The handler's refusal.
pub(crate) async fn answer(
    readers: &Readers,
    endpoint: &Endpoint,
    is_read: bool,
    call: Call,
) -> Result<Response, ApiError> {
    let sent = PositionHeader::of(&call.headers);
    let timing = call.timing.clone();
    let (answered, reader) = if is_read && !is_streamed(&call) {
        read(readers, endpoint, sent.position(), call).await
    } else {
        (gateway::answer(endpoint, call).await, None)
    };
    if sent == PositionHeader::Absent {
        return answered;
    }
    let started = Instant::now();
    // Read after the response is computed, so that it covers everything written or read.
    let position = trace::within("position", async {
        match reader {
            Some(reader) => reader.position().await,
            None => readers.position().await,
        }
    })
    .await;
    timing.stage("position", started);
    answered.map(|mut response| {
        response.headers_mut().insert(POSITION, header(position));
        response
    })
}

/// Serves a read, on a replica if one has what the caller may have seen; returns the replica that
/// answered.
async fn read(
    readers: &Readers,
    endpoint: &Endpoint,
    sent: Option<Position>,
    call: Call,
) -> (Result<Response, ApiError>, Option<ReaderLease>) {
    let started = Instant::now();
    let lease = trace::within("reader", readers.lease(sent)).await;
    call.timing.stage("reader", started);
    let Some(lease) = lease else {
        return (gateway::answer(endpoint, call).await, None);
    };
    let mut there = call.clone();
    there.reader = Some(call.store().on(lease.database().clone()));
    let answered = tokio::select! {
        answered = gateway::answer(endpoint, there) => Some(answered),
        () = lease.gone() => None,
    };
    match answered {
        Some(answered) if !may_be_the_replicas_fault(&answered) => (answered, Some(lease)),
        _ => {
            lease.failed();
            tracing::debug!(
                route = endpoint.pattern,
                "a reader failed a read; the writer answers it"
            );
            (gateway::answer(endpoint, call).await, None)
        }
    }
}

/// Whether the writer may succeed where the replica failed: a replica may die, hang, refuse a
/// write, or cancel a statement that conflicts with replay (reported as a conflict).
fn may_be_the_replicas_fault(answered: &Result<Response, ApiError>) -> bool {
    let status = match answered {
        Ok(response) => response.status(),
        Err(error) => error.status(),
    };
    status.is_server_error() || status == StatusCode::CONFLICT
}

/// A streamed page cannot be restarted on the writer once a part of it is sent, so it is read there
/// from the beginning.
fn is_streamed(call: &Call) -> bool {
    let limit = call.parameter("limit").ok().flatten();
    limit.is_some_and(|limit| {
        limit
            .parse()
            .is_ok_and(|limit: i64| limit > WHOLE_RECORDS_MAX)
    })
}

/// What a client reports about what it has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PositionHeader {
    /// No header.
    Absent,
    /// A header without a valid position: the client only wants to receive positions.
    Unknown,
    Position(Position),
}

impl PositionHeader {
    fn of(headers: &HeaderMap) -> PositionHeader {
        let Some(value) = headers.get(POSITION) else {
            return PositionHeader::Absent;
        };
        let position = value.to_str().ok().and_then(|text| text.parse().ok());
        position.map_or(PositionHeader::Unknown, PositionHeader::Position)
    }

    fn position(self) -> Option<Position> {
        match self {
            PositionHeader::Position(position) => Some(position),
            PositionHeader::Absent | PositionHeader::Unknown => None,
        }
    }
}

fn header(position: Option<Position>) -> HeaderValue {
    let text = position.and_then(|position| HeaderValue::try_from(position.to_string()).ok());
    text.unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_position_is_taken_for_one() {
        let parsed = |value: Option<&str>| {
            let mut headers = HeaderMap::new();
            if let Some(value) = value {
                headers.insert(POSITION, HeaderValue::from_str(value).unwrap());
            }
            PositionHeader::of(&headers)
        };
        assert_eq!(parsed(None), PositionHeader::Absent);
        for text in ["", "unknown", "0", "1:0/", "é"] {
            assert_eq!(parsed(Some(text)), PositionHeader::Unknown, "{text}");
        }
        let sent = parsed(Some("3:0/16B3748"));
        let position = sent.position().unwrap();
        assert_eq!(header(Some(position)), "3:0/16B3748");
        assert_eq!(parsed(header(None).to_str().ok()), PositionHeader::Unknown);
    }

    #[test]
    fn what_a_replica_may_be_at_fault_for_is_asked_of_the_writer() {
        for (status, repeated) in [
            (StatusCode::OK, false),
            (StatusCode::NOT_FOUND, false),
            (StatusCode::BAD_REQUEST, false),
            (StatusCode::CONFLICT, true),
            (StatusCode::INTERNAL_SERVER_ERROR, true),
            (StatusCode::SERVICE_UNAVAILABLE, true),
            (StatusCode::GATEWAY_TIMEOUT, true),
        ] {
            let refused = Err(ApiError::text(status, ""));
            assert_eq!(may_be_the_replicas_fault(&refused), repeated, "{status}");
            let answered = Ok(crate::respond::empty(status));
            assert_eq!(may_be_the_replicas_fault(&answered), repeated, "{status}");
        }
    }
}
