//! Order lines of imported MARC records, by jobs over HTTP.

use std::time::{Duration, Instant};

use octavo_server_testkit::people::staff;
use octavo_server_testkit::stock::BOOK;
use octavo_testkit::Client;
use serde_json::{Value, json};

use super::house::House;
use super::{METHOD, new_id, text};

const JOBS: &str = "/change-manager/jobExecutions";
const PROFILE: &str = "e34d7b92-9b83-11eb-a8b3-0242ac130003";

/// A field of a mapping.
fn field(path: &str, value: &str) -> Value {
    json!({"name": path.rsplit('.').next(), "enabled": "true", "path": path, "value": value,
           "subfields": []})
}

/// A field with one entry.
fn listed(path: &str, parts: &[(&str, &str)]) -> Value {
    let fields: Vec<Value> = parts
        .iter()
        .map(|(name, value)| field(&format!("{path}.{name}"), value))
        .collect();
    json!({"name": path, "enabled": "true", "path": path, "value": "",
           "repeatableFieldAction": "EXTEND_EXISTING",
           "subfields": [{"order": 0, "path": path, "fields": fields}]})
}

fn action(order: i64, entity: &str, fields: Vec<Value>) -> Value {
    json!({"id": new_id(), "contentType": "ACTION_PROFILE", "order": order, "reactTo": "MATCH",
           "content": {"name": "a", "action": "CREATE", "folioRecord": entity},
           "childSnapshotWrappers": [{"id": new_id(), "contentType": "MAPPING_PROFILE", "order": 0,
             "content": {"name": "m", "incomingRecordType": "MARC_BIBLIOGRAPHIC",
                         "existingRecordType": entity,
                         "mappingDetails": {"mappingFields": fields}}}]})
}

impl House {
    /// What an order and its line are mapped from: 980 has price, copies and fund.
    fn mapping(&self, status: &str) -> Vec<Value> {
        let quoted = |value: &str| format!("\"{value}\"");
        let copies = "980$g";
        vec![
            field("order.po.vendor", &quoted(&self.vendor)),
            field("order.po.orderType", "\"One-Time\""),
            field("order.po.workflowStatus", &quoted(status)),
            json!({"name": "approved", "path": "order.po.approved",
                   "booleanFieldAction": "ALL_TRUE"}),
            field("order.poLine.titleOrPackage", "245$a"),
            field("order.poLine.orderFormat", "\"Physical Resource\""),
            field("order.poLine.acquisitionMethod", &quoted(METHOD)),
            field("order.poLine.cost.currency", "\"USD\""),
            field("order.poLine.cost.listUnitPrice", "980$b"),
            field("order.poLine.cost.quantityPhysical", copies),
            field("order.poLine.physical.materialType", &quoted(BOOK)),
            field("order.poLine.physical.createInventory", "\"None\""),
            listed(
                "order.poLine.locations[]",
                &[
                    ("locationId", &quoted(&self.stock.location)),
                    ("quantityPhysical", copies),
                ],
            ),
            listed(
                "order.poLine.fundDistribution[]",
                &[
                    ("fundId", "980$h"),
                    ("distributionType", "\"percentage\""),
                    ("value", "\"100\""),
                ],
            ),
        ]
    }

    /// Imports these records by these actions; gives the job as it ended and its log.
    async fn imported(&self, actions: &Value, records: &[String]) -> (Value, Vec<Value>) {
        self.imported_by(&self.client, actions, records).await
    }

