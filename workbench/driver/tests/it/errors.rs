//! Errors are counted, reported and survived; a run that cannot begin names the remedy.

use octavo_driver::drive;

use crate::mini_folio::{MiniFolio, Refusal};
use crate::support::{check_in_check_out, options, target};

fn refuse(
    folio: &MiniFolio,
    line_begins: &'static str,
    status: u16,
    body: &'static str,
    times: usize,
) {
    let refusal = Refusal {
        line_begins,
        status,
        body,
        times,
        after: 0,
    };
    folio.state.lock().unwrap().refusals.push(refusal);
}

#[test]
fn an_error_ends_the_iteration_and_the_next_one_starts() {
    let folio = MiniFolio::start(0, 2);
    let mut options = options(&folio.url, check_in_check_out(), 2);
    options.weights = Some(vec![1, 0]);
    refuse(&folio, "GET /staff-slips-storage", 500, "slips broke", 1);
    let summary = drive::run(options).unwrap();
    let lines: Vec<_> = folio.seen_by_users().iter().map(|one| one.line()).collect();
    assert_eq!(lines.len(), 1 + 8 + 24);
    assert_eq!(lines[8], "GET /staff-slips-storage/staff-slips?limit=1000");
    assert!(lines[9].starts_with("OPTIONS /configurations/entries"));
    assert_eq!((summary.totals.errors, summary.totals.iterations), (1, 2));
    let check_in = summary.transactions[0].figures.as_ref().unwrap().statistics;
    assert_eq!((check_in.samples, check_in.errors), (2, 1));
    let failure = &summary.failures[0];
    assert_eq!(
        failure.label,
        "GET_staff-slips-storage/staff-slips (Get_check_in_page)"
    );
    assert_eq!(
        (failure.kind.as_str(), failure.first_body.as_str()),
        ("HTTP 500", "slips broke")
    );
    let text = octavo_report::table(&summary);
    assert!(
        text.contains("1 × GET_staff-slips-storage") && text.contains("slips broke"),
        "{text}"
    );
    // The row drawn by the failed iteration returned to its feeder.
    assert_eq!(
        folio.state.lock().unwrap().items["c0"],
        Some("p0".to_owned())
    );
}

#[test]
fn the_check_out_body_must_be_printed_as_the_plan_wants_it() {
    let folio = MiniFolio::start(1, 0);
    folio.state.lock().unwrap().compact_check_out = true;
    let mut options = options(&folio.url, check_in_check_out(), 1);
    options.weights = Some(vec![0, 1]);
    let summary = drive::run(options).unwrap();
    assert_eq!(
        summary.failures[0].kind,
        "the body does not contain `\"id\" : `"
    );
    assert_eq!(summary.failures[0].first_status, 201);
}

#[test]
fn an_empty_list_fails_an_existence_check() {
    let folio = MiniFolio::start(1, 0);
    refuse(
        &folio,
        "GET /users?query=(barcode",
        200,
        r#"{"users":[],"totalRecords":0}"#,
        1,
    );
    let mut options = options(&folio.url, check_in_check_out(), 1);
    options.weights = Some(vec![0, 1]);
    let summary = drive::run(options).unwrap();
    assert_eq!(summary.failures[0].kind, "no value at $..patronGroup");
}

#[test]
fn a_login_that_fails_once_is_tried_again() {
    let folio = MiniFolio::start(1, 0);
    let mut options = options(&folio.url, check_in_check_out(), 1);
    options.weights = Some(vec![0, 1]);
    // The first login is that of the set-up.
    let refusal = Refusal {
        line_begins: "POST /authn/login",
        after: 1,
        status: 500,
        body: "too busy",
        times: 1,
    };
    folio.state.lock().unwrap().refusals.push(refusal);
    let summary = drive::run(options).unwrap();
    let login = &summary.other_requests[0];
    assert_eq!(login.label, "POST_authn/login");
    assert_eq!(
        (
            login.figures.statistics.samples,
            login.figures.statistics.errors
        ),
        (2, 1)
    );
    assert_eq!((summary.totals.iterations, summary.totals.errors), (1, 1));
}

#[test]
fn what_cannot_begin_names_the_remedy() {
    let folio = MiniFolio::start(0, 0);
    let message = |change: &dyn Fn(&mut drive::RunOptions)| {
        let mut options = options(&folio.url, check_in_check_out(), 1);
        change(&mut options);
        drive::run(options).unwrap_err().to_string()
    };
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let text = message(&|options| options.target = target(&format!("http://{closed}")));
    assert!(
        text.contains("does not answer") && text.contains("octavo serve"),
        "{text}"
    );
    let text = message(&|options| options.target.password = "wrong".to_owned());
    assert!(
        text.contains("refused the login of diku_admin") && text.contains("--password"),
        "{text}"
    );
    assert!(text.contains("HTTP 422: wrong password"), "{text}");
    let text = message(&|_| {});
    assert!(
        text.contains("nothing for items-checked-out, items-available"),
        "{text}"
    );
    let text = message(&|options| options.weights = Some(vec![1]));
    assert!(
        text.contains("1 parts instead of 2: check-in-check-out"),
        "{text}"
    );
    let text = message(&|options| options.files = vec![("itens".to_owned(), "x".into())]);
    assert!(text.contains("no feeder `itens`"), "{text}");
    let text = message(&|options| options.files = vec![("users".to_owned(), "/no/such".into())]);
    assert!(text.contains("cannot read /no/such"), "{text}");
}
