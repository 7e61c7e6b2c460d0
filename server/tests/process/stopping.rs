//! Stopping: requests in flight finish, no new ones are accepted, PostgreSQL stops.

use octavo_postgres::{Database, DatabaseOptions, Transaction};
use octavo_testkit::{Answer, Client};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::octavo::Octavo;
use crate::place::DataDir;
use crate::until;

#[tokio::test]
async fn a_request_in_flight_is_finished() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let (client, desk) = (octavo.client().await, Desk::new(&directory).await);
    let (item, lock) = desk.locked_item(&client).await;
    let (under_way, answer) = (client.clone(), item.clone());
    let answer = tokio::spawn(async move { check_in(&under_way, &answer).await });
    desk.wait_for_a_wait().await;

    octavo.terminate();
    octavo.logs("finishing requests in flight").await;
    let address = octavo.address();
    until("no new connections", || async {
        TcpStream::connect(address).await.is_err()
    })
    .await;
    assert!(octavo.runs() && !answer.is_finished());
    lock.commit().await.expect("the lock is let go");
    let answer = answer.await.expect("an answer").expect(200).json();
    assert_eq!(answer["item"]["status"]["name"], "Available");
    drop(desk);
    octavo.ended_well().await;
    assert!(octavo.log().contains("octavo: stopped"), "{}", octavo.log());
    assert_eq!(directory.postmaster(), None);

    let octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    assert!(
        !octavo.output().contains("took over"),
        "{}",
        octavo.output()
    );
    let path = format!(
        "/item-storage/items/{}",
        item["id"].as_str().expect("an id")
    );
    let stored = octavo.client().await.get(&path).await.expect(200).json();
    assert!(
        stored["lastCheckIn"]["servicePointId"].is_string(),
        "{stored}"
    );
}

#[tokio::test]
async fn a_second_signal_does_not_wait() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let (client, desk) = (octavo.client().await, Desk::new(&directory).await);
    let (item, lock) = desk.locked_item(&client).await;
    let sent: JoinHandle<Result<reqwest::Response, reqwest::Error>> = tokio::spawn(async move {
        client
            .request(Method::POST, IN)
            .json(&check_in_body(&item))
            .send()
            .await
    });
    desk.wait_for_a_wait().await;
    octavo.terminate();
    octavo.logs("a second signal ends it at once").await;
    octavo.terminate();
    octavo.ended_well().await;
    // Whether it still receives the response that it was aborted is a race.
    if let Ok(answer) = sent.await.expect("no panic") {
        assert_eq!(answer.status(), 503);
    }
    assert_eq!(directory.postmaster(), None);
    // The server that held it has stopped.
    assert!(lock.commit().await.is_err());
}

const IN: &str = "/circulation/check-in-by-barcode";

fn check_in_body(item: &Value) -> Value {
    json!({"itemBarcode": item["barcode"], "servicePointId": octavo_server_testkit::stock::CIRC_DESK_1,
           "checkInDate": "2026-03-01T10:00:00Z"})
}

async fn check_in(client: &Client, item: &Value) -> Answer {
    client.post(IN, &check_in_body(item)).await
}

/// Another client of the same database.
struct Desk {
    database: Database,
}

impl Desk {
    async fn new(directory: &DataDir) -> Desk {
        let config = directory
            .database_url()
            .parse()
            .expect("the note holds a URL");
        let mut options = DatabaseOptions::new(config);
        options.lanes = 1;
        Desk {
            database: Database::connect(options).await.expect("a connection"),
        }
    }

    /// An available item, and the transaction that locks it.
    async fn locked_item(&self, client: &Client) -> (Value, Transaction) {
        let query = "status.name==Available and barcode=*";
        let items = client
            .query("/item-storage/items", query)
            .await
            .expect(200)
            .json();
        let item = items["items"][0].clone();
        let id: uuid::Uuid = item["id"]
            .as_str()
            .and_then(|id| id.parse().ok())
            .expect("an id");
        let lock = self.database.transaction().await.expect("a transaction");
        let sql = "SELECT 1 FROM tenant_diku.item WHERE id = $1 FOR UPDATE";
        lock.query(sql, &[&id]).await.expect("a lock");
        (item, lock)
    }

    /// Waits until some statement waits for a lock.
    async fn wait_for_a_wait(&self) {
        until("a request waits for the lock", || async {
            let sql = "SELECT 1 FROM pg_locks WHERE NOT granted";
            !self
                .database
                .query(sql, &[])
                .await
                .expect("the locks")
                .is_empty()
        })
        .await;
    }
}
