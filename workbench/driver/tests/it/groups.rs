//! Groups of virtual users keep rates of their own, and each runs its own branches only.

use std::time::Duration;

use octavo_driver::drive;
use octavo_driver::workload;

use crate::mini_folio::MiniFolio;
use crate::support::options;

const TWO: &str = r#"
format = 1
name = "two"
title = "Two groups"
[headers]
X-Okapi-Tenant = "${tenant}"
X-Okapi-Token = "${token}"
[login]
label = "login"
send = "POST /authn/login"
headers = { Content-Type = "application/json", X-Okapi-Token = "" }
body = '{"username":"${username}","password":"${password}"}'
expect = [{ status = 201 }]
extract = [{ variable = "token", header = "x-okapi-token" }]
[[group]]
name = "by-iterations"
virtual_users = 3
per_minute = 1200
[[group]]
name = "by-requests"
virtual_users = 2
requests_per_minute = 600
[[branch]]
name = "a"
group = "by-iterations"
steps = ["A"]
[[branch]]
name = "b"
group = "by-requests"
steps = ["B"]
[[transaction]]
name = "A"
request = [{ label = "a1", send = "GET /a1" }, { label = "a2", send = "GET /a2" }]
[[transaction]]
name = "B"
request = [
  { label = "b1", send = "GET /b1", think = { constant_ms = 60000 } },
  { label = "b2", send = "GET /b2" },
]
"#;

fn count(folio: &MiniFolio, path: &str) -> u64 {
    let state = folio.state.lock().unwrap();
    let sent = state
        .seen
        .iter()
        .filter(|one| one.raw_target.starts_with(path));
    sent.count() as u64
}

#[test]
fn each_group_keeps_its_rate() {
    let folio = MiniFolio::start(0, 0);
    let mut options = options(&folio.url, workload::parse("two.toml", TWO).unwrap(), 1);
    options.iterations = None;
    options.duration = Duration::from_secs(3);
    options.think = true;
    let summary = drive::run(options).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
    assert_eq!(summary.facts.virtual_users, 5);
    // In 3 s 60 iterations of two requests, and 30 single requests whose pauses are skipped. A busy
    // machine may send fewer, and then the report has the number that was not begun; never more.
    let open = summary.generator.open.as_ref().unwrap();
    assert_eq!(open.due, 60 + 30);
    let begun = open.due - open.not_begun;
    let (a, b) = (
        count(&folio, "/a1"),
        count(&folio, "/b1") + count(&folio, "/b2"),
    );
    assert!(a <= 60 && b <= 30 && a + b <= begun, "{a} {b} {begun}");
    // What was begun was sent, except by users who were waiting at the end of the run.
    assert!(a + b + 5 >= begun, "{a} {b} {begun}");
    assert!(a >= 1 && b >= 1);
    assert!(summary.is_open());
}

#[test]
fn a_group_without_a_rate_goes_on_when_it_is_answered() {
    let text = TWO.replace("per_minute = 1200\n", "");
    let text = text
        .replace("requests_per_minute = 600\n", "")
        .replace("requests_\n", "");
    let folio = MiniFolio::start(0, 0);
    let mut options = options(&folio.url, workload::parse("two.toml", &text).unwrap(), 200);
    options.seed = 1;
    let summary = drive::run(options).unwrap();
    assert_eq!(summary.totals.iterations, 200);
    assert!(summary.generator.open.is_none());
    // Each user runs its own group's branch only.
    let (a, b) = (count(&folio, "/a1"), count(&folio, "/b1"));
    assert!(a > 0 && b > 0 && a + b == 200, "{a} {b}");
}

#[test]
fn other_rates_and_weights_are_refused() {
    let folio = MiniFolio::start(0, 0);
    let message = |change: &dyn Fn(&mut drive::RunOptions)| {
        let mut options = options(&folio.url, workload::parse("two.toml", TWO).unwrap(), 1);
        change(&mut options);
        drive::run(options).unwrap_err().to_string()
    };
    let text = message(&|options| options.rate = Some("5".parse().unwrap()));
    assert!(
        text.contains("--open makes no sense") && text.contains("octavo workload show"),
        "{text}"
    );
    let text = message(&|options| options.weights = Some(vec![1, 1]));
    assert!(text.contains("--distribution makes no sense"), "{text}");
    let text = message(&|options| options.ramp_up = options.duration);
    assert!(text.contains("make --duration longer"), "{text}");
}

#[test]
fn a_group_without_test_data_is_named() {
    let text = TWO.replace(
        "[[branch]]\nname = \"a\"",
        "[[feeder]]\nname = \"dry\"\ncolumns = [\"d\"]\nstarts_empty = true\n[[branch]]\nname = \"a\"\ndraws = [\"dry\"]",
    );
    let folio = MiniFolio::start(0, 0);
    let error = drive::run(options(
        &folio.url,
        workload::parse("two.toml", &text).unwrap(),
        1,
    ));
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("the group by-iterations of two") && text.contains("dry"),
        "{text}"
    );
}

