//! The format's features for composition, repetition and generated data: what is rejected, and the
//! position in the message.

use octavo_driver::drive;
use octavo_driver::workload;

use crate::mini_folio::MiniFolio;
use crate::support::{TempFile, options};

const TEXT: &str = r#"format = 1
name = "w"
title = "W"
[[feeder]]
name = "made"
columns = ["id"]
starts_empty = true
[[feeder]]
name = "given"
columns = ["id"]
[[branch]]
name = "one"
draws = ["given"]
steps = ["T"]
[[transaction]]
name = "T"
[[transaction.request]]
label = "first"
send = "GET /first"
[[transaction.request]]
label = "second"
send = "POST /second"
body = '{}'
when = { variable = "id", is_not = "" }
set = { other = "${letters(3)}" }
fills = "made"
expect = [{ status = [200, 201] }, { header = "x-a", equals = "${id}" }]
extract = [{ variable = "c", cookie = "token" }, { variable = "d", json = "$", change = { "a.b" = "${other}" } }]
repeat = { until = { json = "$.x", one_of = ["a", "b"] }, requests = 2, every_ms = 10, at_most = 5 }
"#;

fn error(text: &str) -> String {
    workload::parse("w.toml", text).unwrap_err().to_string()
}

#[test]
fn the_text_itself_is_right() {
    workload::parse("w.toml", TEXT).unwrap();
}

#[test]
fn each_fault_is_reported_with_its_line_and_column() {
    let check = |from: &str, to: &str, expected: &str| {
        assert!(TEXT.contains(from), "{from}");
        let error = error(&TEXT.replacen(from, to, 1));
        assert!(error.starts_with("w.toml:"), "{error}");
        assert!(error.contains(expected), "{error} lacks {expected}");
    };
    check(
        "starts_empty = true",
        "starts_empty = true\n[feeder.tenant]\npath = '/x'\ncollection = 'xs'\ncolumns = { id = '$.id' }",
        "5:8: a feeder that starts empty has no [feeder.tenant]",
    );
    check(
        "body = '{}'",
        "body = '{}'\nbody_file = 'x'",
        "22:8: give one of `body`, `body_file`, `body_marc`",
    );
    check(
        "body = '{}'",
        "body_file = '/no/such'",
        "23:13: cannot read /no/such",
    );
    check(
        "body = '{}'",
        "body_marc = { records = 0, fields = ['245 10$aT'] }",
        "23:13: a body has 1 to 50000 records of 1 to 200 fields",
    );
    check(
        "body = '{}'",
        "body_marc = { records = 1, fields = ['245 10T'] }",
        "23:38: a field from 010 on has two indicators",
    );
    check(
        "body = '{}'",
        "body_marc = { records = 1, fields = ['24 x'] }",
        "a field begins with three digits",
    );
    check(
        "body = '{}'",
        "body_marc = { records = 1, feilds = [] }",
        "unknown field `feilds`",
    );
    check(
        "is_not = \"\" }",
        "is_not = \"\", is = \"x\" }",
        "24:8: give either `is` or `is_not`",
    );
    check(
        "variable = \"id\", is_not",
        "variable = \"nobody\", is_not",
        "nothing sets the variable `${nobody}`",
    );
    check(
        "${letters(3)}",
        "${letters(0)}",
        "25:17: `${letters(0)}` is no function",
    );
    check("${letters(3)}", "${raw(id)}", "is no function");
    check(
        "fills = \"made\"",
        "fills = \"given\"",
        "26:9: the feeder `given` needs starts_empty = true",
    );
    check(
        "fills = \"made\"",
        "fills = \"none\"",
        "26:9: there is no feeder `none`",
    );
    check("[200, 201]", "[]", "27:11: a status has three digits");
    check("[200, 201]", "\"200\"", "27:");
    check(
        "status = [200, 201]",
        "status = 99",
        "a status has three digits",
    );
    check(
        "equals = \"${id}\"",
        "equals = \"${uuid()}\"",
        "a function gives another value each time",
    );
    check(
        "equals = \"${id}\"",
        "equals = \"a\", is = \"absent\"",
        "give one of `is`, `equals`, `one_of`",
    );
    check(
        "{ header = \"x-a\", equals",
        "{ status = 200, equals",
        "need `json` or `header`",
    );
    check(
        "cookie = \"token\"",
        "cookie = \"token\", header = \"h\"",
        "give either `json`, `header` or `cookie`",
    );
    check(
        "json = \"$\", change",
        "header = \"h\", change",
        "`change` needs `json`",
    );
    check(
        "one_of = [\"a\", \"b\"]",
        "one_of = []",
        "`one_of` needs a text",
    );
    check(
        "requests = 2",
        "requests = 3",
        "29:10: `requests` counts this request and those before it",
    );
    check("requests = 2", "requests = 0", "29:10: `requests` counts");
    check(
        "at_most = 5",
        "at_most = 0",
        "29:10: `at_most` is 1 to 1000000 times",
    );
    check(
        "send = \"GET /first\"",
        "send = \"GET /first\"\nrepeat = { until = { json = '$.x' }, every_ms = 1, at_most = 2 }",
        "a request that is repeated is among those that are repeated",
    );
    check(
        "steps = [\"T\"]",
        "steps = [\"T\"]\nsetup = [\"U\"]",
        "15:10: there is no transaction `U`",
    );
    check(
        "steps = [\"T\"]",
        "steps = [\"T\"]\ngroup = \"g\"",
        "15:9: there is no group `g`",
    );
    check(
        "name = \"one\"",
        "name = \"one\"\nsteps = [\"T\"]\n[[branch]]\nname = \"one\"",
        "15:8: a second branch `one`",
    );
    check("[[branch]]", "[[bransh]]", "unknown field `bransh`");
}

