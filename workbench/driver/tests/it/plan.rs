//! What is sent is the published plan: requests, order, headers, correlations.

use octavo_driver::drive;
use octavo_driver::workload;

use crate::mini_folio::{MiniFolio, Seen};
use crate::support::{check_in_check_out, options};

fn run_branch(folio: &MiniFolio, weights: [u32; 2], iterations: u64) -> Vec<Seen> {
    let mut options = options(&folio.url, check_in_check_out(), iterations);
    options.weights = Some(weights.to_vec());
    let summary = drive::run(options).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:?}", summary.failures);
    folio.seen_by_users()
}

/// The plan's lines with their variables filled in.
fn expected(plan: &str, values: &[(&str, &str)]) -> Vec<String> {
    let fill = |line: &str| {
        values.iter().fold(line.to_owned(), |line, (name, value)| {
            line.replace(&format!("${{{name}}}"), value)
        })
    };
    plan.lines().map(fill).collect()
}

fn lines(seen: &[Seen]) -> Vec<String> {
    seen.iter().map(Seen::line).collect()
}

#[test]
fn a_check_in_is_the_plans_24_requests() {
    let folio = MiniFolio::start(0, 1);
    let seen = run_branch(&folio, [100, 0], 1);
    let values = [
        ("item_barcodes_checkedout", "c0"),
        ("item_id", "item-c0"),
        ("loan_Id", "loan-c0"),
        ("lostItemPolicy_Id", "lost-1"),
        ("user_Id", "user-0"),
    ];
    let plan = expected(include_str!("plans/check-in.txt"), &values);
    assert_eq!(plan.len(), 24);
    assert_eq!(lines(&seen)[1..], plan);
}

#[test]
fn a_check_in_without_a_loan_goes_on_with_the_plans_defaults() {
    let folio = MiniFolio::start(0, 1);
    folio
        .state
        .lock()
        .unwrap()
        .items
        .insert("c0".to_owned(), Some("p0".to_owned()));
    let first = run_branch(&folio, [100, 0], 1);
    assert!(lines(&first).iter().any(|line| line.contains("loan-c0")));
    let file = crate::support::TempFile::new("c0\n");
    let mut options = options(&folio.url, check_in_check_out(), 1);
    options.weights = Some(vec![100, 0]);
    options.files = vec![("items-checked-out".to_owned(), file.path().to_owned())];
    folio.state.lock().unwrap().seen.clear();
    assert_eq!(drive::run(options).unwrap().totals.errors, 0);
    let values = [
        ("item_barcodes_checkedout", "c0"),
        ("item_id", "item-c0"),
        ("loan_Id", "NOT_FOUND"),
        ("lostItemPolicy_Id", "NOT_FOUND"),
        ("user_Id", "NOT_FOUND"),
    ];
    let plan = expected(include_str!("plans/check-in.txt"), &values);
    assert_eq!(lines(&folio.seen_by_users())[1..], plan);
}

#[test]
fn a_check_out_is_the_plans_39_requests() {
    let folio = MiniFolio::start(2, 0);
    let seen = run_branch(&folio, [0, 100], 2);
    let check = |seen: &[Seen], barcode: &str, patron: &str, user: &str, service_point: &str| {
        let values = [
            ("item_barcode_availiable", barcode),
            ("user_barcode", patron),
            ("userID", user),
            ("patronGroup", "pg-1"),
            ("servicePoints_Id", service_point),
        ];
        let mut plan = expected(include_str!("plans/check-out.txt"), &values);
        assert_eq!(plan.len(), 39);
        for (at, line) in plan.iter_mut().enumerate() {
            // Before its first check-out a thread has no user_id, and JMeter sends the reference
            // itself.
            let known = if at > 33 { user } else { "user-0" };
            let value = if at < 33 && barcode == "a0" {
                "${user_id}"
            } else {
                known
            };
            *line = line.replace("${user_id}", value);
        }
        assert_eq!(lines(seen), plan);
    };
    assert_eq!(seen.len(), 1 + 2 * 39);
    check(&seen[1..40], "a0", "p0", "user-0", "sp-1");
    check(&seen[40..], "a1", "p1", "user-1", "sp-2");
}

