//! Searches and acts of orders find what they need by indexes: of a million orders, too.

use octavo_server_testkit::library;
use octavo_testkit::plans::{assert_indexed, plan_of, scans};
use serde_json::json;

use super::house::{House, LINES, ORDERS};
use super::invoiced::{bill, now};
use super::text;

const ID: &str = "11fb627a-cdf1-11e8-a8d5-f2801f1b9fd1";
/// Tables that stay small beside orders.
const SMALL: [&str; 3] = [
    "acquisitions_unit",
    "acquisitions_unit_membership",
    "routing_list",
];

#[tokio::test]
async fn searches_of_orders_use_indexes() {
    let library = library().await;
    let orders = [
        "poNumber==10000",
        "poNumber==\"100*\"",
        "id==(ID or ID)",
        "vendor==ID",
        "workflowStatus==Open",
        "workflowStatus==(Open or Pending) and orderType==Ongoing and vendor==ID",
        "workflowStatus==Open and poLine.orderFormat==\"Physical Resource\"",
        "orderType==Ongoing",
        "poNumberPrefix==PRE",
        "poNumberSuffix==S",
        "dateOrdered>=\"2026-01-01\" and dateOrdered<=\"2026-02-01\"",
        "metadata.createdDate>=\"2026-01-01\"",
        "metadata.updatedDate>=\"2026-01-01\"",
        "poLine.poLineNumber==10000-1",
        "poLine.titleOrPackage==\"A field guide to river mills\"",
        "poLine.instanceId==ID",
        "poLine.fundDistribution=/@fundId ID",
        "poLine.vendorDetail.referenceNumbers=/@refNumber R1",
        "titles.title==\"river mills\"",
        "pieces.itemId==ID",
        "orderInvoiceRel.invoiceId==ID",
    ];
    let lines = [
        "poLineNumber==10000-1",
        "purchaseOrderId==ID",
        "purchaseOrderId==(ID or ID)",
        "receiptStatus==\"Partially Received\"",
        "paymentStatus==\"Partially Paid\"",
        "orderFormat==\"Physical Resource\"",
        "acquisitionMethod==ID",
        "instanceId==ID",
        "titleOrPackage==\"A field guide*\"",
        "fundDistribution=/@fundId ID",
        "vendorDetail.referenceNumbers=/@refNumber R1",
        "locations=/@holdingId ID",
        "metadata.createdDate>=\"2026-01-01\"",
        "purchaseOrder.workflowStatus==Open and orderFormat==\"Physical Resource\"",
        "titleOrPackage all \"river mills\" or poLineNumber==\"river mills*\"",
        "purchaseOrder.workflowStatus==Open and (titleOrPackage=\"field*\" or poLineNumber==\"10*\")",
        "isPackage==true and titleOrPackage=\"field*\"",
        "purchaseOrder.vendor==ID",
        "purchaseOrder.poNumber==10000",
        "titles.title==\"river mills\"",
        "pieces.holdingId==ID",
    ];
    let titles = [
        "poLineId==ID",
        "poLineId==(ID or ID)",
        "instanceId==ID",
        "title==\"river*\"",
        "poLineNumber==10000-1",
        "claimingActive==true",
        "poLine.receiptStatus==\"Partially Received\"",
        "purchaseOrder.vendor==ID",
        "purchaseOrder.workflowStatus==Open and poLine.receiptStatus==\"Awaiting Receipt\"",
        "pieces.receivingStatus==Late",
    ];
    let pieces = [
        "poLineId==ID",
        "titleId==ID",
        "titleId==(ID or ID) and receivingStatus==Expected",
        "itemId==ID",
        "holdingId==ID",
        "locationId==ID",
        "bindItemId==ID",
        "receivingStatus==Late",
        "poLine.poLineNumber==10000-1",
        "titles.title==\"river mills\"",
        "purchaseOrder.poNumber==10000",
        "purchaseOrder.vendor==ID and receivingStatus==Late",
    ];
    let mut tried = 0;
    for (table, queries) in [
        ("purchase_order", &orders[..]),
        ("po_line", &lines[..]),
        ("titles", &titles[..]),
        ("pieces", &pieces[..]),
        (
            "order_invoice_relationship",
            &["invoiceId==ID", "purchaseOrderId==ID"],
        ),
        (
            "export_history",
            &[
                "exportJobId==ID",
                "exportDate>=\"2026-01-01\"",
                "exportedPoLineIds==\"*ID*\"",
            ],
        ),
        ("routing_list", &["poLineId==ID", "name==Readers"]),
        ("acquisitions_unit_membership", &["userId==ID"]),
    ] {
        for query in queries {
            let query = query.replace("ID", ID);
            assert_indexed(&library, table, &query, &SMALL).await;
            tried += 1;
        }
    }
    assert!(tried > 65, "{tried}");
    // Pages in the order of an index are not sorted.
    for (table, order) in [
        ("purchase_order", "poNumber"),
        ("purchase_order", "workflowStatus"),
        ("purchase_order", "dateOrdered"),
        ("purchase_order", "metadata.createdDate/sort.descending"),
        ("purchase_order", "metadata.updatedDate/sort.descending"),
        ("po_line", "poLineNumber"),
        ("po_line", "titleOrPackage"),
        ("po_line", "metadata.createdDate"),
        ("po_line", "metadata.updatedDate/sort.descending"),
        ("titles", "title"),
    ] {
        let query = format!("cql.allRecords=1 sortBy {order}");
        let (plan, _) = plan_of(&library, table, &query).await;
        assert!(plan.contains("Index Scan"), "{table} {order}:\n{plan}");
        assert!(!plan.contains("Sort Key"), "{table} {order}:\n{plan}");
    }
}