#[test]
fn groups_that_make_no_sense_are_refused() {
    let group = |keys: &str| {
        let text = TEXT.replacen(
            "[[branch]]\n",
            &format!("[[group]]\nname = \"g\"\n{keys}\n[[branch]]\ngroup = \"g\"\n"),
            1,
        );
        workload::parse("w.toml", &text).map_err(|error| error.to_string())
    };
    assert!(group("virtual_users = 2\nper_minute = 0.5").is_ok());
    let check = |keys: &str, expected: &str| {
        let error = group(keys).unwrap_err();
        assert!(
            error.starts_with("w.toml:") && error.contains(expected),
            "{error}"
        );
    };
    check(
        "virtual_users = 0",
        "13:17: a group has 1 virtual user or more",
    );
    check(
        "virtual_users = 200000",
        "13:17: a group has 1 virtual user or more, and all together 100000",
    );
    check(
        "virtual_users = 1\nper_minute = 0",
        "14:14: a rate is more than 0",
    );
    check(
        "virtual_users = 1\nper_minute = nan",
        "14:14: a rate is more than 0",
    );
    check(
        "virtual_users = 1\nper_minute = 1\nrequests_per_minute = 2",
        "15:23: give either",
    );
    check("per_minute = 1", "missing field `virtual_users`");
    check(
        "virtual_users = 1\n[[group]]\nname = \"g\"\nvirtual_users = 1",
        "15:8: a second group `g`",
    );
    check(
        "virtual_users = 1\n[[group]]\nname = \"idle\"\nvirtual_users = 1",
        "15:8: the group `idle` needs a branch",
    );
    let text = TEXT.replacen(
        "[[branch]]\n",
        "[[group]]\nname = \"g\"\nvirtual_users = 1\n[[branch]]\n",
        1,
    );
    assert!(
        error(&text).contains("15:8: the branch `one` needs a `group`"),
        "{}",
        error(&text)
    );
}

/// A file that includes another one, whose name replaces `{inner}`.
fn including(inner: &str, lines: &str) -> TempFile {
    let file = TempFile::new_toml(inner);
    let name = file.path().file_name().unwrap().to_str().unwrap();
    TempFile::new_toml(&format!(
        "format = 1\nname = \"outer\"\ntitle = \"Outer\"\n{}",
        lines.replace("{inner}", name)
    ))
    .with(file)
}

fn load(file: &TempFile) -> Result<workload::Workload, String> {
    workload::load(file.path().to_str().unwrap()).map_err(|error| error.to_string())
}

