//! Descriptors, and who is registered for a type.

use octavo_server_testkit::library;
use serde_json::json;
use tokio::task::JoinSet;

use super::{PUBLISHER, SUBSCRIBER, TYPES, described, publisher, subscribe};

#[tokio::test]
async fn a_type_is_described_once() {
    let library = library().await;
    let client = library.client().await;
    let sent = described("BOOK_READ");
    for _ in 0..2 {
        let made = client.post(TYPES, &sent).await.expect(201).json();
        assert_eq!(made["eventType"], "BOOK_READ");
    }
    let path = format!("{TYPES}/BOOK_READ");
    let stored = client.get(&path).await.expect(200).json();
    assert_eq!(stored["description"], sent["description"]);
    let mut other = sent.clone();
    other["eventTTL"] = json!(7);
    let refused = client.post(TYPES, &other).await.expect(400);
    assert!(
        refused.text.starts_with(
            "Event descriptor for event type 'BOOK_READ' already exists, but the content is \
             different. Existing event descriptor: {"
        ),
        "{}",
        refused.text
    );
    // The body names the type.
    let changed = client.put(&format!("{TYPES}/ANY"), &other).await;
    assert_eq!(changed.expect(200).json()["eventTTL"], 7);
    let unknown = client.put(&path, &described("UNKNOWN")).await.expect(404);
    assert_eq!(
        unknown.text,
        "EventDescriptor with event type 'UNKNOWN' was not updated"
    );
    let all = client.get(TYPES).await.expect(200).json();
    let names = all["eventDescriptors"].as_array().expect("a list").iter();
    assert_eq!(
        names.filter(|one| one["eventType"] == "BOOK_READ").count(),
        1
    );
    let _ = client.delete(&path).await.expect(204);
    let gone = client.get(&path).await.expect(404);
    assert_eq!(
        gone.text,
        "Event Descriptor with event type 'BOOK_READ' was not found"
    );
    let gone = client.delete(&path).await.expect(404);
    assert_eq!(
        gone.text,
        "EventDescriptor with event type name 'BOOK_READ' was not found"
    );
    for wrong in [
        json!({"eventType": "A"}),
        json!({"eventType": "A", "eventTTL": 1, "more": 1}),
    ] {
        assert_eq!(client.post(TYPES, &wrong).await.status, 422, "{wrong}");
    }
}

#[tokio::test]
async fn who_describes_a_type_first_describes_it_for_all() {
    let library = library().await;
    let client = library.client().await;
    // Circulation's type stands in until somebody describes it.
    let stands_in = client.get(&format!("{TYPES}/ITEM_CHECKED_OUT")).await;
    assert_eq!(stands_in.expect(200).json()["tmp"], true);
    subscribe(&client, "mod-a-1.0.0", "NEW_ONE", "/a").await;
    let stands_in = client.get(&format!("{TYPES}/NEW_ONE")).await;
    assert_eq!(stands_in.expect(200).json()["tmp"], true);
    for name in ["ITEM_CHECKED_OUT", "NEW_ONE"] {
        let _ = client.post(TYPES, &described(name)).await.expect(201);
        let stored = client.get(&format!("{TYPES}/{name}")).await;
        assert_eq!(stored.expect(200).json()["tmp"], false);
        let mut other = described(name);
        other["signed"] = json!(true);
        assert_eq!(client.post(TYPES, &other).await.status, 400);
    }
    // Many at once agree on one.
    let all = (1..=6).map(|ttl| {
        let client = client.clone();
        let mut body = described("RACE");
        body["eventTTL"] = json!(ttl);
        async move { client.post(TYPES, &body).await.status }
    });
    let mut statuses = all.collect::<JoinSet<_>>().join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 400, 400, 400, 400, 400]);
}

