//! Items that are used at the location: lent, held, picked up, returned.

use serde_json::json;

use super::lent::{Lent, OwnPolicy};
use super::{IN, check_in, messages, stocked};
use octavo_server_testkit::stock::CIRC_DESK_1;

const HOLD: &str = "/circulation/hold-by-barcode-for-use-at-location";
const PICK_UP: &str = "/circulation/pickup-by-barcode-for-use-at-location";

#[tokio::test]
async fn an_item_is_used_kept_picked_up_and_returned() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let policy = OwnPolicy::new(&stock).await;
    let here = json!({"loansPolicy": {"forUseAtLocation": true,
        "holdShelfExpiryPeriodForUseAtLocation": {"duration": 5, "intervalId": "Days"}}});
    policy.say(client, &here).await;
    let lent = Lent::new(&stock, "1", "2026-03-01T10:00:00Z").await;
    let usage = lent.loan(client).await["forUseAtLocation"].clone();
    assert_eq!(usage["status"], "In use");
    assert!(usage["statusDate"].is_string());
    let item = json!({"itemBarcode": "i-1"});
    let held = client.post(HOLD, &item).await.expect(200).json();
    let loan = &held["loan"];
    assert_eq!(loan["action"], "heldForUseAtLocation");
    assert_eq!(loan["forUseAtLocation"]["status"], "Held");
    assert!(loan["forUseAtLocation"]["holdShelfExpirationDate"].is_string());
    assert_eq!(loan["item"]["barcode"], "i-1");
    let both = json!({"itemBarcode": "i-1", "userBarcode": "p-1"});
    let loan = client.post(PICK_UP, &both).await.expect(200).json();
    assert_eq!(loan["action"], "pickedUpForUseAtLocation");
    assert_eq!(loan["forUseAtLocation"]["status"], "In use");
    let back = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200)
        .json();
    assert_eq!(back["loan"]["forUseAtLocation"]["status"], "Returned");
    let sql = "SELECT jsonb->>'action' FROM tenant_diku.circulation_logs \
               WHERE jsonb->>'action' LIKE '%use at location' ORDER BY jsonb->>'date'";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("the log");
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(
        lines,
        ["Held for use at location", "Picked up for use at location"]
    );
}

#[tokio::test]
async fn only_open_loans_for_use_at_the_location_are_kept() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "2", "2026-03-01T10:00:00Z").await;
    let _ = stock.item("i-idle").await;
    let before = lent.records(client).await;
    for (path, body, message) in [
        (
            HOLD,
            json!({}),
            "Request to put item on hold shelf must have an item barcode",
        ),
        (
            PICK_UP,
            json!({}),
            "Request to pick up from hold shelf must have an item barcode",
        ),
        (
            PICK_UP,
            json!({"itemBarcode": "i-2"}),
            "Request to pick up from hold shelf must have a user barcode",
        ),
    ] {
        let answer = client.post(path, &body).await.expect(422).json();
        assert_eq!(messages(&answer), [message]);
    }
    for (path, body, text) in [
        (
            HOLD,
            json!({"itemBarcode": "nothing"}),
            "No open loan found for the item barcode. (nothing)",
        ),
        (
            HOLD,
            json!({"itemBarcode": "i-idle"}),
            "No open loan found for the item barcode. (i-idle)",
        ),
        (
            HOLD,
            json!({"itemBarcode": "i-2"}),
            "The loan is open but is not for use at location., item barcode (i-2)",
        ),
        (
            PICK_UP,
            json!({"itemBarcode": "i-2", "userBarcode": "p-other"}),
            "No open loan found for item barcode and user  (i-2 and p-other).",
        ),
        (
            PICK_UP,
            json!({"itemBarcode": "i-2", "userBarcode": "p-2"}),
            "The loan is open but is not for use at location, item barcode (i-2)",
        ),
    ] {
        let answer = client.post(path, &body).await.expect(400);
        assert_eq!(answer.text, text);
    }
    assert_eq!(lent.records(client).await, before);
}
