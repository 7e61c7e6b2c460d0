//! Each built-in workflow goes over the wire as the published sequence has it, from the first request
//! to the last, with what its answers hand on.

use octavo_workbench::drive;
use octavo_workbench::report::Summary;
use octavo_workbench::workload;

use crate::mini_folio::{MiniFolio, Refusal, Seen};
use crate::support::options;

/// What the small FOLIO answers to lines that begin so: status, body, how often.
type Canned = (&'static str, u16, &'static str, usize);

/// For the rest of a run.
const ALWAYS: usize = usize::MAX;

const SOURCE_RECORDS: Canned = (
    "GET /source-storage/source-records?recordType=MARC_BIB",
    200,
    r#"{"sourceRecords":[{"externalIdsHolder":{"instanceId":"i-1"}}]}"#,
    ALWAYS,
);
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
const WRITES: [Canned; 4] = [
    (
        "POST /orders/order-lines",
        201,
        r#"{"id":"line-1"}"#,
        ALWAYS,
    ),
    ("PUT /", 204, "", ALWAYS),
    ("DELETE /", 204, "", ALWAYS),
    (
        "POST /users",
        201,
        r#"{"id":"u","personal":{"lastName":"LastName_x"}}"#,
        ALWAYS,
    ),
];

fn can(folio: &MiniFolio, canned: &[Canned]) {
    let refusals = canned
        .iter()
        .map(|(line_begins, status, body, times)| Refusal {
            line_begins,
            status: *status,
            body,
            times: *times,
            after: 0,
        });
    folio.state.lock().unwrap().refusals.extend(refusals);
}

/// Plays one iteration of one branch.
fn play(folio: &MiniFolio, name: &str, branch: &str) -> (Vec<Seen>, Summary) {
    let workload = workload::load_branches(name, &[branch.to_owned()]).unwrap();
    let mut options = options(&folio.url, workload, 1);
    options.weights = Some(vec![1]);
    let summary = drive::run(options).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
    (folio.seen_by_users().split_off(1), summary)
}

/// Compares what was sent with the plan's lines, their variables filled in.
fn compare(seen: &[Seen], plan: &str, values: &[(&str, &str)]) {
    let fill = |line: &str| {
        let line = line.to_owned();
        values.iter().fold(line, |line, (name, value)| {
            line.replace(&format!("${{{name}}}"), value)
        })
    };
    let expected: Vec<_> = plan.lines().map(fill).collect();
    let sent: Vec<_> = seen.iter().map(Seen::line).collect();
    assert_eq!(sent, expected);
}

fn check(name: &str, branch: &str, canned: &[Canned], plan: &str, values: &[(&str, &str)]) {
    let folio = MiniFolio::start(2, 2);
    can(&folio, canned);
    compare(&play(&folio, name, branch).0, plan, values);
}

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
    // Set-up and cleaning are in no transaction's time.
    let samples = |at: usize| summary.transactions[at].statistics.map(|one| one.samples);
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

