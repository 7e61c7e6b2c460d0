//! The cache of responses to reads of settings: two processes, changes by requests,
//! by functions of areas and by SQL, and a listening connection that is lost.

use std::time::{Duration, Instant};

use octavo_server_testkit::{composition, library};
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

const TYPES: &str = "/material-types";
/// The longest wait for a notification.
const PATIENCE: Duration = Duration::from_secs(20);

async fn sql(library: &Library, sql: &str) {
    let database = &library.platform.store.database;
    let changed = database.execute(sql, &[]).await;
    let _ = changed.expect("a statement");
}

async fn names(client: &Client) -> Vec<String> {
    let list = client.query(TYPES, "cql.allRecords=1 sortBy name").await;
    let list = list.expect(200).json();
    let types = list["mtypes"].as_array().expect("types").iter();
    types
        .map(|one| one["name"].as_str().expect("a name").to_owned())
        .collect()
}

async fn made(client: &Client, name: &str) -> Value {
    let body = json!({"id": Uuid::new_v4(), "name": name, "source": "local"});
    client.post(TYPES, &body).await.expect(201).json()
}

/// Rewrites one record without anybody's notice; what the servers answer tells whether they ask
/// the database.
async fn rename_unnoticed(library: &Library, from: &str, to: &str) {
    for statement in [
        "ALTER TABLE tenant_diku.material_type DISABLE TRIGGER USER".to_owned(),
        format!(
            "UPDATE tenant_diku.material_type \
             SET jsonb = jsonb_set(jsonb, '{{name}}', '\"{to}\"') WHERE jsonb->>'name' = '{from}'"
        ),
        "ALTER TABLE tenant_diku.material_type ENABLE TRIGGER USER".to_owned(),
    ] {
        sql(library, &statement).await;
    }
}

#[tokio::test]
async fn a_second_read_comes_from_the_cache() {
    let library = library().await;
    let client = library.client().await;
    let map = made(&client, "zz map").await;
    let id = map["id"].as_str().expect("an id");
    let path = format!("{TYPES}/{id}");
    let first = client.get(&path).await.expect(200);
    assert!(names(&client).await.contains(&"zz map".to_owned()));
    rename_unnoticed(&library, "zz map", "zz chart").await;
    assert!(names(&client).await.contains(&"zz map".to_owned()));
    assert_eq!(client.get(&path).await.expect(200).text, first.text);
    // Another question reads the database.
    let other = client.query(TYPES, "name==\"zz chart\"").await.expect(200);
    assert_eq!(other.json()["totalRecords"], json!(1));
    // Whether users are in a group is not said by the groups' own table.
    let crossing = "users.username==diku_admin";
    let found = client.query("/groups", crossing).await.expect(200);
    assert_eq!(found.json()["totalRecords"], json!(0));
    sql(
        &library,
        "UPDATE tenant_diku.users SET jsonb = jsonb || jsonb_build_object('patronGroup', \
         (SELECT id FROM tenant_diku.groups LIMIT 1)) WHERE jsonb->>'username' = 'diku_admin'",
    )
    .await;
    let found = client.query("/groups", crossing).await.expect(200);
    assert_eq!(found.json()["totalRecords"], json!(1));
    // Permissions are looked at all the same.
    let _ = library.stranger().get(TYPES).await.expect(401);
}

#[tokio::test]
async fn whoever_reads_after_a_write_sees_it_at_every_process() {
    let library = library().await;
    let neighbour = library.beside(composition).await;
    let here = library.client().await;
    let there = here.at(neighbour.address);
    for number in 0..12 {
        let (writer, reader) = match number % 2 {
            0 => (&here, &there),
            _ => (&there, &here),
        };
        let name = format!("zz {number}");
        let before = names(reader).await;
        let mut document = made(writer, &name).await;
        let path = format!("{TYPES}/{}", document["id"].as_str().expect("an id"));
        let after = names(reader).await;
        assert_eq!(after.len(), before.len() + 1);
        let _ = reader.get(&path).await.expect(200);
        document["name"] = json!(format!("zzz {number}"));
        let _ = writer.put(&path, &document).await.expect(204);
        assert!(names(reader).await.contains(&format!("zzz {number}")));
        let read = reader.get(&path).await.expect(200).json();
        assert_eq!(read["name"], document["name"]);
        // Deleting has a rule of its own, by a function of the area.
        let _ = writer.delete(&path).await.expect(204);
        assert_eq!(names(reader).await, before);
        let _ = reader.get(&path).await.expect(404);
    }
}

/// Readers ask without a pause while writers write: nobody is answered by a state from before a
/// write that had been acknowledged.
#[tokio::test]
async fn no_answer_is_older_than_an_acknowledged_write() {
    let library = library().await;
    let neighbour = library.beside(composition).await;
    let here = library.client().await;
    let there = here.at(neighbour.address);
    let mut document = made(&here, "zz 0").await;
    let path = format!("{TYPES}/{}", document["id"].as_str().expect("an id"));
    let acknowledged = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let mut reading = JoinSet::new();
    for client in [here.clone(), there.clone(), here.clone(), there.clone()] {
        let (path, acknowledged) = (path.clone(), std::sync::Arc::clone(&acknowledged));
        reading.spawn(async move {
            let mut reads = 0_u64;
            loop {
                let least = acknowledged.load(std::sync::atomic::Ordering::SeqCst);
                let read = client.get(&path).await.expect(200).json();
                let name = read["name"].as_str().expect("a name").to_owned();
                let seen: u64 = name["zz ".len()..].parse().expect("a number");
                assert!(seen >= least, "{seen} after {least}");
                reads += 1;
                if least == 60 {
                    return reads;
                }
            }
        });
    }
    for number in 1..=60_u64 {
        document["name"] = json!(format!("zz {number}"));
        let writer = if number % 2 == 0 { &here } else { &there };
        let _ = writer.put(&path, &document).await.expect(204);
        acknowledged.store(number, std::sync::atomic::Ordering::SeqCst);
    }
    let reads: u64 = reading.join_all().await.into_iter().sum();
    assert!(reads > 60, "{reads}");
}

#[tokio::test]
async fn what_is_changed_by_sql_is_seen_when_it_is_announced() {
    let library = library().await;
    let client = library.client().await;
    let _ = made(&client, "zz map").await;
    let before = names(&client).await;
    sql(
        &library,
        "DELETE FROM tenant_diku.material_type WHERE jsonb->>'name' = 'zz map'",
    )
    .await;
    let started = Instant::now();
    while names(&client).await.len() != before.len() - 1 {
        assert!(started.elapsed() < PATIENCE, "the change is not seen");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_process_that_lost_its_listening_connection_invalidates_its_cache() {
    let library = library().await;
    let client = library.client().await;
    let _ = made(&client, "zz map").await;
    assert!(names(&client).await.contains(&"zz map".to_owned()));
    rename_unnoticed(&library, "zz map", "zz chart").await;
    assert!(names(&client).await.contains(&"zz map".to_owned()));
    sql(
        &library,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND application_name LIKE 'octavo %'",
    )
    .await;
    let started = Instant::now();
    while !names(&client).await.contains(&"zz chart".to_owned()) {
        assert!(started.elapsed() < PATIENCE, "the old response is served");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
