//! `octavo workload` as a user runs it: report folders, interrupted runs, several generators,
//! conditions for a build.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::octavo::{Octavo, Outcome, run};
use crate::place::DataDir;

/// A served demo library and a folder for output.
struct Scene {
    octavo: Octavo,
    url: String,
    place: DataDir,
    _library: DataDir,
}

impl Scene {
    async fn new() -> Scene {
        let library = DataDir::of_demo().await;
        let octavo = Octavo::start(&["--data-dir", library.arg()]).await;
        Scene {
            url: format!("http://{}", octavo.address()),
            octavo,
            place: DataDir::new(),
            _library: library,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::new(self.place.arg()).join(name)
    }

    /// The arguments of a short run without pauses.
    fn words<'w>(&'w self, more: &[&'w str]) -> Vec<&'w str> {
        let words = [
            "workload",
            "run",
            "check-in-check-out",
            "--url",
            &self.url,
            "--think-time",
            "none",
        ];
        let few = ["--virtual-users", "2", "--ramp-up", "0s"];
        [&words[..], &few[..], more].concat()
    }

    async fn load(&self, more: &[&str]) -> Outcome {
        run(&self.words(more), &[]).await
    }
}

fn record(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("run.json")).expect("a record");
    serde_json::from_str(&text).expect("JSON")
}

fn samples(run: &Value, transaction: &str) -> u64 {
    let all = run["transactions"].as_array().expect("transactions");
    let one = all
        .iter()
        .find(|one| one["name"] == transaction)
        .expect("the transaction");
    one["statistics"]["samples"].as_u64().expect("a number")
}

const OUT: &str = "Check-Out Controller";

#[tokio::test]
async fn a_run_leaves_a_report_that_is_compared_and_judged() {
    let scene = Scene::new().await;
    let (out, other) = (scene.path("out"), scene.path("other"));
    let (out_arg, other_arg) = (out.to_str().unwrap(), other.to_str().unwrap());
    let ran = scene
        .load(&["--duration", "4s", "--report", out_arg, "--name", "before"])
        .await;
    assert!(ran.status.success(), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains(OUT) && ran.stdout.contains("The report is in"),
        "{}",
        ran.stdout
    );
    let run_of = record(&out);
    assert!(samples(&run_of, OUT) > 0);
    assert!(run_of["timeline"]["steps"].as_array().unwrap().len() >= 3);
    // The server reports its stages, and the run stores them.
    let stages: Vec<_> = run_of["server_timing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["stage"])
        .collect();
    assert!(stages.contains(&&Value::from("total")), "{stages:?}");
    let listing =
        std::fs::read_to_string(out.join("percentiles/Check-Out-Controller-from-sending.hgrm"));
    assert!(listing.unwrap().contains("Total count"));
    let asked = std::fs::read_to_string(out.join("arguments.json")).unwrap();
    assert!(
        asked.contains("--seed") && !asked.contains("password"),
        "{asked}"
    );

    let published = run(
        &["workload", "compare", out_arg, "--baseline", "nolana"],
        &[],
    )
    .await;
    assert!(published.status.success(), "{}", published.stderr);
    assert!(
        published.stdout.contains("Nolana") && published.stdout.contains(" %"),
        "{}",
        published.stdout
    );
    let failing = [
        "--baseline",
        "nolana",
        "--fail-if",
        "check-out p95 > 0.0001x baseline",
    ];
    let failed = run(
        &[&["workload", "compare", out_arg][..], &failing].concat(),
        &[],
    )
    .await;
    assert_eq!(failed.status.code(), Some(3), "{}", failed.stdout);
    assert!(
        failed.stderr.contains("failed: check-out p95"),
        "{}",
        failed.stderr
    );

    let again = [
        "--duration",
        "3s",
        "--report",
        other_arg,
        "--compare-with",
        out_arg,
    ];
    let judged = [
        "--fail-if",
        "errors > 50%",
        "--fail-if",
        "check-out p95 > 1000x baseline",
    ];
    let ran = scene.load(&[&again[..], &judged].concat()).await;
    assert!(ran.status.success(), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("before, 2 users"), "{}", ran.stdout);
    let unknown = run(
        &[
            "workload",
            "compare",
            out_arg,
            other_arg,
            "--fail-if",
            "renewal p95 > 1ms",
        ],
        &[],
    )
    .await;
    assert_eq!(unknown.status.code(), Some(2), "{}", unknown.stdout);
    assert!(
        unknown
            .stderr
            .contains("no transaction or request like \"renewal\""),
        "{}",
        unknown.stderr
    );
}

#[tokio::test]
async fn an_interrupted_run_goes_on_and_ctrl_c_ends_one_with_its_results() {
    let scene = Scene::new().await;
    let out = scene.path("out");
    let words = scene.words(&["--duration", "20s", "--report", out.to_str().unwrap()]);
    let mut load = Octavo::begin_command(&words, &[]);
    tokio::time::sleep(Duration::from_secs(4)).await;
    load.interrupt();
    let status = load.ended().await;
    assert!(status.success(), "{}", load.output());
    let first = record(&out);
    assert!(first["ended_early"].as_str().unwrap().contains("Ctrl-C"));
    let measured = first["measured_s"].as_f64().unwrap();
    assert!(measured > 2.0 && measured < 15.0, "{measured}");

    // The rest takes less time than the whole; another Ctrl-C keeps the test short.
    let resume = ["workload", "run", "--resume", out.to_str().unwrap()];
    let mut load = Octavo::begin_command(&resume, &[]);
    tokio::time::sleep(Duration::from_secs(3)).await;
    load.interrupt();
    load.ended().await;
    let whole = record(&out);
    assert!(
        samples(&whole, OUT) > samples(&first, OUT),
        "{}",
        load.output()
    );
    assert!(whole["measured_s"].as_f64().unwrap() > measured + 1.0);
    let notes = whole["notes"].as_array().unwrap();
    assert!(
        notes[0].as_str().unwrap().contains("was interrupted after"),
        "{notes:?}"
    );
    let nothing = scene.path("nothing");
    let refused = run(
        &["workload", "run", "--resume", nothing.to_str().unwrap()],
        &[],
    )
    .await;
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        refused
            .stderr
            .contains("only a run with --report can be resumed"),
        "{}",
        refused.stderr
    );
    drop(scene.octavo);
}

#[tokio::test]
async fn several_generators_make_one_run() {
    let scene = Scene::new().await;
    let out = scene.path("out");
    let words = [
        "--duration",
        "4s",
        "--generators",
        "2",
        "--report",
        out.to_str().unwrap(),
    ];
    let ran = scene.load(&words).await;
    assert!(ran.status.success(), "{}{}", ran.stdout, ran.stderr);
    let whole = record(&out);
    assert_eq!(whole["generators"], 2);
    assert_eq!(whole["virtual_users"], 2);
    assert_eq!(whole["totals"]["errors"], 0);
    assert!(samples(&whole, OUT) >= 2);
    // No two generators held the same item: a check-out of a held one would be an error.
    let logins = whole["other_requests"][0]["statistics"]["samples"].as_u64();
    assert_eq!(logins, Some(2));
}

#[tokio::test]
async fn runs_of_a_history_show_a_trend_and_several_make_one() {
    let scene = Scene::new().await;
    let (history, whole) = (scene.path("history"), scene.path("whole"));
    let (history_arg, page) = (history.to_str().unwrap(), scene.path("trends.html"));
    let mut folders = Vec::new();
    for name in ["first", "second"] {
        let folder = scene.path(name);
        let words = ["--duration", "2s", "--name", name, "--history", history_arg];
        let report = ["--report", folder.to_str().unwrap()];
        let ran = scene.load(&[&words[..], &report].concat()).await;
        assert!(ran.status.success(), "{}{}", ran.stdout, ran.stderr);
        folders.push(folder);
    }
    let command_line = [
        "workload",
        "trends",
        history_arg,
        "--html",
        page.to_str().unwrap(),
    ];
    let command_line = run(&command_line, &[]).await;
    assert!(command_line.status.success(), "{}", command_line.stderr);
    for name in ["first", "second", OUT] {
        assert!(
            command_line.stdout.contains(name),
            "no {name}: {}",
            command_line.stdout
        );
    }
    assert!(std::fs::read_to_string(&page).unwrap().contains("second"));
    let parts = [folders[0].to_str().unwrap(), folders[1].to_str().unwrap()];
    let merge = [
        "workload",
        "merge",
        parts[0],
        parts[1],
        "--report",
        whole.to_str().unwrap(),
    ];
    let merged = run(&merge, &[]).await;
    assert!(merged.status.success(), "{}", merged.stderr);
    let sum = samples(&record(&folders[0]), OUT) + samples(&record(&folders[1]), OUT);
    assert_eq!(samples(&record(&whole), OUT), sum);
    // The report is written again, with another run and FOLIO's figures.
    let anew = [
        "workload",
        "report",
        parts[1],
        "--compare-with",
        parts[0],
        "--baseline",
        "sunflower",
    ];
    let anew = run(&anew, &[]).await;
    assert!(anew.status.success(), "{}", anew.stderr);
    let report = std::fs::read_to_string(folders[1].join("report.html")).unwrap();
    assert!(report.contains("first") && report.contains("Sunflower"));
    let unlike = [
        "workload",
        "merge",
        parts[0],
        "/nowhere",
        "--report",
        whole.to_str().unwrap(),
    ];
    let unlike = run(&unlike, &[]).await;
    assert_eq!(unlike.status.code(), Some(2), "{}", unlike.stdout);
}
