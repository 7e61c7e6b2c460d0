//! Where requests may be picked up: by request policies, the statuses of items, and the places there
//! are.

use octavo_testkit::{Answer, Client};
use serde_json::{Value, json};

use super::support::{rule_for, sql, wait};
use super::{messages, stocked};
use octavo_server_testkit::stock::{BOOK, CIRC_DESK_1, CIRC_DESK_2, DVD, UNDERGRAD};

const PATH: &str = "/circulation/requests/allowed-service-points";
const POLICIES: &str = "/request-policy-storage/request-policies";
const NOBODY: &str = "0b117416-8dcf-45a1-be9a-ffaa847c4423";
const INTERIM: &str = "32c6f0c7-26e4-4350-8c29-1e11c2e3efc4";

async fn ask(client: &Client, parameters: &[(&str, &str)]) -> Answer {
    let joined = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let joined: Vec<String> = joined.collect();
    client.get(&format!("{PATH}?{}", joined.join("&"))).await
}

/// The parameters for a new request of a patron for an item.
fn new<'a>(patron: &'a str, item: &'a str) -> [(&'a str, &'a str); 3] {
    let operation = ("operation", "create");
    [operation, ("requesterId", patron), ("itemId", item)]
}

/// The names of the service points, by kind.
async fn names(client: &Client, parameters: &[(&str, &str)]) -> Value {
    let told = ask(client, parameters).await.expect(200).json();
    let told = told.as_object().expect("an object");
    let names = told.iter().map(|(kind, points)| {
        let points = points.as_array().expect("a list").iter();
        let points: Vec<Value> = points.map(|point| point["name"].clone()).collect();
        (kind.clone(), Value::Array(points))
    });
    Value::Object(names.collect())
}

#[tokio::test]
async fn the_policy_and_the_status_of_an_item_say_where_it_may_be_picked_up() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let there = stock.item("i-1").await;
    let lent = stock.item_of("i-2", DVD, "Checked out").await;
    let lost = stock.item_of("i-3", DVD, "Declared lost").await;
    // Names in order; "Online" is no place to pick up.
    let all = json!(["Circ Desk 1", "Circ Desk 2", "Interim service point"]);
    assert_eq!(
        names(client, &new(&patron, &there)).await,
        json!({"Page": all})
    );
    assert_eq!(
        names(client, &new(&patron, &lent)).await,
        json!({"Hold": all, "Recall": all})
    );
    assert_eq!(names(client, &new(&patron, &lost)).await, json!({}));
    let one = ask(client, &new(&patron, &there)).await.expect(200).json();
    assert_eq!(
        one["Page"][0],
        json!({"id": CIRC_DESK_1, "name": "Circ Desk 1",
               "discoveryDisplayName": "Circulation Desk -- Hallway"})
    );

    let policy = json!({"name": "Here", "requestTypes": ["Hold", "Page"],
        "allowedServicePoints": {"Page": [CIRC_DESK_2, INTERIM], "Hold": [CIRC_DESK_1]}});
    let policy = client.post(POLICIES, &policy).await.expect(201).json();
    let id = policy["id"].as_str().expect("an id");
    rule_for(client, &format!("m {DVD}"), "r", id).await;
    let two = json!(["Circ Desk 2", "Interim service point"]);
    assert_eq!(
        names(client, &new(&patron, &there)).await,
        json!({"Page": two})
    );
    assert_eq!(
        names(client, &new(&patron, &lent)).await,
        json!({"Hold": ["Circ Desk 1"]})
    );
    // For the group alone, without anybody.
    let group = [
        ("operation", "create"),
        ("patronGroupId", UNDERGRAD),
        ("itemId", &lent),
    ];
    assert_eq!(
        names(client, &group).await,
        json!({"Hold": ["Circ Desk 1"]})
    );
    // The rules know nothing of a stub's type, so the fallback holds, whatever its status.
    let mut stub = new(&patron, &lost).to_vec();
    stub.push(("useStubItem", "true"));
    assert_eq!(
        names(client, &stub).await,
        json!({"Hold": all, "Recall": all, "Page": all})
    );

    // What changes in a policy is in force at once; a point that is closed leaves the policies.
    let mut point = client
        .get(&format!("/service-points/{CIRC_DESK_2}"))
        .await
        .expect(200)
        .json();
    point["pickupLocation"] = json!(false);
    if let Some(point) = point.as_object_mut() {
        let _ = point.remove("holdShelfExpiryPeriod");
    }
    let path = format!("/service-points/{CIRC_DESK_2}");
    let _ = client.put(&path, &point).await.expect(204);
    assert_eq!(
        names(client, &new(&patron, &there)).await,
        json!({"Page": ["Interim service point"]})
    );
    let path = format!("{POLICIES}/{id}");
    let kept = client.get(&path).await.expect(200).json();
    assert_eq!(
        kept["allowedServicePoints"],
        json!({"Page": [INTERIM], "Hold": [CIRC_DESK_1]})
    );
    let _ = client
        .delete(&format!("/service-points/{INTERIM}"))
        .await
        .expect(204);
    let kept = client.get(&path).await.expect(200).json();
    assert_eq!(kept["allowedServicePoints"], json!({"Hold": [CIRC_DESK_1]}));
    assert_eq!(kept["requestTypes"], json!(["Hold"]));
    assert_eq!(names(client, &new(&patron, &there)).await, json!({}));
}