#[test]
fn branches_of_other_files_are_taken_with_what_they_need() {
    let outer = including(
        TEXT,
        "[[include]]\nworkload = \"{inner}\"\nbranches = [{ name = \"one\", as = \"uno\", weight = 7 }]\n",
    );
    let workload = load(&outer).unwrap();
    let branch = &workload.branches[0];
    assert_eq!((branch.name.as_str(), branch.weight), ("uno", 7));
    let feeders: Vec<_> = workload
        .feeders
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(feeders, ["w/made", "w/given"]);
    // A built-in workload takes precedence over a file of the same name; this one is a file.
    let text = format!(
        "[[include]]\nworkload = \"{{inner}}\"\n{}",
        "[[include]]\nworkload = \"get-items\"\n"
    );
    let workload = load(&including(TEXT, &text)).unwrap();
    let names: Vec<_> = workload
        .branches
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["one", "business", "storage"]);
    assert!(
        workload.login.is_some(),
        "the first login of an included workload is taken"
    );
}

#[test]
fn faults_of_includes_are_reported_where_they_stand() {
    let check = |inner: &str, lines: &str, expected: &[&str]| {
        let outer = including(inner, lines);
        let error = load(&outer).unwrap_err();
        for text in expected {
            let text = text
                .replace("{outer}", outer.path().to_str().unwrap())
                .replace("{inner}", outer.inner().path().to_str().unwrap());
            assert!(error.contains(&text), "{error} lacks {text}");
        }
    };
    let include = "[[include]]\nworkload = \"{inner}\"\n";
    check(
        &TEXT.replace("GET /first", "FETCH /first"),
        include,
        &["{inner}:19:8: `FETCH` is none of"],
    );
    check(
        &TEXT.replace("GET /first", "GET /${nobody}"),
        include,
        &["{inner}:19:14: nothing sets the variable `${nobody}`"],
    );
    check("format = ", include, &["{inner}:1:"]);
    check(
        &TEXT.replace("format = 1", "format = 2"),
        include,
        &["{inner}:1:10: this program reads format 1 only"],
    );
    let twice = format!("{include}{include}");
    check(TEXT, &twice, &["{outer}:7:12: ", "is included twice"]);
    check(
        TEXT,
        "[[include]]\nworkload = \"no-such\"\n",
        &["{outer}:5:12: there is no workload `no-such`; built in are check-in"],
    );
    check(
        TEXT,
        "[[include]]\nworkload = \"no-such.toml\"\n",
        &["{outer}:5:12: cannot read", "no-such.toml"],
    );
    check(
        TEXT,
        &format!("{include}branches = [{{ name = \"two\" }}]\n"),
        &["{outer}:6:22: there is no branch `two`; there are one"],
    );
    check(
        TEXT,
        &format!("{include}group = \"g\"\n"),
        &["{outer}:6:9: there is no group `g`"],
    );
    check(
        TEXT,
        "",
        &["{outer}:1:1: a workload needs a [[branch]] or an [[include]]"],
    );
    let own = "[[branch]]\nname = \"one\"\nsteps = [\"T\"]\n[[transaction]]\nname = \"T\"\nrequest = [{ label = \"x\", send = \"GET /x\" }]\n";
    check(
        TEXT,
        &format!("{include}{own}"),
        &["{outer}:5:12: a second branch `one`; an included one gets another name with `as`"],
    );
    check(
        TEXT,
        &format!("{include}weight = 1\n"),
        &["unknown field `weight`"],
    );
}

#[test]
fn includes_that_go_in_a_circle_or_too_deep_are_refused() {
    let own = TempFile::new_toml("");
    let name = own.path().file_name().unwrap().to_str().unwrap();
    let text =
        format!("format = 1\nname = \"c\"\ntitle = \"C\"\n[[include]]\nworkload = \"{name}\"\n");
    std::fs::write(own.path(), &text).unwrap();
    let error = load(&own).unwrap_err();
    assert!(
        error.contains(":5:12: this include goes in a circle"),
        "{error}"
    );
    let mut file = TempFile::new_toml(TEXT);
    for depth in 0..12 {
        let name = file
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let text = format!(
            "format = 1\nname = \"d{depth}\"\ntitle = \"D\"\n[[include]]\nworkload = \"{name}\"\n"
        );
        file = TempFile::new_toml(&text).with(file);
        let loaded = load(&file);
        match depth {
            0..8 => assert!(loaded.is_ok(), "{depth}: {loaded:?}"),
            _ => assert!(loaded.unwrap_err().contains("too many includes"), "{depth}"),
        }
    }
}

