//! JMeter plans: what a draft takes over, where it goes, and the notes on the rest.

use octavo_drafts::DraftError;
use octavo_drafts::draft::{from_jmx, from_jmx_with};

use crate::support::{
    arguments, branches, data_set, element, extractor, group, headers, load, login, notes_of, plan,
    raw, sampler, status, steps, text, variables,
};

fn branch(variable: &str, value: &str, below: &str) -> String {
    let condition = format!("\"${{{variable}}}\" == \"{value}\"");
    element(
        "IfController",
        value,
        &text("IfController.condition", &condition),
        below,
    )
}

fn get(name: &str, path: &str) -> String {
    sampler(name, "GET", path, "", "")
}

#[test]
fn a_desk_plan_becomes_login_branches_transactions_and_feeders() {
    let timer = element(
        "UniformRandomTimer",
        "Think",
        &(text("ConstantTimer.delay", "1000 + ${offset}") + &text("RandomTimer.range", "2000.0")),
        "",
    );
    let check_out = sampler(
        "POST check-out",
        "POST",
        "circulation/check-out-by-barcode",
        &raw("{\r\n\"itemBarcode\":\"${item}\",\"id\":\"${__UUID()}\",\
              \"loanDate\":\"${__time(yyyy-MM-dd'T'HH:mm:ss.SSS'Z')}\"}"),
        &(status("201") + &extractor("loan;user", "$.id;$.userId", "1;1") + &timer),
    );
    let in_transaction =
        |name: &str, below: &str| element("TransactionController", name, "", below);
    let loop_body = data_set("${base}/available.csv", "item", "true")
        + &data_set("${base}/unused.csv", "nothing", "true")
        + &element(
            "JSR223Sampler",
            "Choose",
            &text("script", "vars.put('go', x)"),
            "",
        )
        + &branch(
            "go",
            "checkin",
            &in_transaction(
                "Check-in",
                &sampler(
                    "GET items",
                    "GET",
                    "/inventory/items",
                    &arguments(&[("query", "barcode==\"${item}\""), ("limit", "10")]),
                    "",
                ),
            ),
        )
        + &branch("go", "checkout", &in_transaction("Check-out", &check_out));
    let forever = element(
        "LoopController",
        "Loop",
        &text("LoopController.loops", "-1"),
        &loop_body,
    );
    let below = variables(&[
        (
            "base",
            "${__BeanShell(FileServer.getFileServer().getBaseDir();)}/data",
        ),
        ("DISTRIBUTION", "${__P(DISTRIBUTION,43-57)}"),
        ("users", "${__P(VUSERS,8)}"),
        ("offset", "${__P(THINK_OFFSET,0)}"),
    ]) + &headers(&[("X-Okapi-Tenant", "${tenant}"), ("Accept", "*/*")])
        + &group(
            "Users",
            "${users}",
            &(headers(&[
                ("X-Okapi-Token", "${okapi-token}"),
                ("Accept", "application/json"),
            ]) + &login()
                + &forever),
        );
    let draft = from_jmx(&plan(&below), "Desk plan").unwrap();
    let workload = load(&draft);
    assert_eq!(workload.name, "desk-plan");
    assert_eq!(
        branches(&workload),
        [("Check-in".into(), 43), ("Check-out".into(), 57)]
    );
    assert_eq!(
        steps(&workload),
        [
            ("Check-in".into(), vec!["GET items".into()]),
            ("Check-out".into(), vec!["POST check-out".into()]),
        ]
    );
    assert!(workload.login.is_some());
    assert_eq!((draft.requests, draft.taken), (3, 3));
    assert_eq!(draft.run.virtual_users, Some(8));
    assert_eq!(draft.run.ramp_up_seconds, Some(80));
    assert_eq!(draft.run.duration_seconds, Some(1800));
    assert_eq!(
        draft.run.feeders,
        [("available".into(), "data/available.csv".into())]
    );
    for expected in [
        "send = 'GET /inventory/items?query=barcode==\"${item}\"&limit=10'",
        "think = { uniform_ms = 2000 }",
        "\"id\":\"${uuid()}\"",
        "\"loanDate\":\"${time()}\"",
        "{ variable = \"user\", json = \"$.userId\" }",
        "Accept = \"application/json\"",
        "X-Okapi-Token = \"${okapi-token}\"",
        "expect = [{ status = 201 }]",
    ] {
        assert!(draft.toml.contains(expected), "{expected}\n{}", draft.toml);
    }
    assert!(
        !draft.toml.contains("*/*"),
        "the inner header manager says the value"
    );
    assert_eq!(notes_of(&draft.notes, "scripts").len(), 1);
    assert!(notes_of(&draft.notes, "test data")[0].contains("`unused`"));
    assert!(notes_of(&draft.notes, "pauses")[0].contains("is no number"));
    assert!(draft.run.command("x.toml").starts_with(
        "octavo workload run x.toml --virtual-users 8 --ramp-up 80s --duration 1800s --feeder"
    ));
}

