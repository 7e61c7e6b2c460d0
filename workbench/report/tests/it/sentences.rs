//! Each sentence of the summary: present for a run that warrants it, absent for one that does not.

use std::time::Duration;

use octavo_figures::Series;
use octavo_figures::run::*;
use octavo_report::{Baseline, Report};

use crate::sample::{self, SampleOptions};

/// A short ordinary run without errors.
fn plain() -> Run {
    let mut run = sample::run(&SampleOptions {
        seconds: 60.0,
        step_s: 1.0,
        probed: false,
        ..SampleOptions::default()
    });
    run.totals.errors = 0;
    run.failures.clear();
    run
}

fn said(run: &Run) -> String {
    Report::of(run).summary().join("\n")
}

#[track_caller]
fn says(run: &Run, sentence: &str) {
    let said = said(run);
    assert!(said.contains(sentence), "{sentence:?} is not in:\n{said}");
}

#[track_caller]
fn does_not_say(run: &Run, words: &str) {
    let said = said(run);
    assert!(!said.contains(words), "{words:?} is in:\n{said}");
}

#[test]
fn throughput_and_errors() {
    let mut run = plain();
    run.totals.requests = 12_345;
    run.totals.requests_per_s = 205.75;
    run.totals.iterations_per_s = 34.291;
    says(
        &run,
        "12,345 requests in 60 s: 205.8 requests/s and 34.29 iterations/s with 30 virtual users.",
    );
    says(&run, "No request failed.");
    run.totals.errors = 12;
    run.failures = vec![
        failure("GET_b", 2, "timed out"),
        failure("GET_a", 10, "status 500"),
    ];
    says(
        &run,
        "12 requests failed (0.10 %). Most often, 10 times: GET_a, status 500.",
    );
    does_not_say(&run, "read the times with care");
    run.totals.errors = 124;
    says(&run, "read the times with care");
    run.totals.requests = 0;
    says(&run, "No request was measured.");
}

fn failure(label: &str, count: u64, kind: &str) -> FailureSummary {
    FailureSummary {
        label: label.to_owned(),
        kind: kind.to_owned(),
        count,
        first_status: 500,
        first_body: String::new(),
    }
}

#[test]
fn the_slowest_transaction_with_its_interval() {
    let mut run = plain();
    let mut series = Series::default();
    (1..=10_000).for_each(|at| series.record(Duration::from_micros(at * 100), true));
    run.transactions[1].figures = Some(Figures::new(series, None, 0, 0, 60.0));
    says(
        &run,
        "The slowest transaction: Check-Out Controller has a 95th percentile of 950 ms (95 % sure: \
         946 ms to 954 ms) and a median of 500 ms.",
    );
    run.transactions.remove(0);
    run.timeline.steps.clear();
    says(
        &run,
        "95 % of Check-Out Controller took no longer than 950 ms",
    );
}

#[test]
fn only_real_changes_against_an_earlier_run() {
    let before = plain();
    let slower = sample::run(&SampleOptions {
        seconds: 60.0,
        step_s: 1.0,
        probed: false,
        slower: 1.5,
        seed: 7,
        ..SampleOptions::default()
    });
    let text = Report::of(&slower).beside(&before).summary().join("\n");
    assert!(
        text.contains("Check-Out Controller is ")
            && text.contains(" % slower than main by its average: "),
        "{text}"
    );
    let same = sample::run(&SampleOptions {
        seconds: 60.0,
        step_s: 1.0,
        probed: false,
        seed: 8,
        ..SampleOptions::default()
    });
    let text = Report::of(&same).beside(&before).summary().join("\n");
    assert!(
        text.contains("No change against main is more than chance."),
        "{text}"
    );
}

#[test]
fn published_figures_with_their_users() {
    let run = plain();
    let published = Baseline::of("check-in-check-out", "morning", 20).unwrap();
    assert!(
        published.source.contains("Check-in-check-out"),
        "{published:?}"
    );
    let text = Report::of(&run)
        .beside_published(published)
        .summary()
        .join("\n");
    assert!(
        text.contains("Check-In Controller is 9")
            && text.contains("% faster than Morning Glory (20 users) by its average"),
        "{text}"
    );
    let published = Baseline::of("load-items", "fameflower", 8).unwrap();
    let text = Report::of(&run)
        .beside_published(published)
        .summary()
        .join("\n");
    assert!(
        text.contains("Nothing of this run is found under the same name in Fameflower (8 users)."),
        "{text}"
    );
}

#[test]
fn requests_of_a_hundred_milliseconds() {
    let run = plain();
    says(
        &run,
        "2 of 12 kinds of requests take 100 ms or more by their average or their 75th percentile; \
         the slowest is POST_circulation/check-out-by-barcode (Submit_barcode_checkout) with ",
    );
    let fast = sample::run(&SampleOptions {
        seconds: 60.0,
        probed: false,
        slower: 0.1,
        ..SampleOptions::default()
    });
    says(&fast, "No request takes 100 ms or more");
}

