//! Load from anonymous clients: log-ins, bodies, files and mails in quantity. During each attack a
//! valid log-in succeeds and others' work is done.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use octavo_platform::Composition;
use octavo_testkit::{Client, Library, PASSWORD, USERNAME};
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::raw::rest;
use octavo_server_testkit::staff;
use octavo_server_testkit::{composition, library, start};

/// The longest that a valid request may wait during an attack; the machine may be busy.
const SOON: Duration = Duration::from_secs(20);

/// A valid log-in, and a write by a logged-in user.
async fn work_is_done(library: &Library, admin: &Client) {
    let working = async {
        let body = json!({"username": USERNAME, "password": PASSWORD});
        let _ = library
            .stranger()
            .post("/authn/login", &body)
            .await
            .expect(201);
        let body = json!({"name": Uuid::new_v4(), "source": "local"});
        let _ = admin.post("/material-types", &body).await.expect(201);
    };
    let done = tokio::time::timeout(SOON, working).await;
    assert!(done.is_ok(), "others are kept out");
}

/// A request with only a part of its body.
async fn part(address: SocketAddr, head: &str, length: usize, sent: usize) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let head = format!("{head}Content-Length: {length}\r\n\r\n");
    let mut bytes = head.into_bytes();
    bytes.resize(bytes.len() + sent, b' ');
    // It may be refused before it has all arrived.
    let _ = stream.write_all(&bytes).await;
    stream
}

const LOG_IN: &str = "POST /authn/login HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: diku\r\n\
                      Content-Type: application/json\r\n";

fn narrow() -> Composition {
    let mut composition = composition();
    composition.limits.bodies_bytes = 4_000_000;
    composition
}