#[test]
fn shares_in_per_cent_are_weights_and_what_is_left_is_another_branch() {
    let share = |per_cent: &str, below: &str| {
        let properties = "<intProp name=\"ThroughputController.style\">1</intProp>".to_owned()
            + "<FloatProperty><name>ThroughputController.percentThroughput</name><value>"
            + per_cent
            + "</value><savedValue>0.0</savedValue></FloatProperty>";
        element("ThroughputController", per_cent, &properties, below)
    };
    let below = share("30.0", &get("a", "/a")) + &share("50.0", &get("b", "/b")) + &get("c", "/c");
    let draft = from_jmx(&plan(&group("Users", "1", &below)), "shares").unwrap();
    let workload = load(&draft);
    let weights: Vec<u32> = branches(&workload).iter().map(|one| one.1).collect();
    assert_eq!(weights, [3, 5, 2]);
    assert_eq!(
        workload.branches[2].steps.len(),
        1,
        "only what follows the controllers"
    );
}

#[test]
fn modules_fragments_and_included_files_stand_where_they_are_called() {
    let fragment = "<TestFragmentController testname=\"Part\" enabled=\"false\"/>\n<hashTree>"
        .to_owned()
        + &get("from the fragment", "/users")
        + "</hashTree>";
    let module = "<ModuleController testname=\"M\" enabled=\"true\">\
        <collectionProp name=\"ModuleController.node_path\">\
        <stringProp name=\"1\">Test Plan</stringProp><stringProp name=\"2\">A plan</stringProp>\
        <stringProp name=\"3\">Part</stringProp></collectionProp></ModuleController><hashTree/>";
    let lost = module.replace("Part", "Nowhere");
    let include = element(
        "IncludeController",
        "I",
        &text("IncludeController.includepath", "common/part.jmx"),
        "",
    );
    let text = plan(&(fragment + &group("Users", "2", &(module.to_owned() + &lost + &include))));
    let included = plan(&get("from the file", "/groups"));
    let mut asked = Vec::new();
    let draft = from_jmx_with(&text, "modules", &mut |path| {
        asked.push(path.to_owned());
        Some(included.clone())
    })
    .unwrap();
    let workload = load(&draft);
    let labels: Vec<String> = steps(&workload).into_iter().flat_map(|one| one.1).collect();
    assert_eq!(labels, ["from the fragment", "from the file"]);
    assert_eq!(asked, ["common/part.jmx"]);
    assert!(notes_of(&draft.notes, "requests not taken")[0].contains("A plan/Nowhere"));
    let draft = from_jmx(&text, "modules").unwrap();
    let missing = notes_of(&draft.notes, "requests not taken");
    assert!(
        missing[1].contains("common/part.jmx was not read"),
        "{missing:?}"
    );
}

