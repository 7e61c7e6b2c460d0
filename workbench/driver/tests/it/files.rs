//! Files in and out: JTL rows that JMeter's tools can read, JSON, workload files with their errors.

use std::time::Duration;

use octavo_driver::drive;
use octavo_driver::workload::{self, BUILT_IN};
use octavo_figures::baseline;
use octavo_figures::compare::{Measured, of_runs, with_baseline};

use crate::mini_folio::MiniFolio;
use crate::support::{TempFile, check_in_check_out, options};

#[test]
fn a_jtl_file_has_jmeters_columns_and_all_samples() {
    let folio = MiniFolio::start(20, 20);
    let file = TempFile::new("");
    let mut options = options(&folio.url, check_in_check_out(), 10);
    options.virtual_users = 2;
    options.jtl = Some(file.path().to_owned());
    let summary = drive::run(options).unwrap();
    let mut reader = csv::Reader::from_path(file.path()).unwrap();
    let header = reader.headers().unwrap().clone();
    assert_eq!(
        header.iter().collect::<Vec<_>>().join(","),
        "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,\
         failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect"
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let is_transaction = |row: &&csv::StringRecord| row[2].ends_with("Controller");
    assert_eq!(rows.iter().filter(is_transaction).count(), 10);
    assert_eq!(rows.len() as u64, summary.totals.requests + 10);
    for row in &rows {
        assert!(
            row[0].parse::<u64>().unwrap() > 1_600_000_000_000,
            "{row:?}"
        );
        assert_eq!((&row[7], row[1].parse::<u64>().is_ok()), ("true", true));
        assert!(row[5].starts_with("User-flow 1-"));
    }
    let check_out = rows
        .iter()
        .find(|row| &row[2] == "Check-Out Controller")
        .unwrap();
    assert_eq!(
        &check_out[4],
        "Number of samples in transaction : 39, number of failing samples : 0"
    );
    assert_eq!((&check_out[3], &check_out[13]), ("", "null"));
    let post = rows
        .iter()
        .find(|row| row[2].starts_with("POST_circulation/check-out"))
        .unwrap();
    assert_eq!((&post[3], &post[4]), ("201", "Created"));
    assert_eq!(
        post[13],
        format!("{}/circulation/check-out-by-barcode", folio.url)
    );
}

#[test]
fn the_summary_is_json_with_units_in_its_names() {
    let folio = MiniFolio::start(5, 5);
    let summary = drive::run(options(&folio.url, check_in_check_out(), 4)).unwrap();
    let json = serde_json::to_value(&summary).unwrap();
    assert_eq!(json["workload"], "check-in-check-out");
    assert_eq!(json["think_time"], "none");
    assert_eq!(
        json["distribution"],
        serde_json::json!([["check-in", 43], ["check-out", 57]])
    );
    assert_eq!(json["totals"]["iterations"], 4);
    assert!(json["transactions"][1]["requests"][0]["statistics"]["p95_ms"].is_f64());
}

#[test]
fn a_runs_json_is_compared_with_another_and_with_what_was_published() {
    let folio = MiniFolio::start(5, 5);
    let summary = drive::run(options(&folio.url, check_in_check_out(), 90)).unwrap();
    let json = serde_json::to_string(&summary).unwrap();
    let run: octavo_figures::run::Run = serde_json::from_str(&json).unwrap();
    let run = Measured::from(&run);
    let same = of_runs(&run, &run);
    let judged = same.iter().filter(|one| one.real == Some(false)).count();
    assert!(judged > 4 * 30, "{judged}");
    // Both controllers, and each of the requests that were sent.
    assert!(same.len() > 4 * 40, "{}", same.len());
    assert!(
        same.iter()
            .all(|one| one.per_cent() == 0.0 && one.real != Some(true))
    );
    let (users, published) = baseline::baseline("check-in-check-out", "Nolana", 1).unwrap();
    let changes = with_baseline(&published, &run);
    assert_eq!((users, changes.len()), (5, published.len()));
    let text = octavo_report::comparison(&changes, "Nolana", "this run", false);
    assert!(
        text.contains("Check-Out Controller") && text.contains(" %"),
        "{text}"
    );
}

#[test]
fn pauses_are_not_part_of_any_time() {
    let text = BUILT_IN[0].text.replace(
        "think = { uniform_ms = 2000 }",
        "think = { constant_ms = 30 }",
    );
    let text = text
        .replace("uniform_ms = 3000", "uniform_ms = 0")
        .replace("uniform_ms = 5000", "uniform_ms = 0");
    let workload = workload::parse("paused", &text).unwrap();
    let folio = MiniFolio::start(3, 0);
    let file = TempFile::new("");
    let mut options = options(&folio.url, workload, 1);
    (options.think, options.weights) = (true, Some(vec![0, 1]));
    options.jtl = Some(file.path().to_owned());
    drive::run(options).unwrap();
    let mut reader = csv::Reader::from_path(file.path()).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let whole = rows
        .iter()
        .find(|row| &row[2] == "Check-Out Controller")
        .unwrap();
    let parts: Duration = rows
        .iter()
        .filter(|row| {
            row[2].contains("(Get_checkout")
                || row[2].contains("(Submit")
                || row[2].contains("Pickup(")
        })
        .map(|row| Duration::from_millis(row[1].parse().unwrap()))
        .sum();
    // Each time is rounded to a whole millisecond.
    let elapsed = Duration::from_millis(whole[1].parse().unwrap());
    assert!(elapsed.abs_diff(parts) <= Duration::from_millis(20));
    assert_eq!(whole[15].parse::<u64>().unwrap(), 3 * 30);
}

#[test]
fn workload_errors_name_line_and_column() {
    let text = BUILT_IN[0].text;
    let check = |from: &str, to: &str, expected: &str| {
        assert!(text.contains(from), "{from}");
        let error = workload::parse("w.toml", &text.replacen(from, to, 1))
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("w.toml:"), "{error}");
        assert!(error.contains(expected), "{error} lacks {expected}");
    };
    check(
        "format = 1",
        "format = 2",
        ":3:10: this program reads format 1 only",
    );
    check("on_error", "on_eror", "unknown field `on_eror`");
    check("GET /groups'", "FETCH /groups'", "`FETCH` is none of GET");
    check("GET /groups'", "GET groups'", "must begin with `/`");
    check(
        "GET /groups'",
        "GET /groups/${nobody}'",
        "nothing sets the variable `${nobody}`",
    );
    check(
        "GET /groups'",
        "GET /groups/${uuid}}'",
        "nothing sets the variable `${uuid}`",
    );
    check("GET /groups'", "GET /groups/${x'", "not closed");
    check("${time_12h()}", "${date()}", "no function");
    check("json = '$..group'", "json = 'group'", "no JSONPath");
    check(
        "{ json = '$..group' }",
        "{ is = 'absent' }",
        "`one_of` need `json` or `header`",
    );
    check(
        "{ json = '$..group' }",
        "{ json = '$.a', status = 200 }",
        "give one of",
    );
    check(
        "\"Check-In Controller\"]",
        "\"Nothing\"]",
        "no transaction `Nothing`",
    );
    check(
        "draws = [\"items-checked-out\"",
        "draws = [\"nothing\"",
        "no feeder `nothing`",
    );
    check("Origin = ", "\"Ori gin\" = ", "no header name");
    check("weight = 43", "weight = -1", "invalid value");
    check(
        "rows = \"shared\"",
        "together = { rows = 0, between = \",\" }",
        "rows together are 1 to 10000",
    );
    assert!(
        workload::load("no-such")
            .unwrap_err()
            .to_string()
            .contains("built in are check-in")
    );
    assert!(
        workload::load("/no/such.toml")
            .unwrap_err()
            .to_string()
            .contains("cannot read")
    );
}

