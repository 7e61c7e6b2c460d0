//! What is published, by whom, and its history.

use octavo_server_testkit::library;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{HISTORY, PUBLISH, event, id, publisher, states};

#[tokio::test]
async fn only_a_declared_publisher_publishes() {
    let library = library().await;
    let client = library.client().await;
    publisher(&client, "mod-a-1.0.0", &["ONE"]).await;
    let payload = json!({"a": 1});
    let sent = event("ONE", "mod-a-1.0.0", &payload);
    assert_eq!(client.post(PUBLISH, &sent).await.expect(204).text, "");
    let (found, message) = states(&client, id(&sent)).await;
    let expected = [("CREATED", 1), ("PUBLISHED", 1), ("REJECTED", 1)];
    let expected = expected
        .map(|(state, count)| (state.to_owned(), count))
        .into();
    assert_eq!(found, expected);
    assert_eq!(
        message,
        "There is no subscriber registered for event type ONE"
    );
    let elsewhere = {
        let mut event = event("ONE", "mod-a-1.0.0", &payload);
        event["eventMetadata"]["tenantId"] = json!("other");
        event
    };
    for refused in [
        event("ONE", "mod-b-1.0.0", &payload),
        event("TWO", "mod-a-1.0.0", &payload),
        elsewhere,
    ] {
        let answer = client.post(PUBLISH, &refused).await.expect(400);
        let module = refused["eventMetadata"]["publishedBy"].as_str();
        assert!(
            answer.text.contains(module.expect("a module")),
            "{}",
            answer.text
        );
        let (found, message) = states(&client, id(&refused)).await;
        let expected = [("CREATED", 1), ("REJECTED", 1)];
        let expected = expected
            .map(|(state, count)| (state.to_owned(), count))
            .into();
        assert_eq!(found, expected);
        assert_eq!(message, answer.text);
    }
}

#[tokio::test]
async fn what_is_no_event_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let whole = event("ONE", "mod-a-1.0.0", &json!({}));
    let without = |path: &[&str]| {
        let mut event = whole.clone();
        let (last, parents) = path.split_last().expect("a path");
        let mut at = &mut event;
        for parent in parents {
            at = &mut at[*parent];
        }
        let _ = at.as_object_mut().expect("an object").remove(*last);
        event
    };
    let with = |path: &str, value: Value| {
        let mut event = whole.clone();
        *event.pointer_mut(path).expect("a property") = value;
        event
    };
    let mut unknown = whole.clone();
    unknown["more"] = json!(1);
    for wrong in [
        without(&["id"]),
        without(&["eventType"]),
        without(&["eventMetadata"]),
        without(&["eventMetadata", "tenantId"]),
        without(&["eventMetadata", "eventTTL"]),
        without(&["eventMetadata", "publishedBy"]),
        with("/id", json!("x")),
        unknown,
    ] {
        let answer = client.post(PUBLISH, &wrong).await;
        assert_eq!(answer.status, 422, "{wrong}: {}", answer.text);
    }
    // The payload is a text.
    let answer = client
        .post(PUBLISH, &with("/eventPayload", json!({"a": 1})))
        .await;
    assert_eq!(answer.status, 400, "{}", answer.text);
    let page = client.get(HISTORY).await.expect(200).json();
    assert_eq!(page["totalRecords"], 0);
}

#[tokio::test]
async fn the_history_is_of_a_period() {
    let library = library().await;
    let client = library.client().await;
    publisher(&client, "mod-a-1.0.0", &["ONE", "TWO"]).await;
    for kind in ["ONE", "TWO", "TWO"] {
        let sent = event(kind, "mod-a-1.0.0", &json!({}));
        let _ = client.post(PUBLISH, &sent).await.expect(204);
    }
    let page = client.get(HISTORY).await.expect(200).json();
    assert_eq!(page["totalRecords"], 9);
    let row = &page["auditMessages"][0];
    for (property, value) in [
        ("state", "CREATED"),
        ("tenantId", "diku"),
        ("publishedBy", "mod-a-1.0.0"),
        ("correlationId", "c-1"),
        ("createdBy", "somebody"),
    ] {
        assert_eq!(row[property], value, "{row}");
    }
    for (filter, count) in [
        ("eventType=TWO", 6),
        ("correlationId=c-1", 9),
        ("correlationId=c-2", 0),
        ("eventId=nobody", 0),
    ] {
        let page = client.get(&format!("{HISTORY}&{filter}")).await;
        assert_eq!(page.expect(200).json()["totalRecords"], count, "{filter}");
    }
    let earlier = "/pubsub/history?startDate=2000-01-01&endDate=2000-01-02T10:00:00Z";
    assert_eq!(
        client.get(earlier).await.expect(200).json()["totalRecords"],
        0
    );
    for (path, message) in [
        ("", "Start date and End date are required query parameters"),
        (
            "?startDate=2000-01-01",
            "Start date and End date are required query parameters",
        ),
        (
            "?startDate=2000-01-01&endDate=today",
            "Supported date formats ",
        ),
    ] {
        let refused = client
            .get(&format!("/pubsub/history{path}"))
            .await
            .expect(400);
        assert!(refused.text.starts_with(message), "{}", refused.text);
    }
    let event = Uuid::from_u128(7);
    let payload = client
        .get(&format!("/pubsub/audit-messages/{event}/payload"))
        .await;
    let message = format!("Couldn't find audit message payload for event {event}");
    assert_eq!(payload.expect(404).text, message);
}

#[tokio::test]
async fn an_old_history_is_deleted_and_a_young_one_stays() {
    let library = library().await;
    let client = library.client().await;
    publisher(&client, "mod-a-1.0.0", &["ONE"]).await;
    let (old, young) = (
        event("ONE", "mod-a-1.0.0", &json!({})),
        event("ONE", "mod-a-1.0.0", &json!({})),
    );
    for sent in [&old, &young] {
        let _ = client.post(PUBLISH, sent).await.expect(204);
    }
    let database = &library.platform.store.database;
    let age = "UPDATE tenant_diku.pubsub_audit_message SET audit_date = now() - interval '91 days' \
               WHERE event_id = $1::text::uuid";
    let aged = database.execute(age, &[&id(&old)]).await;
    assert_eq!(aged.expect("rows"), 3);
    let tenant = library.tenant();
    let mut deleted = Vec::new();
    for _ in 0..3 {
        let portion = octavo_pubsub::store::events::delete_old(database, &tenant, 90, 2).await;
        deleted.push(portion.expect("it is carried out"));
    }
    assert_eq!(deleted, [2, 1, 0]);
    assert!(states(&client, id(&old)).await.0.is_empty());
    assert_eq!(states(&client, id(&young)).await.0.len(), 3);
}