#[test]
fn what_is_disabled_is_counted_and_what_is_foreign_is_reported_with_its_line() {
    let off = "<HTTPSamplerProxy testname=\"off\" enabled=\"false\"/>\n<hashTree/>\n";
    let foreign = element("JDBCSampler", "SQL", "", "")
        + &element("com.example.StrangeThing", "Odd", "", "")
        + &element("ResultCollector", "Table", "", "");
    let below = group("Users", "1", &(get("on", "/users") + off + off + &foreign));
    let draft = from_jmx(&plan(&below), "odd").unwrap();
    load(&draft);
    assert_eq!(
        notes_of(&draft.notes, "disabled"),
        ["9: HTTPSamplerProxy: 2, the first here"]
    );
    assert_eq!(
        notes_of(&draft.notes, "requests not taken"),
        ["13: JDBCSampler `SQL`: not taken"]
    );
    assert_eq!(
        notes_of(&draft.notes, "elements"),
        ["15: StrangeThing `Odd`: not taken"]
    );
    assert_eq!((draft.requests, draft.taken), (3, 1));
}

#[test]
fn what_users_do_once_comes_first_only_if_later_requests_need_it() {
    let find = sampler(
        "find a location",
        "GET",
        "/locations",
        "",
        &extractor("location", "$.locations[*].id", ""),
    );
    let set_up = |below: &str| element("SetupThreadGroup", "Set-up", "", below);
    let used = get("use it", "/holdings?query=location==${location}");
    let text = plan(&(set_up(&find) + &group("Users", "1", &used)));
    let workload = load(&from_jmx(&text, "needed").unwrap());
    assert_eq!(branches(&workload), [("Users".into(), 1)]);
    assert_eq!(workload.branches[0].steps.len(), 2);
    assert!(!workload.transactions[0].summed);

    let text = plan(&(set_up(&find) + &group("Users", "1", &get("other", "/users"))));
    let workload = load(&from_jmx(&text, "aside").unwrap());
    assert_eq!(
        branches(&workload),
        [("Users".into(), 1), ("set-up".into(), 0)]
    );
}

#[test]
fn variables_that_scripts_copy_are_read_where_they_come_from_and_others_get_a_place() {
    let first = sampler(
        "a",
        "GET",
        "/a",
        "",
        &extractor("first_id", "$.items[*].id", "-1"),
    );
    let script = element(
        "JSR223PostProcessor",
        "Copy",
        &text("script", "vars.put(\"copied\", vars.get(\"first_id\"))"),
        "",
    );
    let used = get(
        "b",
        "/b/${copied}/${first_id_1}/${unknown}/${__groovy(1+1)}",
    );
    let text = plan(&group("Users", "1", &(first + &used + &script)));
    let draft = from_jmx(&text, "copies").unwrap();
    load(&draft);
    let line = "GET /b/${first_id}/${first_id}/${unknown}/${groovy_1}";
    assert!(draft.toml.contains(line), "{}", draft.toml);
    let unset = notes_of(&draft.notes, "variables that nothing sets");
    assert!(
        unset.iter().any(|one| one.contains("`unknown`")),
        "{unset:?}"
    );
    assert!(draft.toml.contains("unknown = \"\""));
}

#[test]
fn texts_that_would_break_the_format_are_written_so_that_it_holds() {
    let body = "it's '''odd''' \\ \"${\n\u{1}${a}\t%{x} ${(";
    let odd = sampler(
        "'&quot;\\&#10;",
        "POST",
        "/a b/${x y}?q=1 2&'\"=${__P(p,'\"\\)}",
        &raw(body),
        "",
    );
    let names = headers(&[
        ("Bad Name", "x"),
        ("Good", "a\nb"),
        ("Cookie", "x=1"),
        ("${n}", "v"),
    ]);
    let below = variables(&[("host", "h"), ("a", "''' \" \\")])
        + &data_set("f.csv", "host,username,x y", "false")
        + &group("[[&quot;]]", "1", &(names + &odd));
    let body = plan(&below).replace('\u{1}', "&#x1;");
    let draft = from_jmx(&body, "\"odd\"\n[name]").unwrap();
    let workload = load(&draft);
    assert_eq!(workload.name, "odd-name");
    assert!(!draft.toml.contains("Cookie"));
    assert_eq!(notes_of(&draft.notes, "headers").len(), 3);
}