#[tokio::test]
async fn a_module_declares_what_it_publishes() {
    let library = library().await;
    let client = library.client().await;
    publisher(&client, "mod-a-1.0.0", &["ONE", "TWO"]).await;
    let path = |name: &str| format!("{TYPES}/{name}/publishers");
    let page = client.get(&path("ONE")).await.expect(200).json();
    assert_eq!(page["totalRecords"], 1);
    let module = &page["messagingModules"][0];
    assert_eq!(module["moduleId"], "mod-a-1.0.0");
    assert_eq!(module["moduleRole"], "PUBLISHER");
    assert_eq!(
        (&module["tenantId"], &module["activated"]),
        (&json!("diku"), &json!(true))
    );
    // Another version takes over, and what it no longer declares is over.
    let body =
        json!({"moduleId": "mod-a-1.10.0-SNAPSHOT.7", "eventDescriptors": [described("TWO")]});
    let _ = client.post(PUBLISHER, &body).await.expect(201);
    assert_eq!(client.get(&path("ONE")).await.json()["totalRecords"], 0);
    let page = client.get(&path("TWO")).await.expect(200).json();
    assert_eq!(page["totalRecords"], 1);
    assert_eq!(
        page["messagingModules"][0]["moduleId"],
        "mod-a-1.10.0-SNAPSHOT.7"
    );
    // Every type is looked at, and nothing is declared.
    let mut other = described("TWO");
    other["eventTTL"] = json!(9);
    let body = json!({"moduleId": "mod-b-1.0.0",
                      "eventDescriptors": [other, described("THREE"), described("ONE")]});
    let errors = client.post(PUBLISHER, &body).await.expect(400).json();
    assert_eq!(
        errors["errors"].as_array().map(Vec::len),
        Some(2),
        "{errors}"
    );
    assert_eq!(client.get(&path("ONE")).await.json()["totalRecords"], 0);
    let used = client.delete(&format!("{TYPES}/TWO")).await.expect(400);
    assert_eq!(
        used.text,
        "Event type TWO cannot be deleted. Modules [mod-a-1.10.0-SNAPSHOT.7] are registered as \
         publishers or subscribers for this event type."
    );
    let gone = format!("{}?moduleId=mod-a-1.10.0-SNAPSHOT.7", path("TWO"));
    for _ in 0..2 {
        let _ = client.delete(&gone).await.expect(204);
    }
    assert_eq!(client.delete(&path("TWO")).await.status, 400);
    let _ = client.delete(&format!("{TYPES}/TWO")).await.expect(204);
}

#[tokio::test]
async fn a_module_declares_to_what_it_subscribes() {
    let library = library().await;
    let client = library.client().await;
    let declare = |module: &str, types: &[&str]| {
        let all: Vec<_> = types
            .iter()
            .map(|name| json!({"eventType": name, "callbackAddress": format!("/cb/{name}")}))
            .collect();
        json!({"moduleId": module, "subscriptionDefinitions": all})
    };
    let count = async |name: &str| {
        let page = client.get(&format!("{TYPES}/{name}/subscribers")).await;
        page.expect(200).json()["totalRecords"].clone()
    };
    for _ in 0..2 {
        let body = declare("mod-a-1.0.0", &["ONE", "TWO"]);
        let _ = client.post(SUBSCRIBER, &body).await.expect(201);
        assert_eq!(
            (count("ONE").await, count("TWO").await),
            (json!(1), json!(1))
        );
    }
    let page = client.get(&format!("{TYPES}/ONE/subscribers")).await;
    let page = page.expect(200).json();
    assert_eq!(page["messagingModules"][0]["subscriberCallback"], "/cb/ONE");
    let body = declare("mod-a-b-1.0.0", &["ONE"]);
    let _ = client.post(SUBSCRIBER, &body).await.expect(201);
    let body = declare("mod-a-2.0.0", &["TWO"]);
    let _ = client.post(SUBSCRIBER, &body).await.expect(201);
    assert_eq!(
        (count("ONE").await, count("TWO").await),
        (json!(1), json!(1))
    );
    let all = "/pubsub/messaging-modules";
    let missing = "ModuleId and moduleRole are required query parameters";
    for path in ["", "?moduleId=mod-a-2.0.0", "?moduleRole=SUBSCRIBER"] {
        let refused = client.delete(&format!("{all}{path}")).await.expect(400);
        assert_eq!(refused.text, missing);
    }
    let wrong = format!("{all}?moduleId=mod-a-2.0.0&moduleRole=READER");
    assert_eq!(client.delete(&wrong).await.status, 400);
    let right = format!("{all}?moduleId=mod-a-2.0.0&moduleRole=SUBSCRIBER");
    let _ = client.delete(&right).await.expect(204);
    assert_eq!(count("TWO").await, json!(0));
    // Several at once leave one row for each type.
    let calls = (0..8).map(|number| {
        let client = client.clone();
        let body = declare(&format!("mod-c-1.{number}.0"), &["ONE", "TWO"]);
        async move { client.post(SUBSCRIBER, &body).await.status }
    });
    let statuses = calls.collect::<JoinSet<_>>().join_all().await;
    assert_eq!(statuses, [201; 8]);
    assert_eq!(
        (count("ONE").await, count("TWO").await),
        (json!(2), json!(1))
    );
}
