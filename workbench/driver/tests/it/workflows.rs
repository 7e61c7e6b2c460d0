//! Each built-in workflow is sent as the published sequence, from the first request to the last,
//! with values from earlier responses.

use octavo_driver::drive;
use octavo_driver::workload;

use crate::canned::{ALWAYS, Canned, SOURCE_RECORDS, WRITES, can, check, compare, play};
use crate::mini_folio::MiniFolio;
use crate::support::options;

const INSTANCES: Canned = (
    "GET /instance-storage/instances?query=cql.allRecords=1",
    200,
    r#"{"instances":[{"id":"i-1","hrid":"in1","title":"Solaris"}]}"#,
    ALWAYS,
);
const FOUND: Canned = (
    "GET /search/instances",
    200,
    r#"{"instances":[{"id":"i-1"}]}"#,
    ALWAYS,
);
const HOLDINGS: Canned = (
    "GET /holdings-storage/holdings?query=instanceId==i-1",
    200,
    r#"{"holdingsRecords":[{"id":"h-1"}]}"#,
    ALWAYS,
);
const ORDERS: [Canned; 8] = [
    (
        "GET /organizations-storage/organizations",
        200,
        r#"{"organizations":[{"id":"vendor-1"}]}"#,
        ALWAYS,
    ),
    (
        "GET /inventory/instances?limit",
        200,
        r#"{"instances":[{"id":"i-1","title":"Solaris"}]}"#,
        ALWAYS,
    ),
    (
        "GET /material-types",
        200,
        r#"{"mtypes":[{"id":"m-1"}]}"#,
        ALWAYS,
    ),
    (
        "GET /locations",
        200,
        r#"{"locations":[{"id":"l-1"}]}"#,
        ALWAYS,
    ),
    (
        "GET /orders/acquisition-methods",
        200,
        r#"{"acquisitionMethods":[{"id":"a-1"}]}"#,
        ALWAYS,
    ),
    (
        "POST /orders/composite-orders",
        201,
        r#"{"id":"testing","poNumber":"1"}"#,
        1,
    ),
    (
        "POST /orders/composite-orders",
        201,
        r#"{"id":"order-1","poNumber":"10000"}"#,
        ALWAYS,
    ),
    (
        "POST /configurations/entries",
        422,
        r#"{"errors":[]}"#,
        ALWAYS,
    ),
];
#[test]
fn searching_instances_is_the_plans_26_requests() {
    let plan = include_str!("plans/instance-search.txt");
    assert_eq!(plan.lines().count(), 26);
    check("instance-search", "instance-search", &[], plan, &[]);
}

#[test]
fn source_records_are_asked_for_by_both_paths() {
    let plan = include_str!("plans/formatted-records.txt");
    let (old, new) = plan.split_once('\n').unwrap();
    let values = [("instanceId", "i-1")];
    let canned = [SOURCE_RECORDS];
    check(
        "formatted-records",
        "formattedRecords",
        &canned,
        old,
        &values,
    );
    check(
        "formatted-records",
        "records-formatted",
        &canned,
        new,
        &values,
    );
}

