//! Bodies that are not records: each gets its error, and the server keeps working.

use octavo_testkit::{Answer, Client, Library};
use reqwest::Method;
use serde_json::{Value, json};

use octavo_server_testkit::library;

const TYPES: &str = "/material-types";
const USERS: &str = "/users";

struct Desk {
    library: Library,
    client: Client,
}

impl Desk {
    async fn new() -> Desk {
        let library = library().await;
        let client = library.client().await;
        Desk { library, client }
    }

    /// Posts bytes and expects a refusal; the server is sound afterwards.
    async fn post(&self, path: &str, body: impl Into<reqwest::Body>, status: u16) -> Answer {
        let request = self.client.request(Method::POST, path).body(body);
        let answer = self.client.send(request).await.expect(status);
        self.is_sound().await;
        answer
    }

    /// Asserts that requests are answered, and no connection is lost or waited for.
    async fn is_sound(&self) {
        let _ = self.client.get(TYPES).await.expect(200);
        let status = self.library.platform.store.database.status();
        assert_eq!(status.lanes_up, status.lanes);
        assert_eq!(status.pool_waiting, 0);
    }
}

/// A text of this many bytes that is not easily compressed.
fn long_text(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 16);
    let mut number: u64 = 1;
    while text.len() < bytes {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        text.push_str(&format!("{number:016x}"));
    }
    text.truncate(bytes);
    text
}

/// The property and message of the first error.
fn first(answer: &Answer) -> (String, String) {
    let body = answer.json();
    let error = &body["errors"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (
        text(&error["parameters"][0]["key"]),
        text(&error["message"]),
    )
}

#[tokio::test]
async fn what_is_no_json_is_refused_with_its_position() {
    let desk = Desk::new().await;
    let utf16: Vec<u8> = "{\"name\": \"x\"}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"   ".to_vec(),
        b"{\"name\": ".to_vec(),
        b"{\"name\": \"\\ud800\"}".to_vec(),
        b"{\"name\": \"\\udc00\\ud800\"}".to_vec(),
        b"{\"name\": \"a\x00b\"}".to_vec(),
        b"{\"name\": \"\xff\xfe\"}".to_vec(),
        b"\xef\xbb\xbf{\"name\": \"x\"}".to_vec(),
        b"{\"name\": 1e400}".to_vec(),
        format!("{{\"name\": {}}}", "9".repeat(400)).into_bytes(),
        b"{\"name\": 0x10}".to_vec(),
        b"{'name': 'x'}".to_vec(),
        "[".repeat(10_000).into_bytes(),
        format!(
            "{{\"name\": {}1{}}}",
            "[".repeat(10_000),
            "]".repeat(10_000)
        )
        .into_bytes(),
        "{\"a\":".repeat(10_000).into_bytes(),
        utf16,
    ];
    for body in bodies {
        let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        let answer = desk.post(TYPES, body, 400).await;
        assert!(answer.text.contains("line 1"), "{shown}: {}", answer.text);
    }
}

