//! The settings of histories: their values, their permissions, and what they do.

use octavo_server_testkit::library;
use octavo_server_testkit::people::staff;
use octavo_server_testkit::stock::Stock;
use octavo_testkit::Client;
use serde_json::{Value, json};

use super::{change, changes, got};

const GROUPS: &str = "/audit/config/groups";

fn path(group: &str, key: &str) -> String {
    format!("{GROUPS}/{group}/settings/{key}")
}

async fn set(client: &Client, group: &str, key: &str, kind: &str, value: Value) {
    let body = json!({"groupId": group, "key": key, "type": kind, "value": value});
    let _ = client.put(&path(group, key), &body).await.expect(204);
}

#[tokio::test]
async fn settings_are_listed_and_changed() {
    let library = library().await;
    let client = library.client().await;
    let groups = got(&client, GROUPS).await;
    let ids: Vec<&Value> = (0..2)
        .map(|at| &groups["settingGroups"][at]["id"])
        .collect();
    assert_eq!(ids, ["audit.authority", "audit.inventory"]);
    assert_eq!(groups["totalRecords"], 2);
    set(
        &client,
        "audit.inventory",
        "records.page.size",
        "INTEGER",
        json!(3),
    )
    .await;
    let listed = got(&client, &format!("{GROUPS}/audit.inventory/settings")).await;
    let values: Vec<(&Value, &Value)> = (0..3)
        .map(|at| {
            (
                &listed["settings"][at]["key"],
                &listed["settings"][at]["value"],
            )
        })
        .collect();
    assert_eq!(
        values,
        [
            (&json!("enabled"), &json!(true)),
            (&json!("records.page.size"), &json!(3)),
            (&json!("records.retention.period"), &json!(-1))
        ]
    );
    assert!(listed["settings"][1]["metadata"]["updatedByUserId"].is_string());
    let refused = async |group: &str, key: &str, body: Value, status: u16| {
        let answer = client.put(&path(group, key), &body).await.expect(status);
        answer.json()["errors"][0].clone()
    };
    let body = |value: Value| json!({"groupId": "audit.inventory", "key": "enabled", "type": "BOOLEAN", "value": value});
    let error = refused("audit.inventory", "enabled", body(json!("yes")), 422).await;
    assert_eq!(error["message"], "Setting value should be a boolean");
    assert_eq!(error["code"], "validation");
    let error = refused("audit.authority", "enabled", body(json!(true)), 422).await;
    assert_eq!(
        error["message"],
        "Setting group id or key does not match the path parameters"
    );
    let mut other = body(json!(1));
    other["type"] = json!("INTEGER");
    let error = refused("audit.inventory", "enabled", other, 422).await;
    assert_eq!(error["message"], "Setting type should be BOOLEAN");
    let unknown = json!({"groupId": "audit.inventory", "key": "x", "type": "STRING", "value": "y"});
    let error = refused("audit.inventory", "x", unknown, 404).await;
    assert_eq!(
        error["message"],
        "Setting with key 'x' in group 'audit.inventory' not found"
    );
    let missing = client
        .get(&format!("{GROUPS}/audit.x/settings"))
        .await
        .expect(404);
    assert_eq!(missing.json()["errors"][0]["code"], "notFound");
}

#[tokio::test]
async fn each_group_and_setting_has_a_permission_of_its_own() {
    let library = library().await;
    let admin = library.client().await;
    let has = [
        "audit.config.groups.settings.collection.get",
        "audit.config.groups.settings.item.put",
        "audit.config.groups.settings.audit.inventory.collection.get",
    ];
    let (client, _) = staff(&library, &admin, "keeper", &has).await;
    let _ = got(&client, &format!("{GROUPS}/audit.inventory/settings")).await;
    let refused = client
        .get(&format!("{GROUPS}/audit.authority/settings"))
        .await
        .expect(403)
        .json();
    let permission = "audit.config.groups.settings.audit.authority.collection.get";
    assert_eq!(
        refused["errors"][0]["message"],
        format!("Permission '{permission}' required to perform this operation")
    );
    let body =
        json!({"groupId": "audit.inventory", "key": "enabled", "type": "BOOLEAN", "value": false});
    let _ = client
        .put(&path("audit.inventory", "enabled"), &body)
        .await
        .expect(403);
    for route in ["inventory/item", "marc/bib", "acquisition/order"] {
        let path = format!("/audit-data/{route}/6cd3c3ba-5d1a-4c39-9f0e-000000000001");
        let _ = client.get(&path).await.expect(403);
    }
}

#[tokio::test]
async fn nothing_is_kept_while_histories_are_off() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let record = format!("/instance-storage/instances/{}", stock.instance);
    let route = format!("instance/{}", stock.instance);
    let title = async |title: &str| {
        change(&client, &record, |one| one["title"] = json!(title)).await;
    };
    assert_eq!(changes(&client, &route).await.len(), 1);
    set(
        &client,
        "audit.inventory",
        "enabled",
        "BOOLEAN",
        json!(false),
    )
    .await;
    title("first").await;
    // What was kept can be read.
    assert_eq!(changes(&client, &route).await.len(), 1);
    set(
        &client,
        "audit.inventory",
        "enabled",
        "BOOLEAN",
        json!(true),
    )
    .await;
    title("second").await;
    let kept = changes(&client, &route).await;
    assert_eq!(kept.len(), 2);
    assert_eq!(kept[0]["diff"]["fieldChanges"][0]["oldValue"], "first");
    set(
        &client,
        "audit.inventory",
        "records.page.size",
        "INTEGER",
        json!(1),
    )
    .await;
    assert_eq!(changes(&client, &route).await.len(), 1);
}