#[test]
fn the_mixed_day_has_the_master_scripts_rates() {
    let day = workload::load("mixed-day").unwrap();
    let rate = |name: &str| {
        let group = day.groups.iter().find(|group| group.name == name).unwrap();
        (group.virtual_users, group.pace.unwrap())
    };
    use workload::Pace::{Iterations, Requests};
    assert_eq!(rate("check-in-check-out"), (1, Requests(65.0)));
    assert_eq!(rate("patron-records"), (1, Requests(217.0)));
    assert_eq!(rate("orders"), (1, Requests(202.0)));
    assert_eq!(rate("instances-and-holdings"), (10, Requests(360.0)));
    assert_eq!(rate("inventory-records"), (1, Requests(168.0)));
    assert_eq!(rate("view-holdings"), (1, Requests(48.0)));
    assert_eq!(rate("import"), (1, Iterations(0.2)));
    // The weights within a group are the master script's where they differ from the workload's own.
    let weights: Vec<_> = day
        .branches
        .iter()
        .map(|one| (one.name.as_str(), one.weight))
        .collect();
    assert_eq!(weights[..2], [("check-in", 50), ("check-out", 50)]);
    assert!(day.branches.iter().all(|branch| branch.group.is_some()));
    assert!(
        day.feeders
            .iter()
            .any(|feeder| feeder.name == "check-in-check-out/users")
    );
}

#[test]
fn a_part_of_the_mixed_day_keeps_each_workloads_own_headers_and_variables() {
    let folio = MiniFolio::start(40, 40);
    let only = ["check-in", "check-out", "inventory-record"].map(str::to_owned);
    let workload = workload::load_branches("mixed-day", &only).unwrap();
    assert_eq!(workload.grouped_users(), Some(2));
    let feeders: Vec<_> = workload
        .feeders
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(
        feeders,
        [
            "check-in-check-out/items-checked-out",
            "check-in-check-out/items-available",
            "check-in-check-out/users",
            "check-in-check-out/service-points",
            "inventory-views/items",
        ]
    );
    let mut options = options(&folio.url, workload, 1);
    options.iterations = None;
    options.duration = Duration::from_secs(4);
    let summary = drive::run(options).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
    // 65 and 168 requests a minute, counted from 0: 5 and 12 are due within 4 s.
    let open = summary.generator.open.as_ref().unwrap();
    assert_eq!(open.due, 5 + 12);
    let seen = folio.seen_by_users();
    let views = seen
        .iter()
        .filter(|one| one.raw_target == "/instance-storage/instances");
    let desk = seen.iter().filter(|one| one.method == "OPTIONS");
    let (views, desk): (Vec<_>, Vec<_>) = (views.collect(), desk.collect());
    assert!(!views.is_empty() && !desk.is_empty());
    assert_eq!(views[0].header("content-type"), "application/json");
    assert_eq!(views[0].header("origin"), "");
    assert_eq!(desk[0].header("content-type"), "");
    assert_eq!(desk[0].header("origin"), "http://localhost");
    for one in views.iter().chain(&desk) {
        assert_eq!(one.header("x-okapi-token"), "token-1");
    }
}

#[test]
fn users_wait_for_rows_that_others_make() {
    let text = TWO.replace(
        "[[group]]\nname = \"by-iterations\"\nvirtual_users = 3\nper_minute = 1200\n",
        "",
    );
    let text = text.replace(
        "[[group]]\nname = \"by-requests\"\nvirtual_users = 2\nrequests_per_minute = 600\n",
        "",
    );
    let text = text
        .replace("group = \"by-iterations\"\n", "")
        .replace("group = \"by-requests\"\n", "draws = [\"made\"]\n");
    let text = text.replace(
        "send = \"GET /a1\"",
        "send = \"GET /a1\", set = { id = \"${uuid()}\" }, fills = \"made\"",
    );
    let text = text.replace(
        "send = \"GET /b1\", think = { constant_ms = 60000 }",
        "send = \"GET /b1/${id}\", moves = { from = \"made\", to = \"gone\" }",
    );
    let feeders = "[[feeder]]\nname = \"made\"\ncolumns = [\"id\"]\nstarts_empty = true\n[[feeder]]\nname = \"gone\"\ncolumns = [\"id\"]\nstarts_empty = true\n";
    let text = text.replacen("[[branch]]", &format!("{feeders}[[branch]]"), 1);
    let folio = MiniFolio::start(0, 0);
    let mut options = options(&folio.url, workload::parse("w.toml", &text).unwrap(), 60);
    options.virtual_users = 3;
    let summary = drive::run(options).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
    let state = folio.state.lock().unwrap();
    let used = state
        .seen
        .iter()
        .filter_map(|one| one.raw_target.strip_prefix("/b1/"));
    let mut used: Vec<_> = used.collect();
    assert!(!used.is_empty());
    let all = used.len();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used.len(), all, "each row is used once");
    assert!(used.iter().all(|id| uuid::Uuid::parse_str(id).is_ok()));
}
