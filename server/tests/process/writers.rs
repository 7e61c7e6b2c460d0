//! Clients that write without a pause, and remember what was acknowledged.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use octavo_testkit::Client;
use reqwest::Method;
use serde_json::json;
use tokio::task::JoinSet;
use uuid::Uuid;

/// Running clients.
#[derive(Debug)]
pub struct Writers {
    seen: Arc<Mutex<Seen>>,
    tasks: JoinSet<()>,
}

/// Their results.
#[derive(Debug, Default, Clone)]
pub struct Seen {
    /// Ids of the records that were acknowledged with 201.
    pub stored: Vec<Uuid>,
    /// How often each status was received; 0 stands for no response.
    pub statuses: BTreeMap<u16, usize>,
    /// Responses 503 without `Retry-After`.
    pub without_retry_after: usize,
}

impl Seen {
    pub fn count(&self, status: u16) -> usize {
        self.statuses.get(&status).copied().unwrap_or_default()
    }
}

impl Writers {
    /// Starts clients that add material types, until stopped.
    pub fn start(client: &Client, number: usize) -> Writers {
        let seen = Arc::<Mutex<Seen>>::default();
        let mut tasks = JoinSet::new();
        for _ in 0..number {
            tasks.spawn(write(client.clone(), Arc::clone(&seen)));
        }
        Writers { seen, tasks }
    }

    /// The results so far.
    pub fn seen(&self) -> Seen {
        self.seen.lock().expect("no writer panics").clone()
    }

    /// Stops them.
    pub async fn stop(mut self) -> Seen {
        self.tasks.shutdown().await;
        self.seen()
    }
}

async fn write(client: Client, seen: Arc<Mutex<Seen>>) {
    loop {
        let id = Uuid::new_v4();
        let body = json!({"id": id, "name": format!("type {id}"), "source": "local"});
        let request = client
            .request(Method::POST, "/material-types")
            .timeout(Duration::from_secs(30))
            .json(&body);
        let answer = request.send().await;
        let status = answer.as_ref().map_or(0, |answer| answer.status().as_u16());
        let bare = answer.is_ok_and(|answer| answer.headers().get("retry-after").is_none());
        {
            let mut seen = seen.lock().expect("no writer panics");
            *seen.statuses.entry(status).or_default() += 1;
            if status == 201 {
                seen.stored.push(id);
            }
            if status == 503 && bare {
                seen.without_retry_after += 1;
            }
        }
        if status != 201 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Asserts that every acknowledged record exists.
pub async fn all_are_there(client: &Client, stored: &[Uuid]) {
    for ids in stored.chunks(50) {
        let list = ids
            .iter()
            .map(|id| format!("\"{id}\""))
            .collect::<Vec<_>>()
            .join(" or ");
        let path = "/material-types?limit=100";
        let found = client.send(
            client
                .request(Method::GET, path)
                .query(&[("query", format!("id==({list})"))]),
        );
        let found = found.await.expect(200).json();
        assert_eq!(found["totalRecords"], ids.len(), "of {ids:?}");
    }
}
