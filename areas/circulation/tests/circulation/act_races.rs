//! Acts on one loan at the same time: they happen one after the other, and none is lost.

use futures_util::future::join;
use serde_json::json;
use uuid::Uuid;

use super::lent::{Lent, OwnPolicy};
use super::{IN, OUT, check_in, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_1, check_out};

const RENEW: &str = "/circulation/renew-by-barcode";
const ROUNDS: usize = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_renewal_comes_before_the_check_in_or_is_refused() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let policy = OwnPolicy::new(&stock).await;
    policy
        .say(client, &json!({"renewalsPolicy": {"unlimited": true}}))
        .await;
    let lent = Lent::new(&stock, "1", "2125-11-01T10:00:00Z").await;
    let mut loan = lent.loan.clone();
    let (mut renewals, mut refusals) = (0, 0);
    for round in 0..ROUNDS {
        // Who begins changes from round to round.
        let back = check_in("i-1", CIRC_DESK_1);
        let body = lent.renewal();
        let (renewed, returned) = if round % 2 == 0 {
            join(client.post(RENEW, &body), client.post(IN, &back)).await
        } else {
            let (returned, renewed) = join(client.post(IN, &back), client.post(RENEW, &body)).await;
            (renewed, returned)
        };
        let _ = returned.expect(200);
        let path = format!("/loan-storage/loans/{loan}");
        let stored = client.get(&path).await.expect(200).json();
        assert_eq!(stored["status"]["name"], "Closed");
        assert_eq!(stored["action"], "checkedin");
        match renewed.status {
            200 => {
                renewals += 1;
                assert_eq!(stored["renewalCount"], 1);
            }
            _ => {
                refusals += 1;
                let _ = renewed.expect(422);
                assert!(stored.get("renewalCount").is_none());
            }
        }
        let item = format!("/item-storage/items/{}", lent.item);
        let item = client.get(&item).await.expect(200).json();
        assert_eq!(item["status"]["name"], "Available");
        let again = check_out("i-1", "p-1");
        let lent_again = client.post(OUT, &again).await.expect(201).json();
        loan = lent_again["id"].as_str().expect("an id").to_owned();
    }
    assert!(
        renewals > 0 && refusals > 0,
        "{renewals} before, {refusals} after"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_due_date_is_changed_before_the_check_in_or_not_at_all() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "2", "2125-11-01T10:00:00Z").await;
    let mut loan = lent.loan.clone();
    let changed = "2130-01-01T00:00:00.000+00:00";
    for _ in 0..100 {
        let path = format!("/circulation/loans/{loan}/change-due-date");
        let body = json!({"dueDate": changed});
        let back = check_in("i-2", CIRC_DESK_1);
        let (change, returned) = join(client.post(&path, &body), client.post(IN, &back)).await;
        let _ = returned.expect(200);
        let path = format!("/loan-storage/loans/{loan}");
        let stored = client.get(&path).await.expect(200).json();
        assert_eq!(stored["status"]["name"], "Closed");
        let was_changed = change.status == 204;
        if !was_changed {
            let _ = change.expect(422);
        }
        assert_eq!(stored["dueDate"] == changed, was_changed);
        let again = check_out("i-2", "p-2");
        let lent_again = client.post(OUT, &again).await.expect(201).json();
        loan = lent_again["id"].as_str().expect("an id").to_owned();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_renewal_is_lost() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let policy = OwnPolicy::new(&stock).await;
    policy
        .say(client, &json!({"renewalsPolicy": {"numberAllowed": 60}}))
        .await;
    let lent = Lent::new(&stock, "3", "2125-11-01T10:00:00Z").await;
    let body = lent.renewal();
    for _ in 0..30 {
        let (first, second) = join(client.post(RENEW, &body), client.post(RENEW, &body)).await;
        let _ = (first.expect(200), second.expect(200));
    }
    assert_eq!(lent.loan(client).await["renewalCount"], 60);
    // Two who want the last one: one gets it.
    policy
        .say(client, &json!({"renewalsPolicy": {"numberAllowed": 61}}))
        .await;
    let (first, second) = join(client.post(RENEW, &body), client.post(RENEW, &body)).await;
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
    assert_eq!(lent.loan(client).await["renewalCount"], 61);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_loan_that_is_sent_twice_is_made_once() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-4").await;
    for round in 0..30 {
        let item = stock.item(&format!("i-4-{round}")).await;
        let body = json!({"id": Uuid::new_v4(), "userId": patron, "itemId": item,
            "action": "checkedout", "loanDate": "2125-11-01T10:00:00Z",
            "dueDate": "2125-12-01T10:00:00Z", "status": {"name": "Open"}});
        let post = || client.post("/circulation/loans", &body);
        let (first, second) = join(post(), post()).await;
        assert_eq!(first.expect(201).json(), second.expect(201).json());
    }
    let all = client.get("/loan-storage/loans").await.expect(200).json();
    assert_eq!(all["totalRecords"], 30);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_loan_ends_once_at_the_desk_or_by_its_id() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "5", "2125-11-01T10:00:00Z").await;
    let mut loan = lent.loan.clone();
    for _ in 0..50 {
        let path = format!("/circulation/loans/{loan}");
        let mut closed = client.get(&path).await.expect(200).json();
        closed["status"] = json!({"name": "Closed"});
        closed["action"] = json!("checkedin");
        closed["checkinServicePointId"] = json!(CIRC_DESK_1);
        let back = check_in("i-5", CIRC_DESK_1);
        let (by_id, at_desk) = join(client.put(&path, &closed), client.post(IN, &back)).await;
        let _ = (by_id.expect(204), at_desk.expect(200));
        let (_, item) = lent.records(client).await;
        assert_eq!(item["status"]["name"], "Available");
        let stored = client.get(&path).await.expect(200).json();
        assert_eq!(stored["status"]["name"], "Closed");
        let again = check_out("i-5", "p-5");
        let lent_again = client.post(OUT, &again).await.expect(201).json();
        loan = lent_again["id"].as_str().expect("an id").to_owned();
    }
}
