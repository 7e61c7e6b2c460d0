//! Reads on a streaming replica: never older than what the user wrote, through either process, and
//! no error when the replica is paused, killed or stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use octavo_postgres::testing::{Primary, Replica};
use octavo_postgres::{Config, Database, DatabaseOptions};
use octavo_testkit::{Answer, Client, database_url};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::octavo::Octavo;
use crate::place::DataDir;
use crate::until;

/// Short records; their reads are not cached, so that each reads the database.
const TAGS: &str = "/tags";
const POSITION: &str = "x-octavo-position";

/// A library on a server with a replica, served by two processes that read on the replica.
struct Scene {
    primary: Primary,
    replica: Replica,
    first: Octavo,
    second: Octavo,
    client: Client,
    _directories: [DataDir; 2],
}

impl Scene {
    async fn set() -> Scene {
        let primary = Primary::start().await;
        let replica = primary.replica().await;
        let directories = [DataDir::new(), DataDir::new()];
        let first =
            Octavo::start(&arguments(&primary, &replica, &directories[0], &["--demo"])).await;
        let second = Octavo::start(&arguments(&primary, &replica, &directories[1], &[])).await;
        let client = first.client().await;
        let scene = Scene {
            primary,
            replica,
            first,
            second,
            client,
            _directories: directories,
        };
        for client in [scene.client.clone(), scene.elsewhere()] {
            up(&client).await;
        }
        scene
    }

    /// The same user at the other process.
    fn elsewhere(&self) -> Client {
        self.client.at(self.second.address())
    }
}

/// The strings of a command line, which live as long as the test does.
fn arguments(
    primary: &Primary,
    replica: &Replica,
    directory: &DataDir,
    further: &[&'static str],
) -> Vec<&'static str> {
    let keep = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let mut arguments = vec![
        "--database-url",
        keep(database_url(&primary.config())),
        "--reader-url",
        keep(database_url(&replica.config())),
        // Longer than a busy machine keeps a replica from replaying.
        "--reader-wait",
        "2s",
        "--data-dir",
        keep(directory.arg().to_owned()),
    ];
    arguments.extend(further);
    arguments
}

async fn status(client: &Client) -> Value {
    client.get("/_/readers").await.expect(200).json()
}

async fn up(client: &Client) {
    until("the reader is up", || async {
        status(client).await["readers"][0]["up"] == true
    })
    .await;
}

async fn reads(client: &Client) -> u64 {
    let status = status(client).await;
    status["readers"][0]["reads"].as_u64().expect("a number")
}

async fn add(client: &Client, name: &str) -> String {
    let body = json!({"label": name});
    let made = client.post(TAGS, &body).await.expect(201).json();
    made["id"].as_str().expect("an id").to_owned()
}