const PATRON: [Canned; 9] = [
    (
        "PUT /perms/users/perm-1",
        200,
        r#"{"userId":"u-1"}"#,
        ALWAYS,
    ),
    (
        "GET /users?query=username==diku_admin",
        200,
        r#"{"users":[{"id":"me"}]}"#,
        ALWAYS,
    ),
    (
        "GET /users?query=active==true",
        200,
        r#"{"users":[{"id":"u-1","barcode":"b","personal":{"lastName":"Lem"}}]}"#,
        ALWAYS,
    ),
    (
        "GET /users/u-1",
        200,
        r#"{"id":"u-1","personal":{"lastName":"Lem","email":"old"}}"#,
        ALWAYS,
    ),
    (
        "GET /perms/users/u-1?",
        200,
        r#"{"id":"perm-1","userId":"u-1"}"#,
        ALWAYS,
    ),
    (
        "GET /service-points-users",
        200,
        r#"{"servicePointsUsers":[{"id":"spu-1"}]}"#,
        ALWAYS,
    ),
    (
        "GET /request-preference-storage",
        200,
        r#"{"requestPreferences":[{"id":"pref-1"}]}"#,
        ALWAYS,
    ),
    (
        "POST /request-preference-storage",
        201,
        r#"{"id":"pref-1"}"#,
        ALWAYS,
    ),
    ("POST /perms/users", 201, r#"{"userId":"u-1"}"#, ALWAYS),
];

#[test]
fn a_patron_record_is_created_with_preferences_and_permissions() {
    let folio = MiniFolio::start(0, 0);
    can(&folio, &PATRON);
    can(&folio, &WRITES);
    let (seen, summary) = play(&folio, "users-and-permissions", "create");
    let seen = &seen[1..];
    let body = |at: usize| serde_json::from_str::<serde_json::Value>(&seen[at].body).unwrap();
    let id = body(19)["id"].as_str().unwrap().to_owned();
    assert!(uuid::Uuid::parse_str(&id).is_ok());
    let plan = include_str!("plans/users-create.txt");
    assert_eq!(plan.lines().count(), 5 + 14 + 43);
    let values = [("uuid", id.as_str()), ("current_userID", "me")];
    compare(seen, plan, &values);
    assert_eq!(body(19)["patronGroup"], "pg-1");
    assert_eq!(
        (&body(20)["userId"], &body(21)["userId"]),
        (&id.clone().into(), &id.into())
    );
    assert_eq!(summary.transactions.len(), 4);
}

#[test]
fn a_patron_record_is_viewed_with_its_loans() {
    let folio = MiniFolio::start(0, 0);
    can(&folio, &PATRON);
    let (seen, _) = play(&folio, "users-and-permissions", "view-open-loans");
    let values = [
        ("uuid", "u-1"),
        ("keyword", "Lem"),
        ("current_userID", "me"),
    ];
    compare(&seen[1..], include_str!("plans/users-view.txt"), &values);
    let (seen, _) = play(&folio, "users-and-permissions", "search");
    let own = seen.len() - 4;
    compare(&seen[own..], include_str!("plans/users-search.txt"), &[]);
}

#[test]
fn only_users_that_were_created_are_changed_and_deleted() {
    let rows = crate::support::TempFile::new("u-1,Lem\n");
    let run = |branch: &str, canned: &[Canned]| {
        let folio = MiniFolio::start(0, 0);
        can(&folio, canned);
        can(&folio, &PATRON);
        can(&folio, &WRITES);
        let only = [branch.to_owned()];
        let workload = workload::load_branches("users-and-permissions", &only).unwrap();
        let mut options = options(&folio.url, workload, 1);
        options.weights = Some(vec![1]);
        options.files = vec![("created-users".to_owned(), rows.path().to_owned())];
        let summary = drive::run(options).unwrap();
        assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
        folio.seen_by_users().split_off(2)
    };
    let values = [
        ("uuid", "u-1"),
        ("keyword", "Lem"),
        ("current_userID", "me"),
        ("users_perm_id", "perm-1"),
        ("service_points_users_id", "spu-1"),
        ("request_preferences_id", "pref-1"),
    ];
    let seen = run("edit", &[]);
    compare(&seen, include_str!("plans/users-edit.txt"), &values);
    let put = &seen[seen.len() - 4];
    let put: serde_json::Value = serde_json::from_str(&put.body).unwrap();
    let personal = serde_json::json!({ "lastName": "Lem", "email": "new@mail.com" });
    assert_eq!(
        put,
        serde_json::json!({ "id": "u-1", "personal": personal })
    );
    assert_eq!(
        seen[seen.len() - 3].body,
        r#"{"id":"perm-1","userId":"u-1"}"#
    );
    let open = "GET /bl-users/by-id/u-1/open-transactions";
    let plan = include_str!("plans/users-delete.txt");
    let free: Canned = (open, 200, r#"{"hasOpenTransactions":false}"#, ALWAYS);
    compare(&run("delete", &[free]), plan, &values);
    let busy: Canned = (open, 200, r#"{"hasOpenTransactions":true}"#, ALWAYS);
    let (without, delete) = plan.trim_end().rsplit_once('\n').unwrap();
    assert!(delete.starts_with("DELETE "));
    compare(&run("delete", &[busy]), without, &values);
    // A workload that begins without users of its own has nothing to delete.
    let folio = MiniFolio::start(0, 0);
    can(&folio, &PATRON);
    let only = ["delete".to_owned()];
    let workload = workload::load_branches("users-and-permissions", &only).unwrap();
    let error = drive::run(options(&folio.url, workload, 1)).unwrap_err();
    assert!(
        error.to_string().contains("nothing for created-users"),
        "{error}"
    );
}

const IMPORT: [Canned; 7] = [
    (
        "POST /data-import/uploadDefinitions/up-1/processFiles",
        204,
        "",
        ALWAYS,
    ),
    (
        "POST /data-import/uploadDefinitions/up-1/files/file-1",
        200,
        r#"{"id":"up-1","status":"LOADED","fileDefinitions":[{"id":"file-1","jobExecutionId":"job-1","sourcePath":"/tmp/x"}]}"#,
        ALWAYS,
    ),
    (
        "POST /data-import/uploadDefinitions",
        201,
        r#"{"id":"up-1","metaJobExecutionId":"meta-1","createDate":"2026-01-01","fileDefinitions":[{"id":"file-1","uploadDefinitionId":"up-1"}]}"#,
        ALWAYS,
    ),
    (
        "GET /data-import-profiles/jobProfiles?",
        200,
        r#"{"jobProfiles":[{"id":"p-0","name":"Other"},{"id":"p-1","name":"Default - Create instance and SRS MARC Bib"}]}"#,
        ALWAYS,
    ),
    (
        "GET /data-import-profiles/jobProfiles/p-1",
        200,
        r#"{"id":"p-1","dataType":"MARC"}"#,
        ALWAYS,
    ),
    (
        "GET /metadata-provider/jobExecutions?statusAny=COMMITTED",
        200,
        r#"{"jobExecutions":[{"id":"job-0"}]}"#,
        3,
    ),
    (
        "GET /metadata-provider/jobExecutions?statusAny=COMMITTED",
        200,
        r#"{"jobExecutions":[{"id":"job-0"},{"id":"job-1","status":"COMMITTED"}]}"#,
        ALWAYS,
    ),
];

/// The plan's text with other pauses between its questions.
fn hurried(name: &str) -> workload::Workload {
    let built_in = workload::BUILT_IN
        .iter()
        .find(|one| one.name == name)
        .unwrap();
    let text = built_in.text.replace("every_ms = 5000", "every_ms = 5");
    let text = text.replace("every_ms = 3000", "every_ms = 5");
    workload::parse(&format!("{name}.toml"), &text).unwrap()
}

#[test]
fn an_import_uploads_marc_records_and_waits_for_its_job() {
    let folio = MiniFolio::start(0, 0);
    can(&folio, &IMPORT);
    let summary = drive::run(options(&folio.url, hurried("marc-import"), 1)).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
    let seen = folio.seen_by_users().split_off(1);
    let values = [
        ("uploadDefinitionId", "up-1"),
        ("fileDefinitionId", "file-1"),
        ("JobProfileID", "p-1"),
    ];
    let plan = include_str!("plans/marc-import.txt");
    let lines: Vec<_> = plan.lines().collect();
    // The job is missing once before the questions begin, and at two of them.
    let poll = &lines[10..12];
    let plan = [&lines[..], poll, poll].concat().join("\n");
    compare(&seen, &plan, &values);
    let upload = &seen[3];
    assert_eq!(upload.header("content-type"), "application/octet-stream");
    assert_eq!(
        upload.header("content-length"),
        upload.body.len().to_string()
    );
    let records: Vec<_> = upload.body.split_inclusive('\u{1d}').collect();
    assert_eq!(records.len(), 100);
    for record in records {
        assert_eq!(record[..5].parse::<usize>().unwrap(), record.len());
        assert!(record.contains("\u{1f}aThe ") && record.ends_with("\u{1e}\u{1d}"));
    }
    let process: serde_json::Value = serde_json::from_str(&seen[7].body).unwrap();
    assert_eq!(process["jobProfileInfo"]["dataType"], "MARC");
    let file = &process["uploadDefinition"]["fileDefinitions"][0];
    assert_eq!(file["jobExecutionId"], "job-1");
    assert!(seen[1].body.contains(file["name"].as_str().unwrap()));
    // All questions are one line of the report.
    let requests = &summary.transactions[0].requests;
    let done = requests
        .iter()
        .find(|one| one.label.ends_with(", done"))
        .unwrap();
    assert_eq!(done.statistics.samples, 1 + 3);
}

#[test]
fn a_job_that_is_never_done_is_an_error_after_the_last_question() {
    let folio = MiniFolio::start(0, 0);
    can(&folio, &IMPORT[..6]);
    let built_in = workload::BUILT_IN
        .iter()
        .find(|one| one.name == "marc-import");
    let text = built_in
        .unwrap()
        .text
        .replace("every_ms = 5000", "every_ms = 1");
    let text = text.replace("at_most = 2000", "at_most = 4");
    let workload = workload::parse("w.toml", &text).unwrap();
    let summary = drive::run(options(&folio.url, workload, 1)).unwrap();
    assert_eq!(summary.totals.errors, 1);
    let failure = &summary.failures[0];
    assert_eq!(
        failure.kind,
        "after 4 times still the body does not contain `\"job-1\"`"
    );
}

#[test]
fn an_export_gives_ids_and_fetches_the_file() {
    let folio = MiniFolio::start(0, 0);
    let ids: Vec<_> = (0..100)
        .map(|at| format!(r#"{{"externalIdsHolder":{{"instanceId":"i-{at}"}}}}"#))
        .collect();
    let records = format!(r#"{{"sourceRecords":[{}]}}"#, ids.join(","));
    let records: &'static str = records.leak();
    can(
        &folio,
        &[
            (SOURCE_RECORDS.0, 200, records, ALWAYS),
            (
                "POST /data-export/file-definitions/f-1/upload",
                200,
                r#"{"jobExecutionId":"job-1"}"#,
                ALWAYS,
            ),
            (
                "POST /data-export/file-definitions",
                201,
                r#"{"id":"f-1"}"#,
                ALWAYS,
            ),
            (
                "GET /data-export/job-profiles",
                200,
                r#"{"jobProfiles":[{"id":"p-1","name":"Default instances export job profile"}]}"#,
                ALWAYS,
            ),
            ("POST /data-export/export", 204, "", ALWAYS),
            (
                "POST /data-export/quick-export",
                200,
                r#"{"jobExecutionId":"job-1"}"#,
                ALWAYS,
            ),
            (
                "GET /data-export/job-executions?query=id==job-1",
                200,
                r#"{"jobExecutions":[{"status":"IN_PROGRESS"}]}"#,
                2,
            ),
            (
                "GET /data-export/job-executions?query=id==job-1",
                200,
                r#"{"jobExecutions":[{"status":"COMPLETED","exportedFiles":[{"fileId":"x-1"}]}]}"#,
                ALWAYS,
            ),
            (
                "GET /data-export/job-executions/job-1/download/x-1",
                200,
                r#"{"link":"http://x"}"#,
                ALWAYS,
            ),
            (
                "GET /data-export/job-executions?",
                200,
                r#"{"jobExecutions":[]}"#,
                ALWAYS,
            ),
        ],
    );
    let values = [
        ("fileDefinitionId", "f-1"),
        ("jobExecutionId", "job-1"),
        ("exportedFileId", "x-1"),
    ];
    let run = |weights: [u32; 2]| {
        folio.state.lock().unwrap().seen.clear();
        let mut options = options(&folio.url, hurried("marc-export"), 1);
        options.weights = Some(weights.to_vec());
        let summary = drive::run(options).unwrap();
        assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
        folio.seen_by_users().split_off(1)
    };
    let seen = run([1, 0]);
    let lines: Vec<_> = include_str!("plans/marc-export.txt").lines().collect();
    let plan = [&lines[..7], &lines[6..7], &lines[6..]].concat().join("\n");
    compare(&seen, &plan, &values);
    let ids: Vec<_> = seen[1].body.lines().collect();
    assert_eq!((ids.len(), ids[99]), (100, "i-99"));
    let seen = run([0, 1]);
    compare(&seen, include_str!("plans/quick-export.txt"), &values);
    let body: serde_json::Value = serde_json::from_str(&seen[0].body).unwrap();
    assert_eq!(body["uuids"].as_array().unwrap().len(), 100);
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
