//! A real PostgreSQL beside a load of known statements.

use std::time::Duration;

use octavo_figures::run::Probed;
use octavo_postgres::testing::{Primary, TestCluster, TestDatabase};
use octavo_probes::{PostgresTarget, ProbeOptions, ProcessTarget};
use tokio_postgres::{Client, Config, NoTls};

use crate::support::{line, noted, options, series, started, value_of};

async fn connect(config: &Config) -> Client {
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

fn probing(config: Config) -> ProbeOptions {
    ProbeOptions {
        postgres: vec![PostgresTarget::At(Box::new(config))],
        ..options()
    }
}

async fn database() -> TestDatabase {
    TestCluster::shared().create_database().await
}

fn about<'a>(probed: &'a Probed, text: &str) -> &'a octavo_figures::run::Statement {
    let mut found = probed
        .statements
        .iter()
        .filter(|one| one.query.contains(text));
    let first = found
        .next()
        .unwrap_or_else(|| panic!("no {text}: {:?}", probed.statements));
    assert!(found.next().is_none(), "{text} twice");
    first
}

#[tokio::test]
async fn statements_of_the_interval_are_counted_exactly() {
    let server = Primary::start().await;
    let client = connect(&server.config()).await;
    let setup = "CREATE TABLE probed (a int); SELECT count(*) FROM probed;";
    client.batch_execute(setup).await.unwrap();
    let slow = "SELECT pg_sleep($1::float8)";
    client.execute(slow, &[&0.001]).await.unwrap();
    let probes = started(probing(server.config())).await;
    for _ in 0..20 {
        client.execute(slow, &[&0.02]).await.unwrap();
    }
    let insert = "INSERT INTO probed SELECT generate_series(1, $1::int)";
    for _ in 0..7 {
        client.execute(insert, &[&1000]).await.unwrap();
    }
    client
        .batch_execute("ALTER ROLE CURRENT_USER PASSWORD 'secret'")
        .await
        .unwrap();
    let probed = probes.finish().await;
    let top = &probed.statements[0];
    assert!(top.query.contains("pg_sleep"), "{:?}", probed.statements);
    assert_eq!(top.calls, 20);
    assert!((400.0..2_000.0).contains(&top.total_ms), "{top:?}");
    assert!((top.average_ms - top.total_ms / 20.0).abs() < 1e-6);
    assert_eq!(top.rows, 1.0);
    let share = 100.0 * top.total_ms / probed.statements_total_ms;
    assert!((top.share - share).abs() < 1e-6 && share > 50.0, "{top:?}");
    let inserted = about(&probed, "INSERT INTO probed");
    assert_eq!((inserted.calls, inserted.rows), (7, 1000.0));
    assert!(inserted.hits > 7_000, "{inserted:?}");
    let all = format!("{probed:?}");
    assert!(!all.contains("octavo-probe"), "{all}");
    assert!(!all.contains("secret"), "{all}");
    assert!(probed.notes.is_empty(), "{:?}", probed.notes);
}