#[test]
fn headers_and_bodies_are_the_plans() {
    let folio = MiniFolio::start(1, 0);
    let seen = run_branch(&folio, [0, 100], 1);
    let login = &seen[0];
    assert_eq!(login.line(), "POST /authn/login");
    assert_eq!(
        login.body,
        r#"{"username":"diku_admin","password":"admin"}"#
    );
    assert_eq!(login.header("content-type"), "application/json");
    assert_eq!(login.header("access-control-request-method"), "");
    for one in &seen[1..] {
        let header = |name| one.header(name);
        assert_eq!(header("x-okapi-tenant"), "diku");
        assert_eq!(header("x-okapi-token"), "token-1", "{}", one.line());
        assert_eq!(header("origin"), "http://localhost");
        assert_eq!(header("accept"), "*/*");
        assert_eq!(header("access-control-request-method"), "GET");
        assert_eq!(
            header("access-control-request-headers"),
            "content-type,x-okapi-tenant,x-okapi-token"
        );
        assert!(header("user-agent").starts_with("Mozilla/5.0"));
        assert_eq!(format!("http://{}", header("host")), folio.url);
    }
    let post = seen
        .iter()
        .find(|one| one.line() == "POST /circulation/check-out-by-barcode")
        .unwrap();
    assert_eq!(post.header("content-type"), "text/plain; charset=UTF-8");
    let body: serde_json::Value = serde_json::from_str(&post.body).unwrap();
    assert_eq!(body["itemBarcode"], "a0");
    assert_eq!(body["servicePointId"], "sp-1");
    let date = body["loanDate"].as_str().unwrap();
    assert!(date.len() == 20 && date.ends_with('Z'), "{date}");
    assert!(uuid::Uuid::parse_str(body["id"].as_str().unwrap()).is_ok());
}

#[test]
fn queries_are_encoded_as_jmeter_encodes_them() {
    let folio = MiniFolio::start(1, 0);
    let seen = run_branch(&folio, [0, 100], 1);
    let raw: Vec<_> = seen.iter().map(|one| one.raw_target.as_str()).collect();
    assert!(
        raw.contains(&"/proxiesfor?query=query%3D%28userId%3D%3Duser-0%29&limit=80"),
        "{raw:?}"
    );
    assert!(raw.contains(&"/inventory/items?query=barcode%3D%3D%22a0%22&limit=40"));
    assert!(raw.contains(
        &"/circulation/loans?query=%28userId%3D%3Duser-0+and+status.name%3C%3EClosed%29&limit=1"
    ));
}

#[test]
fn load_items_sends_59_requests_and_a_check_in() {
    let folio = MiniFolio::start(3, 0);
    let workload = workload::load("load-items").unwrap();
    let summary = drive::run(options(&folio.url, workload, 2)).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:?}", summary.failures);
    let seen = folio.seen_by_users();
    assert_eq!(seen.len(), 1 + 2 * 60);
    assert_eq!(
        seen[1].line(),
        "GET /source-storage/formattedRecords/instance-a0?identifier=INSTANCE"
    );
    assert_eq!(seen[60].line(), "POST /circulation/check-in-by-barcode");
    assert_eq!(seen[60].header("content-type"), "application/json");
    assert_eq!(
        seen[61].line(),
        "GET /source-storage/formattedRecords/instance-a1?identifier=INSTANCE"
    );
    assert_eq!(
        summary.transactions[0]
            .figures
            .as_ref()
            .unwrap()
            .statistics
            .samples,
        2
    );
    assert!(summary.transactions[1].figures.is_none());
    let out = seen
        .iter()
        .find(|one| one.line() == "POST /circulation/check-out-by-barcode")
        .unwrap();
    let body: serde_json::Value = serde_json::from_str(&out.body).unwrap();
    assert!(
        body["loanDate"]
            .as_str()
            .unwrap()
            .parse::<jiff::Timestamp>()
            .unwrap()
            > jiff::Timestamp::now()
    );
}

#[test]
fn branches_are_taken_by_weight_and_seed() {
    let run = || {
        let folio = MiniFolio::start(200, 200);
        let summary = drive::run(options(&folio.url, check_in_check_out(), 200)).unwrap();
        assert_eq!(summary.totals.iterations, 200);
        summary
            .transactions
            .iter()
            .map(|one| one.figures.as_ref().unwrap().statistics.samples)
            .collect::<Vec<_>>()
    };
    let counts = run();
    // 43 % of 200 is 86; the seed is fixed, and the bounds only show that the weights matter.
    assert!((65..=107).contains(&counts[0]), "{counts:?}");
    assert_eq!(counts, run());
}
