//! Locks that remote callers hold while they check out: a patron has one at a time. Check-outs of our own
//! respect them where the settings say so.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use octavo_testkit::Client;
use serde_json::{Value, json};

use super::support::{refused, rule_for, sql};
use super::{IN, OUT, check_in, messages, stocked};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, DVD, check_out};

const LOCKS: &str = "/check-out-lock-storage";
const PATRON: &str = "0b117416-8dcf-45a1-be9a-ffaa847c4423";
const SETTING: &str = "/settings/entries/9f3c1f0e-6d6f-4e0c-8d6a-0d5f5f7f9b11";

/// Switches the lock around check-outs on, as FOLIO keeps it: JSON in a text, or as an object.
async fn switch(client: &Client, as_text: bool, value: Value) {
    let value = match as_text {
        true => json!(value.to_string()),
        false => value,
    };
    let id = SETTING.rsplit('/').next().expect("the id");
    let entry = json!({"id": id, "scope": "mod-circulation", "key": "checkoutLockFeature",
                       "value": value});
    let _ = match client.get(SETTING).await.status {
        200 => client.put(SETTING, &entry).await.expect(204),
        _ => client.post("/settings/entries", &entry).await.expect(204),
    };
}

/// On, with so many tries 20 ms apart, and locks that count for so long.
fn on(tries: i64, ttl: i64) -> Value {
    json!({"checkOutLockFeatureEnabled": true, "noOfRetryAttempts": tries, "retryInterval": 20,
           "lockTtl": ttl})
}

async fn locks_of(client: &Client, user: &str) -> usize {
    let path = format!("{LOCKS}?userId={user}&offset=0&limit=10");
    let list = client.get(&path).await.expect(200).json();
    list["checkoutLocks"].as_array().expect("a list").len()
}