#[tokio::test]
async fn the_server_is_described_and_its_load_is_seen() {
    let server = Primary::start().await;
    let client = connect(&server.config()).await;
    let table = "CREATE TABLE grown (a int, b text); CREATE INDEX ON grown (b); \
                 INSERT INTO grown SELECT n, n FROM generate_series(1, 100) n;";
    client.batch_execute(table).await.unwrap();
    // Sessions publish statistics when they are idle, or at their end.
    drop(client);
    let client = connect(&server.config()).await;
    until_counted(&client, 100).await;
    let probes = started(probing(server.config())).await;
    let insert = "INSERT INTO grown SELECT n, n FROM generate_series(1, 20000) n";
    client.batch_execute(insert).await.unwrap();
    client
        .batch_execute("SELECT pg_stat_force_next_flush()")
        .await
        .unwrap();
    drop(client);
    value_of(&probes, "postgres", "connections", |count| count == 0.0).await;
    let client = connect(&server.config()).await;
    until_counted(&client, 20_100).await;
    value_of(&probes, "postgres", "connections", |count| count == 1.0).await;
    value_of(&probes, "postgres", "memory", |megabytes| megabytes > 5.0).await;
    let probed = probes.finish().await;
    let grown = probed
        .growth
        .iter()
        .find(|one| one.table == "public.grown")
        .unwrap();
    assert_eq!((grown.rows_before, grown.rows_after), (100, 20_100));
    assert!(grown.bytes_before > 0 && grown.bytes_after > grown.bytes_before + 1_000_000);
    let (_, _, wal) = series(&probed, "postgres", "wal").range().unwrap();
    assert!(wal > 1.0, "{wal} MB/s");
    let (least, _, most) = series(&probed, "postgres", "cache-hits").range().unwrap();
    assert!((0.0..=100.0).contains(&least) && most <= 100.0);
    assert!(
        series(&probed, "postgres", "transactions")
            .range()
            .unwrap()
            .2
            > 0.0
    );
    let version = line(&probed, "postgres version").unwrap();
    assert!(version.starts_with("PostgreSQL 1"), "{version}");
    assert_eq!(line(&probed, "postgres shared_buffers"), Some("64MB"));
    assert_eq!(line(&probed, "postgres fsync"), Some("off"));
    assert_eq!(line(&probed, "postgres max_connections"), Some("200"));
    assert!(probed.notes.is_empty(), "{:?}", probed.notes);
}

