//! LOG_RECORD of mod-feesfines: acts on accounts, their notices, manual blocks.

use octavo_server_testkit::staff;
use octavo_server_testkit::stock::CIRC_DESK_1;
use serde_json::{Value, json};
use uuid::Uuid;

use super::HISTORY;
use super::log_records::{assert_told, subscribed};
use super::own_events::after;

#[tokio::test]
async fn acts_on_accounts_are_told_by_mod_feesfines() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let patron = stock.patron("p-1").await;
    let owner = json!({"owner": "Main", "servicePointOwner": []});
    let owner = client.post("/owners", &owner).await.expect(201).json();
    let fee = json!({"feeFineType": "Damage", "ownerId": owner["id"], "automatic": false});
    let fee = client.post("/feefines", &fee).await.expect(201).json();
    let account = json!({"id": Uuid::new_v4(), "amount": 12.5, "remaining": 12.5, "userId": patron,
                         "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
                         "feeFineId": fee["id"], "ownerId": owner["id"], "feeFineType": "Damage",
                         "feeFineOwner": "Main"});
    let account = client.post("/accounts", &account).await.expect(201).json();
    let path = format!("/accounts/{}/pay", account["id"].as_str().expect("an id"));
    let payment = json!({"amount": "2.50", "notifyPatron": false, "paymentMethod": "Cash",
                         "servicePointId": CIRC_DESK_1, "userName": "Desk, Jane"});
    let _ = client.post(&path, &payment).await.expect(201);
    let taken = after(&plugged, 1).await;
    assert_told(
        &taken[0],
        json!({"logEventType": "FEE_FINE", "payload": {
            "action": "Paid partially", "amount": 2.5, "balance": 10.0, "paymentMethod": "Cash",
            "date": taken[0]["payload"]["date"], "userId": patron, "accountId": account["id"],
            "feeFineId": fee["id"], "feeFineOwner": "Main", "type": "Damage",
            "automated": false, "source": "Desk, Jane", "servicePointId": CIRC_DESK_1}}),
    );
    let history = client.get(&format!("{HISTORY}&eventType=LOG_RECORD")).await;
    let published = history.expect(200).json()["auditMessages"][0]["publishedBy"].clone();
    assert_eq!(published, "mod-feesfines-19.3.3");
}

