//! Responses of the small FOLIO in tests of workflows, and the comparison of its requests with the
//! published plan.

use octavo_driver::drive;
use octavo_driver::workload;
use octavo_figures::run::Run;

use crate::mini_folio::{MiniFolio, Refusal, Seen};
use crate::support::options;

/// A response of the small FOLIO to request lines with this prefix: status, body, how often.
pub type Canned = (&'static str, u16, &'static str, usize);

/// For the rest of a run.
pub const ALWAYS: usize = usize::MAX;

pub const SOURCE_RECORDS: Canned = (
    "GET /source-storage/source-records?recordType=MARC_BIB",
    200,
    r#"{"sourceRecords":[{"externalIdsHolder":{"instanceId":"i-1"}}]}"#,
    ALWAYS,
);
pub const WRITES: [Canned; 4] = [
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

pub fn can(folio: &MiniFolio, canned: &[Canned]) {
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

/// Runs one iteration of one branch.
pub fn play(folio: &MiniFolio, name: &str, branch: &str) -> (Vec<Seen>, Run) {
    let workload = workload::load_branches(name, &[branch.to_owned()]).unwrap();
    let mut options = options(&folio.url, workload, 1);
    options.weights = Some(vec![1]);
    let summary = drive::run(options).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
    (folio.seen_by_users().split_off(1), summary)
}

/// Compares what was sent with the plan's lines, with variables filled in.
pub fn compare(seen: &[Seen], plan: &str, values: &[(&str, &str)]) {
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

pub fn check(name: &str, branch: &str, canned: &[Canned], plan: &str, values: &[(&str, &str)]) {
    let folio = MiniFolio::start(2, 2);
    can(&folio, canned);
    compare(&play(&folio, name, branch).0, plan, values);
}