/// Nothing of the product asks for these, so no write keeps an index of them; a library whose own searches do is
/// advised to make it.
#[tokio::test]
async fn searches_that_only_others_ask_are_advised_an_index() {
    let library = library().await;
    let orders = [
        "poNumber==\"*00*\"",
        "assignedTo==ID",
        "workflowStatus=Open",
        "approved==false",
        "reEncumber==true",
        "metadata.createdByUserId==ID",
        "ongoing.manualRenewal==true",
        "ongoing.renewalDate>=\"2026-01-01\"",
        "ongoing.reviewPeriod==3",
        "closeReason.reason=Complete",
        "closeReason.note=late",
        "acqUnitIds=ID",
    ];
    let lines = [
        "titleOrPackage==\"*river mills*\"",
        "poLineNumber==\"*0-1\"",
        "source==EDI",
        "packagePoLineId==ID",
        "fundDistribution==\"*ID*\"",
        "details.productIds==\"*9780866989732*\"",
        "vendorDetail.vendorAccount==\"*A1*\"",
        "searchLocationIds==\"*ID*\"",
        "tags==\"*urgent*\"",
        "contributors==\"*Vale*\"",
        "requester==\"*Vale*\"",
        "publisher==\"*Press*\"",
        "donor==\"*Vale*\"",
        "selector==\"*Vale*\"",
        "donorOrganizationIds==\"*ID*\"",
        "collection==true",
        "rush==true",
        "eresource.activated==true",
        "eresource.trial==true",
        "eresource.accessProvider==ID",
        "physical.materialType==ID",
        "physical.receiptDue>=\"2026-01-01\"",
        "physical.expectedReceiptDate>=\"2026-01-01\"",
        "details.subscriptionFrom>=\"2026-01-01\"",
        "details.subscriptionTo>=\"2026-01-01\"",
        "receiptDate>=\"2026-01-01\"",
    ];
    let titles = [
        "packageName==\"All about rivers\"",
        "receivingNote==dusty",
        "acqUnitIds=ID",
    ];
    let pieces = [
        "receivingTenantId==elsewhere",
        "format==Electronic",
        "receivingStatus=Late",
        "receivedDate>=\"2026-01-01\"",
        "supplement==true",
        "displaySummary==\"*v. 7*\"",
        "comment=dusty",
        "receiptDate>=\"2026-01-01\"",
    ];
    for (table, queries) in [
        ("purchase_order", &orders[..]),
        ("po_line", &lines[..]),
        ("titles", &titles[..]),
        ("pieces", &pieces[..]),
    ] {
        for query in queries {
            let query = query.replace("ID", ID);
            let (_, lacking) = plan_of(&library, table, &query).await;
            assert_eq!(lacking.len(), 1, "{table} {query}: {lacking:?}");
        }
    }
}