#[tokio::test]
async fn notices_of_acts_on_accounts_are_told_by_mod_feesfines() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let item = stock.item("a-1").await;
    let patron = stock.patron("p-1").await;
    let [template, gone] = [Uuid::new_v4(), Uuid::new_v4()];
    let text = json!({"id": template, "name": "Receipt", "outputFormats": ["text/html"],
        "templateResolver": "mustache", "active": true, "category": "Loan",
        "localizedTemplates": {"en": {"header": "Receipt", "body": "<p>Thank you</p>"}}});
    let _ = client.post("/templates", &text).await.expect(201);
    let owner = json!({"owner": "Main", "defaultActionNoticeId": gone});
    let owner = client.post("/owners", &owner).await.expect(201).json();
    let mut fees = Vec::new();
    for (name, of_acts) in [("Damage", Some(template)), ("Cleaning", None)] {
        let mut fee = json!({"feeFineType": name, "ownerId": owner["id"], "automatic": false});
        if let Some(of_acts) = of_acts {
            fee["actionNoticeId"] = json!(of_acts);
        }
        let fee = client.post("/feefines", &fee).await.expect(201).json();
        let account = json!({"id": Uuid::new_v4(), "amount": 12.5, "remaining": 12.5,
            "userId": patron, "itemId": item, "barcode": "a-1", "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"}, "feeFineId": fee["id"],
            "ownerId": owner["id"], "feeFineType": name, "feeFineOwner": "Main"});
        let account = client.post("/accounts", &account).await.expect(201).json();
        let path = format!("/accounts/{}/pay", account["id"].as_str().expect("an id"));
        let payment = json!({"amount": "2.50", "notifyPatron": true, "paymentMethod": "Cash",
                             "servicePointId": CIRC_DESK_1, "userName": "Desk, Jane"});
        let _ = client.post(&path, &payment).await.expect(201);
        fees.push((fee["id"].clone(), account["id"].clone()));
    }
    // Each payment has an event of its own, too.
    let taken = after(&plugged, 4).await;
    let told = |event: &Value| event["logEventType"].as_str().expect("a kind").to_owned();
    let kinds: Vec<String> = taken.iter().map(told).collect();
    assert_eq!(kinds, ["FEE_FINE", "NOTICE", "FEE_FINE", "NOTICE_ERROR"]);
    let payload = |(fee, account): &(Value, Value), template: Uuid| {
        json!({"userId": patron, "userBarcode": "p-1", "source": "Desk, Jane",
            "accountId": account, "feeFineId": fee,
            "items": [{"servicePointId": CIRC_DESK_1, "triggeringEvent": "Paid partially",
                "itemBarcode": "a-1", "itemId": item, "holdingsRecordId": stock.holdings,
                "instanceId": stock.instance, "templateId": template}]})
    };
    let sent = json!({"logEventType": "NOTICE", "payload": payload(&fees[0], template)});
    assert_told(&taken[1], sent);
    let mut failed = payload(&fees[1], gone);
    failed["errorMessage"] = json!(format!(
        "template record with ID \"{gone}\" cannot be found"
    ));
    assert_told(
        &taken[3],
        json!({"logEventType": "NOTICE_ERROR", "payload": failed}),
    );
    let history = client.get(&format!("{HISTORY}&eventType=LOG_RECORD")).await;
    let history = history.expect(200).json();
    let messages = history["auditMessages"].as_array().expect("messages");
    let mut publishers = messages.iter().map(|message| &message["publishedBy"]);
    assert!(
        publishers.all(|by| by == "mod-feesfines-19.3.3"),
        "{history}"
    );
    let logs = client.get("/audit-data/circulation/logs").await;
    for line in logs.expect(200).json()["logRecords"]
        .as_array()
        .expect("lines")
    {
        assert_eq!(line.get("feeRecord"), None, "{line}");
    }
}

#[tokio::test]
async fn manual_blocks_are_told_whole_with_who_changes_them() {
    let (plugged, stock) = subscribed().await;
    let client = &plugged.client;
    let patron = stock.patron("p-1").await;
    let block = json!({"type": "Manual", "desc": "Card left at the desk", "userId": patron,
        "staffInformation": "Ask for the card", "patronMessage": "Please see the desk",
        "borrowing": true, "renewals": false, "requests": false});
    let made = client
        .post("/manualblocks", &block)
        .await
        .expect(201)
        .json();
    let path = format!("/manualblocks/{}", made["id"].as_str().expect("an id"));
    let mut changed = made.clone();
    changed["requests"] = json!(true);
    let _ = client.put(&path, &changed).await.expect(204);
    let stored = client.get(&path).await.expect(200).json();
    assert_eq!(stored["requests"], true);
    let has = ["manualblocks.item.delete"];
    let (other, deleter) = staff(&plugged.library, client, "other", &has).await;
    let _ = other.delete(&path).await.expect(204);
    // What is refused is told nobody.
    let _ = other.delete(&path).await.expect(404);
    let _ = client.put(&path, &changed).await.expect(404);
    let _ = client.post("/manualblocks", &json!({})).await.expect(422);
    let taken = after(&plugged, 3).await;
    let event = |kind: &str, block: &Value| json!({"logEventType": kind, "payload": block});
    assert_told(&taken[0], event("MANUAL_BLOCK_CREATED_EVENT", &made));
    assert_told(&taken[1], event("MANUAL_BLOCK_MODIFIED_EVENT", &stored));
    let mut deleted = stored;
    deleted["metadata"]["updatedByUserId"] = json!(deleter);
    assert_told(&taken[2], event("MANUAL_BLOCK_DELETED_EVENT", &deleted));
    let history = client.get(&format!("{HISTORY}&eventType=LOG_RECORD")).await;
    let published = history.expect(200).json()["auditMessages"][0]["publishedBy"].clone();
    assert_eq!(published, "mod-feesfines-19.3.3");
}
