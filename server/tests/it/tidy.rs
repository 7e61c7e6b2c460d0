//! Rules for the sources: heads of files, SQL, headers, and the dependencies between crates. Each
//! failure names the remedy.

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a source file.
const LINES_MAX: usize = 600;

/// With the blank, so that names of events do not match.
const SQL: [&str; 4] = ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM "];

/// Where statements stand: generic ones in the rooms below, an area's own in its store, and what
/// the program itself and its probes ask the database.
const SQL_ROOMS: [&str; 9] = [
    "foundation/custom-fields/src/store/",
    "foundation/postgres/",
    "foundation/records/",
    "foundation/jobs/",
    "foundation/library/",
    "workbench/probes/src/postgres/",
    "server/host/src/",
    "server/relay/src/store/",
    "server/src/command/",
];

/// Where Okapi's headers may be named.
const HEADER_ROOMS: [&str; 6] = [
    "foundation/platform/",
    "workbench/driver/",
    "workbench/drafts/",
    "workbench/probes/",
    "foundation/testkit/",
    // Messages have them, as FOLIO's.
    "server/relay/",
];

/// One names a parameter in a refusal, another is part of commands printed for the operator, and a
/// benchmark is a client.
const HEADER_EXCEPTIONS: [&str; 3] = [
    "areas/circulation/src/refusal/error.rs",
    "server/host/src/command/serve.rs",
    "server/host/examples/gateway_cost.rs",
];

/// Areas from left to right.
const AREAS: [&str; 26] = [
    "users",
    "permissions",
    "configuration",
    "login",
    "notes",
    "inventory",
    "source-records",
    "authorities",
    "import-profiles",
    "cataloging",
    "data-import",
    "data-export",
    "search",
    "calendar",
    "fees",
    "notices",
    "circulation",
    "organizations",
    "finance",
    "orders",
    "invoices",
    "user-import",
    "users-bl",
    "remote-storage",
    "pubsub",
    "audit",
];

/// What every area may build on.
const BELOW_AREAS: [&str; 11] = [
    "boxed",
    "cql",
    "postgres",
    "records",
    "library",
    "jobs",
    "platform",
    "custom-fields",
    "edifact",
    "marc",
    "mapping",
];

#[test]
fn every_file_says_what_it_is_for() {
    let silent = offenders(|source| {
        let head = source.text.lines().next().unwrap_or_default();
        let has_head = head.starts_with("//! ") || head.starts_with("#![doc = include_str!");
        (!has_head).then(String::new)
    });
    assert_none(
        &silent,
        "begin the file with one to five lines `//! …`: what it is for",
    );
}

#[test]
fn no_file_is_too_long() {
    let long = offenders(|source| {
        let lines = source.text.lines().count();
        (lines > LINES_MAX).then(|| format!("{lines} lines"))
    });
    assert_none(
        &long,
        "split the file by what its parts are for; 600 lines are the most",
    );
}

#[test]
fn sql_stands_in_stores() {
    let strays = offenders(|source| {
        let allowed = source.is_test()
            || SQL_ROOMS.iter().any(|room| source.path.starts_with(room))
            || source.is_store();
        source.find(allowed, |line| SQL.iter().any(|word| line.contains(word)))
    });
    assert_none(
        &strays,
        "move the statement to the area's store as a function with a name; what every area needs \
         belongs into foundation/records",
    );
}

#[test]
fn stores_do_not_know_operations() {
    let strays = offenders(|source| {
        let outside = !source.path.starts_with("areas/") || !source.is_store();
        source.find(outside || source.is_test(), |line| {
            line.contains("crate::app")
        })
    });
    assert_none(
        &strays,
        "operations use stores, and not the other way around: move the type or function to where both may use it, \
         such as the area's rules/",
    );
}

#[test]
fn rows_are_read_by_name() {
    let strays = offenders(|source| source.find(source.is_test(), reads_by_position));
    assert_none(
        &strays,
        "give the column a name in the statement, and read it by that: whoever puts a column between others then \
         breaks nothing",
    );
}

/// Whether a column of a row is read by position: `row.get(0)`, `rows[0].get::<_, Uuid>(1)`.
fn reads_by_position(line: &str) -> bool {
    line.match_indices("get").any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + 3..]);
        // Only rows have a `get` with two type parameters.
        let of_row = after.starts_with("::<_, ")
            || ["row.", "].", "?."]
                .iter()
                .any(|end| before.trim_end_matches("try_").ends_with(end));
        let argument = match after.strip_prefix('(') {
            None => after.split_once(">(").map_or("", |(_, argument)| argument),
            Some(argument) => argument,
        };
        let number = argument.split(')').next().unwrap_or_default();
        of_row && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[test]
fn only_the_platform_names_okapis_headers() {
    let strays = offenders(|source| {
        let allowed = source.is_test()
            || HEADER_ROOMS
                .iter()
                .any(|room| source.path.starts_with(room))
            || HEADER_EXCEPTIONS.contains(&source.path.as_str());
        source.find(allowed, |line| line.to_lowercase().contains("x-okapi"))
    });
    assert_none(
        &strays,
        "take it from `Call`: tenant, user and token are read once, in foundation/platform",
    );
}

#[test]
fn only_handlers_know_status_codes() {
    let strays = offenders(|source| {
        let inside = source.path.starts_with("areas/")
            || source.path.starts_with("foundation/records/")
            || source.path.starts_with("foundation/postgres/");
        let allowed = !inside || source.is_test() || source.path.contains("/src/http/");
        source.find(allowed, |line| line.contains("StatusCode"))
    });
    assert_none(
        &strays,
        "give an error or a refusal that says what is wrong, and choose its status in the area's \
         http/",
    );
}

