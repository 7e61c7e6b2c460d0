//! Locks that remote callers hold while they check out: a patron has one at a time.

use serde_json::json;

use super::stocked;
use super::support::refused;

const LOCKS: &str = "/check-out-lock-storage";
const PATRON: &str = "0b117416-8dcf-45a1-be9a-ffaa847c4423";

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
