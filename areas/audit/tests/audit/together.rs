//! Two processes, the job, and transactions that commit in another order than they began: each event is in a history
//! once.

use octavo_server_testkit::stock::Stock;
use octavo_server_testkit::{composition, library, until};
use serde_json::json;
use uuid::Uuid;

use super::{change, changes, number, run, timer};

const LOOK: &str = "/audit-data/history/timer";
const COUNT: &str = "SELECT count(*) AS number FROM {schema}.audit_inventory";
const JOBS: &str = "SELECT count(*) AS number FROM {schema}.octavo_job WHERE queue = 'history'";

#[tokio::test]
async fn two_processes_add_each_event_once() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let other = library.beside(composition).await;
    let there = client.at(other.address);
    let path = format!("/instance-storage/instances/{}", stock.instance);
    let route = format!("instance/{}", stock.instance);
    for round in 0..5 {
        for part in 0..4 {
            change(&client, &path, |one| {
                one["title"] = json!(format!("{round}.{part}"))
            })
            .await;
        }
        // Both look, and six readers ask at once.
        let (a, b) = tokio::join!(timer(&other, &library, LOOK), async {
            let mut asked = Vec::new();
            for at in 0..6 {
                let (client, route) = (
                    if at % 2 == 0 {
                        client.clone()
                    } else {
                        there.clone()
                    },
                    route.clone(),
                );
                asked.push(tokio::spawn(async move { changes(&client, &route).await }));
            }
            for one in asked {
                let _ = one.await.expect("an answer");
            }
        });
        assert_eq!((a, b), (204, ()));
    }
    until(|| async { number(&library, JOBS).await == 0 }).await;
    let entries = "SELECT count(*) AS number FROM {schema}.audit_inventory WHERE kind = 'instance'";
    assert_eq!(number(&library, entries).await, 21);
    let page = super::got(&client, &format!("/audit-data/inventory/{route}")).await;
    assert_eq!(page["totalRecords"], 21);
}

#[tokio::test]
async fn the_job_adds_what_nobody_asked_for() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    for number in 0..30 {
        let _ = stock.item(&number.to_string()).await;
    }
    let server = library.beside(composition).await;
    assert_eq!(timer(&server, &library, LOOK).await, 204);
    until(|| async { number(&library, COUNT).await == 32 && number(&library, JOBS).await == 0 })
        .await;
    // The index by which windows are found is there.
    let index = "SELECT count(*) AS number FROM pg_class WHERE oid = to_regclass('{schema}.outbox_xact_idx')";
    assert_eq!(number(&library, index).await, 1);
}

#[tokio::test]
async fn a_change_that_is_committed_late_is_not_passed_over() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let (late, schema) = (Uuid::new_v4(), library.tenant().schema().to_owned());
    let transaction = library
        .platform
        .store
        .database
        .transaction()
        .await
        .expect("a transaction");
    let sql = format!(
        "INSERT INTO {schema}.outbox (topic, key, type, new) VALUES ('inventory.item', $1, 'CREATE', '{{}}')"
    );
    let _ = transaction.execute(&sql, &[&late]).await.expect("written");
    let path = format!("/instance-storage/instances/{}", stock.instance);
    change(&client, &path, |one| one["title"] = json!("after it")).await;
    assert_eq!(
        changes(&client, &format!("instance/{}", stock.instance))
            .await
            .len(),
        2
    );
    assert_eq!(changes(&client, &format!("item/{late}")).await.len(), 0);
    transaction.commit().await.expect("committed");
    assert_eq!(changes(&client, &format!("item/{late}")).await.len(), 1);
}

#[tokio::test]
async fn in_another_database_everything_is_read_again_and_nothing_doubled() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let route = format!("instance/{}", stock.instance);
    assert_eq!(changes(&client, &route).await.len(), 1);
    let before = number(&library, COUNT).await;
    run(
        &library,
        "UPDATE {schema}.octavo_reader SET cluster = 'another'",
    )
    .await;
    run(
        &library,
        "DELETE FROM {schema}.audit_inventory WHERE kind = 'holdings'",
    )
    .await;
    let server = library.beside(composition).await;
    assert_eq!(timer(&server, &library, LOOK).await, 204);
    until(|| async { number(&library, JOBS).await == 0 }).await;
    assert_eq!(number(&library, COUNT).await, before);
    assert_eq!(changes(&client, &route).await.len(), 1);
}