#[tokio::test]
async fn what_is_no_record_is_refused_with_its_property() {
    let desk = Desk::new().await;
    for (path, body, property) in [
        (TYPES, r#"{"name": "a\u0000b"}"#.to_owned(), "name"),
        (TYPES, r#"{"name": "x", "id": "7"}"#.to_owned(), "id"),
        (
            TYPES,
            r#"{"name": "x", "id": "0b1174168dcf45a1be9affaa847c4423"}"#.to_owned(),
            "id",
        ),
        (TYPES, format!("{{\"{}\": 1}}", "k".repeat(1_000_000)), "k"),
        (
            USERS,
            r#"{"patronGroup": "staff"}"#.to_owned(),
            "patronGroup",
        ),
        (
            USERS,
            r#"{"personal": {"lastName": "x", "addresses": [{"city": "a\u0000"}]}}"#.to_owned(),
            "personal.addresses.0.city",
        ),
        (
            USERS,
            r#"{"customFields": {"a\u0000": 1}}"#.to_owned(),
            "customFields.a\u{fffd}",
        ),
    ] {
        let shown: String = body.chars().take(60).collect();
        let answer = desk.post(path, body, 422).await;
        assert!(answer.text.len() < 5_000, "{shown}: {}", answer.text.len());
        let (key, message) = first(&answer);
        if property == "k" {
            assert!(message.starts_with("Unrecognized field \"kkk"), "{message}");
            assert_eq!(key, "");
        } else {
            assert_eq!(key, property, "{shown}: {message}");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_in_plain_text() {
    let desk = Desk::new().await;
    for (path, body, place) in [
        (TYPES, "[]", "(at the record)"),
        (TYPES, "\"text\"", "(at the record)"),
        (TYPES, "null", "(at the record)"),
        (TYPES, "7", "(at the record)"),
        (TYPES, r#"{"name": {"x": 1}, "colour": 1}"#, "(at name)"),
        (
            USERS,
            r#"{"enrollmentDate": "2026-02-30"}"#,
            "(at enrollmentDate)",
        ),
        (
            USERS,
            r#"{"enrollmentDate": "99999-01-01T00:00:00Z"}"#,
            "(at enrollmentDate)",
        ),
        (USERS, r#"{"active": "perhaps"}"#, "(at active)"),
        (
            USERS,
            r#"{"personal": {"lastName": "x", "addresses": [{"primaryAddress": []}]}}"#,
            "(at personal.addresses[0].primaryAddress)",
        ),
    ] {
        let answer = desk.post(path, body, 400).await;
        assert!(
            answer.text.starts_with("Cannot deserialize value of type"),
            "{body}"
        );
        assert!(answer.text.ends_with(place), "{body}: {}", answer.text);
        assert_eq!(answer.header("content-type"), Some("text/plain"));
    }
}

#[tokio::test]
async fn all_that_is_wrong_is_said_at_once() {
    let desk = Desk::new().await;
    let body = json!({"id": "7", "patronGroup": "x", "personal": {"firstName": "Ada"}});
    let answer = desk.post(USERS, body.to_string(), 422).await.json();
    assert_eq!(answer["errors"].as_array().map(Vec::len), Some(3));
    // FOLIO's library counts them nowhere.
    assert!(answer.get("total_records").is_none());
}

#[tokio::test]
async fn the_last_of_two_properties_of_one_name_counts() {
    let desk = Desk::new().await;
    let body = r#"{"name": "first", "source": "local", "name": "last"}"#;
    let request = desk.client.request(Method::POST, TYPES).body(body);
    let stored = desk.client.send(request).await.expect(201).json();
    assert_eq!(stored["name"], "last");
}

#[tokio::test]
async fn large_bodies_are_taken_up_to_the_limit() {
    let desk = Desk::new().await;
    let limit = desk.library.platform.gateway.admission.limits.body_bytes;
    let frame = r#"{"name": "", "source": "local"}"#;
    // A property too long for its index, in the largest body allowed.
    let name = long_text(limit - frame.len());
    let body = format!(r#"{{"name": "{name}", "source": "local"}}"#);
    assert_eq!(body.len(), limit);
    let answer = desk.post(TYPES, body, 422).await;
    assert_eq!(first(&answer).0, "name");
    let answer = desk.post(TYPES, " ".repeat(limit + 1), 413).await;
    assert!(
        answer.text.contains("larger than the limit"),
        "{}",
        answer.text
    );
}

#[tokio::test]
async fn a_value_too_long_for_its_index_is_named() {
    let desk = Desk::new().await;
    let barcode = long_text(100_000);
    let body = json!({"username": "long", "barcode": barcode});
    let (key, message) = first(&desk.post(USERS, body.to_string(), 422).await);
    assert_eq!(key, "barcode");
    assert!(message.contains("too long"), "{message}");
}

#[tokio::test]
async fn the_content_type_is_that_of_json_or_none() {
    let desk = Desk::new().await;
    for (sent, status) in [
        ("text/plain", 400),
        ("application/xml", 400),
        ("application/json; charset=utf-8", 201),
    ] {
        let request = desk
            .client
            .request(Method::POST, TYPES)
            .header("content-type", sent)
            .body(r#"{"name": "Globe", "source": "local"}"#);
        let answer = desk.client.send(request).await.expect(status);
        if status == 400 {
            assert_eq!(
                answer.text,
                format!("Content-type header must be [\"application/json\"] but it is \"{sent}\"")
            );
        }
    }
}

#[tokio::test]
async fn characters_that_no_text_has_are_refused_everywhere() {
    let desk = Desk::new().await;
    for (path, body) in [
        (
            "/circulation/check-out-by-barcode",
            r#"{"itemBarcode": "a\u0000", "userBarcode": "b", "servicePointId": "c"}"#,
        ),
        (
            "/authn/login",
            r#"{"username": "a\u0000", "password": "b"}"#,
        ),
        (
            "/item-storage/batch/synchronous",
            r#"{"items": [{"barcode": "a\u0000"}]}"#,
        ),
    ] {
        let _ = desk.post(path, body, 422).await;
    }
    for path in [
        "/users?query=username==%22a%00b%22",
        "/users?query=%FF",
        "/users?limit=%00",
    ] {
        let _ = desk.client.get(path).await.expect(400);
        desk.is_sound().await;
    }
}
