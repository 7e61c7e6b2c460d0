//! Histories of instances, holdings and items: what changed, by whom.

use octavo_server_testkit::library;
use octavo_server_testkit::stock::{CIRC_DESK_1, Stock, check_out};
use serde_json::{Value, json};

use super::{change, changes, got, text};

/// The changed fields as `path: old → new`, and the changed lists as `name: what came and went`.
fn told(item: &Value) -> Vec<String> {
    let shown = |value: &Value| match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let fields = item["diff"]["fieldChanges"].as_array().expect("fields");
    let fields = fields.iter().map(|one| {
        format!(
            "{}: {} → {}",
            text(&one["fullPath"]),
            shown(&one["oldValue"]),
            shown(&one["newValue"])
        )
    });
    let lists = item["diff"]["collectionChanges"].as_array().expect("lists");
    let lists = lists.iter().flat_map(|list| {
        let items = list["itemChanges"].as_array().expect("changes");
        items.iter().map(|one| {
            format!(
                "{}: {} {}{}",
                text(&list["collectionName"]),
                text(&one["changeType"]),
                one.get("oldValue").map(shown).unwrap_or_default(),
                one.get("newValue").map(shown).unwrap_or_default()
            )
        })
    });
    fields.chain(lists).collect()
}

#[tokio::test]
async fn a_title_its_holdings_and_its_item_have_histories() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let item = stock.item("100").await;
    let path = format!("/instance-storage/instances/{}", stock.instance);
    change(&client, &path, |one| {
        one["title"] = json!("Middlemarch: a study");
        one["editions"] = json!(["2nd"]);
    })
    .await;
    // Nothing that counts.
    change(&client, &path, |one| one["matchKey"] = Value::Null).await;
    let path = format!("/holdings-storage/holdings/{}", stock.holdings);
    change(&client, &path, |one| {
        one["callNumber"] = json!("PR4662 .B2")
    })
    .await;
    let path = format!("/item-storage/items/{item}");
    change(&client, &path, |one| {
        one["barcode"] = json!("101");
        one["volume"] = json!("v.1");
    })
    .await;
    let admin = got(&client, &path).await["metadata"]["updatedByUserId"].clone();

    let of_instance = changes(&client, &format!("instance/{}", stock.instance)).await;
    assert_eq!(of_instance.len(), 2, "{of_instance:?}");
    assert_eq!(
        told(&of_instance[0]),
        [
            "title: Middlemarch → Middlemarch: a study",
            "editions: ADDED 2nd"
        ]
    );
    assert_eq!(of_instance[0]["action"], "UPDATE");
    assert_eq!(of_instance[0]["userId"], admin);
    assert_eq!(of_instance[0]["entityId"], json!(stock.instance));
    assert_eq!(of_instance[1]["action"], "CREATE");
    assert!(of_instance[1].get("diff").is_none());
    let of_holdings = changes(&client, &format!("holdings/{}", stock.holdings)).await;
    assert_eq!(
        told(&of_holdings[0]),
        ["callNumber: PR4662 .A1 → PR4662 .B2"]
    );
    let of_item = changes(&client, &format!("item/{item}")).await;
    assert_eq!(told(&of_item[0]), ["barcode: 100 → 101", "volume: – → v.1"]);
    // The call number of its holdings.
    assert_eq!(
        told(&of_item[1]),
        ["effectiveCallNumberComponents.callNumber: PR4662 .A1 → PR4662 .B2"]
    );
    // Each kind has its own.
    assert_eq!(changes(&client, &format!("instance/{item}")).await.len(), 0);
}

#[tokio::test]
async fn what_the_desk_does_to_an_item_is_in_its_history() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let item = stock.item("100").await;
    let _ = stock.patron("7").await;
    let _ = client
        .post("/circulation/check-out-by-barcode", &check_out("100", "7"))
        .await
        .expect(201);
    let back = json!({"itemBarcode": "100", "servicePointId": CIRC_DESK_1, "checkInDate": "2100-01-01T00:00:00Z"});
    let _ = client
        .post("/circulation/check-in-by-barcode", &back)
        .await
        .expect(200);
    let history = changes(&client, &format!("item/{item}")).await;
    assert_eq!(history.len(), 3, "{history:?}");
    let has = |at: usize, line: &str| told(&history[at]).iter().any(|one| one == line);
    assert!(
        has(0, "status.name: Checked out → Available"),
        "{history:?}"
    );
    assert!(
        has(1, "status.name: Available → Checked out"),
        "{history:?}"
    );
    assert!(
        told(&history[0])
            .iter()
            .any(|one| one.starts_with("lastCheckIn.servicePointId"))
    );
}

#[tokio::test]
async fn a_history_is_read_page_by_page_backwards() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let id = stock.item("100").await;
    let path = format!("/item-storage/items/{id}");
    for number in 1..=12 {
        change(&client, &path, |one| {
            one["barcode"] = json!((100 + number).to_string())
        })
        .await;
    }
    let route = format!("/audit-data/inventory/item/{id}");
    let first = got(&client, &route).await;
    let items = first["inventoryAuditItems"].as_array().expect("a list");
    assert_eq!(
        (first["totalRecords"].as_i64(), items.len()),
        (Some(13), 10)
    );
    assert_eq!(told(&items[0]), ["barcode: 111 → 112"]);
    let last = items[9]["eventTs"].as_i64().expect("milliseconds");
    let rest = got(&client, &format!("{route}?eventTs={last}")).await;
    let rest = rest["inventoryAuditItems"].as_array().expect("a list");
    assert_eq!(rest.len(), 3);
    assert_eq!(rest[2]["action"], "CREATE");
    for wrong in ["x", "9223372036854775807"] {
        let refused = client.get(&format!("{route}?eventTs={wrong}")).await;
        assert_eq!(
            refused.expect(400).json()["errors"][0]["code"],
            "validation"
        );
    }
    let refused = client
        .get("/audit-data/inventory/item/x")
        .await
        .expect(400)
        .json();
    assert_eq!(refused["total_records"], 1);
    assert_eq!(refused["errors"][0]["message"], "Invalid UUID string: x");
    let none = got(
        &client,
        "/audit-data/inventory/item/6cd3c3ba-5d1a-4c39-9f0e-000000000001",
    )
    .await;
    assert_eq!(none, json!({"inventoryAuditItems": [], "totalRecords": 0}));
}

#[tokio::test]
async fn a_deleted_item_has_its_history() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let item = stock.item("100").await;
    let _ = client
        .delete(&format!("/item-storage/items/{item}"))
        .await
        .expect(204);
    let history = changes(&client, &format!("item/{item}")).await;
    let actions: Vec<&Value> = history.iter().map(|one| &one["action"]).collect();
    assert_eq!(actions, ["DELETE", "CREATE"]);
}
