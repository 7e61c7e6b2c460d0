//! `octavo trace`: a request drawn as text, picture and JSON, of our server and of another one.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::octavo::{Octavo, run};
use crate::place::DataDir;
use crate::well_formed::well_formed;

#[tokio::test]
async fn a_request_is_drawn_as_a_tree_and_as_a_picture() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let url = format!("http://{}", octavo.address());
    let picture = directory.path().join("trace.svg");
    let picture_path = picture.to_str().expect("a path in UTF-8");
    let request = "GET /service-points?query=name=\"Circ*\"&limit=2";
    let asked = ["trace", request, "--url", &url, "--repeat", "3"];
    let drawn = run(&[&asked[..], &["--svg", picture_path]].concat(), &[]).await;
    assert!(drawn.status.success(), "{}", drawn.stderr);
    let text = drawn.stdout;
    for part in [
        request,
        "server: GET /service-points",
        "├─ token",
        "handler",
        "SELECT ",
        " round trip",
        "the median of 3 requests",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(200), "{text}");

    let picture = std::fs::read_to_string(&picture).expect("the picture");
    let titles = well_formed(&picture);
    let statement = titles
        .iter()
        .find(|title| title.starts_with("SELECT jsonb FROM"));
    let statement = statement.expect("a statement in full");
    assert!(
        statement.contains("tenant_diku.service_point WHERE"),
        "{statement}"
    );
    assert!(statement.contains("took "), "{statement}");

    let json = run(&["trace", "/users?limit=0", "--url", &url, "--json"], &[]).await;
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["status"], 200);
    assert_eq!(json["trace"]["route"], "GET /users");
    assert!(json["trace"]["summary"]["statements"].as_u64() >= Some(1));

    let wrong = run(&["trace", "users", "--url", &url], &[]).await;
    assert_eq!(wrong.status.code(), Some(2));
    assert!(wrong.stderr.contains("is no path"), "{}", wrong.stderr);
    octavo.terminate();
    octavo.ended_well().await;
}

#[tokio::test]
async fn a_folio_that_is_not_ours_is_drawn_from_outside() {
    let address = strange_folio().await;
    let url = format!("http://{address}");
    let drawn = run(&["trace", "GET /users", "--url", &url], &[]).await;
    assert!(drawn.status.success(), "{}", drawn.stderr);
    for part in [
        "wait for the first byte",
        "read the answer",
        "Server-Timing: db;dur=1.5",
        "only an Octavo server",
    ] {
        assert!(drawn.stdout.contains(part), "{part} in\n{}", drawn.stdout);
    }
}

/// A server that accepts any log-in, gives the same response to everything and has no traces.
async fn strange_folio() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream));
        }
    });
    address
}

async fn answer(mut stream: TcpStream) {
    let mut received = vec![0; 16 * 1024];
    // A request of this test is small and arrives in one piece.
    while let Ok(length) = stream.read(&mut received).await {
        if length == 0 {
            return;
        }
        let answer = "HTTP/1.1 201 Created\r\nX-Okapi-Token: abc\r\nServer-Timing: db;dur=1.5\r\n\
                      Content-Length: 2\r\n\r\n{}";
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}