#[tokio::test]
async fn a_title_is_what_its_items_are_together_however_many_there_are() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let asked = [
        ("operation", "create"),
        ("requesterId", patron.as_str()),
        ("instanceId", stock.instance.as_str()),
    ];
    // Without items only where holds need not follow the rules.
    assert_eq!(names(client, &asked).await, json!({}));
    let setting = json!({"name": "generalTlr", "value": {
        "titleLevelRequestsFeatureEnabled": true, "tlrHoldShouldFollowCirculationRules": false}});
    let path = "/circulation/settings";
    let setting = client.post(path, &setting).await.expect(201).json();
    let all = json!(["Circ Desk 1", "Circ Desk 2", "Interim service point"]);
    assert_eq!(names(client, &asked).await, json!({"Hold": all}));
    let mut follows = setting.clone();
    follows["value"]["tlrHoldShouldFollowCirculationRules"] = json!(true);
    let id = setting["id"].as_str().expect("an id");
    let _ = client
        .put(&format!("{path}/{id}"), &follows)
        .await
        .expect(204);
    assert_eq!(names(client, &asked).await, json!({}));

    let policy = json!({"name": "Books", "requestTypes": ["Recall"],
        "allowedServicePoints": {"Recall": [CIRC_DESK_2]}});
    let policy = client.post(POLICIES, &policy).await.expect(201).json();
    let policy = policy["id"].as_str().expect("an id");
    rule_for(client, &format!("m {BOOK} + g {UNDERGRAD}"), "r", policy).await;
    let _ = stock.item("i-1").await;
    let book = stock.item_of("i-2", BOOK, "Checked out").await;
    assert_eq!(
        names(client, &asked).await,
        json!({"Page": all, "Recall": ["Circ Desk 2"]})
    );
    // A thousand more of both kinds are no other answer, and take no longer than one can wait.
    let more = sql(
        &library,
        "WITH made AS (INSERT INTO tenant_diku.item (id, jsonb)
           SELECT id, jsonb || jsonb_build_object('id', id, 'hrid', id, 'barcode', id)
           FROM (SELECT gen_random_uuid() AS id, jsonb FROM tenant_diku.item,
             generate_series(1, 500)) AS more RETURNING 1) SELECT count(*) FROM made",
    );
    assert_eq!(more.await, [1_000]);
    let started = std::time::Instant::now();
    assert_eq!(
        names(client, &asked).await,
        json!({"Page": all, "Recall": ["Circ Desk 2"]})
    );
    let elapsed = started.elapsed();
    assert!(elapsed.as_millis() < 500, "{elapsed:?}");

    // A request that changes keeps its kinds whatever its item's status; one that moves does not.
    let request = wait(&stock, "Hold", &book, &patron, json!({})).await;
    let replace = [("operation", "replace"), ("requestId", request.as_str())];
    assert_eq!(
        names(client, &replace).await,
        json!({"Recall": ["Circ Desk 2"]})
    );
    let dvd = stock.item_of("i-3", DVD, "Checked out").await;
    let moves = [
        ("operation", "move"),
        ("requestId", request.as_str()),
        ("itemId", dvd.as_str()),
    ];
    assert_eq!(
        names(client, &moves).await,
        json!({"Hold": all, "Recall": all})
    );
}

#[tokio::test]
async fn places_between_tenants_are_told_apart() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let point = json!({"name": "Remote", "code": "r", "discoveryDisplayName": "Remote",
        "pickupLocation": true, "ecsRequestRouting": true,
        "holdShelfExpiryPeriod": {"duration": 3, "intervalId": "Weeks"}});
    let _ = client.post("/service-points", &point).await.expect(201);
    let patron = stock.patron("p-1").await;
    let item = stock.item("i-1").await;
    let mut asked = vec![
        ("operation", "create"),
        ("requesterId", patron.as_str()),
        ("itemId", item.as_str()),
    ];
    assert_eq!(
        names(client, &asked).await["Page"],
        json!(["Circ Desk 1", "Circ Desk 2", "Interim service point"])
    );
    asked.push(("ecsRequestRouting", "true"));
    assert_eq!(names(client, &asked).await, json!({"Page": ["Remote"]}));
}

#[tokio::test]
async fn what_is_not_there_or_does_not_go_together_is_refused() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let patron = patron.as_str();
    let create = ("operation", "create");
    for (parameters, sentence) in [
        (
            vec![create, ("requesterId", patron), ("instanceId", NOBODY)],
            format!("Instance with ID {NOBODY} was not found"),
        ),
        (
            vec![create, ("requesterId", patron), ("itemId", NOBODY)],
            format!("Item with id={NOBODY} cannot be found"),
        ),
        (
            vec![
                create,
                ("requesterId", NOBODY),
                ("instanceId", &stock.instance),
            ],
            format!("User with ID {NOBODY} was not found"),
        ),
        (
            vec![("operation", "replace"), ("requestId", NOBODY)],
            format!("Request with ID {NOBODY} was not found"),
        ),
    ] {
        let answer = ask(client, &parameters).await.expect(422).json();
        assert_eq!(messages(&answer), [sentence.as_str()]);
        assert_eq!(answer["errors"][0]["parameters"], json!([]));
    }
    for (parameters, sentence) in [
        (vec![], "Invalid combination of query parameters"),
        (vec![create], "Invalid combination of query parameters"),
        (
            vec![("operation", "cancel"), ("requestId", NOBODY)],
            "Invalid combination of query parameters",
        ),
        (
            vec![create, ("requesterId", "me"), ("itemId", NOBODY)],
            "Requester ID is not a valid UUID: me.",
        ),
        (
            vec![
                create,
                ("requesterId", patron),
                ("itemId", NOBODY),
                ("useStubItem", "1"),
            ],
            "useStubItem is not a valid boolean: 1.",
        ),
    ] {
        let answer = ask(client, &parameters).await.expect(400);
        assert_eq!(answer.text, sentence);
    }
}
