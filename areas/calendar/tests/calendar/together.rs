//! Two clients at once: of two calendars that overlap only one is stored.

use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;

use super::{CALENDARS, calendar, library, path, stored};
use octavo_server_testkit::stock::CIRC_DESK_2;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_calendars_for_the_same_days_one_is_stored() {
    let library = library().await;
    let client = library.client().await;
    for round in 0..3 {
        let year = 2030 + round;
        let mut at_once = JoinSet::new();
        for number in 0..8 {
            let client = client.clone();
            // Each has one day in common with every other one.
            let start = format!("{year}-01-{:02}", number + 1);
            let body = calendar(&format!("N{number}"), &start, &format!("{year}-01-20"));
            at_once.spawn(async move { client.post(CALENDARS, &body).await.status });
        }
        let mut statuses = at_once.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
    }
    assert_eq!(client.get(CALENDARS).await.json()["totalRecords"], 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn changes_at_once_do_not_bring_calendars_together() {
    let library = library().await;
    let client = library.client().await;
    let spring = stored(&client, &calendar("Spring", "2026-01-01", "2026-03-31")).await;
    let summer = stored(&client, &calendar("Summer", "2026-06-01", "2026-08-31")).await;
    // Either may grow into the gap between them, but not both.
    let (mut longer, mut sooner) = (spring.clone(), summer.clone());
    longer["endDate"] = json!("2026-05-15");
    sooner["startDate"] = json!("2026-04-15");
    let (spring_path, summer_path) = (path(&spring), path(&summer));
    for _ in 0..5 {
        let (one, other) = tokio::join!(
            client.put(&spring_path, &longer),
            client.put(&summer_path, &sooner)
        );
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        let _ = client.put(&spring_path, &spring).await.expect(200);
        let _ = client.put(&summer_path, &summer).await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_calendar_waits_for_one_that_is_not_committed_yet() {
    let library = library().await;
    let client = library.client().await;
    let tenant = library.tenant();
    let store = &library.platform.store;
    let transaction = store.database.transaction().await.expect("a transaction");
    let hold = format!(
        "SELECT version FROM {}.calendar_version FOR UPDATE",
        tenant.schema()
    );
    let _ = transaction.query(&hold, &[]).await.expect("the row");
    let mut body = calendar("Waits", "2026-01-01", "2026-03-31");
    body["assignments"] = json!([CIRC_DESK_2]);
    let waiting = tokio::spawn({
        let client = client.clone();
        let body = body.clone();
        async move { client.post(CALENDARS, &body).await.status }
    });
    let mut first = body.clone();
    first["name"] = json!("First");
    let insert = format!(
        "INSERT INTO {}.calendar (id, jsonb) VALUES (gen_random_uuid(), $1)",
        tenant.schema()
    );
    let _ = transaction
        .execute(&insert, &[&first])
        .await
        .expect("it is stored");
    // Readers do not wait.
    let _ = client.get(CALENDARS).await.expect(200);
    let early = tokio::time::timeout(Duration::from_millis(300), async {
        while !waiting.is_finished() {
            tokio::task::yield_now().await;
        }
    });
    assert!(early.await.is_err(), "it did not wait");
    transaction.commit().await.expect("committed");
    assert_eq!(waiting.await.expect("an answer"), 409);
}
