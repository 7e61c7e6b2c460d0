//! Blocks of patrons, by staff and by limits, and their override.

use serde_json::json;

use super::*;
use crate::{OUT, stocked};
use octavo_server_testkit::staff;
use octavo_server_testkit::stock::{UNDERGRAD, check_out};

const OVERRIDE: &str = "circulation.override-patron-block.post";

#[tokio::test]
async fn staff_and_limits_block_requests_until_they_are_overridden() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let requester = stock.patron("p-1").await;
    let item = stock.item("i-1").await;
    let block = json!({"type": "Manual", "desc": "Owes a book", "borrowing": false,
                       "renewals": false, "requests": true, "userId": requester});
    let _ = client.post("/manualblocks", &block).await.expect(201);
    let other = json!({"type": "Manual", "desc": "Loud", "borrowing": true,
                       "renewals": false, "requests": false, "userId": requester});
    let _ = client.post("/manualblocks", &other).await.expect(201);
    let mut body = asked(&stock, "Page", &item, &requester);
    let may = ["circulation.requests.item.post", OVERRIDE];
    let (limited, _) = staff(&library, client, "limited", &may[..1]).await;
    let error = &errors(limited.post(REQUESTS, &body).await)[0];
    assert_eq!(error["message"], "Patron blocked from requesting");
    assert_eq!(error["code"], "USER_IS_BLOCKED_MANUALLY");
    let reason = parameter(error, "reason").as_str().expect("a reason");
    assert!(reason.contains("Owes a book") && reason.contains("Loud"));
    assert_eq!(error["overridableBlock"]["name"], "patronBlock");
    assert_eq!(
        error["overridableBlock"]["missingPermissions"],
        json!([OVERRIDE])
    );

    body["requestProcessingParameters"] =
        json!({"overrideBlocks": {"patronBlock": {}, "comment": "Asked nicely"}});
    let error = &errors(limited.post(REQUESTS, &body).await)[0];
    assert_eq!(error["message"], "Insufficient override permissions");
    assert!(error.get("code").is_none());
    let (head, _) = staff(&library, client, "head", &may).await;
    let placed = head.post(REQUESTS, &body).await.expect(201).json();
    assert_eq!(placed.get("requestProcessingParameters"), None);
    let log = log(&library).await;
    assert_eq!(log[0].0, "Created through override");
}

#[tokio::test]
async fn a_limit_blocks_requests() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let requester = stock.patron("p-1").await;
    for barcode in ["i-1", "i-2", "i-3"] {
        let item = stock.item(barcode).await;
        if barcode != "i-3" {
            let _ = client
                .post(OUT, &check_out(barcode, "p-1"))
                .await
                .expect(201);
            continue;
        }
        let body = asked(&stock, "Page", &item, &requester);
        let condition = "/patron-block-conditions/3d7c52dc-c732-4223-8bf8-e5917801386f";
        let mut changed = client.get(condition).await.expect(200).json();
        for (name, value) in [
            ("blockRequests", json!(true)),
            ("message", json!("Too many books")),
        ] {
            changed[name] = value;
        }
        let _ = client.put(condition, &changed).await.expect(204);
        let limit = json!({"id": uuid::Uuid::new_v4(), "patronGroupId": UNDERGRAD, "value": 1,
                           "conditionId": "3d7c52dc-c732-4223-8bf8-e5917801386f"});
        let _ = client
            .post("/patron-block-limits", &limit)
            .await
            .expect(201);
        let error = &errors(client.post(REQUESTS, &body).await)[0];
        assert_eq!(error["message"], "Too many books");
        assert_eq!(error["code"], "USER_IS_BLOCKED_AUTOMATICALLY");
        assert_eq!(error["overridableBlock"]["name"], "patronBlock");
        assert_eq!(status(client, &item).await, "Available");
    }
}