/// The former joined views ask the same tables.
#[tokio::test]
async fn the_former_views_use_indexes() {
    let house = House::new().await;
    let order = house.ordered("Pending", &[house.line(1, 1.0)]).await;
    fill(&house, &order).await;
    let number = text(&order["poNumber"]);
    let paths = [
        format!("/orders-storage/orders?query=poNumber=={number}"),
        format!("/orders-storage/orders?query=poLineNumber=={number}-1"),
        format!("/orders-storage/order-lines?query=poLineNumber=={number}-1"),
        format!("/orders-storage/order-lines?query=poNumber=={number}"),
        format!("{ORDERS}?query=poNumber=={number}"),
        format!("{LINES}?query=poLineNumber=={number}-1"),
        format!("/orders/titles?query=poLineNumber=={number}-1"),
        format!("/orders/pieces?query=purchaseOrder.poNumber=={number}"),
        format!("/orders/receiving-history?query=poLineNumber=={number}-1"),
        format!("/orders/wrapper-pieces?query=poLine.poLineNumber=={number}-1"),
    ];
    for path in &paths {
        let _ = house.client.get(path).await.expect(200);
    }
    let before = scans(&house.library, &LARGE).await;
    for _ in 0..3 {
        for path in &paths {
            let _ = house.client.get(path).await.expect(200);
        }
    }
    assert_eq!(scans(&house.library, &LARGE).await, before);
}

/// Tables that grow with orders, and are not read from end to end by any act.
const LARGE: [&str; 9] = [
    "purchase_order",
    "po_line",
    "titles",
    "pieces",
    "transaction",
    "order_invoice_relationship",
    "alert",
    "reporting_code",
    "item",
];

/// Thousands of orders like one, each with a line, a title, a piece and an encumbrance.
async fn fill(house: &House, order: &serde_json::Value) {
    let line = text(&order["compositePoLines"][0]["id"]);
    let order = text(&order["id"]);
    let made = "SELECT n, gen_random_uuid() AS o, gen_random_uuid() AS l, gen_random_uuid() AS t \
                FROM generate_series(1, 3000) n";
    let database = &house.library.platform.store.database;
    for sql in [
        format!("CREATE TABLE tenant_diku.made_for_tests AS {made}"),
        format!(
            "INSERT INTO tenant_diku.purchase_order (id, jsonb) SELECT o, jsonb || \
             jsonb_build_object('id', o, 'poNumber', 'M' || n, 'vendor', gen_random_uuid()) \
             FROM tenant_diku.made_for_tests, (SELECT jsonb FROM tenant_diku.purchase_order \
             WHERE id = '{order}') AS alike"
        ),
        format!(
            "INSERT INTO tenant_diku.po_line (id, jsonb) SELECT l, jsonb || \
             jsonb_build_object('id', l, 'purchaseOrderId', o, 'poLineNumber', 'M' || n || '-1', \
               'instanceId', gen_random_uuid(), 'titleOrPackage', 'Title ' || n, \
               'fundDistribution', jsonb_build_array(jsonb_build_object('fundId', \
                 gen_random_uuid(), 'distributionType', 'percentage', 'value', 100))) \
             FROM tenant_diku.made_for_tests, (SELECT jsonb FROM tenant_diku.po_line \
             WHERE id = '{line}') AS alike"
        ),
        "INSERT INTO tenant_diku.titles (id, jsonb) SELECT t, jsonb_build_object('id', t, 'title', \
         'Title ' || n, 'poLineId', l, 'poLineNumber', 'M' || n || '-1', 'acqUnitIds', '[]'::jsonb) \
         FROM tenant_diku.made_for_tests"
            .to_owned(),
        "INSERT INTO tenant_diku.pieces (id, jsonb) SELECT id, jsonb_build_object('id', id, \
         'poLineId', l, 'titleId', t, 'format', 'Physical', 'receivingStatus', 'Expected') \
         FROM (SELECT gen_random_uuid() AS id, l, t FROM tenant_diku.made_for_tests) AS made"
            .to_owned(),
        format!(
            "INSERT INTO tenant_diku.transaction (id, jsonb) SELECT id, \
             jsonb_build_object('id', id, 'amount', n, 'currency', 'USD', \
               'fiscalYearId', '{year}', 'source', 'PoLine', 'transactionType', 'Encumbrance', \
               'fromFundId', '{fund}', 'encumbrance', jsonb_build_object( \
                 'sourcePurchaseOrderId', o, 'sourcePoLineId', l, 'status', 'Unreleased', \
                 'initialAmountEncumbered', n)) \
             FROM (SELECT gen_random_uuid() AS id, * FROM tenant_diku.made_for_tests) AS made",
            year = house.year,
            fund = house.fund
        ),
        "INSERT INTO tenant_diku.order_invoice_relationship (id, jsonb) SELECT id, \
         jsonb_build_object('id', id, 'purchaseOrderId', o, 'invoiceId', gen_random_uuid()) \
         FROM (SELECT gen_random_uuid() AS id, o FROM tenant_diku.made_for_tests) AS made"
            .to_owned(),
        "INSERT INTO tenant_diku.item (id, jsonb) SELECT id, jsonb_build_object('id', id, 'hrid', \
         'x' || n, 'purchaseOrderLineIdentifier', l, 'status', \
         jsonb_build_object('name', 'On order')) FROM (SELECT gen_random_uuid() AS id, n, l \
         FROM tenant_diku.made_for_tests) AS made"
            .to_owned(),
    ] {
        let _ = database.execute(&sql, &[]).await.expect("it is filled");
    }
    for table in LARGE {
        let sql = format!("ANALYZE tenant_diku.{table}");
        let _ = database.execute(&sql, &[]).await.expect("statistics");
    }
}

