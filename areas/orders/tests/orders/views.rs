//! Searches across orders, lines, titles and pieces, and the views of these.

use octavo_server_testkit::library;
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};

use super::{found, made, stored_line, text};

const ORDERS: &str = "/orders-storage/purchase-orders";
const LINES: &str = "/orders-storage/po-lines";

/// An open order of a printed book with a piece, and a pending one of an electronic book.
async fn two_orders() -> (Library, Client) {
    let library = library().await;
    let client = library.client().await;
    for (number, status, format, date) in [
        ("10000", "Open", "Physical Resource", "2026-01-02"),
        ("10001", "Pending", "Electronic Resource", "2026-01-01"),
    ] {
        let order = json!({"poNumber": number, "workflowStatus": status, "dateOrdered": date,
                           "vendor": "11fb627a-cdf1-11e8-a8d5-f2801f1b9fd1"});
        let order = made(&client, ORDERS, &order).await;
        let mut line = stored_line(&text(&order["id"]), &format!("{number}-1"));
        line["orderFormat"] = json!(format);
        line["receiptStatus"] = json!("Awaiting Receipt");
        let line = made(&client, LINES, &line).await;
        let query = format!("poLineId=={}", text(&line["id"]));
        let titles = found(&client, "/orders-storage/titles", &query, "titles").await;
        let piece = json!({"format": "Physical", "poLineId": line["id"],
                           "titleId": titles[0]["id"], "receivingStatus": "Expected",
                           "displaySummary": format!("piece of {number}")});
        let _ = made(&client, "/orders-storage/pieces", &piece).await;
    }
    (library, client)
}

fn numbers(records: &[Value], property: &str) -> Vec<String> {
    records.iter().map(|one| text(&one[property])).collect()
}

#[tokio::test]
async fn searches_cross_to_connected_records() {
    let (_library, client) = two_orders().await;
    for query in [
        "poNumber==10000",
        "workflowStatus==Open",
        "workflowStatus==Open and poLine.orderFormat==\"Physical Resource\"",
        "poLine.poLineNumber==10000-1",
        "titles.title=\"river mills\" and workflowStatus==Open",
        "pieces.displaySummary==\"piece of 10000\"",
    ] {
        let orders = found(&client, ORDERS, query, "purchaseOrders").await;
        assert_eq!(numbers(&orders, "poNumber"), ["10000"], "{query}");
    }
    for query in [
        "poLineNumber==10000-1",
        "purchaseOrder.workflowStatus==Open",
        "pieces.displaySummary==\"piece of 10000\"",
    ] {
        let lines = found(&client, LINES, query, "poLines").await;
        assert_eq!(numbers(&lines, "poLineNumber"), ["10000-1"], "{query}");
    }
    for (path, key) in [
        ("/orders-storage/pieces", "pieces"),
        ("/orders-storage/titles", "titles"),
    ] {
        for query in [
            "poLine.orderFormat==\"Physical Resource\"",
            "purchaseOrder.poNumber==10000",
        ] {
            assert_eq!(
                found(&client, path, query, key).await.len(),
                1,
                "{path} {query}"
            );
        }
    }
}

#[tokio::test]
async fn the_former_views_find_by_both() {
    let (_library, client) = two_orders().await;
    let both = "workflowStatus==Open AND orderFormat==Physical Resource \
                sortBy metadata.createdDate/sort.ascending";
    for query in ["poNumber==10000", "workflowStatus==Open", both] {
        let orders = found(&client, "/orders-storage/orders", query, "purchaseOrders").await;
        assert_eq!(numbers(&orders, "poNumber"), ["10000"], "{query}");
    }
    for query in [
        "poLineNumber==10000-1",
        "orderFormat==Physical Resource",
        both,
    ] {
        let lines = found(&client, "/orders-storage/order-lines", query, "poLines").await;
        assert_eq!(numbers(&lines, "poLineNumber"), ["10000-1"], "{query}");
    }
}

#[tokio::test]
async fn a_piece_is_shown_with_its_order() {
    let (_library, client) = two_orders().await;
    let path = "/orders-storage/receiving-history";
    let query = "poLineReceiptStatus==\"Awaiting Receipt\" and poLineNumber==10000-1";
    let rows = found(&client, path, query, "receivingHistory").await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["title"], "A field guide to river mills");
    assert_eq!(rows[0]["dateOrdered"], "2026-01-02T00:00:00.000+00:00");
    assert_eq!(rows[0]["checkin"], false);
    assert_eq!(rows[0]["pieceFormat"], "Physical");
    let path = "/orders-storage/wrapper-pieces";
    let query = "piece.receivingStatus==Expected and purchaseOrder.poNumber==10001";
    let rows = found(&client, path, query, "wrapperPieces").await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["vendorId"], rows[0]["purchaseOrder"]["vendor"]);
    assert_eq!(rows[0]["poLine"]["poLineNumber"], "10001-1");
    let one = format!("{path}/{}", text(&rows[0]["piece"]["id"]));
    assert_eq!(client.get(&one).await.expect(200).json(), rows[0]);
    let none = format!("{path}/{}", super::new_id());
    let _ = client.get(&none).await.expect(404);
}
