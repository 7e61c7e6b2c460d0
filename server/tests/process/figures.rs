//! Figures on a listener of their own, judged by Prometheus' own tools; logs as JSON.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::octavo::Octavo;
use crate::place::DataDir;
use crate::until;

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}

/// Whether a program is there; says so where it is not.
fn has(program: &str) -> bool {
    let found = std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    });
    if !found {
        eprintln!("skipped: there is no {program} here (Debian: apt-get install prometheus)");
    }
    found
}

async fn text(url: &str) -> String {
    let answer = reqwest::get(url).await.expect("an answer");
    assert_eq!(answer.status(), 200);
    answer.text().await.expect("a text")
}

#[tokio::test]
async fn prometheus_reads_the_figures_without_log_in_where_they_are_served() {
    let directory = DataDir::of_demo().await;
    let at = format!("127.0.0.1:{}", free_port());
    let mut octavo = Octavo::start(&["--data-dir", directory.arg(), "--metrics-listen", &at]).await;
    let client = octavo.client().await;
    let _ = client.get("/groups").await.expect(200);
    let figures = text(&format!("http://{at}/metrics")).await;
    let line = "octavo_http_requests_total{route=\"/groups\",method=\"GET\",status=\"2xx\"} 1";
    assert!(figures.lines().any(|one| one == line), "{figures}");
    assert!(
        figures.contains("process_resident_memory_bytes "),
        "{figures}"
    );
    // Nothing else is served there.
    let other = reqwest::get(format!("http://{at}/groups"))
        .await
        .expect("an answer");
    assert_eq!(other.status(), 404);
    if has("promtool") {
        let mut judge = Command::new("promtool")
            .args(["check", "metrics"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("promtool runs");
        let mut input = judge.stdin.take().expect("a pipe");
        input.write_all(figures.as_bytes()).await.expect("it reads");
        drop(input);
        let judged = judge.wait_with_output().await.expect("its end");
        let said = String::from_utf8_lossy(&judged.stderr).into_owned();
        assert!(judged.status.success(), "{said}");
    }
    if has("prometheus") {
        scraped(&directory, &at, &figures).await;
    }
    octavo.terminate();
    octavo.ended_well().await;
}

/// The queries of the dashboard, for all processes and the last seconds.
fn queries() -> Vec<String> {
    let dashboard = include_str!("../../../docs/dashboard.json");
    let dashboard: Value = serde_json::from_str(dashboard).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let targets = panels
        .iter()
        .flat_map(|panel| panel["targets"].as_array().expect("queries"));
    targets
        .map(|target| {
            let query = target["expr"].as_str().expect("a query");
            let query = query.replace("$instance", ".*");
            query.replace("$__rate_interval", "5s")
        })
        .collect()
}

/// Whether there is something to show: a server without Kafka or replicas has no figures of them.
fn has_samples(query: &str, figures: &str) -> bool {
    let words = query.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_'));
    let mut names =
        words.filter(|word| word.starts_with("octavo_") || word.starts_with("process_"));
    names.all(|name| {
        let mut lines = figures.lines();
        lines.any(|line| line.split(['{', ' ']).next() == Some(name))
    })
}

/// Prometheus scrapes the server and answers a question about it, and each of the dashboard.
async fn scraped(directory: &DataDir, at: &str, figures: &str) {
    let config = directory.path().join("prometheus.yml");
    let yaml = format!(
        "global: {{ scrape_interval: 200ms }}\nscrape_configs:\n  - job_name: octavo\n    static_configs: [{{ targets: [\"{at}\"] }}]\n"
    );
    std::fs::write(&config, yaml).expect("a file");
    let address = format!("127.0.0.1:{}", free_port());
    let store = directory.path().join("prometheus");
    let mut prometheus = Command::new("prometheus")
        .arg(format!("--config.file={}", config.display()))
        .arg(format!("--storage.tsdb.path={}", store.display()))
        .arg(format!("--web.listen-address={address}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("prometheus runs");
    let question = format!("http://{address}/api/v1/query?query=octavo_database_up");
    let answered = || async {
        let Ok(answer) = reqwest::get(&question).await else {
            return false;
        };
        let answer: Value = answer.json().await.unwrap_or_default();
        answer["data"]["result"][0]["value"][1] == "1"
    };
    until("Prometheus has scraped", answered).await;
    let asking = reqwest::Client::new();
    let mut shown = 0;
    for query in queries() {
        // Errors of the server are shown where there are any.
        let has_some = has_samples(&query, figures) && !query.ends_with("> 0");
        let answered = || async {
            let answer = asking
                .get(format!("http://{address}/api/v1/query"))
                .query(&[("query", &query)]);
            let answer = answer.send().await.expect("an answer");
            let answer: Value = answer.json().await.expect("JSON");
            assert_eq!(answer["status"], "success", "{query}: {answer}");
            let result = answer["data"]["result"].as_array().expect("a result");
            !result.is_empty() || !has_some
        };
        until(&query, answered).await;
        shown += usize::from(has_some);
    }
    assert!(shown > 15, "{shown} queries have something to show");
    prometheus.kill().await.expect("it ends");
}

#[tokio::test]
async fn logs_as_json_have_the_ids_of_the_request_and_its_trace() {
    let directory = DataDir::of_demo().await;
    let arguments = ["--data-dir", directory.arg(), "--log-format", "json"];
    let mut octavo = Octavo::start_with(&arguments, &[("OCTAVO_LOG", "debug")]).await;
    let client = octavo.client().await;
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let request = client
        .request(reqwest::Method::GET, "/groups")
        .header("traceparent", format!("00-{trace}-00f067aa0ba902b7-01"));
    let _ = client.send(request).await.expect(200);
    octavo.logs(trace).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let log = octavo.log();
    let line = log
        .lines()
        .find(|line| line.contains(trace))
        .expect("a line");
    let line: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(line["span"]["trace"], trace);
    assert_eq!(line["span"]["tenant"], "diku");
    assert_eq!(line["span"]["route"], "GET /groups");
    assert!(line["level"].is_string() && line["timestamp"].is_string());
    octavo.terminate();
    octavo.ended_well().await;
}