/// An order's whole life among thousands of others.
#[tokio::test]
async fn acts_read_no_table_from_end_to_end() {
    let house = House::new().await;
    let order = house.ordered("Pending", &[house.line(1, 1.0)]).await;
    fill(&house, &order).await;
    let (law, _) = house.funded("LAW", &json!({})).await;
    let life = async || {
        let order = house.ordered("Open", &[house.line(2, 10.0)]).await;
        let line = order["compositePoLines"][0].clone();
        let query = format!("poLineId=={}", text(&line["id"]));
        let pieces = house.found("/orders/pieces", &query, "pieces").await;
        let body = json!({"toBeReceived": [{"poLineId": line["id"], "received": 1,
            "receivedItems": [{"pieceId": pieces[0]["id"], "itemStatus": "In process"}]}],
            "totalRecords": 1});
        let _ = house
            .client
            .post("/orders/receive", &body)
            .await
            .expect(200);
        let paid = bill(&house, &[(&line, 5.0)], false).await;
        for status in ["Approved", "Paid", "Cancelled"] {
            now(&house, &paid, status).await;
        }
        let mut moved = house.stored(&order).await["compositePoLines"][0].clone();
        moved["fundDistribution"][0]["fundId"] = json!(law);
        let _ = house.put_line(&moved).await.expect(204);
        let path = format!("/orders/pieces/{}", text(&pieces[1]["id"]));
        let _ = house.client.delete(&path).await.expect(204);
        for status in ["Closed", "Open", "Pending"] {
            let _ = house.turn(&order, status).await.expect(204);
        }
        let gone = house.ordered("Open", &[house.line(1, 1.0)]).await;
        let path = format!("{ORDERS}/{}", text(&gone["id"]));
        let _ = house.client.delete(&path).await.expect(204);
        let rolled = json!({"id": super::new_id(), "ledgerId": house.ledger,
            "fromFiscalYearId": house.year, "toFiscalYearId": house.year,
            "budgetsRollover": [], "encumbrancesRollover": []});
        let _ = house.client.post("/orders/rollover", &rolled).await;
    };
    // The first time statements are planned, and small lists are read.
    for _ in 0..6 {
        life().await;
    }
    let before = scans(&house.library, &LARGE).await;
    life().await;
    assert_eq!(scans(&house.library, &LARGE).await, before);
}
