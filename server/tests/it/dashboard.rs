//! The dashboard in docs/dashboard.json: each of its figures is one that a server prints, with the labels that it
//! is grouped and chosen by.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use octavo_relay::memory::Memory;
use octavo_relay::naming::Naming;
use octavo_relay::{LeaseTimes, Parts, Relay, Subscriber};
use octavo_server_testkit::operated;
use serde_json::Value;

/// Prometheus adds these to every sample.
const OF_PROMETHEUS: [&str; 2] = ["instance", "job"];

/// The names of samples with the labels that they have.
fn printed(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("# TYPE ") {
            let (name, kind) = head.split_once(' ').expect("a kind");
            let endings: &[&str] = match kind {
                "histogram" => &["_bucket", "_sum", "_count"],
                _ => &[""],
            };
            for ending in endings {
                let _ = names.entry(format!("{name}{ending}")).or_default();
            }
        } else if let Some((name, rest)) = line.split_once('{') {
            let labels = rest.split("=\"").filter_map(|before| {
                let name = before.rsplit(['"', ',', '{']).next();
                name.filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase()))
            });
            let known = names.get_mut(name).expect("a family before its samples");
            known.extend(labels.map(str::to_owned));
        }
    }
    names
}

/// The words of an expression that are names of figures.
fn figures(expression: &str) -> BTreeSet<&str> {
    let words = expression.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_'));
    words
        .filter(|word| word.starts_with("octavo_") || word.starts_with("process_"))
        .collect()
}

/// The labels that an expression groups or chooses by.
fn labels(expression: &str) -> BTreeSet<&str> {
    let groups = expression
        .split("by (")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'));
    let grouped = groups.flat_map(|(inside, _)| inside.split(", "));
    let selectors = expression
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'));
    let chosen = selectors
        .flat_map(|(inside, _)| inside.split(','))
        .filter_map(|one| one.split(['=', '!']).next());
    grouped.chain(chosen).collect()
}

fn expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                match value.as_str() {
                    Some(text) if name == "expr" || text.starts_with("label_values") => {
                        found.push(text.to_owned());
                    }
                    _ => expressions(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| expressions(value, found)),
        _ => {}
    }
}

#[tokio::test]
async fn the_dashboard_shows_figures_that_a_server_prints() {
    let library = operated().await;
    let client = library.client().await;
    let platform = &library.platform;
    let parts = Parts::new(
        platform.store.clone(),
        Arc::new(Memory::default()) as _,
        Naming::new("folio", None).expect("names"),
    );
    platform.gateway.sources.add(Arc::clone(&parts.status) as _);
    let relay = Relay::begin(
        parts,
        Arc::new(Vec::<Subscriber>::new),
        LeaseTimes::default(),
    );
    // A queue that nobody works on, so that there is one.
    let job = "INSERT INTO tenant_diku.octavo_job (queue, id, progress) VALUES
        ('shelf', '10000000-0000-4000-8000-000000000001', '{}')";
    let _ = platform
        .store
        .database
        .execute(job, &[])
        .await
        .expect("a job");
    let _ = client.get("/groups").await.expect(200);
    let text = client.get("/_/octavo/metrics").await.expect(200).text;
    relay.stop().await;
    let printed = printed(&text);
    let dashboard = include_str!("../../../docs/dashboard.json");
    let mut all = Vec::new();
    expressions(&serde_json::from_str(dashboard).expect("JSON"), &mut all);
    assert!(all.len() > 20, "{all:?}");
    for expression in &all {
        let figures = figures(expression);
        assert!(!figures.is_empty(), "{expression} has no figure");
        for figure in figures {
            let has = printed.get(figure);
            let has = has.unwrap_or_else(|| panic!("{figure} of {expression} is not printed"));
            let mut lacks = labels(expression);
            lacks.retain(|label| !OF_PROMETHEUS.contains(label) && !has.contains(*label));
            assert!(lacks.is_empty(), "{figure} has no {lacks:?}: {expression}");
        }
    }
}
