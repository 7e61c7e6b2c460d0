//! Replicas: their lag, and a server that goes down.

use octavo_postgres::testing::Primary;
use octavo_probes::{PostgresTarget, ProbeOptions};
use tokio_postgres::{Config, NoTls};

use crate::support::{names, noted, options, series, started, value_of};

fn target(config: Config) -> PostgresTarget {
    PostgresTarget::At(Box::new(config))
}

#[tokio::test]
async fn a_replica_that_lags_is_seen_from_both_sides() {
    let primary = Primary::start().await;
    let replica = primary.replica().await;
    let probes = started(ProbeOptions {
        postgres: vec![target(primary.config()), target(replica.config())],
        ..options()
    })
    .await;
    let (client, connection) = primary.config().connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
        .batch_execute("CREATE TABLE wide (a text)")
        .await
        .unwrap();
    let latest = probes.latest();
    let name = |measure: &str| {
        let mut found = latest.iter().filter(|one| one.measure == measure);
        found
            .find(|one| one.source.starts_with("replica "))
            .map(|one| one.source.clone())
    };
    let seen = name("replica-lag-bytes").expect("the primary tells of its replica");
    replica.pause().await;
    let insert = "INSERT INTO wide SELECT repeat('x', 1000) FROM generate_series(1, 5000)";
    client.batch_execute(insert).await.unwrap();
    value_of(&probes, &seen, "replica-lag-bytes", |megabytes| {
        megabytes > 2.0
    })
    .await;
    // It is sampled by a thread of its own, which may not have got there yet.
    let begun = std::time::Instant::now();
    let own = loop {
        let mut latest = probes.latest().into_iter();
        let own =
            latest.find(|one| one.measure == "replica-lag" && one.source.starts_with("postgres@"));
        match own {
            Some(own) => break own.source,
            None => assert!(
                begun.elapsed().as_secs() < 30,
                "the replica tells of itself"
            ),
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    value_of(&probes, &own, "replica-lag", |seconds| seconds > 0.3).await;
    replica.resume().await;
    value_of(&probes, &seen, "replica-lag-bytes", |megabytes| {
        megabytes < 0.1
    })
    .await;
    value_of(&probes, &own, "replica-lag", |seconds| seconds < 0.3).await;
    let probed = probes.finish().await;
    assert!(
        series(&probed, &seen, "replica-lag-bytes")
            .range()
            .unwrap()
            .2
            > 2.0
    );
    assert!(
        !names(&probed).contains(&format!("{own} wal")),
        "a replica writes no log"
    );
}

#[tokio::test]
async fn a_database_that_dies_is_reported_once_and_seen_again() {
    let primary = Primary::start().await;
    let mut replica = primary.replica().await;
    let probes = started(ProbeOptions {
        postgres: vec![target(replica.config())],
        ..options()
    })
    .await;
    value_of(&probes, "postgres", "connections", |_| true).await;
    replica.stop().await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    replica.start().await;
    let (client, connection) = replica.config().connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    value_of(&probes, "postgres", "connections", |count| count == 1.0).await;
    drop(client);
    value_of(&probes, "postgres", "connections", |count| count == 0.0).await;
    let probed = probes.finish().await;
    assert!(
        noted(&probed, &["postgres: seen again"]),
        "{:?}",
        probed.notes
    );
    let failures = probed
        .notes
        .iter()
        .filter(|note| note.starts_with("postgres: "))
        .count();
    assert!(failures <= 3, "{:?}", probed.notes);
}
