//! Stages, changes during a run, parts of a run, and failures in the middle of one.

use std::time::{Duration, Instant};

use octavo_driver::drive::{self, Control, Live, Observer, RunOptions};
use octavo_figures::run::Run;

use crate::mini_folio::{MiniFolio, Refusal};
use crate::support::{look_up, options};

fn seconds(tenths: u64) -> Duration {
    Duration::from_millis(100 * tenths)
}

fn timed(folio: &MiniFolio, stages: &[&str]) -> RunOptions {
    RunOptions {
        iterations: None,
        stages: stages.iter().map(|text| text.parse().unwrap()).collect(),
        ..options(&folio.url, look_up(), 0)
    }
}

fn samples(run: &Run) -> u64 {
    run.transactions[0]
        .figures
        .as_ref()
        .unwrap()
        .statistics
        .samples
}

#[test]
fn each_stage_is_reported_and_what_is_not_counted_is_not() {
    let folio = MiniFolio::start(50, 0);
    let stages = [
        "low: 20/s for 1s",
        "growth: 200/s for 500ms, not counted",
        "60/s for 1s",
    ];
    let run = drive::run(timed(&folio, &stages)).unwrap();
    let reported: Vec<_> = run
        .stages
        .iter()
        .map(|stage| (stage.name.as_str(), stage.load.as_str(), stage.requests))
        .collect();
    // Logins begin in the first stage, and late on a busy machine.
    let (low, high) = (&run.stages[0], &run.stages[1]);
    assert_eq!(
        (reported[0].0, reported[0].1, reported[1].0, reported[1].1),
        ("low", "20/s", "3", "60/s")
    );
    let count = |stage: &octavo_figures::run::StageSummary| {
        stage.transactions[0]
            .figures
            .as_ref()
            .unwrap()
            .statistics
            .samples
    };
    assert_eq!((count(low), count(high)), (20, 60));
    assert_eq!(samples(&run), 80);
    assert_eq!(
        (high.from_s, run.facts.arrival.as_str()),
        (1.5, "open, 20/s, 200/s, 60/s")
    );
    assert_eq!(run.generator.open.as_ref().unwrap().due, 20 + 100 + 60);
    assert!((1.9..2.9).contains(&run.measured_s), "{}", run.measured_s);
    // The timeline has all samples.
    let all: u64 = run
        .timeline
        .steps
        .iter()
        .map(|step| step.together().len())
        .sum();
    assert_eq!(all, 180);
    let text = octavo_report::table(&run);
    assert!(
        text.contains("Stage low: 20/s") && text.contains("Stage 3: 60/s"),
        "{text}"
    );
}

#[test]
fn users_come_and_go_as_the_stages_say() {
    let folio = MiniFolio::start(50, 0);
    let mut options = timed(
        &folio,
        &[
            "1 user for 400ms",
            "6 users for 400ms",
            "2 users for 1500ms",
        ],
    );
    options.threads = 2;
    let mut watch = Users::default();
    let run = drive::run_watched(options, &mut watch).unwrap();
    // Six logged in, and two of them once at most.
    assert_eq!(
        run.stages
            .iter()
            .map(|stage| stage.load.as_str())
            .collect::<Vec<_>>(),
        ["1 users", "6 users", "2 users"]
    );
    assert_eq!(run.other_requests[0].figures.statistics.samples, 6);
    assert_eq!(watch.seen.last(), Some(&(2, 2)), "{:?}", watch.seen);
    assert_eq!(run.facts.virtual_users, 6);
}

/// Records users at work and users wanted, each second.
#[derive(Default)]
struct Users {
    seen: Vec<(usize, usize)>,
    control: Option<Control>,
    records: Vec<Run>,
}

impl Observer for Users {
    fn second(&mut self, live: &Live<'_>) -> bool {
        self.seen.push((live.users, live.wanted));
        if let Some(control) = &self.control {
            match self.seen.len() {
                1 => control.set_users(Some(5)),
                2 => control.set_users(None),
                _ => control.stop("enough"),
            }
        }
        true
    }

    fn record(&mut self, run: Run) {
        self.records.push(run);
    }
}

#[test]
fn the_number_of_users_is_changed_and_the_run_stopped_from_outside() {
    let folio = MiniFolio::start(50, 0);
    let options = timed(&folio, &["2 users for 60s"]);
    let mut watch = Users {
        control: Some(options.control.clone()),
        ..Users::default()
    };
    let begun = Instant::now();
    let run = drive::run_watched(options, &mut watch).unwrap();
    assert!(begun.elapsed() < seconds(150), "{:?}", begun.elapsed());
    assert_eq!(
        watch.seen.iter().map(|seen| seen.0).collect::<Vec<_>>(),
        [2, 5, 2]
    );
    assert_eq!(run.ended_early.as_deref(), Some("enough"));
    // What was known during the run is contained in what is known at the end.
    let known: Vec<u64> = watch.records.iter().map(samples).collect();
    assert!(
        known.is_sorted() && known[0] > 0 && samples(&run) >= known[2],
        "{known:?}"
    );
    assert!(octavo_report::table(&run).contains("enough"));
}