#[test]
fn no_room_knows_one_to_its_right() {
    let mut wrong = Vec::new();
    for manifest in manifests() {
        let (room, known) = dependencies(&manifest);
        let Some(allowed) = may_know(&room) else {
            wrong.push(format!("{room}: say in may_know what it may build on"));
            continue;
        };
        let strange = known.iter().filter(|one| !allowed.contains(&one.as_str()));
        wrong.extend(strange.map(|one| format!("{room} depends on {one}")));
    }
    assert_none(
        &wrong,
        "a room knows only what lies to its left (ARCHITECTURE.md, The rooms): move what both need \
         to the left, or hand it in as a function or trait from the right",
    );
}

/// The crates that a crate may depend on; `None` for an unknown crate.
fn may_know(room: &str) -> Option<Vec<&'static str>> {
    if let Some(at) = AREAS.iter().position(|area| *area == room) {
        return Some([&BELOW_AREAS[..], &AREAS[..at]].concat());
    }
    Some(match room {
        "boxed" | "cql" | "trace" | "marc" | "edifact" | "client" | "figures" | "drafts" => {
            Vec::new()
        }
        "postgres" => vec!["boxed", "trace"],
        "report" => vec!["figures"],
        "probes" => vec!["client", "figures"],
        "driver" => vec!["client", "figures", "report", "probes", "drafts"],
        "mapping" => vec!["marc"],
        "demo" => vec!["marc"],
        "records" => vec!["boxed", "cql", "trace", "postgres"],
        "library" => vec!["records"],
        "jobs" => vec!["boxed", "postgres", "records"],
        "platform" => vec!["boxed", "trace", "postgres", "records", "jobs"],
        "custom-fields" => vec!["boxed", "postgres", "records", "library", "platform"],
        "server-testkit" => [&BELOW_AREAS[..], &AREAS[..], &["trace", "host", "testkit"]].concat(),
        "testkit" => vec!["postgres", "records", "platform", "example-remote-module"],
        // Neither the server nor a test of an area has to wait for the workbench to compile.
        "host" => [
            &BELOW_AREAS[..],
            &AREAS[..],
            &["trace", "demo", "relay", "staff"],
        ]
        .concat(),
        "staff" => vec!["platform"],
        "relay" => vec!["boxed", "platform", "postgres", "records"],
        "server" => vec!["platform", "trace", "host", "client", "driver"],
        _ => return None,
    })
}

#[test]
fn every_folder_of_rooms_says_what_belongs_there() {
    for folder in ["foundation", "areas", "workbench", "server"] {
        let readme = root().join(folder).join("README.md");
        let text = fs::read_to_string(&readme)
            .unwrap_or_else(|error| panic!("{}: {error}", readme.display()));
        for asked in ["What belongs here", "What never does", "Where to start"] {
            assert!(text.contains(asked), "{folder}/README.md: {asked}?");
        }
    }
}

/// The name of a crate and its dependencies in `Cargo.toml`. Dev-dependencies are not restricted.
fn dependencies(manifest: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(manifest).expect("a manifest can be read");
    let ours = |line: &str| {
        let name = line.strip_prefix("octavo-")?;
        let end = name.find(['.', ' ', '='])?;
        Some(name[..end].to_owned())
    };
    let named = text
        .lines()
        .find_map(|line| line.strip_prefix("name = \"octavo-"));
    let room = named.expect("a package is named octavo-…");
    let room = room.trim_end_matches('"').to_owned();
    let built_on = text.lines().skip_while(|line| *line != "[dependencies]");
    let built_on = built_on.skip(1).take_while(|line| !line.starts_with('['));
    (room, built_on.filter_map(ours).collect())
}

struct Source {
    /// From the root of the workspace, with `/`.
    path: String,
    text: String,
}

impl Source {
    fn is_test(&self) -> bool {
        self.path.contains("/tests/")
            || self.path.ends_with("/tests.rs")
            || self.path.starts_with("foundation/testkit/")
    }

    fn is_store(&self) -> bool {
        (self.path.starts_with("areas/") || self.path.starts_with("foundation/platform/"))
            && (self.path.contains("/src/store/") || self.path.ends_with("/store.rs"))
    }

    /// The first line of code in which `stands` matches, apart from comments and the tests at the
    /// end.
    fn find(&self, allowed: bool, stands: impl Fn(&str) -> bool) -> Option<String> {
        if allowed {
            return None;
        }
        let code = self.text.lines().enumerate();
        let mut code = code.take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
        code.find(|(_, line)| !line.trim_start().starts_with("//") && stands(line))
            .map(|(at, line)| format!("line {}: {}", at + 1, line.trim()))
    }
}

/// The offending files, each with its violation.
fn offenders(wrong: impl Fn(&Source) -> Option<String>) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = 0;
    for path in files(&|path| path.extension().is_some_and(|end| end == "rs")) {
        seen += 1;
        let source = Source {
            text: fs::read_to_string(&path).expect("a source can be read"),
            path: shown(&path),
        };
        found.extend(wrong(&source).map(|what| format!("{} {what}", source.path)));
    }
    assert!(seen > 100, "the sources are not where they were: {seen}");
    found
}

fn manifests() -> Vec<PathBuf> {
    let manifests = files(&|path| path.ends_with("Cargo.toml"));
    assert!(manifests.len() > AREAS.len(), "{manifests:?}");
    manifests
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub(crate) fn shown(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

/// The matching files of all crates, in order.
pub(crate) fn files(wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut folders = ["foundation", "areas", "workbench", "server"]
        .map(|folder| root().join(folder))
        .to_vec();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if wanted(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn assert_none(wrong: &[String], mend: &str) {
    assert!(wrong.is_empty(), "{}\n\n{mend}\n", wrong.join("\n"));
}
