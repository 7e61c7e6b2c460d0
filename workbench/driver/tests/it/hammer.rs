//! `hammer`: random rows and bodies; only successful statuses count.

use std::time::Duration;

use octavo_client::Limits;
use octavo_driver::hammer::{HammerOptions, hammer, table};

use crate::mini_folio::{MiniFolio, Refusal};
use crate::support::{TempFile, target};

fn options(folio: &MiniFolio, file: &TempFile) -> HammerOptions {
    HammerOptions {
        target: target(&folio.url),
        path_template: "/inventory/items?query=barcode==%22${barcode}%22".to_owned(),
        method: None,
        body_template: None,
        feeder: Some(file.path().to_owned()),
        rows_once: false,
        connections: 3,
        duration: Duration::from_millis(200),
        threads: 2,
        body_contains: Some("item-a".to_owned()),
        seed: 1,
        limits: Limits::default(),
    }
}

#[test]
fn it_asks_for_random_rows_and_counts() {
    let folio = MiniFolio::start(5, 0);
    let file = TempFile::new("n,barcode\n0,a0\n1,a1\n2,a2\n");
    let summary = hammer(&options(&folio, &file)).unwrap();
    assert!(
        summary.successes > 10 && summary.errors == 0,
        "{}",
        table(&summary)
    );
    assert!(summary.p50_ms > 0.0 && summary.p50_ms <= summary.p99_ms);
    let state = folio.state.lock().unwrap();
    assert_eq!(state.seen.len() as u64, summary.requests + 1);
    for barcode in ["a0", "a1", "a2"] {
        let target = format!("/inventory/items?query=barcode==%22{barcode}%22");
        assert!(
            state.seen.iter().any(|one| one.raw_target == target),
            "{barcode}"
        );
    }
}

#[test]
fn it_takes_each_row_once_and_ends_with_the_last() {
    let folio = MiniFolio::start(5, 0);
    let rows: String = (0..50).map(|number| format!("a{number}\n")).collect();
    let file = TempFile::new(&format!("barcode\n{rows}"));
    let options = HammerOptions {
        rows_once: true,
        duration: Duration::from_secs(60),
        body_contains: None,
        ..options(&folio, &file)
    };
    assert_eq!(hammer(&options).unwrap().requests, 50);
    let state = folio.state.lock().unwrap();
    let asked: std::collections::HashSet<_> =
        state.seen.iter().map(|one| &one.raw_target).collect();
    // And the login.
    assert_eq!(asked.len(), 51);
}

#[test]
fn it_sends_bodies_with_values_of_rows_and_new_ids() {
    let folio = MiniFolio::start(0, 0);
    let file = TempFile::new("barcode\na\"0\nb1\n");
    let body = TempFile::new(r#"{"id": "${uuid()}", "barcode": "${barcode}"}"#);
    let mut options = options(&folio, &file);
    options.path_template = "/items".to_owned();
    options.body_template = Some(body.path().to_owned());
    options.body_contains = None;
    let summary = hammer(&options).unwrap();
    assert_eq!(summary.errors, 0, "{}", table(&summary));
    options.method = Some("PUT".to_owned());
    assert_eq!(hammer(&options).unwrap().errors, 0);
    let state = folio.state.lock().unwrap();
    let sent = |method: &str| {
        let seen = state.seen.iter();
        let seen = seen.filter(|one| one.method == method && one.raw_target == "/items");
        seen.map(|one| serde_json::from_str::<serde_json::Value>(&one.body).unwrap())
            .collect::<Vec<_>>()
    };
    let posted = sent("POST");
    assert_eq!(posted.len() as u64, summary.requests);
    let ids: std::collections::HashSet<_> = posted.iter().map(|one| one["id"].as_str()).collect();
    assert_eq!(ids.len(), posted.len());
    for barcode in ["a\"0", "b1"] {
        assert!(posted.iter().any(|one| one["barcode"] == barcode));
    }
    assert!(!sent("PUT").is_empty());
    let put = state.seen.iter().find(|one| one.method == "PUT").unwrap();
    assert_eq!(put.header("content-type"), "application/json");
}

#[test]
fn other_statuses_and_other_bodies_are_errors() {
    let folio = MiniFolio::start(5, 0);
    let file = TempFile::new("barcode\nnowhere\n");
    let refusal = Refusal {
        line_begins: "GET /inventory",
        status: 503,
        body: "busy",
        times: 2,
        after: 0,
    };
    folio.state.lock().unwrap().refusals.push(refusal);
    let summary = hammer(&options(&folio, &file)).unwrap();
    assert_eq!((summary.successes, summary.errors), (0, summary.requests));
    let count = |kind: &str| {
        summary
            .failures
            .iter()
            .find(|one| one.kind == kind)
            .unwrap()
            .count
    };
    assert_eq!(count("HTTP 503"), 2);
    assert_eq!(
        count("the body lacks the expected text"),
        summary.requests - 2
    );
}

#[test]
fn unusable_templates_are_refused() {
    let folio = MiniFolio::start(0, 0);
    let file = TempFile::new("barcode\n1\n");
    let message = |change: &dyn Fn(&mut HammerOptions)| {
        let mut options = options(&folio, &file);
        change(&mut options);
        hammer(&options).unwrap_err().to_string()
    };
    assert!(message(&|one| one.path_template = "x".into()).contains("must begin with `/`"));
    assert!(message(&|one| one.path_template = "/a b".into()).contains("percent-encoded"));
    assert!(message(&|one| one.path_template = "/${id}".into()).contains("no column `id`"));
    assert!(message(&|one| one.feeder = None).contains("no --feeder"));
    assert!(message(&|one| one.method = Some("put".into())).contains("in capitals"));
    let gone = std::path::PathBuf::from("/nowhere/body.json");
    let gone = message(&|one| one.body_template = Some(gone.clone()));
    assert!(
        gone.contains("cannot read --body-template /nowhere"),
        "{gone}"
    );
    let open = TempFile::new("{\"a\": \"${b\"");
    let open = message(&|one| one.body_template = Some(open.path().to_owned()));
    assert!(open.starts_with("--body-template: "), "{open}");
    assert!(message(&|one| one.target.password = "x".into()).contains("refused the login"));
}
