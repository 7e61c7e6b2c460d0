//! Raw bytes to a server and its responses, without a client that would correct them.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The time-out of every wait here.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A response.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

/// Sends bytes and returns all responses until the server closes the connection.
pub async fn exchange(address: SocketAddr, bytes: impl AsRef<[u8]>) -> Vec<Answer> {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    // The server may have responded before it has read everything.
    let _ = stream.write_all(bytes.as_ref()).await;
    answers(&rest(&mut stream).await)
}

/// Everything that is received until the server closes the connection.
pub async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut received = Vec::new();
    let reading = async {
        let mut piece = [0; 16 * 1024];
        // A connection may be reset after its last response.
        while let Ok(length) = stream.read(&mut piece).await {
            if length == 0 {
                break;
            }
            received.extend_from_slice(&piece[..length]);
        }
    };
    let read = tokio::time::timeout(PATIENCE, reading).await;
    assert!(read.is_ok(), "the connection is not closed");
    received
}

/// Parses consecutive responses with a `Content-Length`.
pub fn answers(received: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut rest = received;
    while let Some(end) = rest.windows(4).position(|four| four == b"\r\n\r\n") {
        let head = String::from_utf8_lossy(&rest[..end]).to_lowercase();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |length| length.trim().parse().expect("a length"));
        let body = &rest[end + 4..];
        let body = &body[..body.len().min(length)];
        rest = &rest[end + 4 + body.len()..];
        answers.push(Answer {
            status: status.unwrap_or_else(|| panic!("no status in {head}")),
            body: String::from_utf8_lossy(body).into_owned(),
        });
    }
    answers
}
