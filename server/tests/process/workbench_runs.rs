//! Runs of workloads that operators start from the staff client's page.

use octavo_testkit::Client;
use serde_json::{Value, json};

use crate::octavo::Octavo;
use crate::place::DataDir;
use crate::until;

const RUNS: &str = "/_/octavo/workload-runs";

fn body(seconds: u32) -> Value {
    json!({
        "workload": "get-items", "name": "before the upgrade", "virtualUsers": 2,
        "durationSeconds": seconds, "withoutPauses": true, "password": "admin"
    })
}

async fn run(client: &Client, id: &str) -> Value {
    client.get(&format!("{RUNS}/{id}")).await.expect(200).json()
}

async fn started(client: &Client, body: &Value) -> String {
    let run = client.post(RUNS, body).await.expect(201).json();
    assert_eq!(run["state"], "running");
    run["id"].as_str().expect("an id").to_owned()
}

async fn ended(client: &Client, id: &str) -> Value {
    until("the run ends", async || {
        run(client, id).await["state"] != "running"
    })
    .await;
    run(client, id).await
}

#[tokio::test]
async fn a_run_is_seen_live_stopped_and_kept_with_its_report() {
    let library = DataDir::of_demo().await;
    let octavo = Octavo::start(&["--data-dir", library.arg(), "--workbench"]).await;
    let client = octavo.client().await;
    let workloads = client.get("/_/octavo/workloads").await.expect(200).json();
    assert_eq!(workloads["runsAllowed"], true);
    let id = started(&client, &body(600)).await;
    let refused = client.post(RUNS, &body(1)).await.expect(409);
    assert!(refused.text.contains(&id), "{}", refused.text);
    until("it has measured something", async || {
        let so_far = run(&client, &id).await;
        so_far["report"]["run"]["totals"]["requests"]
            .as_u64()
            .is_some_and(|some| some > 0)
    })
    .await;
    let _ = client
        .post(&format!("{RUNS}/{id}/stop"), &json!({}))
        .await
        .expect(204);
    let stopped = ended(&client, &id).await;
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    assert_eq!(stopped["name"], "before the upgrade");
    let page = client.get(&format!("{RUNS}/{id}/report")).await.expect(200);
    assert!(page.text.contains("get-items"));
    let _ = client
        .post(&format!("{RUNS}/{id}/stop"), &json!({}))
        .await
        .expect(404);

    // Another comes to its end by itself, and is listed first.
    let second = started(&client, &body(1)).await;
    let done = ended(&client, &second).await;
    assert_eq!(done["state"], "ended", "{done}");
    let list = client.get(RUNS).await.expect(200).json();
    assert_eq!(list["totalRecords"], 2);
    assert_eq!(list["runs"][0]["id"], second.as_str());
    let words = octavo.output() + &everything_in(library.arg());
    assert!(
        !words.contains("OCTAVO_WORKLOAD_PASSWORD"),
        "a password was written down"
    );
}

/// The texts that runs have left.
fn everything_in(folder: &str) -> String {
    let runs = std::path::Path::new(folder).join("workload-runs/diku");
    let mut text = String::new();
    for run in std::fs::read_dir(runs).expect("runs") {
        for file in ["facts.json", "ended.json", "arguments.json"] {
            let path = run.as_ref().expect("a run").path().join(file);
            let read = std::fs::read_to_string(path).expect("a file of the run");
            assert!(!read.contains("\"admin\""), "{read}");
            text.push_str(&read);
        }
    }
    text
}

#[tokio::test]
async fn a_run_that_cannot_log_in_says_so_and_bad_requests_start_none() {
    let library = DataDir::of_demo().await;
    let octavo = Octavo::start(&["--data-dir", library.arg(), "--workbench"]).await;
    let client = octavo.client().await;
    let with = |name: &str, value: Value| {
        let mut body = body(1);
        body[name] = value;
        body
    };
    for (name, value) in [
        ("virtualUsers", json!(0)),
        ("virtualUsers", json!(10_000)),
        ("durationSeconds", json!(0)),
        ("durationSeconds", json!(86_400)),
        ("rampUpSeconds", json!(2)),
        ("workload", json!("../../etc/passwd")),
        ("name", json!("--jtl")),
    ] {
        let refused = client
            .post(RUNS, &with(name, value))
            .await
            .expect(422)
            .json();
        assert_eq!(
            refused["errors"][0]["parameters"][0]["key"], name,
            "{refused}"
        );
    }
    let _ = client.post(RUNS, &json!({"password": 7})).await.expect(400);
    let _ = client.get(&format!("{RUNS}/x")).await.expect(400);
    let unknown = format!("{RUNS}/10000000-0000-4000-8000-000000000001");
    let _ = client.get(&unknown).await.expect(404);
    assert_eq!(client.get(RUNS).await.expect(200).json()["totalRecords"], 0);

    let id = started(&client, &with("password", json!("wrong"))).await;
    let failed = ended(&client, &id).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    let reason = failed["reason"].as_str().expect("a reason");
    assert!(
        reason.contains("login") || reason.contains("log in"),
        "{reason}"
    );
}

#[tokio::test]
async fn a_server_without_the_option_runs_none() {
    let library = DataDir::of_demo().await;
    let octavo = Octavo::start(&["--data-dir", library.arg()]).await;
    let client = octavo.client().await;
    let refused = client.post(RUNS, &body(1)).await.expect(403);
    assert!(refused.text.contains("--workbench"), "{}", refused.text);
}