#[test]
fn orders_are_made_changed_and_deleted_between_one_set_up_and_one_cleaning() {
    let folio = MiniFolio::start(0, 0);
    can(&folio, &ORDERS);
    can(&folio, &WRITES);
    let workload = workload::load("orders-crud").unwrap();
    let summary = drive::run(options(&folio.url, workload, 3)).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
    let seen = folio.seen_by_users().split_off(1);
    let lines: Vec<_> = include_str!("plans/orders-crud.txt").lines().collect();
    let (setup, crud, down) = (&lines[..2], &lines[2..10], &lines[10..]);
    let plan = [setup, crud, crud, crud, down].concat().join("\n");
    let values = [
        ("orderId", "order-1"),
        ("orderLineId", "line-1"),
        ("purchaseOrderId", "testing"),
    ];
    compare(&seen, &plan, &values);
    let body = |at: usize| serde_json::from_str::<serde_json::Value>(&seen[at].body).unwrap();
    assert_eq!(body(3)["poNumber"], "10000");
    assert_eq!(body(3)["workflowStatus"], "Closed");
    let line = body(6);
    assert_eq!(line["purchaseOrderId"], "testing");
    assert_eq!(line["titleOrPackage"], "Solaris");
    assert_eq!(line["physical"]["materialType"], "m-1");
    let price: u32 = line["cost"]["listUnitPrice"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(price <= 100);
    assert_eq!(body(7)["id"], "line-1");
    // Set-up and tear-down are in no transaction's time.
    let samples = |at: usize| {
        summary.transactions[at]
            .figures
            .as_ref()
            .map(|one| one.statistics.samples)
    };
    assert_eq!([samples(0), samples(1), samples(2)], [None, Some(3), None]);
}

#[test]
fn the_ten_order_queries_are_the_plans() {
    let canned = [
        (
            "GET /orders-storage/po-lines?query=cql.allRecords",
            200,
            r#"{"poLines":[{"poLineNumber":"306857-1","purchaseOrderId":"o"}]}"#,
            ALWAYS,
        ),
        (
            "GET /orders-storage/purchase-orders?query=id==(",
            200,
            r#"{"purchaseOrders":[{"id":"o","poNumber":"306857"}]}"#,
            ALWAYS,
        ),
    ];
    let values = [("poNumber", "306857"), ("poLineNumber", "306857-1")];
    let plan = include_str!("plans/orders-queries.txt");
    assert_eq!(plan.lines().count(), 10);
    check("orders-queries", "queries", &canned, plan, &values);
}

#[test]
fn inventory_records_are_looked_at_as_in_the_plans() {
    let values = [
        ("keyword", "in1"),
        ("instance_id", "i-1"),
        ("holdings_id", "h-1"),
        ("instance_hrid", "in1"),
        ("found", "i-1"),
        ("record_instance", "instance-a0"),
        ("record_item", "item-a0"),
    ];
    let canned = [
        INSTANCES,
        FOUND,
        HOLDINGS,
        (
            "GET /inventory/instances?offset=0",
            200,
            r#"{"instances":[{"id":"i-1"}]}"#,
            ALWAYS,
        ),
    ];
    let check = |branch: &str, plan: &str| check("inventory-views", branch, &canned, plan, &values);
    let bib = include_str!("plans/view-bib.txt");
    assert_eq!(bib.lines().count(), 26 + 1 + 12);
    check("view-bib", bib);
    check("view-source", include_str!("plans/view-source.txt"));
    check("view-holdings", include_str!("plans/view-holdings.txt"));
    let record = include_str!("plans/view-inventory-record.txt");
    check("inventory-record-and-item", record);
    let (without, _) = record.trim_end().rsplit_once('\n').unwrap();
    check("inventory-record", without);
    let both = include_str!("plans/instances-and-holdings.txt");
    check("instances-and-holdings", both);
    check(
        "instance-details",
        include_str!("plans/instance-details.txt"),
    );
}

#[test]
fn what_is_not_found_is_not_opened() {
    let folio = MiniFolio::start(0, 0);
    let nothing: Canned = (
        "GET /holdings-storage/holdings?query=instanceId==i-1",
        200,
        r#"{"holdingsRecords":[]}"#,
        ALWAYS,
    );
    can(&folio, &[INSTANCES, FOUND, nothing]);
    let (seen, _) = play(&folio, "inventory-views", "view-bib");
    let plan = include_str!("plans/view-bib.txt");
    let (without, items) = plan.trim_end().rsplit_once('\n').unwrap();
    assert!(items.contains("/inventory/items"));
    compare(
        &seen,
        without,
        &[("keyword", "in1"), ("instance_id", "i-1")],
    );
    // Neither are holdings that a record does not have, and nothing at all when the search finds
    // nothing.
    folio.state.lock().unwrap().seen.clear();
    let (seen, _) = play(&folio, "inventory-views", "view-holdings");
    assert_eq!(seen.len(), 26 + 1 + 12);
    let nothing: Canned = (FOUND.0, 200, r#"{"instances":[]}"#, ALWAYS);
    folio.state.lock().unwrap().seen.clear();
    folio.state.lock().unwrap().refusals.clear();
    can(&folio, &[INSTANCES, nothing]);
    let (seen, summary) = play(&folio, "inventory-views", "view-bib");
    assert_eq!(seen.len(), 26 + 1);
    let samples = |at: usize| {
        summary.transactions[at]
            .figures
            .as_ref()
            .unwrap()
            .statistics
            .samples
    };
    assert_eq!((samples(1), samples(2)), (1, 0));
}

#[test]
fn the_other_work_at_the_desk_is_the_plans() {
    let canned = [
        (
            "GET /circulation/loans?query=status.name==Open",
            200,
            r#"{"loans":[{"userId":"u-1","item":{"barcode":"c0"}}]}"#,
            ALWAYS,
        ),
        (
            "GET /users?query=active==true",
            200,
            r#"{"users":[{"id":"u-1","barcode":"p0","personal":{"lastName":"Lem"}}]}"#,
            ALWAYS,
        ),
        (
            "GET /users?query=(barcode",
            200,
            r#"{"users":[{"id":"u-1"}]}"#,
            ALWAYS,
        ),
        (
            "GET /users/u-1",
            200,
            r#"{"id":"u-1","barcode":"p0"}"#,
            ALWAYS,
        ),
        ("POST /circulation/renew-by-barcode", 200, "{}", ALWAYS),
        ("POST /circulation/requests", 201, "{}", ALWAYS),
        (
            "GET /holdings-storage/holdings/holdings-c0",
            200,
            r#"{"instanceId":"i-1"}"#,
            ALWAYS,
        ),
    ];
    let values = [
        ("userId", "u-1"),
        ("requester", "p0"),
        ("wanted", "c0"),
        ("holdingsRecordId", "holdings-c0"),
        ("patron", "u-1"),
        ("name", "Lem"),
        ("servicePoint", "sp-1"),
    ];
    let check = |branch: &str, plan: &str| {
        check("requests-and-renewals", branch, &canned, plan, &values);
    };
    check("renewal", include_str!("plans/renewal.txt"));
    check("item-request", include_str!("plans/item-request.txt"));
    check("patron-record", include_str!("plans/patron-record.txt"));
    check("pick-slips", include_str!("plans/pick-slips.txt"));
}

#[test]
fn batch_look_ups_ask_for_as_many_as_they_say() {
    let folio = MiniFolio::start(0, 0);
    let records: Vec<_> = (0..1000)
        .map(|at| format!(r#"{{"id":"h-{at}","instanceId":"i-{at}"}}"#))
        .collect();
    let body: &'static str = format!(r#"{{"holdingsRecords":[{}]}}"#, records.join(",")).leak();
    can(
        &folio,
        &[("GET /holdings-storage/holdings", 200, body, ALWAYS)],
    );
    let names = workload::load("batch-lookup").unwrap();
    let names: Vec<_> = names.branches.iter().map(|one| one.name.clone()).collect();
    assert_eq!(names, ["1", "10", "20", "50", "1000"]);
    for name in names {
        folio.state.lock().unwrap().seen.clear();
        let (seen, _) = play(&folio, "batch-lookup", &name);
        let wanted = seen[0].line().matches("instanceId==").count();
        assert_eq!(wanted.to_string(), name);
    }
}