#[test]
fn several_groups_share_by_their_threads() {
    let below = group("A", "30", &get("a", "/a")) + &group("B", "10", &get("b", "/b"));
    let draft = from_jmx(&plan(&below), "groups").unwrap();
    assert_eq!(branches(&load(&draft)), [("A".into(), 3), ("B".into(), 1)]);
    assert_eq!(draft.run.virtual_users, Some(40));
}

#[test]
fn tokens_in_a_plan_are_those_of_the_login() {
    let token = "eyJhbGciOiJI.eyJzdWIiOiJk.c2lnbmF0dXJl";
    let below = group(
        "Users",
        "1",
        &(headers(&[("X-Okapi-Token", token), ("X-Okapi-Tenant", "diku")]) + &get("a", "/a")),
    );
    let draft = from_jmx(&plan(&below), "token").unwrap();
    let workload = load(&draft);
    assert!(workload.login.is_some());
    assert!(!draft.toml.contains(token));
    assert!(draft.toml.contains("X-Okapi-Tenant = \"${tenant}\""));
    assert_eq!(notes_of(&draft.notes, "logins").len(), 2);
}

#[test]
fn loops_are_written_out_when_short() {
    let looped = |loops: &str| {
        let loops = text("LoopController.loops", loops);
        let body = element("LoopController", "L", &loops, &get("a", "/a"));
        let draft = from_jmx(&plan(&group("Users", "1", &body)), "loops").unwrap();
        let count = load(&draft).transactions[0].requests.len();
        (count, notes_of(&draft.notes, "controllers").len())
    };
    assert_eq!(looped("3"), (3, 0));
    assert_eq!(looped("${__P(N,2)}"), (2, 0));
    assert_eq!(looped("5000"), (1, 1));
    assert_eq!(looped("${unknown}"), (1, 1));
}

#[test]
fn plans_without_a_request_are_refused_with_what_to_do() {
    let refused = |below: &str| from_jmx(&plan(below), "none").unwrap_err();
    let refusal = refused(&group("Users", "1", "")).to_string();
    assert!(
        refusal.contains("the plan has no HTTP sampler"),
        "{refusal}"
    );
    let off = "<ThreadGroup testname=\"off\" enabled=\"false\"/><hashTree>".to_owned()
        + &get("a", "/a")
        + "</hashTree>";
    assert!(refused(&off).to_string().contains("enable one with JMeter"));
    let error = from_jmx("<jmeterTestPlan>\n<hashTree>", "cut").unwrap_err();
    assert!(
        matches!(error, DraftError::Malformed { line: 2, .. }),
        "{error}"
    );
}

#[test]
fn modules_that_call_each_other_end() {
    let module = |to: &str| {
        format!(
            "<ModuleController testname=\"to {to}\" enabled=\"true\">\
             <collectionProp name=\"ModuleController.node_path\">\
             <stringProp name=\"1\">Test Plan</stringProp><stringProp name=\"2\">A plan</stringProp>\
             <stringProp name=\"3\">{to}</stringProp></collectionProp></ModuleController><hashTree/>"
        )
    };
    let part = |name: &str, to: &str| {
        let twice = module(to) + &module(to) + &get("a", "/a");
        format!("<TestFragmentController testname=\"{name}\"/><hashTree>{twice}</hashTree>")
    };
    let below = part("A", "B") + &part("B", "A") + &group("Users", "1", &module("A"));
    let error = from_jmx(&plan(&below), "round").unwrap_err();
    assert!(matches!(error, DraftError::TooMany { .. }), "{error}");
}
