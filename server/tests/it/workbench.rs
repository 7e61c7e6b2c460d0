//! What the page of the workbench asks for: the button of an advice, background work, timers.

use octavo_server_testkit::{library, people};
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};

const INDEXES: &str = "/_/octavo/indexes";

/// A search for a property without an index, and the number of its advice.
async fn advised(library: &Library, client: &Client) -> i64 {
    let _ = client
        .query("/item-storage/items", "volume==one")
        .await
        .expect(200);
    let flushed = library.platform.store.flush_advice().await;
    flushed.expect("the counts are stored");
    let list = client.get("/_/index-advice").await.expect(200).json();
    list["indexAdvice"][0]["number"]
        .as_i64()
        .expect("an advice")
}

async fn built(client: &Client) -> Value {
    let built = async {
        loop {
            let list = client.get(INDEXES).await.expect(200).json();
            if list["building"].is_null() {
                return list;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), built)
        .await
        .expect("the build ends")
}

fn named(list: &Value, name: &str) -> Option<Value> {
    let indexes = list["indexes"].as_array().expect("a list");
    indexes.iter().find(|one| one["index"] == name).cloned()
}

#[tokio::test]
async fn the_button_of_an_advice_builds_its_index_and_it_can_be_dropped_again() {
    let library = library().await;
    let client = library.client().await;
    let number = advised(&library, &client).await;
    let answer = client
        .post(INDEXES, &json!({"advice": number}))
        .await
        .expect(202);
    assert_eq!(
        answer.json(),
        json!({"state": "building", "index": "item_volume_idx", "indexes": ["item_volume_idx"]})
    );
    let one = named(&built(&client).await, "item_volume_idx").expect("the index");
    assert_eq!(
        (&one["from"], &one["collection"], &one["state"]),
        (&json!("applied"), &json!("item"), &json!("unused"))
    );
    let list = client.get("/_/index-advice").await.expect(200).json();
    assert_eq!(list["totalRecords"], 0);

    let again = client
        .post(INDEXES, &json!({"advice": number}))
        .await
        .expect(404);
    assert!(again.text.contains("There is no advice"), "{}", again.text);
    let path = format!("{INDEXES}/item_volume_idx");
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(named(&built(&client).await, "item_volume_idx"), None);
    let gone = client.delete(&path).await.expect(400);
    assert!(gone.text.contains("has no applied index"), "{}", gone.text);
    let declared = client
        .delete(&format!("{INDEXES}/item_barcode_idx_unique"))
        .await;
    assert!(declared.expect(400).text.contains("declared"));
}

#[tokio::test]
async fn two_who_press_the_button_build_one_index() {
    let library = library().await;
    let client = library.client().await;
    let number = advised(&library, &client).await;
    let body = json!({"advice": number});
    let (one, other) = tokio::join!(client.post(INDEXES, &body), client.post(INDEXES, &body));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    // The second comes during the build, or after it, when the advice is gone.
    assert!(matches!(statuses, [202, 404 | 409]), "{statuses:?}");
    let one = named(&built(&client).await, "item_volume_idx").expect("the index");
    assert_eq!(one["reason"], Value::Null);
}

#[tokio::test]
async fn bad_bodies_and_callers_without_permission_build_nothing() {
    let library = library().await;
    let client = library.client().await;
    for body in [
        json!({}),
        json!({"advice": "4"}),
        json!({"advice": 1, "more": 2}),
    ] {
        let _ = client.post(INDEXES, &body).await.expect(400);
    }
    let _ = client
        .post(INDEXES, &json!({"advice": 99}))
        .await
        .expect(404);
    let (nobody, _) = people::reader(&library, &client).await;
    for path in [
        INDEXES,
        "/_/octavo/jobs",
        "/_/octavo/timers",
        "/_/octavo/workloads",
    ] {
        let _ = nobody.get(path).await.expect(403);
    }
}

#[tokio::test]
async fn background_work_is_counted_by_queue() {
    let library = library().await;
    let client = library.client().await;
    let none = client.get("/_/octavo/jobs").await.expect(200).json();
    assert_eq!(none, json!({"queues": [], "jobs": [], "totalRecords": 0}));
    // A queue that nobody works on, so that its jobs stay.
    let jobs = "INSERT INTO tenant_diku.octavo_job (queue, id, progress) VALUES
        ('shelf', '10000000-0000-4000-8000-000000000001', '{\"reached\": 5}'),
        ('shelf', '10000000-0000-4000-8000-000000000002', '{}'),
        ('shelf', '10000000-0000-4000-8000-000000000003', '{}')";
    let attempts = "INSERT INTO tenant_diku.octavo_job_attempt (queue, id, attempts, reason) VALUES
        ('shelf', '10000000-0000-4000-8000-000000000001', 2, 'the disk was full'),
        ('shelf', '10000000-0000-4000-8000-000000000002', 1, NULL)";
    let database = &library.platform.store.database;
    for statement in [jobs, attempts] {
        let _ = database.execute(statement, &[]).await.expect("rows");
    }
    let list = client.get("/_/octavo/jobs").await.expect(200).json();
    let queue = &list["queues"][0];
    assert_eq!(queue["queue"], "shelf");
    assert_eq!(
        (&queue["waiting"], &queue["running"], &queue["failed"]),
        (&json!(2), &json!(1), &json!(1))
    );
    assert_eq!(list["totalRecords"], 3);
    let failed = &list["jobs"][0];
    assert_eq!(failed["reason"], "the disk was full");
    assert_eq!(failed["progress"], json!({"reached": 5}));
}

#[tokio::test]
async fn timers_are_listed_with_their_runs() {
    let library = library().await;
    let client = library.client().await;
    let list = client.get("/_/octavo/timers").await.expect(200).json();
    let timers = list["timers"].as_array().expect("a list");
    assert_eq!(list["totalRecords"], timers.len());
    let okapi = client
        .get("/_/proxy/tenants/diku/timers")
        .await
        .expect(200)
        .json();
    let ids = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list");
        list.iter()
            .map(|one| one["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    assert_eq!(ids(&list["timers"]), ids(&okapi));
    assert!(timers.len() > 5, "{}", timers.len());
    assert_eq!(timers[0]["lastStatus"], Value::Null);
}

#[tokio::test]
async fn workloads_are_listed_and_a_server_without_the_option_runs_none() {
    let library = library().await;
    let client = library.client().await;
    let list = client.get("/_/octavo/workloads").await;
    // The test's server has no operators but the supertenant.
    if list.status == 200 {
        assert_eq!(list.json()["runsAllowed"], false);
        let body = json!({"workload": "get-items", "virtualUsers": 1, "durationSeconds": 1, "password": "x"});
        let refused = client
            .post("/_/octavo/workload-runs", &body)
            .await
            .expect(403);
        assert!(refused.text.contains("--workbench"));
    } else {
        let _ = list.expect(403);
    }
}
