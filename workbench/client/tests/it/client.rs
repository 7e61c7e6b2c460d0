//! The HTTP client with scripted servers, byte for byte.

use std::sync::Arc;
use std::time::Duration;

use octavo_client::{Client, Endpoint, Fault, Limits, Trust};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// The server's script for one connection: a response for each request, then it closes the
/// connection, unless the last response is empty, which means silence.
type Script = Vec<&'static [u8]>;

/// Serves one connection after the other by its script.
async fn scripted(scripts: Vec<Script>) -> Arc<Endpoint> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for script in scripts {
            let (mut stream, _) = listener.accept().await.unwrap();
            for answer in script {
                let mut received = Vec::new();
                while !received.ends_with(b"\r\n\r\n") {
                    match stream.read_u8().await {
                        Ok(byte) => received.push(byte),
                        Err(_) => return,
                    }
                }
                if answer.is_empty() {
                    std::future::pending::<()>().await;
                }
                stream.write_all(answer).await.unwrap();
            }
        }
    });
    Arc::new(Endpoint::resolve(&url, &Trust::Anything).await.unwrap())
}

const ASK: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

fn limits() -> Limits {
    Limits {
        body_bytes: 1000,
        ..Limits::default()
    }
}

async fn ask(client: &mut Client) -> Result<(u16, String), Fault> {
    let exchange = client.exchange(ASK, true).await?;
    let body = String::from_utf8_lossy(client.body(&exchange)).into_owned();
    Ok((exchange.status, body))
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let endpoint = scripted(vec![vec![OK, OK, OK]]).await;
    let mut client = Client::new(endpoint, limits());
    for _ in 0..3 {
        assert_eq!(ask(&mut client).await.unwrap(), (200, "ok".to_owned()));
    }
}

#[tokio::test]
async fn a_connection_closed_between_requests_is_opened_again() {
    let endpoint = scripted(vec![vec![OK], vec![OK]]).await;
    let mut client = Client::new(endpoint, limits());
    ask(&mut client).await.unwrap();
    assert_eq!(ask(&mut client).await.unwrap().0, 200);
}

#[tokio::test]
async fn what_must_not_be_repeated_is_not() {
    let endpoint = scripted(vec![vec![OK], vec![OK]]).await;
    let mut client = Client::new(endpoint, limits());
    ask(&mut client).await.unwrap();
    let fault = client.exchange(ASK, false).await.unwrap_err();
    assert!(matches!(fault, Fault::Closed | Fault::Broken(_)), "{fault}");
    assert_eq!(ask(&mut client).await.unwrap().0, 200);
}

#[tokio::test]
async fn connection_close_is_obeyed() {
    let closing = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end";
    let endpoint = scripted(vec![vec![closing], vec![OK]]).await;
    let mut client = Client::new(endpoint, limits());
    assert_eq!(ask(&mut client).await.unwrap().1, "until the end");
    let exchange = client.exchange(ASK, false).await.unwrap();
    assert!(exchange.connect > Duration::ZERO);
}

#[tokio::test]
async fn chunks_interim_answers_and_empty_answers() {
    let chunked = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    let empty = b"HTTP/1.1 204 No Content\r\n\r\n";
    let endpoint = scripted(vec![vec![chunked, empty, OK]]).await;
    let mut client = Client::new(endpoint, limits());
    assert_eq!(ask(&mut client).await.unwrap(), (200, "abcde".to_owned()));
    assert_eq!(ask(&mut client).await.unwrap(), (204, String::new()));
    assert_eq!(ask(&mut client).await.unwrap(), (200, "ok".to_owned()));
}

#[tokio::test]
async fn broken_and_oversized_answers_are_faults() {
    let too_long = b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n";
    let cut_short = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab";
    let no_http = b"220 mail.example.org ready\r\n\r\n";
    let endpoint = scripted(vec![
        vec![too_long],
        vec![cut_short],
        vec![no_http],
        vec![OK],
    ])
    .await;
    let mut client = Client::new(endpoint, limits());
    assert!(matches!(ask(&mut client).await, Err(Fault::TooLarge(1000))));
    assert!(matches!(ask(&mut client).await, Err(Fault::Closed)));
    assert!(matches!(ask(&mut client).await, Err(Fault::Malformed(_))));
    assert_eq!(ask(&mut client).await.unwrap().0, 200);
}

#[tokio::test]
async fn a_silent_server_is_given_up_in_time() {
    let endpoint = scripted(vec![vec![b""]]).await;
    let limits = Limits {
        response: Duration::from_millis(50),
        ..limits()
    };
    let mut client = Client::new(endpoint, limits);
    let fault = ask(&mut client).await.unwrap_err();
    assert!(matches!(fault, Fault::Timeout(_)), "{fault}");
}