    /// The same by a user, who names the administrator as the job's.
    async fn imported_by(
        &self,
        client: &Client,
        actions: &Value,
        records: &[String],
    ) -> (Value, Vec<Value>) {
        let users = self.get("/users?query=username==diku_admin").await;
        let wanted = json!({"sourceType": "ONLINE", "files": [], "userId": users["users"][0]["id"],
            "jobProfileInfo": {"id": PROFILE, "name": "x", "dataType": "MARC"}});
        let begun = client.post(JOBS, &wanted).await.expect(201).json();
        let path = format!("{JOBS}/{}", text(&begun["parentJobExecutionId"]));
        let mut job = self.get(&path).await;
        job["jobProfileSnapshotWrapper"] = json!({"id": new_id(), "profileId": PROFILE,
            "contentType": "JOB_PROFILE", "order": 0,
            "content": {"id": PROFILE, "name": "x", "dataType": "MARC"},
            "childSnapshotWrappers": actions});
        let _ = self.client.put(&path, &job).await.expect(200);
        let list: Vec<Value> = records
            .iter()
            .enumerate()
            .map(|(order, record)| json!({"record": record, "order": order}))
            .collect();
        let total = records.len();
        let chunk = |records: &[Value], last: bool| {
            json!({"id": new_id(), "initialRecords": records, "recordsMetadata":
                {"last": last, "counter": total, "total": total, "contentType": "MARC_RAW"}})
        };
        let sent = format!("{path}/records");
        let _ = client.post(&sent, &chunk(&list, false)).await.expect(204);
        let _ = client.post(&sent, &chunk(&[], true)).await.expect(204);
        let started = Instant::now();
        loop {
            let job = self.get(&path).await;
            if matches!(job["status"].as_str(), Some("COMMITTED" | "ERROR")) {
                let log = format!("/metadata-provider/jobLogEntries/{}", text(&job["id"]));
                let log = self.get(&log).await["entries"].as_array().cloned();
                return (job, log.expect("entries"));
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{job}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// A record in ISO 2709 with a title and what is ordered.
fn record(number: usize, ordered: &str) -> String {
    let fields = [
        ("001", format!("b{number}")),
        ("245", format!("10\u{1f}aMill {number}")),
        ("980", format!("  {ordered}")),
    ];
    let (mut directory, mut data) = (String::new(), String::new());
    for (tag, text) in fields {
        let text = format!("{text}\u{1e}");
        directory.push_str(&format!("{tag}{:04}{:05}", text.len(), data.len()));
        data.push_str(&text);
    }
    let base = 24 + directory.len() + 1;
    let length = base + data.len() + 1;
    format!("{length:05}nam a22{base:05} a 4500{directory}\u{1e}{data}\u{1d}")
}

const ONE_AT_TEN: &str = "\u{1f}b10.00\u{1f}g1\u{1f}hHIST";

#[tokio::test]
async fn records_become_pending_orders() {
    let house = House::new().await;
    let mut fields = house.mapping("Pending");
    fields.push(field("order.po.overridePoLinesLimit", "\"2\""));
    let records: Vec<String> = (0..3).map(|number| record(number, ONE_AT_TEN)).collect();
    let tree = json!([action(0, "ORDER", fields)]);
    let (job, log) = house.imported(&tree, &records).await;
    assert_eq!(job["status"], "COMMITTED", "{log:?}");
    let orders = house
        .all("/orders/composite-orders", "purchaseOrders")
        .await;
    assert_eq!(orders.len(), 2);
    let mut sizes = Vec::new();
    for order in &orders {
        let order = house.stored(order).await;
        assert_eq!(order["workflowStatus"], "Pending");
        assert_eq!(order["vendor"], json!(house.vendor));
        let lines = order["compositePoLines"].as_array().expect("lines").clone();
        sizes.push(lines.len());
        for line in lines {
            assert_eq!(line["source"], "MARC");
            assert_eq!(line["cost"]["poLineEstimatedPrice"], 10.0);
            assert_eq!(line["fundDistribution"][0]["code"], "HIST");
            assert_eq!(line["physical"]["createInventory"], "None");
        }
    }
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 2]);
    let made = &log[0]["relatedPoLineInfo"];
    assert_eq!(made["actionStatus"], "CREATED");
    let line = house
        .get(&format!("/orders/order-lines/{}", text(&made["idList"][0])))
        .await;
    assert_eq!(line["purchaseOrderId"], made["orderId"]);
    assert_eq!(made["hridList"], json!([line["poLineNumber"]]));
    let summary = format!("/metadata-provider/jobSummary/{}", text(&job["id"]));
    let summary = house.get(&summary).await;
    assert_eq!(
        summary["orderSummary"]["totalCreatedEntities"], 3,
        "{summary}"
    );
    assert!(house.encumbrances().await.is_empty());
    house.in_order().await;
}

#[tokio::test]
async fn orders_are_opened_with_their_last_line() {
    let house = House::new().await;
    let mut order = house.mapping("Open");
    order.push(field("order.po.overridePoLinesLimit", "\"2\""));
    let quoted = |value: &str| format!("\"{value}\"");
    let place = quoted(&house.stock.location);
    let holdings = vec![field("holdings.permanentLocationId", &place)];
    let items = vec![
        field("item.materialType.id", &quoted(BOOK)),
        field("item.permanentLoanType.id", "\"Can circulate\""),
        field("item.status.name", "\"On order\""),
    ];
    let tree = json!([
        action(0, "ORDER", order),
        action(1, "INSTANCE", Vec::new()),
        action(2, "HOLDINGS", holdings),
        action(3, "ITEM", items),
    ]);
    let records: Vec<String> = (0..3).map(|number| record(number, ONE_AT_TEN)).collect();
    let before = house
        .all("/holdings-storage/holdings", "holdingsRecords")
        .await
        .len();
    let (job, log) = house.imported(&tree, &records).await;
    assert_eq!(job["status"], "COMMITTED", "{log:?}");
    let orders = house
        .all("/orders/composite-orders", "purchaseOrders")
        .await;
    assert_eq!(orders.len(), 2);
    for order in &orders {
        let order = house.stored(order).await;
        assert_eq!(order["workflowStatus"], "Open");
        for line in order["compositePoLines"].as_array().expect("lines") {
            assert_eq!(
                line["physical"]["createInventory"],
                "Instance, Holding, Item"
            );
            assert_eq!(line["paymentStatus"], "Awaiting Payment");
            assert!(line["instanceId"].is_string());
            assert!(line["locations"][0]["holdingId"].is_string());
        }
    }
    // What the import made is what the orders have: nothing is there twice.
    let after = house
        .all("/holdings-storage/holdings", "holdingsRecords")
        .await
        .len();
    assert_eq!(after, before + 3);
    let (items, pieces) = (house.items().await, house.pieces().await);
    assert_eq!((items.len(), pieces.len()), (3, 3));
    for piece in &pieces {
        let item = items.iter().find(|item| item["id"] == piece["itemId"]);
        let item = item.expect("the piece's item");
        assert_eq!(item["holdingsRecordId"], piece["holdingId"]);
        assert_eq!(item["purchaseOrderLineIdentifier"], piece["poLineId"]);
    }
    assert_eq!(house.budget().await, "30, 0, 0, 0");
    house.in_order().await;
}

#[tokio::test]
async fn a_refused_line_spoils_no_other() {
    let house = House::new().await;
    let mut order = house.mapping("Open");
    order.push(field("order.po.overridePoLinesLimit", "\"3\""));
    let records = [
        record(1, "\u{1f}bmuch\u{1f}g1\u{1f}hHIST"),
        record(2, ONE_AT_TEN),
        record(3, "\u{1f}b10.00\u{1f}g1\u{1f}hUNKNOWN"),
    ];
    let tree = json!([action(0, "ORDER", order)]);
    let (job, log) = house.imported(&tree, &records).await;
    assert_eq!(job["status"], "ERROR");
    let states: Vec<&str> = log
        .iter()
        .map(|line| {
            line["relatedPoLineInfo"]["actionStatus"]
                .as_str()
                .unwrap_or_default()
        })
        .collect();
    assert_eq!(states, ["DISCARDED", "CREATED", "DISCARDED"], "{log:?}");
    let error = text(&log[2]["relatedPoLineInfo"]["error"]);
    assert!(error.contains("UNKNOWN"), "{error}");
    // All three are processed, so the order with the one line is open.
    let orders = house
        .all("/orders/composite-orders", "purchaseOrders")
        .await;
    assert_eq!(orders.len(), 1);
    let order = house.stored(&orders[0]).await;
    assert_eq!(order["workflowStatus"], "Open");
    assert_eq!(order["compositePoLines"].as_array().map(Vec::len), Some(1));
    let summary = format!("/metadata-provider/jobSummary/{}", text(&job["id"]));
    let summary = house.get(&summary).await;
    assert_eq!(summary["orderSummary"]["totalErrors"], 2, "{summary}");
    house.in_order().await;
}

#[tokio::test]
async fn an_order_that_cannot_be_opened_stays_pending_with_the_reason_in_the_log() {
    let house = House::with(true).await;
    let mut order = house.mapping("Open");
    order.push(field("order.po.overridePoLinesLimit", "\"1\""));
    let tree = json!([action(0, "ORDER", order)]);
    let dear = record(1, "\u{1f}b5000.00\u{1f}g1\u{1f}hHIST");
    let (job, log) = house.imported(&tree, &[dear, record(2, ONE_AT_TEN)]).await;
    assert_eq!(job["status"], "ERROR", "{log:?}");
    let made = &log[0]["relatedPoLineInfo"];
    assert_eq!(made["actionStatus"], "DISCARDED");
    assert!(!text(&made["error"]).is_empty(), "{made}");
    assert_eq!(log[1]["relatedPoLineInfo"]["actionStatus"], "CREATED");
    let orders = house
        .all("/orders/composite-orders", "purchaseOrders")
        .await;
    let mut states: Vec<&str> = orders
        .iter()
        .map(|order| order["workflowStatus"].as_str().unwrap_or_default())
        .collect();
    states.sort_unstable();
    assert_eq!(states, ["Open", "Pending"]);
    assert_eq!(house.budget().await, "10, 0, 0, 0");
    house.in_order().await;
}

/// What a user needs to send records, and nothing of orders.
const SENDER: [&str; 2] = [
    "change-manager.jobexecutions.post",
    "change-manager.records.post",
];

#[tokio::test]
async fn who_may_not_approve_makes_pending_orders() {
    let house = House::new().await;
    house
        .set("approvals", "{\"isApprovalRequired\":true}")
        .await;
    let (client, _) = staff(&house.library, &house.client, "sender", &SENDER).await;
    let tree = json!([action(0, "ORDER", house.mapping("Open"))]);
    let records = [record(1, ONE_AT_TEN)];
    let (job, log) = house.imported_by(&client, &tree, &records).await;
    assert_eq!(job["status"], "COMMITTED", "{log:?}");
    let orders = house
        .all("/orders/composite-orders", "purchaseOrders")
        .await;
    assert_eq!(
        (&orders[0]["workflowStatus"], &orders[0]["approved"]),
        (&json!("Pending"), &json!(false))
    );
    assert!(house.encumbrances().await.is_empty());
    // The administrator holds the set of everything, which names no permission by itself.
    let (job, log) = house.imported(&tree, &records).await;
    assert_eq!(job["status"], "COMMITTED", "{log:?}");
    let path = "/orders/composite-orders";
    let opened = house
        .found(path, "workflowStatus==Open", "purchaseOrders")
        .await;
    assert_eq!((opened.len(), &opened[0]["approved"]), (1, &json!(true)));
    assert_eq!(house.encumbrances().await.len(), 1);
    house.in_order().await;
}
