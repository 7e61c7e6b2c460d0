//! The open model: iterations start when they are due, whether the server keeps up or not, and
//! waits are reported.

use std::time::{Duration, Instant};

use octavo_driver::drive::{self, RunOptions};
use octavo_figures::run::Run;

use crate::mini_folio::{MiniFolio, Stall};
use crate::support::{look_up, options};

const RAMP_UP: Duration = Duration::from_millis(200);

fn open(folio: &MiniFolio, rate: &str, users: usize, time: Duration) -> RunOptions {
    RunOptions {
        rate: Some(rate.parse().unwrap()),
        virtual_users: users,
        ramp_up: RAMP_UP,
        duration: RAMP_UP + time,
        iterations: None,
        ..options(&folio.url, look_up(), 0)
    }
}

/// Service time and time from when it was due of the one transaction, at the 99th percentile.
fn p99(summary: &Run) -> (f64, f64) {
    let transaction = &summary.transactions[0];
    let intended = transaction.figures.as_ref().unwrap().intended.unwrap();
    (
        transaction.figures.as_ref().unwrap().statistics.p99_ms,
        intended.p99_ms,
    )
}

#[test]
fn as_many_begin_as_the_rate_says() {
    let folio = MiniFolio::start(50, 0);
    let summary = drive::run(open(&folio, "50..150", 10, Duration::from_secs(2))).unwrap();
    let kept = summary.generator.open.as_ref().unwrap();
    assert_eq!((kept.due, kept.not_begun), (200, 0));
    assert_eq!((summary.totals.iterations, summary.totals.errors), (200, 0));
    assert_eq!(summary.facts.arrival, "open, 50..150/s");
    // The logins come before the figures, except those that a busy machine delays.
    let logins = summary.other_requests[0].figures.statistics.samples;
    assert_eq!(summary.totals.warm_up_requests + logins, 10);
    let intended = summary.transactions[0]
        .figures
        .as_ref()
        .unwrap()
        .intended
        .unwrap();
    let service = summary.transactions[0].figures.as_ref().unwrap().statistics;
    assert_eq!((intended.samples, service.samples), (200, 200));
    assert!(intended.average_ms >= service.average_ms);
}

#[test]
fn a_stall_is_in_the_times_from_when_things_were_due_and_hidden_in_the_others() {
    let (period, length) = (Duration::from_millis(3_200), Duration::from_millis(800));
    let folio = MiniFolio::start(50, 0);
    folio.state.lock().unwrap().stall = Some(Stall {
        begun: Instant::now(),
        period,
        length,
    });
    let summary = drive::run(open(&folio, "100", 1, 3 * period)).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:?}", summary.failures);
    let (service, intended) = p99(&summary);
    // A quarter of all falls into a stall, and waits for its rest: evenly between zero and all of
    // it. The hundredth of all that waited longest is the 25th part of these.
    let share = length.as_secs_f64() / period.as_secs_f64();
    let expected = length.as_secs_f64() * 1e3 * (1.0 - 0.01 / share);
    // The same run has measured the delay that a busy machine added.
    let lateness = summary.generator.open.as_ref().unwrap().lateness.p99_ms;
    let noise = lateness
        + summary.transactions[0]
            .figures
            .as_ref()
            .unwrap()
            .statistics
            .p95_ms;
    assert!(
        intended > 0.95 * expected && intended < 1.05 * expected + noise,
        "{intended} ms, and by arithmetic {expected} ms; noise {noise} ms"
    );
    // One user waits once in each stall: three slow requests of a thousand.
    assert!(service < 0.2 * expected, "{service} ms");
    let text = octavo_report::table(&summary);
    let (due, sent) = text.split_once("The times above count from").unwrap();
    assert!(due.contains("ms from when it was due"), "{text}");
    assert!(sent.contains("times in ms"), "{text}");
    assert!(sent.contains("while all 1 users were busy"), "{text}");
}

#[test]
fn what_nobody_begins_is_reported() {
    let folio = MiniFolio::start(50, 0);
    folio.state.lock().unwrap().stall = Some(Stall {
        begun: Instant::now() - Duration::from_secs(1),
        period: Duration::from_secs(60),
        length: Duration::from_secs(2),
    });
    // The set-up waits for the end of the stall; then one user cannot keep up.
    let mut options = open(&folio, "20000", 1, Duration::from_millis(500));
    options.threads = 1;
    let summary = drive::run(options).unwrap();
    let kept = summary.generator.open.as_ref().unwrap();
    assert_eq!(kept.due, 10_000);
    assert!(kept.not_begun > 0, "{kept:?}");
    let text = octavo_report::table(&summary);
    let warning = format!("{} iterations that were due had not begun", kept.not_begun);
    assert!(text.contains(&warning), "{text}");
}

#[test]
fn a_warm_up_is_sent_and_not_counted() {
    let folio = MiniFolio::start(50, 0);
    let mut options = open(&folio, "100", 5, Duration::from_secs(2));
    options.warm_up = Duration::from_secs(1);
    let summary = drive::run(options).unwrap();
    let counted = summary.transactions[0]
        .figures
        .as_ref()
        .unwrap()
        .statistics
        .samples;
    assert!((80..=120).contains(&counted), "{counted}");
    assert_eq!(summary.totals.warm_up_requests, 5 + 200 - counted);
    assert!(
        (1.9..9.0).contains(&(summary.measured_s + 1.0)),
        "{}",
        summary.measured_s
    );
    let mut options = open(&folio, "100", 5, Duration::from_secs(1));
    options.warm_up = Duration::from_secs(1);
    let refused = drive::run(options).unwrap_err().to_string();
    assert!(refused.contains("--duration"), "{refused}");
}

#[test]
fn a_run_ends_at_the_rate_that_the_server_does_not_keep_up_with() {
    let folio = MiniFolio::start(50, 0);
    // A response at each twentieth of a second: two users get forty a second at most.
    folio.state.lock().unwrap().stall = Some(Stall {
        begun: Instant::now() - Duration::from_secs(1),
        period: Duration::from_millis(50),
        length: Duration::from_micros(49_900),
    });
    let mut options = open(&folio, "10..130", 2, Duration::from_secs(40));
    options.until = Some("p95 > 400ms".parse().unwrap());
    let summary = drive::run(options).unwrap();
    let verdict = summary.until.as_ref().unwrap();
    let passed = verdict.passed_per_s.expect("it ends before its time");
    let held = verdict.held_per_s.expect("it begins well");
    assert!(held > 15.0 && passed > 40.0 && held < passed, "{verdict:?}");
    assert!(summary.measured_s < 35.0, "{}", summary.measured_s);
    assert_eq!(summary.totals.errors, 0, "{:?}", summary.failures);
    let text = octavo_report::table(&summary);
    assert!(text.contains("p95 > 400.0 ms came true at"), "{text}");
}
