//! Custom fields of orders and lines: `/custom-fields` of mod-orders-storage, named by the client.

use octavo_testkit::{Answer, Client};
use serde_json::{Value, json};

use super::house::{House, LINES, ORDERS};
use super::text;

const FIELDS: &str = "/custom-fields";

/// The same client, which means the fields of orders.
fn of_orders(house: &House) -> Client {
    let modules = octavo_orders::modules();
    let storage = modules.iter().find(|one| one.name == "mod-orders-storage");
    let id = storage.expect("the module").id();
    house.client.with_module(&id)
}

async fn field(client: &Client, name: &str, entity: &str, more: Value) -> Value {
    let mut body = json!({"name": name, "type": "TEXTBOX_SHORT", "entityType": entity});
    for (key, value) in more.as_object().expect("an object") {
        body[key] = value.clone();
    }
    client.post(FIELDS, &body).await.expect(201).json()
}

fn reasons(answer: &Answer) -> Vec<String> {
    let body = answer.json();
    let errors = body["errors"].as_array().expect("errors").clone();
    errors.iter().map(|one| text(&one["message"])).collect()
}

#[tokio::test]
async fn each_module_has_its_own() {
    let house = House::new().await;
    let orders = of_orders(&house);
    let number = field(&orders, "External number", "purchase_order", json!({})).await;
    assert_eq!(number["refId"], "externalNumber");
    let users = house.get(FIELDS).await;
    assert_eq!(users["totalRecords"], 0);
    let own = orders.get(FIELDS).await.expect(200).json();
    assert_eq!(own["customFields"][0]["id"], number["id"]);
    let path = format!("{FIELDS}/{}", text(&number["id"]));
    let _ = house.client.get(&path).await.expect(404);
    let _ = orders.get(&path).await.expect(200);
    // A module that has no custom fields.
    let nobody = house.client.with_module("mod-circulation-1.0.0");
    let _ = nobody.get(FIELDS).await.expect(404);
}

#[tokio::test]
async fn values_are_checked_counted_and_removed() {
    let house = House::new().await;
    let orders = of_orders(&house);
    let number = field(
        &orders,
        "Number",
        "purchase_order",
        json!({"textField": {"fieldFormat": "NUMBER"}}),
    )
    .await;
    let options = json!({"multiSelect": false, "options": {"values":
        [{"value": "gift"}, {"value": "bought", "default": true}]}});
    let kind = json!({"type": "SINGLE_SELECT_DROPDOWN", "selectField": options});
    let way = field(&orders, "Way", "po_line", kind).await;
    let mut line = house.line(1, 10.0);
    line["customFields"] = json!({"way": "opt_1"});
    let mut order = house.order("Pending", &[line]);
    order["customFields"] = json!({"number": "seven", "way": "opt_1"});
    let refused = house.client.post(ORDERS, &order).await.expect(422);
    assert_eq!(
        reasons(&refused),
        [
            "Invalid Number format: seven",
            // A field of lines is none of orders.
            "Custom field with refId way is not found",
        ]
    );
    assert!(house.all(ORDERS, "purchaseOrders").await.is_empty());
    order["customFields"] = json!({"number": "7"});
    let order = house.client.post(ORDERS, &order).await.expect(201).json();
    let stored = house.stored(&order).await;
    assert_eq!(stored["customFields"], json!({"number": "7"}));
    let line = &stored["compositePoLines"][0];
    assert_eq!(line["customFields"], json!({"way": "opt_1"}));
    // A change of the line, and of the order.
    let mut wrong = line.clone();
    wrong["customFields"] = json!({"way": "opt_9"});
    let refused = house.put_line(&wrong).await.expect(422);
    assert_eq!(reasons(&refused).len(), 1);
    let mut wrong = stored.clone();
    wrong["customFields"] = json!({"unknown": "1"});
    let _ = house.put(&wrong).await.expect(422);
    let storage = format!("/orders-storage/po-lines/{}", text(&line["id"]));
    let mut kept = house.get(&storage).await;
    kept["customFields"] = json!({"way": 4});
    let _ = house.client.put(&storage, &kept).await.expect(422);
    // How many have values.
    let stats = format!("{FIELDS}/{}/stats", text(&number["id"]));
    let count = orders.get(&stats).await.expect(200).json();
    assert_eq!(
        (&count["entityType"], &count["count"]),
        (&json!("purchase_order"), &json!(1))
    );
    let path = format!("{FIELDS}/{}", text(&way["id"]));
    let count = orders
        .get(&format!("{path}/options/opt_1/stats"))
        .await
        .expect(200)
        .json();
    assert_eq!(count["count"], 1);
    // An option that goes is replaced by the default, a field that goes takes the values along.
    let mut changed = way.clone();
    let left = json!([{"id": "opt_2", "value": "bought", "default": true}]);
    changed["selectField"]["options"]["values"] = left;
    let _ = orders.put(&path, &changed).await.expect(204);
    let now = house.get(&format!("{LINES}/{}", text(&line["id"]))).await;
    assert_eq!(now["customFields"], json!({"way": "opt_2"}));
    for id in [&number["id"], &way["id"]] {
        let _ = orders
            .delete(&format!("{FIELDS}/{}", text(id)))
            .await
            .expect(204);
    }
    let stored = house.stored(&order).await;
    let values = |record: &Value| record.get("customFields").cloned().unwrap_or(json!({}));
    assert_eq!(values(&stored), json!({}));
    assert_eq!(values(&stored["compositePoLines"][0]), json!({}));
    house.in_order().await;
}
