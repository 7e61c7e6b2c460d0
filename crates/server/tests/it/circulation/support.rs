//! Timers called as the scheduler calls them, and rows written past the API.

use std::sync::Arc;

use octavo_platform::proxy::system::system_call;
use octavo_platform::{Handler, Platform};
use octavo_testkit::{Answer, Library};
use serde_json::Value;

/// Runs a timer of circulation in a process; gives its status.
pub async fn timer(library: &Library, platform: &Arc<Platform>, path: &str) -> u16 {
    let known = platform.registry.known(library.tenant().id());
    let view = known.expect("the tenant was asked for");
    let modules = octavo_circulation::modules();
    let mut timers = modules.iter().flat_map(|one| &one.timers);
    let timer = timers.find(|timer| timer.path == path);
    let timer = timer.unwrap_or_else(|| panic!("there is no timer {path}"));
    let Handler::Call(handler) = &timer.handler else {
        panic!("{path} is served by a generic operation");
    };
    let answer = handler(system_call(platform, &view)).await;
    answer.expect("it is carried out").status().as_u16()
}

/// Runs a statement; gives the first column as numbers.
pub async fn sql(library: &Library, text: &str) -> Vec<i64> {
    let database = &library.platform.store.database;
    let rows = database.query(text, &[]).await.expect(text);
    rows.iter().map(|row| row.get(0)).collect()
}

/// Asserts on an answer of 422: its only message and the key and value of its parameter.
#[track_caller]
pub fn refused(answer: Answer, message: &str, key: &str, value: &str) {
    let body: Value = answer.expect(422).json();
    let error = &body["errors"][0];
    assert_eq!(error["message"], message);
    assert_eq!(error["parameters"][0]["key"], key);
    assert_eq!(error["parameters"][0]["value"], value);
}
