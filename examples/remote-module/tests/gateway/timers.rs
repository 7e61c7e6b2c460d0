//! Timers of remote modules: run when due, and when an operator requests it.

use std::sync::Arc;
use std::time::Duration;

use octavo_testkit::{Client, TENANT};
use serde_json::json;

use crate::{Module, calls_logged, library};

async fn ran(admin: &Client, at_least: usize) -> usize {
    for _ in 0..100 {
        let runs = calls_logged(admin, "_timer").await.len();
        if runs >= at_least {
            return runs;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the timer did not run {at_least} times in ten seconds");
}

#[tokio::test]
async fn a_timer_runs_when_it_is_due_and_when_it_is_requested() {
    let library = library().await;
    let admin = library.client().await;
    tokio::spawn(octavo_platform::timers::run(Arc::clone(&library.platform)));
    let module = Module::start(&["--timer-delay", "600000"]);
    module.plug_in(&admin).await;
    let timers = format!("/_/proxy/tenants/{TENANT}/timers");
    let id = "mod-reading-lists_0";
    let listed = admin.get(&timers).await.expect(200).json();
    let listed = listed.as_array().expect("a list").iter();
    let mut own = listed.filter(|timer| timer["id"] == id);
    let own = own.next().expect("the module's timer");
    assert_eq!(own["routingEntry"]["delay"], "600000");
    assert!(calls_logged(&admin, "_timer").await.is_empty());

    let soon = json!({"id": id, "routingEntry": {"unit": "millisecond", "delay": "200"}});
    let patch = admin.request(reqwest::Method::PATCH, &timers).json(&soon);
    let _ = admin.send(patch).await.expect(204);
    ran(&admin, 2).await;
    let one = format!("{timers}/{id}");
    let shown = admin.get(&one).await.expect(200).json();
    assert_eq!(shown["modified"], true);
    assert_eq!(shown["routingEntry"]["delay"], "200");

    let reset = admin.request(reqwest::Method::PATCH, &one).json(&json!({}));
    let _ = admin.send(reset).await.expect(204);
    let shown = admin.get(&one).await.expect(200).json();
    assert_eq!(shown["routingEntry"]["delay"], "600000");
    assert!(shown.get("modified").is_none());
    let wrong = json!({"unit": "fortnight", "delay": "1"});
    let patch = admin.request(reqwest::Method::PATCH, &one).json(&wrong);
    let refused = admin.send(patch).await.expect(400);
    assert!(refused.text.contains("fortnight"), "{}", refused.text);
}

#[tokio::test]
async fn two_schedulers_run_a_timer_once() {
    let library = library().await;
    let admin = library.client().await;
    for _ in 0..2 {
        tokio::spawn(octavo_platform::timers::run(Arc::clone(&library.platform)));
    }
    let module = Module::start(&["--timer-delay", "1500"]);
    module.plug_in(&admin).await;
    let begun = std::time::Instant::now();
    ran(&admin, 3).await;
    // If both processes ran it, this would have taken half the time.
    assert!(begun.elapsed() >= Duration::from_millis(3 * 1_500 - 300));
}