#[test]
fn parts_of_a_run_make_one() {
    let folio = MiniFolio::start(50, 0);
    let stages = ["a: 40/s for 1s", "b: 80/s for 1s"];
    let mut first = timed(&folio, &stages);
    let control = first.control.clone();
    first.progress = drive::ProgressStyle::Silent;
    let stop = std::thread::spawn(move || {
        std::thread::sleep(seconds(5));
        control.stop("the power went");
    });
    let first = drive::run(first).unwrap();
    stop.join().unwrap();
    let done = first
        .timeline
        .steps
        .last()
        .map(|step| step.at_s + step.seconds)
        .unwrap();
    let mut second = timed(&folio, &stages);
    second.offset = Duration::from_secs_f64(done);
    let second = drive::run(second).unwrap();
    let (one, two) = (samples(&first), samples(&second));
    // What was due while no part ran belongs to none; it is little.
    assert!(one + two <= 120 && one + two >= 100, "{one} {two}");
    let whole = first.followed_by(second).unwrap();
    assert_eq!(samples(&whole), one + two);
    assert_eq!(whole.stages.len(), 2);
    assert!(
        (1.7..2.4).contains(&whole.measured_s),
        "{}",
        whole.measured_s
    );
    assert!(whole.timeline.steps.is_sorted_by(|a, b| a.at_s < b.at_s));
    assert_eq!(whole.ended_early, None);
}

#[test]
fn a_refused_token_is_renewed_and_counted() {
    let folio = MiniFolio::start(50, 0);
    let state = std::sync::Arc::clone(&folio.state);
    let expiry = std::thread::spawn(move || {
        std::thread::sleep(seconds(12));
        state.lock().unwrap().refusals.push(Refusal {
            line_begins: "GET /inventory/items",
            after: 0,
            status: 401,
            body: "Token expired",
            times: 1,
        });
    });
    let run = drive::run(timed(&folio, &["1 user for 2s"])).unwrap();
    expiry.join().unwrap();
    assert_eq!(
        (run.tokens_renewed, run.totals.errors),
        (1, 0),
        "{:?}",
        run.failures
    );
    assert_eq!(run.other_requests[0].figures.statistics.samples, 2);
    assert!(octavo_report::table(&run).contains("1 time a token was refused"));
}

#[test]
fn a_refusal_that_no_new_token_cures_is_an_error() {
    let folio = MiniFolio::start(50, 0);
    folio.state.lock().unwrap().refusals.push(Refusal {
        line_begins: "GET /inventory/items",
        after: 0,
        status: 401,
        body: "Invalid token",
        times: usize::MAX,
    });
    let run = drive::run(timed(&folio, &["1 user for 1500ms"])).unwrap();
    assert!(
        run.totals.errors > 0 && run.tokens_renewed <= 2,
        "{:?}",
        run.tokens_renewed
    );
    assert_eq!(
        (
            run.failures[0].kind.as_str(),
            run.failures[0].first_body.as_str()
        ),
        ("HTTP 401", "Invalid token")
    );
}

#[test]
fn a_server_that_goes_away_and_comes_back_costs_what_failed_and_no_more() {
    let folio = MiniFolio::start(50, 0);
    let control = folio.clone();
    let away = std::thread::spawn(move || {
        std::thread::sleep(seconds(6));
        control.hang_up(seconds(6));
    });
    let run = drive::run(timed(&folio, &["4 users for 2500ms"])).unwrap();
    away.join().unwrap();
    let failed = run
        .failures
        .iter()
        .map(|failure| failure.count)
        .sum::<u64>();
    assert_eq!(failed, run.totals.errors);
    assert!(failed >= 4, "{:?}", run.failures);
    // It answers again at the end.
    let last = run.timeline.steps.last().unwrap();
    assert!(last.requests > last.errors, "{last:?}");
    assert!(
        run.totals.requests > 10 * failed,
        "{} {failed}",
        run.totals.requests
    );
}

#[test]
fn stages_that_make_no_sense_are_refused() {
    let folio = MiniFolio::start(50, 0);
    let refused = |stages: &[&str], warm_up: u64| {
        let mut options = timed(&folio, stages);
        options.warm_up = Duration::from_secs(warm_up);
        drive::run(options).unwrap_err().to_string()
    };
    assert!(refused(&["5 users for 1s", "5/s for 1s"], 0).contains("either users or a rate"));
    assert!(refused(&["5 users for 1s, not counted"], 0).contains("no stage is counted"));
    assert!(refused(&["5 users for 9s", "5 users for 1s"], 2).contains("stage of 1 s"));
}