/// Waits until PostgreSQL's own statistics have so many rows.
async fn until_counted(client: &Client, rows: i64) {
    let sql =
        "SELECT count(*) FROM pg_stat_user_tables WHERE relname = 'grown' AND n_live_tup = $1";
    for _ in 0..3_000 {
        if client
            .query_one(sql, &[&rows])
            .await
            .unwrap()
            .get::<_, i64>(0)
            == 1
        {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the statistics never say {rows} rows");
}

#[tokio::test]
async fn the_processor_time_of_all_its_processes_is_counted() {
    let server = Primary::start().await;
    let probes = started(ProbeOptions {
        processes: vec![ProcessTarget::Postgres],
        ..probing(server.config())
    })
    .await;
    value_of(&probes, "postgres", "cpu", |_| true).await;
    let before = std::time::Instant::now();
    // Each in a process that is gone at the next sample or the one after.
    let mut busy_ms = 0.0;
    for _ in 0..10 {
        let client = connect(&server.config()).await;
        let sql = "SELECT count(*) FROM generate_series(1, 1000000)";
        let began = std::time::Instant::now();
        client.execute(sql, &[]).await.unwrap();
        busy_ms += began.elapsed().as_secs_f64() * 1e3;
    }
    let elapsed = before.elapsed();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let probed = probes.finish().await;
    let points = &series(&probed, "postgres", "cpu").points;
    let used_s: f64 = points
        .windows(2)
        .map(|pair| pair[1].1 / 100.0 * (pair[1].0 - pair[0].0))
        .sum();
    assert!(used_s > 0.1, "{used_s} s of {busy_ms} ms");
    // No more than there was time for, on all processors.
    let processors = std::thread::available_parallelism().unwrap().get() as f64;
    let most = (elapsed.as_secs_f64() + 2.0) * processors;
    assert!(used_s < most, "{used_s} s in {elapsed:?}");
    assert!(
        line(&probed, "process postgres")
            .unwrap()
            .contains("processes")
    );
}

#[tokio::test]
async fn waiting_for_a_lock_is_seen() {
    let database = database().await;
    let client = connect(&database.config()).await;
    for sql in ["CREATE TABLE locked ()", "BEGIN", "LOCK locked"] {
        client.batch_execute(sql).await.unwrap();
    }
    let probes = started(probing(database.config())).await;
    let other = connect(&database.config()).await;
    let waiting = tokio::spawn(async move { other.batch_execute("TABLE locked").await });
    value_of(&probes, "postgres", "locks-waiting", |count| count >= 1.0).await;
    value_of(&probes, "postgres", "idle-in-transaction", |count| {
        count >= 1.0
    })
    .await;
    client.batch_execute("COMMIT").await.unwrap();
    waiting.await.unwrap().unwrap();
    value_of(&probes, "postgres", "locks-waiting", |count| count == 0.0).await;
    let probed = probes.finish().await;
    let lacking = ["no statements", "CREATE EXTENSION pg_stat_statements"];
    assert!(noted(&probed, &lacking), "{:?}", probed.notes);
    assert_eq!(probed.notes.len(), 1, "{:?}", probed.notes);
}

#[tokio::test]
async fn the_extension_is_made_where_that_is_allowed() {
    let database = database().await;
    let client = connect(&database.superuser_config()).await;
    let probes = started(ProbeOptions {
        create_extension: true,
        ..probing(database.superuser_config())
    })
    .await;
    for _ in 0..3 {
        client
            .execute("SELECT 4711 AS only_here", &[])
            .await
            .unwrap();
    }
    let probed = probes.finish().await;
    assert!(probed.notes.is_empty(), "{:?}", probed.notes);
    assert!(probed.statements_total_ms > 0.0);
    let count = "SELECT count(*) FROM pg_extension WHERE extname = 'pg_stat_statements'";
    assert_eq!(
        client.query_one(count, &[]).await.unwrap().get::<_, i64>(0),
        1
    );
}

#[tokio::test]
async fn a_server_that_loads_no_statistics_is_reported_with_the_remedy() {
    let server = Primary::start_with("shared_preload_libraries = ''").await;
    let probed = started(probing(server.config())).await.finish().await;
    let words = ["shared_preload_libraries = 'pg_stat_statements'", "restart"];
    assert!(noted(&probed, &words), "{:?}", probed.notes);
    assert!(line(&probed, "postgres version").is_some());
}

#[tokio::test]
async fn a_role_that_may_not_see_others_is_reported_and_sees_the_rest() {
    let database = database().await;
    let client = connect(&database.superuser_config()).await;
    let role = format!("probe_{}", uuid::Uuid::new_v4().simple());
    client
        .batch_execute(&format!("CREATE ROLE {role} LOGIN"))
        .await
        .unwrap();
    let mut config = database.config();
    config.user(&role);
    let probes = started(probing(config)).await;
    value_of(&probes, "postgres", "connections", |count| count >= 1.0).await;
    let probed = probes.finish().await;
    assert!(noted(&probed, &["GRANT pg_monitor"]), "{:?}", probed.notes);
    client
        .batch_execute(&format!("DROP ROLE {role}"))
        .await
        .unwrap();
}

#[tokio::test]
async fn what_cannot_be_reached_is_reported_without_credentials() {
    let database = database().await;
    let mut no_database = database.config();
    no_database.dbname("never-there").password("secret");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = closed.local_addr().unwrap().port();
    drop(closed);
    let url = |text: String| text.parse::<PostgresTarget>().unwrap();
    let probes = started(ProbeOptions {
        postgres: vec![
            PostgresTarget::At(Box::new(no_database)),
            url(format!("postgres://user-x:secret@127.0.0.1:{nobody}/x")),
            url(format!(
                "postgres://user-x:secret@127.0.0.1:{nobody}/x?sslmode=require"
            )),
            PostgresTarget::OfServer,
        ],
        ..options()
    })
    .await;
    let probed = probes.finish().await;
    for words in [
        ["never-there", "does not exist"],
        ["postgres@127.0.0.1", "is PostgreSQL running there"],
        ["postgres@server", "no address of the server"],
    ] {
        assert!(noted(&probed, &words), "{words:?} in {:?}", probed.notes);
    }
    let all = format!("{probed:?}");
    assert!(!all.contains("secret") && !all.contains("user-x"), "{all}");
}

#[tokio::test]
async fn the_servers_own_database_is_found_by_its_port() {
    // The embedded PostgreSQL of the tests is a child of this process, as octavo's is of octavo.
    let database = database().await;
    let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("http://{}", socket.local_addr().unwrap());
    let probes = started(ProbeOptions {
        target: Some(target),
        postgres: vec![PostgresTarget::OfServer],
        ..options()
    })
    .await;
    value_of(&probes, "postgres", "connections", |_| true).await;
    value_of(&probes, "postgres", "cpu", |_| true).await;
    let probed = probes.finish().await;
    assert!(
        line(&probed, "postgres version").is_some(),
        "{:?}",
        probed.notes
    );
    drop(database);
}