#[test]
fn processors_that_are_used_up() {
    let mut run = plain();
    let cpu = |values: [f64; 3]| ProbedSeries {
        source: "server".to_owned(),
        measure: "cpu".to_owned(),
        unit: "%".to_owned(),
        points: (0..3).map(|at| (at as f64 * 20.0, values[at])).collect(),
    };
    run.probed.series = vec![cpu([380.0, 390.0, 400.0])];
    does_not_say(&run, "bottleneck");
    run.probed.infrastructure = vec![("processors".to_owned(), "4".to_owned())];
    says(
        &run,
        "CPU of server: 390 % on average, of 400 % that there are: the processors were the bottleneck.",
    );
    run.probed.series = vec![cpu([100.0, 100.0, 370.0])];
    says(
        &run,
        "CPU of server: up to 370 % of the 400 % that there are, 190 % on average.",
    );
    run.probed.infrastructure = vec![("processors".to_owned(), "8 of them".to_owned())];
    does_not_say(&run, "CPU of server");
}

#[test]
fn a_generator_that_was_the_bottleneck() {
    let mut run = plain();
    does_not_say(&run, "The generator");
    run.generator.bottleneck = Some("its 2 threads worked 97 % of the time".to_owned());
    run.generator.open = Some(OpenModel {
        due: 100,
        overdue: 50,
        ..OpenModel::default()
    });
    let all = Report::of(&run).summary();
    assert!(
        all[0].starts_with("The generator was the bottleneck"),
        "{all:?}"
    );
    assert_eq!(
        all.iter()
            .filter(|one| one.contains("was the bottleneck"))
            .count(),
        1
    );
    says(
        &run,
        "50 of 100 iterations were due while all 30 users were busy.",
    );
}

#[test]
fn times_and_memory_that_grow() {
    let wanted = SampleOptions {
        seconds: 7200.0,
        step_s: 30.0,
        per_s: 1.5,
        ageing: 0.6,
        ..SampleOptions::default()
    };
    let aged = sample::run(&wanted);
    says(
        &aged,
        "The 95th percentile of Check-Out Controller grew by ",
    );
    says(&aged, "The memory of server grew from ");
    says(&aged, "it looks like a leak.");
    says(
        &aged,
        "The number of connections of postgres did not grow: ",
    );
    says(&aged, "and then stayed.");
    let young = sample::run(&SampleOptions {
        ageing: 0.0,
        ..wanted
    });
    says(
        &young,
        "No percentile of a transaction grew over the 1 h 59 min of the run.",
    );
    does_not_say(&young, "leak");
}

#[test]
fn statements_indexes_and_growth() {
    let mut run = plain();
    does_not_say(&run, "PostgreSQL");
    run.totals.requests = 1_000;
    run.probed.statements = vec![Statement {
        query: "SELECT 1".to_owned(),
        calls: 4_000,
        total_ms: 400.0,
        share: 40.0,
        average_ms: 0.1,
        rows: 1.0,
        hits: 0,
        reads: 0,
    }];
    run.probed.statements_total_ms = 1_000.0;
    says(
        &run,
        "One statement takes 40 % of PostgreSQL's time, 4,000 calls of 0.10 ms on average; it is \
         the first of the slow queries.",
    );
    says(&run, "PostgreSQL worked 1.00 ms for each request.");
    run.probed.statements[0].share = 12.0;
    does_not_say(&run, "One statement takes");
    let missing = |count| MissingIndex {
        table: "loan".to_owned(),
        what: "status.name: exact".to_owned(),
        count,
        source: "log".to_owned(),
    };
    run.probed.missing_indexes = vec![missing(1)];
    says(
        &run,
        "1 search of one kind had no index, most often status.name: exact of loan.",
    );
    run.probed.missing_indexes = vec![missing(30), missing(4)];
    says(&run, "34 searches of 2 kinds had no index");
    run.probed.growth = vec![TableGrowth {
        table: "s.loan".to_owned(),
        rows_before: 10,
        rows_after: 1_010,
        bytes_before: 1_000,
        bytes_after: 2_501_000,
    }];
    says(
        &run,
        "The data grew by 2.50 MB, most of all s.loan by 2.50 MB and 1,000 rows.",
    );
}

#[test]
fn an_early_end_and_a_condition_come_first() {
    let mut run = plain();
    run.ended_early = Some("the server did not answer".to_owned());
    run.until = Some(Verdict {
        until: "p95 > 500ms".to_owned(),
        held_per_s: Some(120.0),
        passed_per_s: Some(131.0),
        measured: Some("p95 512 ms".to_owned()),
    });
    let all = Report::of(&run).summary();
    assert_eq!(
        all[0],
        "The run ended before its time: the server did not answer."
    );
    assert!(
        all[1].contains("the highest rate that met the limit is 120 iterations/s"),
        "{all:?}"
    );
}