#[tokio::test]
async fn large_bodies_of_log_ins_are_refused_at_their_heads() {
    let library = library().await;
    let admin = library.client().await;
    let mut held = Vec::new();
    for _ in 0..130 {
        held.push(part(library.address, LOG_IN, 9_900_000, 0).await);
    }
    work_is_done(&library, &admin).await;
    for stream in &mut held {
        let answer = String::from_utf8_lossy(&rest(stream).await).to_lowercase();
        assert!(answer.starts_with("http/1.1 413"), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
    }
}

#[tokio::test]
async fn small_bodies_of_log_ins_that_do_not_end_make_room() {
    let library = start(narrow).await;
    let admin = library.client().await;
    let mut held = Vec::new();
    // Together more than the budget.
    for _ in 0..80 {
        held.push(part(library.address, LOG_IN, 64_000, 60_000).await);
    }
    work_is_done(&library, &admin).await;
    work_is_done(&library, &admin).await;
}

#[tokio::test]
async fn bodies_of_one_user_make_room_for_anothers() {
    let library = start(narrow).await;
    let admin = library.client().await;
    let (clerk, _) = staff(&library, &admin, "clerk", &["notes.all"]).await;
    let head = format!(
        "POST /notes HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: diku\r\nX-Okapi-Token: {}\r\n\
         Content-Type: application/json\r\n",
        clerk.token.as_deref().expect("a token")
    );
    let mut held = Vec::new();
    for _ in 0..30 {
        held.push(part(library.address, &head, 300_000, 250_000).await);
    }
    let large = json!({"name": "x".repeat(600_000), "source": "local"});
    for _ in 0..3 {
        work_is_done(&library, &admin).await;
        let _ = admin.post("/material-types", &large).await.expect(422);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn log_ins_of_unknown_names_keep_nobody_out() {
    let library = library().await;
    let admin = library.client().await;
    let (over, answered) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let mut flood = JoinSet::new();
    for number in 0..600 {
        let (client, over) = (library.stranger(), Arc::clone(&over));
        let answered = Arc::clone(&answered);
        let body = json!({"username": format!("nobody-{number}"), "password": "wrong"});
        flood.spawn(async move {
            while !over.load(Ordering::Acquire) {
                let answer = client.post("/authn/login", &body).await;
                assert!([422, 503].contains(&answer.status), "{}", answer.text);
                answered.fetch_add(1, Ordering::AcqRel);
            }
        });
    }
    while answered.load(Ordering::Acquire) < 20 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for _ in 0..3 {
        work_is_done(&library, &admin).await;
    }
    over.store(true, Ordering::Release);
    while let Some(ended) = flood.join_next().await {
        ended.expect("no panic");
    }
}

/// Announces a file, and returns the path of its upload.
async fn announced(client: &Client) -> String {
    let body = json!({"fileName": "ids.csv", "uploadFormat": "csv", "size": 1});
    let definition = client.post("/data-export/file-definitions", &body).await;
    let definition = definition.expect(201).json();
    let id = definition["id"].as_str().expect("an id");
    format!("/data-export/file-definitions/{id}/upload")
}

#[tokio::test]
async fn files_that_drip_give_their_places_to_others() {
    let library = library().await;
    let admin = library.client().await;
    let has = [
        "data-export.file-definitions.item.post",
        "data-export.file-definitions.upload.post",
    ];
    let (clerk, _) = staff(&library, &admin, "clerk", &has).await;
    let mut held = Vec::new();
    for _ in 0..40 {
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: diku\r\nX-Okapi-Token: {}\r\n\
             Content-Type: application/octet-stream\r\n",
            announced(&clerk).await,
            clerk.token.as_deref().expect("a token")
        );
        held.push(part(library.address, &head, 1_000_000, 10).await);
    }
    let path = announced(&admin).await;
    let request = admin
        .request(Method::POST, &path)
        .header("content-type", "application/octet-stream")
        .body(Uuid::new_v4().to_string());
    let sent = tokio::time::timeout(SOON, admin.send(request)).await;
    let _ = sent.expect("it is taken").expect(200);
    work_is_done(&library, &admin).await;
    // At least one of the slow uploads was refused for it.
    let mut refusals = 0;
    for stream in &mut held {
        let mut begin = [0; 12];
        let reading = stream.read_exact(&mut begin);
        if let Ok(Ok(_)) = tokio::time::timeout(Duration::from_millis(20), reading).await {
            assert_eq!(&begin, b"HTTP/1.1 503");
            refusals += 1;
        }
    }
    assert!(refusals > 0, "nobody made room");
}

#[tokio::test]
async fn what_was_forgotten_is_not_mailed_without_end() {
    let library = library().await;
    let admin = library.client().await;
    let id = Uuid::new_v4();
    let body = json!({"id": id, "username": "ada", "active": true,
                      "personal": {"lastName": "Reader", "email": "ada@example.org",
                                   "preferredContactTypeId": "002"}});
    let _ = admin.post("/users", &body).await.expect(201);
    let stranger = library.stranger();
    let mut statuses = Vec::new();
    for number in 0..100 {
        let path = match number % 2 {
            0 => "/bl-users/forgotten/password",
            _ => "/bl-users/forgotten/username",
        };
        let answer = stranger.post(path, &json!({"id": "ada"})).await;
        statuses.push(answer.status);
    }
    // Callers do not learn that no mail is sent, until they exceed the rate limit.
    assert!(
        statuses[..20].iter().all(|status| *status == 204),
        "{statuses:?}"
    );
    assert_eq!(statuses[99], 429);
    let sql = "SELECT count(*) FROM tenant_diku.notify_data WHERE jsonb->>'recipientId' = $1";
    let database = &library.platform.store.database;
    let rows = database
        .query(sql, &[&id.to_string()])
        .await
        .expect("a number");
    let mails: i64 = rows[0].get(0);
    assert!((1..=3).contains(&mails), "{mails} mails");
    work_is_done(&library, &admin).await;
}

#[tokio::test]
async fn a_connection_ends_only_when_much_is_left_unread() {
    let library = library().await;
    let head = "POST /material-types HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: diku\r\n";
    let mut stream = part(library.address, head, 9_000_000, 100).await;
    let answer = String::from_utf8_lossy(&rest(&mut stream).await).to_lowercase();
    assert!(answer.starts_with("http/1.1 401"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
    // A short rest is read and dropped.
    let mut stream = part(library.address, head, 10, 10).await;
    let next = "GET /_/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream
        .write_all(next.as_bytes())
        .await
        .expect("it is taken");
    let answers = super::raw::answers(&rest(&mut stream).await);
    let statuses: Vec<u16> = answers.iter().map(|one| one.status).collect();
    assert_eq!(statuses, [401, 200]);
}
