//! The checks of `octavo doctor` on queues and on items held for patrons.

use octavo_circulation::store::Tables;
use octavo_circulation::store::invariants::examine;
use octavo_testkit::Library;
use serde_json::json;

use super::super::support::timer;
use super::super::{IN, check_in, stocked};
use super::{change, holds, request, shown, titles};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, DVD};

const PAST: &str = "2026-01-01T00:00:00Z";

/// The rules that something breaks, with how many do.
async fn broken(library: &Library) -> Vec<(&'static str, u64)> {
    let store = &library.platform.store;
    let tenant = library.tenant();
    let tables = Tables {
        tenant: &tenant,
        catalog: &store.catalog,
    };
    let findings = examine(&store.database, tables, |_| ()).await;
    let findings = findings.expect("the tenant can be examined").into_iter();
    findings
        .filter(|finding| finding.faults > 0)
        .map(|finding| (finding.rule, finding.faults))
        .collect()
}

#[tokio::test]
async fn a_gap_and_a_place_taken_twice_are_found() {
    let (library, stock) = stocked().await;
    let rule = "the places in a queue are 1, 2, 3 and so on";
    let (one, two) = (stock.item("i-1").await, stock.item("i-2").await);
    let first = holds(&stock, &one, "p", 3).await;
    let _ = holds(&stock, &two, "q", 2).await;
    assert_in_order(&library).await;
    let sql = "UPDATE tenant_diku.request SET jsonb = jsonb || '{\"position\": 9}' WHERE id = ";
    change(&library, &format!("{sql}'{}'", first[2])).await;
    assert_eq!(broken(&library).await, [(rule, 1)]);
    change(
        &library,
        &format!("{}'{}'", sql.replace('9', "3"), first[2]),
    )
    .await;
    assert_in_order(&library).await;
    // As the queue of the title the two have some places twice.
    titles(&stock.client, true).await;
    assert_eq!(broken(&library).await, [(rule, 1)]);
}

#[tokio::test]
async fn an_item_that_is_kept_for_nobody_is_found() {
    let (library, stock) = stocked().await;
    for status in ["Paged", "Awaiting pickup", "Awaiting delivery"] {
        let _ = stock.item_of(status, DVD, status).await;
    }
    let paged = "an item that is paged has an open request, or one that expired";
    let kept =
        "an item that awaits pickup or delivery is there for a request, or was until it closed";
    assert_eq!(broken(&library).await, [(paged, 1), (kept, 2)]);
}

#[tokio::test]
async fn what_expires_leaves_items_where_folio_leaves_them() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let expiring = json!({"requestExpirationDate": PAST});
    let paged = stock.item_of("i-1", DVD, "Paged").await;
    let who = stock.patron("p-1").await;
    let mut page = expiring.clone();
    page["requestType"] = json!("Page");
    let page = request(&stock, &paged, &who, 1, page).await;
    let shelved = stock.item_of("i-2", DVD, "In transit").await;
    let who = stock.patron("p-2").await;
    let pickup = request(&stock, &shelved, &who, 1, json!({})).await;
    let _ = client
        .post(IN, &check_in("i-2", CIRC_DESK_1))
        .await
        .expect(200);
    let late = format!(
        "UPDATE tenant_diku.request SET jsonb = jsonb || '{{\"holdShelfExpirationDate\": \"{PAST}\"}}'
         WHERE id = '{pickup}'"
    );
    change(&library, &late).await;
    let sent = stock.item_of("i-3", DVD, "Awaiting delivery").await;
    let who = stock.patron("p-3").await;
    let mut delivery = expiring;
    delivery["status"] = json!("Open - Awaiting delivery");
    delivery["fulfillmentPreference"] = json!("Delivery");
    let delivery = request(&stock, &sent, &who, 1, delivery).await;
    assert_in_order(&library).await;
    let path = "/scheduled-request-expiration";
    assert_eq!(timer(&library, &library.platform, path).await, 204);
    for (id, closed, item, status) in [
        (&page, "Closed - Unfilled", &paged, "Paged"),
        (
            &pickup,
            "Closed - Pickup expired",
            &shelved,
            "Awaiting pickup",
        ),
        (&delivery, "Closed - Unfilled", &sent, "Awaiting delivery"),
    ] {
        let request = shown(client, id).await;
        assert_eq!(request["status"], closed);
        assert!(request.get("position").is_none());
        assert_eq!(super::status(client, item).await, status);
    }
    let request = shown(client, &pickup).await;
    assert!(request["awaitingPickupRequestClosedDate"].is_string());
    assert_in_order(&library).await;
}