/// The server's own count of scans of its tables.
async fn scans(config: Config) -> i64 {
    let database = Database::connect(DatabaseOptions::new(config))
        .await
        .expect("a connection");
    let sql = "SELECT coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0)::int8 \
               FROM pg_stat_user_tables WHERE relname = 'tag'";
    database.query(sql, &[]).await.expect("counts")[0].get(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_go_to_the_replica_and_what_was_written_is_always_read() {
    let scene = Scene::set().await;
    let (client, elsewhere) = (&scene.client, scene.elsewhere());

    let (before, there) = (reads(client).await, scans(scene.replica.config()).await);
    let on_writer = status(client).await["readsOnWriter"].clone();
    for _ in 0..50 {
        let _ = client.get(TAGS).await.expect(200);
    }
    assert!(reads(client).await >= before + 50);
    until("the replica has counted them", || async {
        scans(scene.replica.config()).await >= there + 50
    })
    .await;
    assert_eq!(status(client).await["readsOnWriter"], on_writer);

    round_trips(client, &elsewhere, "while it replays").await;
    scene.replica.pause().await;
    let before = reads(client).await;
    round_trips(client, &elsewhere, "while it does not replay").await;
    let after = status(client).await;
    assert!(after["readsOnWriter"].as_u64() > Some(0), "{after}");
    assert!(
        after["readers"][0]["lagBytes"].as_u64() > Some(0),
        "{after}"
    );
    // While the replica is paused it served no read, not even those of its counters.
    assert_eq!(reads(client).await, before, "{after}");

    scene.replica.resume().await;
    until("the replica is read from again", || async {
        let _ = client.get(TAGS).await.expect(200);
        reads(client).await > before
    })
    .await;
    round_trips(client, &elsewhere, "when it replays again").await;
    assert!(!scene.first.output().contains("password="));
}

/// A response without the time in refusals of calendars.
fn timeless(text: &str) -> Value {
    let mut answer = serde_json::from_str(text).unwrap_or_else(|_| json!(text));
    if let Some(answer) = answer.as_object_mut() {
        let _ = answer.remove("timestamp");
    }
    answer
}

/// Writes, and reads the result at once: at the same process and at the other.
async fn round_trips(client: &Client, elsewhere: &Client, when: &str) {
    for number in 0..20 {
        let name = format!("type {number} {when}");
        let id = add(client, &name).await;
        let path = format!("{TAGS}/{id}");
        for reader in [elsewhere, client] {
            let found = reader.get(&path).await.expect(200).json();
            assert_eq!(found["label"], name);
            let query = format!("label==\"{name}\"");
            let found = reader.query(TAGS, &query).await.expect(200).json();
            assert_eq!(found["totalRecords"], 1, "{when}");
        }
        let renamed = json!({"id": id, "label": format!("{name}, renamed")});
        let _ = elsewhere.put(&path, &renamed).await.expect(204);
        for reader in [client, elsewhere] {
            let found = reader.get(&path).await.expect(200).json();
            assert_eq!(found["label"], renamed["label"]);
        }
        let _ = client.delete(&path).await.expect(204);
        for reader in [elsewhere, client] {
            let _ = reader.get(&path).await.expect(404);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_dies_under_load_costs_no_request_and_is_used_again() {
    let mut scene = Scene::set().await;
    let stop = Arc::new(AtomicBool::new(false));
    let answered = Arc::new(AtomicUsize::new(0));
    let mut clients = JoinSet::new();
    for number in 0..8 {
        let client = match number % 2 {
            0 => scene.client.clone(),
            _ => scene.elsewhere(),
        };
        let (stop, answered) = (Arc::clone(&stop), Arc::clone(&answered));
        clients.spawn(async move {
            while !stop.load(Ordering::SeqCst) {
                // One in four is a page of everything, which is streamed.
                let path = match number % 4 {
                    0 => "/tags?limit=5000",
                    _ => "/tags?limit=500",
                };
                let page = client.get(path).await.expect(200).json();
                assert!(page["totalRecords"].as_u64() > Some(0));
                answered.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    for _ in 0..3 {
        let before = reads(&scene.client).await;
        until("the replica is read from", || async {
            reads(&scene.client).await > before + 50
        })
        .await;
        scene.replica.kill();
        let answered_before = answered.load(Ordering::SeqCst);
        until("reads go on", || async {
            answered.load(Ordering::SeqCst) > answered_before + 100
        })
        .await;
        up(&scene.client).await;
    }
    // Away for longer: requests that ask for a position are answered by the writer.
    scene.replica.stop().await;
    until("it is seen to be away", || async {
        status(&scene.client).await["readers"][0]["up"] == false
    })
    .await;
    let shown = status(&scene.client).await;
    assert!(shown["readers"][0]["reason"].is_string(), "{shown}");
    let _ = scene.client.stranger_health().await;
    scene.replica.start().await;
    up(&scene.client).await;
    let before = reads(&scene.client).await;
    until("the replica is read from again", || async {
        reads(&scene.client).await > before + 50
    })
    .await;
    stop.store(true, Ordering::SeqCst);
    while let Some(ended) = clients.join_next().await {
        ended.expect("no client saw an error");
    }
}

/// Further requests that the tests make.
trait Ask {
    async fn stranger_health(&self) -> Answer;
    async fn from(&self, path: &str, position: &str) -> Answer;
}

impl Ask for Client {
    async fn stranger_health(&self) -> Answer {
        self.with_token(None).get("/admin/health").await.expect(200)
    }

    /// GET with a position.
    async fn from(&self, path: &str, position: &str) -> Answer {
        let request = self.request(Method::GET, path).header(POSITION, position);
        self.send(request.timeout(Duration::from_secs(20))).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_carries_its_position_sees_what_is_before_it() {
    let scene = Scene::set().await;
    let (client, elsewhere) = (&scene.client, scene.elsewhere());
    assert!(
        client
            .get(TAGS)
            .await
            .expect(200)
            .header(POSITION)
            .is_none()
    );

    let seen = client.from(TAGS, "").await.expect(200);
    let seen = seen.header(POSITION).expect("a position").to_owned();
    scene.replica.pause().await;
    let body = json!({"label": "a new one"});
    let request = client.request(Method::POST, TAGS).json(&body);
    let made = client
        .send(request.header(POSITION, &seen))
        .await
        .expect(201);
    let wrote = made.header(POSITION).expect("a position").to_owned();
    let id = made.json()["id"].as_str().expect("an id").to_owned();
    let path = format!("{TAGS}/{id}");

    // With the position it had seen it may read on the replica, which has no more than that.
    let _ = elsewhere.from(&path, &seen).await.expect(404);
    // With the position of its write, or without one, it has to see the write.
    let found = elsewhere.from(&path, &wrote).await.expect(200);
    assert_ne!(found.header(POSITION), Some(seen.as_str()));
    let _ = elsewhere.get(&path).await.expect(200);
    for absurd in [
        "1:FFFFFFFF/FFFFFFFF",
        "4294967295:FFFFFFFF/FFFFFFFF",
        "9:0/0",
        "unknown",
        "1:",
        "'; DROP TABLE",
    ] {
        let _ = elsewhere.from(&path, absurd).await.expect(200);
        let _ = client.from(&path, absurd).await.expect(200);
    }
    let _ = client.get(&path).await.expect(200);
}

/// Reads about the process itself, and about what the database counts meanwhile.
const OWN: &str = "/_/octavo/";
/// Reads that draw the next number of a sequence.
const DRAWN: [&str; 5] = [
    "/invoice/invoice-number",
    "/orders/po-number",
    "/orders-storage/po-number",
    "/invoice-storage/invoice-number",
    "/voucher-storage/voucher-number",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_read_is_answered_by_a_replica_as_by_the_writer() {
    let scene = Scene::set().await;
    let directory = DataDir::new();
    let url = database_url(&scene.primary.config());
    let alone = Octavo::start(&["--database-url", &url, "--data-dir", directory.arg()]).await;
    let plain = scene.client.at(alone.address());
    let none = status(&plain).await;
    assert_eq!(none["readers"], json!([]));
    assert!(
        plain
            .from(TAGS, "")
            .await
            .expect(200)
            .header(POSITION)
            .is_none()
    );

    let of = |status: &Value, name: &str| status["readers"][0][name].as_u64();
    let before = status(&scene.client).await;
    let mut repeated = of(&before, "readsRepeatedOnWriter");
    let (mut compared, mut needs_writer) = (0, Vec::new());
    for pattern in octavo_host::compose::modules()
        .iter()
        .flat_map(|module| &module.interfaces)
        .flat_map(|interface| &interface.routes)
        .filter(|route| route.method == Method::GET)
        // These are of the called process, whatever it reads from.
        .filter(|route| !route.pattern.starts_with(OWN))
        // FOLIO refuses pictures with status 500, and reads that fail so are repeated on the
        // writer.
        .filter(|route| !route.pattern.starts_with("/users/profile-picture"))
        // These draw a number, another each time.
        .filter(|route| !DRAWN.contains(&route.pattern))
        .map(|route| route.pattern)
    {
        let path = filled(pattern);
        let here = plain.get(&path).await;
        let there = scene.client.get(&path).await;
        assert_eq!(
            (here.status, timeless(&here.text)),
            (there.status, timeless(&there.text)),
            "{path}"
        );
        compared += 1;
        let now = of(&status(&scene.client).await, "readsRepeatedOnWriter");
        if now != repeated {
            repeated = now;
            needs_writer.push(format!("{path}: {}", here.status));
        }
    }
    let after = status(&scene.client).await;
    assert!(compared > 100, "{compared}");
    assert!(of(&after, "reads") >= of(&before, "reads").map(|reads| reads + compared));
    // None of them had to be repeated: no read needs the writer.
    assert!(needs_writer.is_empty(), "{needs_writer:#?}");
}

/// A pattern with an unused id in each variable segment.
fn filled(pattern: &str) -> String {
    let segment = |segment: &str| match segment.starts_with('{') {
        true => "5d1ee3d2-9f0b-4e0d-8ae7-7b3f2b7c0c11".to_owned(),
        false => segment.to_owned(),
    };
    pattern
        .split('/')
        .map(segment)
        .collect::<Vec<_>>()
        .join("/")
}