#[test]
fn single_branches_can_be_chosen() {
    let only = |names: &[&str]| {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        workload::load_branches("check-in-check-out", &names)
    };
    let check_in = only(&["check-in"]).unwrap();
    assert_eq!(
        (check_in.branches.len(), check_in.transactions.len()),
        (1, 1)
    );
    // The row moves into the other branch's feeder, which is therefore kept.
    assert_eq!(check_in.feeders.len(), 3);
    let error = only(&["check-in", "renew"]).unwrap_err().to_string();
    assert_eq!(
        error,
        "check-in-check-out has no branch `renew`; it has check-in, check-out"
    );
}

#[test]
fn a_file_is_sent_as_it_is() {
    let bytes = TempFile::new("not JSON: \"\u{1}\n");
    let name = bytes.path().file_name().unwrap().to_str().unwrap();
    let text = TEXT.replace("body = '{}'", &format!("body_file = '{name}'"));
    let text = text
        .replace("draws = [\"given\"]", "")
        .replace("[[feeder]]\nname = \"given\"\ncolumns = [\"id\"]\n", "");
    let text = text.replace(
        "fills = \"made\"",
        "headers = { X-Okapi-Token = \"token-1\" }",
    );
    let text = text.replace(
        "expect = [{ status = [200, 201] }, { header = \"x-a\", equals = \"${id}\" }]",
        "",
    );
    let text = text.replace(
        "label = \"first\"",
        "label = \"first\"\nheaders = { X-Okapi-Token = \"token-1\" }",
    );
    let text = text.replace(
        "json = \"$.x\", one_of = [\"a\", \"b\"]",
        "json = \"$.id\", equals = \"x\"",
    );
    let file = TempFile::new_toml(&text);
    let folio = MiniFolio::start(0, 0);
    let workload = load(&file).unwrap();
    let summary = drive::run(options(&folio.url, workload, 1)).unwrap();
    assert_eq!(summary.totals.errors, 0, "{:#?}", summary.failures);
    let state = folio.state.lock().unwrap();
    let sent = state
        .seen
        .iter()
        .find(|one| one.raw_target == "/second")
        .unwrap();
    assert_eq!(sent.body, "not JSON: \"\u{1}\n");
}

#[test]
fn the_fragments_of_the_readme_are_right() {
    let readme = include_str!("../../../../workloads/README.md");
    let fragments = readme.split("```toml\n").skip(2);
    let fragments: Vec<_> = fragments
        .filter_map(|rest| Some(rest.split_once("```")?.0))
        .collect();
    assert_eq!(fragments.len(), 6);
    let begin = "format = 1\nname = \"w\"\ntitle = \"W\"\n";
    let feeder = |name: &str, column: &str| {
        format!("[[feeder]]\nname = \"{name}\"\ncolumns = [\"{column}\"]\n")
    };
    let transaction = |name: &str| {
        format!(
            "[[transaction]]\nname = \"{name}\"\nrequest = [{{ label = \"r\", send = \"GET /\" }}]\n"
        )
    };
    let branch = "[[branch]]\nname = \"b\"\ndraws = [\"f\", \"g\"]\nsteps = [\"T\"]\n[[transaction]]\nname = \"T\"\n";
    for fragment in fragments {
        let mut text = begin.to_owned();
        if fragment.starts_with("[[include]]") {
            text += "[[group]]\nname = \"desk\"\nvirtual_users = 1\n";
            // This author's own file and group.
            text += &fragment.replace("\"our-searches.toml\"", "\"get-items\"\ngroup = \"desk\"");
        } else if fragment.starts_with("[[branch]]") {
            text += &(feeder("vendors", "v") + &feeder("instances", "i") + fragment);
            text += &["Prepare an order", "CRUD", "Delete the order"]
                .map(transaction)
                .concat();
        } else if fragment.starts_with("[[group]]") {
            text += &(fragment.to_owned() + &transaction("Check-In Controller"));
        } else {
            text += &(feeder("f", "id") + &feeder("g", "job") + branch);
            if fragment.starts_with("body_marc") {
                text += "[[transaction.request]]\nlabel = \"r\"\nsend = \"POST /\"\n";
            }
            text += fragment;
        }
        let parsed = workload::parse("w.toml", &text);
        assert!(parsed.is_ok(), "{}\n{fragment}", parsed.unwrap_err());
    }
}
