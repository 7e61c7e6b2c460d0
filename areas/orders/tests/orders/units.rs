//! Acquisitions units: who may see and change which orders.

use octavo_server_testkit::staff;
use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::house::{House, LINES, ORDERS, codes};
use super::{found, made, text};

/// Staff who may do everything with orders but pass units by.
async fn clerk(house: &House, more: &[&str]) -> (Client, Uuid) {
    let mut permissions = vec![
        "orders.collection.get",
        "orders.item.get",
        "orders.item.post",
        "orders.item.put",
        "orders.item.delete",
        "orders.po-lines.collection.get",
        "orders.po-lines.item.get",
        "orders.po-lines.item.put",
    ];
    permissions.extend(more);
    staff(&house.library, &house.client, "clerk", &permissions).await
}

async fn unit(house: &House, name: &str, protections: Value) -> Value {
    let mut unit = json!({"name": name});
    for (key, value) in protections.as_object().expect("an object") {
        unit[key] = value.clone();
    }
    made(&house.client, "/acquisitions-units/units", &unit).await
}

#[tokio::test]
async fn members_alone_change_what_a_unit_protects() {
    let house = House::new().await;
    let (client, user) = clerk(&house, &[]).await;
    let hidden = unit(&house, "Law", json!({"protectRead": true})).await;
    let open = unit(
        &house,
        "Open",
        json!({"protectUpdate": false, "protectDelete": false}),
    )
    .await;
    let mut body = house.order("Pending", &[house.line(1, 1.0)]);
    body["acqUnitIds"] = json!([hidden["id"]]);
    let answer = client.post(ORDERS, &body).await.expect(403);
    assert_eq!(codes(&answer), ["userHasNoAcqUnitsPermission"]);
    let order = made(&house.client, ORDERS, &body).await;
    let path = format!("{ORDERS}/{}", text(&order["id"]));
    let line = format!("{LINES}/{}", text(&order["compositePoLines"][0]["id"]));
    for path in [&path, &line] {
        let answer = client.get(path).await.expect(403);
        assert_eq!(codes(&answer), ["userNotAMemberOfTheAcq"]);
    }
    for (path, key) in [(ORDERS, "purchaseOrders"), (LINES, "poLines")] {
        assert!(
            found(&client, path, "cql.allRecords=1", key)
                .await
                .is_empty()
        );
        assert_eq!(
            found(&house.client, path, "cql.allRecords=1", key)
                .await
                .len(),
            1
        );
    }
    let answer = client.put(&path, &order).await.expect(403);
    assert_eq!(codes(&answer), ["userNotAMemberOfTheAcq"]);
    let answer = client.delete(&path).await.expect(403);
    assert_eq!(codes(&answer), ["userNotAMemberOfTheAcq"]);
    // One unit that does not protect opens it; members see it anyway.
    let mut both = order.clone();
    both["acqUnitIds"] = json!([hidden["id"], open["id"]]);
    let _ = house.client.put(&path, &both).await.expect(204);
    let _ = client.get(&path).await.expect(200);
    let _ = house.client.put(&path, &order).await.expect(204);
    let membership = json!({"userId": user, "acquisitionsUnitId": hidden["id"]});
    let _ = made(
        &house.client,
        "/acquisitions-units/memberships",
        &membership,
    )
    .await;
    let stored = client.get(&path).await.expect(200).json();
    assert_eq!(
        found(&client, ORDERS, "cql.allRecords=1", "purchaseOrders")
            .await
            .len(),
        1
    );
    let _ = client.put(&path, &stored).await.expect(204);
    let mut moved = stored;
    moved["acqUnitIds"] = json!([]);
    let answer = client.put(&path, &moved).await.expect(403);
    assert_eq!(codes(&answer), ["userHasNoAcqUnitsPermission"]);
    let _ = client.delete(&path).await.expect(204);
}

#[tokio::test]
async fn what_is_not_allowed_to_everybody() {
    let house = House::new().await;
    house
        .set("approvals", "{\"isApprovalRequired\":true}")
        .await;
    let (client, _) = clerk(&house, &[]).await;
    let mut body = house.order("Pending", &[house.line(1, 1.0)]);
    body["approved"] = json!(true);
    let answer = client.post(ORDERS, &body).await.expect(403);
    assert_eq!(codes(&answer), ["userHasNoApprovalPermission"]);
    body["workflowStatus"] = json!("Open");
    let order = made(&house.client, ORDERS, &body).await;
    let path = format!("{ORDERS}/{}", text(&order["id"]));
    let mut turned = house.stored(&order).await;
    turned["workflowStatus"] = json!("Pending");
    let answer = client.put(&path, &turned).await.expect(403);
    assert_eq!(codes(&answer), ["userHasNoOrderUnopenPermission"]);
    turned["workflowStatus"] = json!("Closed");
    let _ = client.put(&path, &turned).await.expect(204);
    turned["workflowStatus"] = json!("Open");
    let answer = client.put(&path, &turned).await.expect(403);
    assert_eq!(codes(&answer), ["userHasNoOrderReopenPermission"]);
}
