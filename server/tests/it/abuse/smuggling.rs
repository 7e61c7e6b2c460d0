//! Request smuggling: requests that two servers in a row could parse differently.

use octavo_testkit::{Client, Library};

use super::hasty_library;
use super::raw::exchange;

const DIFFERENT: &str = "Different tokens in Authentication and X-Okapi-Token";
const BODY: &str = r#"{"name": "Globe", "source": "local"}"#;

struct Wire {
    library: Library,
    client: Client,
}

impl Wire {
    async fn new() -> Wire {
        let library = hasty_library().await;
        let client = library.client().await;
        Wire { library, client }
    }

    /// The head of a POST by the administrator up to the headers under test, without its end.
    fn post(&self) -> String {
        format!(
            "POST /material-types HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: diku\r\n\
             X-Okapi-Token: {}\r\nContent-Type: application/json\r\n",
            self.client.token.as_deref().expect("a token")
        )
    }

    fn get(&self) -> String {
        self.post().replace("POST ", "GET ")
    }

    /// The statuses of all responses to these bytes.
    async fn statuses(&self, bytes: impl AsRef<[u8]>) -> Vec<u16> {
        let answers = exchange(self.library.address, bytes).await;
        let _ = self.client.get("/material-types").await.expect(200);
        answers.iter().map(|answer| answer.status).collect()
    }

    async fn stored(&self) -> i64 {
        let found = self.client.query("/material-types", "name==Globe").await;
        found.expect(200).json()["totalRecords"]
            .as_i64()
            .expect("a number")
    }
}

#[tokio::test]
async fn lengths_that_are_none_are_refused() {
    let wire = Wire::new().await;
    let length = BODY.len();
    for lines in [
        format!(
            "Content-Length: {length}\r\nContent-Length: {}\r\n",
            length + 1
        ),
        format!("Content-Length: {length}, {}\r\n", length + 1),
        format!("Content-Length: +{length}\r\n"),
        format!("Content-Length: -{length}\r\n"),
        format!("Content-Length: 0x{length:x}\r\n"),
        format!("Content-Length: {length} {length}\r\n"),
        "Content-Length: 99999999999999999999999999\r\n".to_owned(),
        "Content-Length:\r\n".to_owned(),
        format!("Content-Length : {length}\r\n"),
        format!(" Content-Length: {length}\r\n"),
        "Transfer-Encoding: gzip\r\n".to_owned(),
        "Transfer-Encoding: chunked, gzip\r\n".to_owned(),
        "Transfer-Encoding: xchunked\r\n".to_owned(),
        "Transfer-Encoding : chunked\r\n".to_owned(),
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n".to_owned(),
        "Transfer-Encoding:\x0bchunked\r\n".to_owned(),
    ] {
        let request = format!("{}{lines}\r\n{BODY}", wire.post());
        assert_eq!(wire.statuses(request).await, [400], "{lines:?}");
    }
    assert_eq!(wire.stored().await, 0);
}

#[tokio::test]
async fn of_a_length_and_chunks_the_chunks_count() {
    let wire = Wire::new().await;
    // A proxy that believes the length sees the next request begin elsewhere. So this has to be the
    // last request of its connection, in either order of the headers.
    let chunk = format!("{:x}\r\n{BODY}\r\n0\r\n\r\n", BODY.len());
    let hidden = "GET /_/version HTTP/1.1\r\nHost: x\r\n\r\n";
    for (at, lines) in [
        (1, "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"),
        (2, "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n"),
        (3, "Transfer-Encoding: chunked\r\nContent-Length: 40000\r\n"),
    ] {
        let body = chunk.replace("Globe", &format!("Glob{at}"));
        let request = format!("{}{lines}\r\n{body}{hidden}", wire.post());
        assert_eq!(wire.statuses(request).await, [201], "{lines:?}");
    }
}