#[test]
fn built_in_workloads_compile_to_the_plans_sizes() {
    let sizes = |name: &str| {
        let workload = workload::load(name).unwrap();
        workload
            .transactions
            .iter()
            .map(|one| one.requests.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(sizes("check-in-check-out"), [24, 39]);
    assert_eq!(sizes("load-items"), [59, 1]);
    assert_eq!(sizes("get-items"), [1, 1]);
    assert_eq!(sizes("batch-lookup"), [1; 5]);
}

#[test]
fn the_example_of_the_readme_runs() {
    let readme = include_str!("../../../../workloads/README.md");
    let (_, rest) = readme.split_once("```toml\n").unwrap();
    let workload = workload::parse("README.md", rest.split_once("```").unwrap().0).unwrap();
    let folio = MiniFolio::start(3, 0);
    let summary = drive::run(options(&folio.url, workload, 5)).unwrap();
    assert_eq!((summary.totals.iterations, summary.totals.errors), (5, 0));
}

#[test]
fn every_published_figure_belongs_to_a_workload() {
    for one in baseline::published() {
        let built_in = BUILT_IN.iter().find(|known| known.name == one.workload);
        let built_in = built_in.unwrap_or_else(|| panic!("{one:?}"));
        let workload = workload::parse(built_in.name, built_in.text).unwrap();
        let named = workload.transactions.iter().any(|transaction| {
            let mut labels = transaction.requests.iter().map(|request| &request.label);
            transaction.name == one.name || labels.any(|label| label == one.name)
        });
        assert!(named, "{one:?}");
    }
}