#[tokio::test]
async fn a_check_out_waits_for_a_lock_and_says_that_it_cannot_be_had() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    for number in 1..=5 {
        let _ = stock.item(&format!("i-{number}")).await;
    }
    let body = json!({"userId": patron, "ttlMs": 60_000});
    let lock = client.post(LOCKS, &body).await.expect(201).json();
    // Nobody asks for it unless the setting is there and on.
    let _ = client.post(OUT, &check_out("i-1", "p-1")).await.expect(201);
    let off = json!({"checkOutLockFeatureEnabled": false});
    switch(client, true, off).await;
    let _ = client.post(OUT, &check_out("i-2", "p-1")).await.expect(201);
    for as_text in [true, false] {
        switch(client, as_text, on(4, 60_000)).await;
        let began = Instant::now();
        let answer = client.post(OUT, &check_out("i-3", "p-1")).await.expect(422);
        // Five waits after the first try, as FOLIO counts.
        assert!(began.elapsed() >= Duration::from_millis(100));
        let error = &answer.json()["errors"][0];
        assert_eq!(error["message"], "unable to acquire lock");
        assert_eq!(error["parameters"], json!([{"key": "", "value": ""}]));
        assert!(error.get("code").is_none_or(Value::is_null));
    }
    // What prevents the loan is said first, without waiting.
    switch(client, true, on(1_000, 60_000)).await;
    let answer = client.post(OUT, &check_out("i-1", "p-1")).await.expect(422);
    assert_eq!(messages(&answer.json())[0], "Item is already checked out");
    // Nor does one wait who changes nothing, or the lock of somebody else.
    let dry = json!({"itemBarcode": "i-3", "userBarcode": "p-1"});
    let path = "/circulation/check-out-by-barcode-dry-run";
    let _ = client.post(path, &dry).await.expect(201);
    let _ = stock.patron("p-2").await;
    let _ = client.post(OUT, &check_out("i-4", "p-2")).await.expect(201);
    // Given back while a desk waits for it.
    let waiting = {
        let client = client.clone();
        tokio::spawn(async move { client.post(OUT, &check_out("i-3", "p-1")).await.status })
    };
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert!(!waiting.is_finished());
    let path = format!("{LOCKS}/{}", lock["id"].as_str().expect("an id"));
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(waiting.await.expect("it ends"), 201);
    assert_eq!(locks_of(client, &patron).await, 0);
    // An abandoned lock is taken over and removed.
    let _ = client.post(LOCKS, &body).await.expect(201);
    switch(client, true, on(30, 100)).await;
    let _ = client.post(OUT, &check_out("i-5", "p-1")).await.expect(201);
    assert_eq!(locks_of(client, &patron).await, 0);
    // A lock that cannot be read is none.
    let _ = client.post(LOCKS, &body).await.expect(201);
    switch(client, true, json!({"checkOutLockFeatureEnabled": "true"})).await;
    let _ = client
        .post(IN, &check_in("i-5", CIRC_DESK_1))
        .await
        .expect(200);
    let _ = client.post(OUT, &check_out("i-5", "p-1")).await.expect(201);
    assert_in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn with_the_lock_an_item_limit_holds_for_all_desks_together() {
    const ROUNDS: usize = 40;
    const DESKS: usize = 4;
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let policy = json!({"name": "One at a time", "loanable": true, "renewable": false,
        "loansPolicy": {"profileId": "Rolling", "period": {"duration": 1, "intervalId": "Weeks"},
                        "itemLimit": 1, "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"}});
    let path = "/loan-policy-storage/loan-policies";
    let policy = client.post(path, &policy).await.expect(201).json();
    let id = policy["id"].as_str().expect("an id");
    rule_for(client, &format!("m {DVD}"), "l", id).await;
    switch(client, true, on(1_000, 60_000)).await;
    let items: Vec<String> = (0..DESKS).map(|desk| format!("i-{desk}")).collect();
    for item in &items {
        let _ = stock.item(item).await;
    }
    for round in 0..ROUNDS {
        let name = format!("p-{round}");
        let patron = stock.patron(&name).await;
        let bodies: Vec<_> = items.iter().map(|item| check_out(item, &name)).collect();
        // A remote caller takes the lock in between, too.
        let lock = json!({"userId": patron, "ttlMs": 60_000});
        let remote = async {
            let taken = client.post(LOCKS, &lock).await;
            if taken.status == 201 {
                let id = taken.json()["id"].as_str().expect("an id").to_owned();
                let _ = client.delete(&format!("{LOCKS}/{id}")).await.expect(204);
            }
        };
        let lending = join_all(bodies.iter().map(|body| client.post(OUT, body)));
        let (answers, ()) = futures_util::future::join(lending, remote).await;
        let lent = answers.iter().filter(|one| one.status == 201).count();
        assert_eq!(lent, 1, "{round}");
        for (item, answer) in items.iter().zip(&answers) {
            match answer.status {
                201 => {
                    let body = check_in(item, CIRC_DESK_1);
                    let _ = client.post(IN, &body).await.expect(200);
                }
                status => {
                    assert_eq!(status, 422);
                    let message = "Patron has reached maximum limit of 1 items for material type";
                    assert_eq!(messages(&answer.json()), [message]);
                }
            }
        }
    }
    let left = "SELECT count(*) FROM tenant_diku.check_out_lock";
    assert_eq!(sql(&library, left).await, [0]);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_lock_is_taken_read_and_given_back() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let body = json!({"userId": PATRON, "ttlMs": 60_000});
    let lock = client.post(LOCKS, &body).await.expect(201).json();
    assert_eq!(lock["userId"], PATRON);
    assert!(lock["creationDate"].is_string());
    let answer = client.post(LOCKS, &body).await.expect(503);
    assert_eq!(answer.text, "Unable to acquire lock");
    let path = format!("{LOCKS}/{}", lock["id"].as_str().expect("an id"));
    assert_eq!(client.get(&path).await.expect(200).json(), lock);
    let path_of_list = format!("{LOCKS}?userId={PATRON}&offset=0&limit=10");
    let list = client.get(&path_of_list).await.expect(200).json();
    assert_eq!(list, json!({"totalRecords": 1, "checkoutLocks": [lock]}));
    let _ = client.delete(&path).await.expect(204);
    let _ = client.delete(&path).await.expect(204);
    let _ = client.get(&path).await.expect(404);
    let _ = client.post(LOCKS, &body).await.expect(201);
    // What is wrong is named.
    refused(
        client.post(LOCKS, &json!({"ttlMs": 1})).await,
        "must be the UUID of a user",
        "userId",
        "",
    );
    let body = json!({"userId": PATRON, "ttlMs": "soon"});
    let _ = client.post(LOCKS, &body).await.expect(422);
    assert_eq!(
        client.get(LOCKS).await.expect(422).text,
        "Invalid Parameters"
    );
    assert_eq!(
        client.get(&format!("{LOCKS}/1")).await.expect(400).text,
        "Invalid lock id"
    );
    assert_eq!(
        client.delete(&format!("{LOCKS}/1")).await.expect(400).text,
        "Invalid lock id"
    );
}

#[tokio::test]
async fn of_many_at_once_one_gets_the_lock_also_when_an_old_one_is_there() {
    let (library, stock) = stocked().await;
    let old = "INSERT INTO tenant_diku.check_out_lock (id, jsonb) VALUES (gen_random_uuid(),
        jsonb_build_object('userId', '0b117416-8dcf-45a1-be9a-ffaa847c4423',
          'creationDate', '2026-01-01T00:00:00.000+00:00')) RETURNING 1::bigint";
    for round in 0..2 {
        if round == 1 {
            let _ = library
                .platform
                .store
                .database
                .execute("DELETE FROM tenant_diku.check_out_lock", &[])
                .await;
            super::support::sql(&library, old).await;
        }
        let callers: Vec<_> = (0..16)
            .map(|_| {
                let client = stock.client.clone();
                let body = json!({"userId": PATRON, "ttlMs": 60_000});
                tokio::spawn(async move { client.post(LOCKS, &body).await.status })
            })
            .collect();
        let mut got = Vec::new();
        for caller in callers {
            got.push(caller.await.expect("it ends"));
        }
        got.sort_unstable();
        assert_eq!(got[0], 201, "{got:?}");
        assert!(got[1..].iter().all(|status| *status == 503), "{got:?}");
    }
}