#[tokio::test]
async fn chunks_that_are_none_are_refused() {
    let wire = Wire::new().await;
    let size = format!("{:x}", BODY.len());
    for body in [
        format!("{size}0000000000000000\r\n{BODY}\r\n0\r\n\r\n"),
        format!("-{size}\r\n{BODY}\r\n0\r\n\r\n"),
        format!("0x{size}\r\n{BODY}\r\n0\r\n\r\n"),
        format!("g\r\n{BODY}\r\n0\r\n\r\n"),
        // Bytes between the end of the data and that of the line.
        format!("{size}\r\n{BODY}XX\r\n0\r\n\r\n"),
        format!("\r\n{BODY}\r\n0\r\n\r\n"),
        format!("{size};{}\r\n{BODY}\r\n0\r\n\r\n", "x".repeat(100_000)),
    ] {
        let shown: String = body.chars().take(30).collect();
        let lines = "Transfer-Encoding: chunked\r\n\r\n";
        let request = format!("{}{lines}{body}", wire.post());
        assert_eq!(wire.statuses(request).await, [400], "{shown:?}");
    }
    assert_eq!(wire.stored().await, 0);
}

#[tokio::test]
async fn heads_that_can_be_read_in_two_ways_are_refused() {
    let wire = Wire::new().await;
    for lines in [
        // A folded header line.
        "X-Note: a\r\n X-Okapi-Module-Id: b\r\n",
        "X-Note: a\r\n\tb\r\n",
        // A carriage return without a line feed.
        "X-Note: a\rX-Okapi-Module-Id: b\r\n",
        "X-Note: a\0b\r\n",
        "X Note: a\r\n",
        "X-N\u{e9}te: a\r\n",
        ": a\r\n",
        "no colon\r\n",
    ] {
        let request = format!("{}{lines}\r\n", wire.get());
        assert_eq!(wire.statuses(request).await, [400], "{lines:?}");
    }
    for line in [
        "GET  /material-types HTTP/1.1",
        "GET /material types HTTP/1.1",
        "GET /material-types HTTP/1.1 x",
        "GET /material-types HTTP/9.9",
        "GET /material-types HTTP/1.2",
        "GET /material-types http/1.1",
        "GET /material-types",
        "/material-types HTTP/1.1",
        "GET\t/material-types HTTP/1.1",
        "G\0T /material-types HTTP/1.1",
    ] {
        let request = wire.get().replace("GET /material-types HTTP/1.1", line) + "\r\n";
        let statuses = wire.statuses(request).await;
        assert!(
            matches!(statuses[..], [] | [400] | [404]),
            "{line}: {statuses:?}"
        );
    }
    let old = wire.post().replace("HTTP/1.1", "HTTP/1.0");
    let request = format!("{old}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    assert_eq!(wire.statuses(request).await, [400]);
}

#[tokio::test]
async fn lines_that_end_without_carriage_return_are_lines() {
    let wire = Wire::new().await;
    // Allowed by the specification, as long as nothing is hidden behind such a line end.
    let request = wire.get().replace("\r\n", "\n") + "\n";
    assert_eq!(wire.statuses(request).await, [200]);
    let tenant = "X-Okapi-Tenant: diku\nX-Okapi-Tenant: other\r\n";
    let request = wire.get().replace("X-Okapi-Tenant: diku\r\n", tenant) + "\r\n";
    assert_eq!(wire.statuses(request).await, [400]);
}

#[tokio::test]
async fn who_asks_is_said_once() {
    let wire = Wire::new().await;
    let token = wire.client.token.clone().expect("a token");
    for (lines, says) in [
        (
            "X-Okapi-Tenant: other\r\n".to_owned(),
            "X-Okapi-Tenant is sent more than once",
        ),
        (
            "x-okapi-TENANT: diku2\r\n".to_owned(),
            "X-Okapi-Tenant is sent more than once",
        ),
        ("X-Okapi-Token: a.b.c\r\n".to_owned(), DIFFERENT),
        (
            format!("Authorization: Bearer {token}\r\nAuthorization: Bearer x\r\n"),
            DIFFERENT,
        ),
        ("Authorization: Bearer x\r\n".to_owned(), DIFFERENT),
    ] {
        let request = format!("{}{lines}\r\n", wire.get());
        let answers = exchange(wire.library.address, &request).await;
        assert_eq!(answers.len(), 1, "{lines}");
        assert_eq!(answers[0].status, 400, "{lines}");
        assert!(answers[0].body.starts_with(says), "{}", answers[0].body);
    }
    // The same value twice is one value.
    let request = format!("{}X-Okapi-Tenant: diku\r\n\r\n", wire.get());
    assert_eq!(wire.statuses(request).await, [200]);
    // A list of two is not a tenant id.
    let both = wire.get().replace("Tenant: diku", "Tenant: diku,other") + "\r\n";
    let refused = wire.statuses(both).await;
    assert!(matches!(refused[..], [400 | 403]), "{refused:?}");
}
