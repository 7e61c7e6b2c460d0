//! The list of routes in docs/compatibility: generated from the declarations, compared with those
//! of FOLIO's modules. `make compatibility` writes it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::PathBuf;

use octavo_platform::Module;

use octavo_server_testkit::library;

/// If set, the documents are written instead of compared.
const WRITE: &str = "OCTAVO_WRITE";

/// A method and a path.
type Place = (String, String);

/// A route of FOLIO's.
struct Theirs {
    module: String,
    interface: String,
    version: String,
    place: Place,
}

struct Facts {
    folio: Vec<Theirs>,
    /// Routes of FOLIO's that are not served, and the reasons.
    not_served: BTreeMap<Place, String>,
    /// Differences from FOLIO.
    differences: Vec<(Place, String)>,
}

fn file(name: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    root.join("docs/compatibility").join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The rows of a table below its header.
pub(crate) fn rows<const COLUMNS: usize>(name: &str) -> Vec<[String; COLUMNS]> {
    let text = read(name);
    let row = |line: &str| -> [String; COLUMNS] {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        cells
            .try_into()
            .unwrap_or_else(|cells: Vec<_>| panic!("{name}: {} cells: {line}", cells.len()))
    };
    text.lines().skip(1).map(row).collect()
}

fn facts() -> Facts {
    let folio = rows::<5>("folio-routes.tsv")
        .into_iter()
        .map(|[module, interface, version, method, path]| Theirs {
            module,
            interface,
            version,
            place: (method, path),
        })
        .collect();
    let not_served = rows::<3>("not-served.tsv")
        .into_iter()
        .map(|[method, path, reason]| ((method, path), reason))
        .collect();
    let differences = rows::<3>("differences.tsv")
        .into_iter()
        .map(|[method, path, sentence]| ((method, path), sentence))
        .collect();
    Facts {
        folio,
        not_served,
        differences,
    }
}

/// A route without the names of its parameters.
fn nameless((method, path): &Place) -> Place {
    let segment = |segment: &str| match segment.starts_with('{') {
        true => "{}".to_owned(),
        false => segment.to_owned(),
    };
    let segments: Vec<String> = path.split('/').map(segment).collect();
    (method.clone(), segments.join("/"))
}

fn declared(modules: &[Module]) -> BTreeSet<Place> {
    let routes = modules
        .iter()
        .flat_map(|module| &module.interfaces)
        .flat_map(|interface| &interface.routes);
    routes
        .map(|route| nameless(&(route.method.to_string(), route.pattern.to_owned())))
        .collect()
}

/// Facts that are wrong.
fn faults(facts: &Facts, declared: &BTreeSet<Place>) -> Vec<String> {
    let mut faults = Vec::new();
    let theirs: BTreeSet<Place> = facts.folio.iter().map(|one| nameless(&one.place)).collect();
    let reasons: BTreeSet<Place> = facts.not_served.keys().map(nameless).collect();
    for one in &facts.folio {
        let place = nameless(&one.place);
        if !declared.contains(&place) && !reasons.contains(&place) {
            let (method, path) = &one.place;
            faults.push(format!(
                "{method} {path} of {} is not served: serve it, or say in not-served.tsv why not",
                one.module
            ));
        }
    }
    for place in facts.not_served.keys() {
        let (method, path) = place;
        if !theirs.contains(&nameless(place)) {
            faults.push(format!("not-served.tsv: FOLIO has no {method} {path}"));
        }
        if declared.contains(&nameless(place)) {
            faults.push(format!(
                "not-served.tsv: {method} {path} is served; take the row out (make compatibility)"
            ));
        }
    }
    for (place, _) in &facts.differences {
        let (method, path) = place;
        if !declared.contains(&nameless(place)) {
            faults.push(format!(
                "differences.tsv: nothing is declared at {method} {path}"
            ));
        }
    }
    faults
}

const HEAD: &str = "\
# Routes

Every route that is served natively, by module and interface, beside those of FOLIO's modules where they
are listed in [folio-routes.tsv](folio-routes.tsv). What is other than in FOLIO stands below each module
([differences.tsv](differences.tsv)), and so does what is not served and why
([not-served.tsv](not-served.tsv)). How whole areas differ is told in
[compatibility.md](../compatibility.md).

Written by `make compatibility` from what the areas declare; do not edit it.

";

fn document(modules: &[Module], facts: &Facts) -> String {
    let declared = declared(modules);
    let mut text = HEAD.to_owned();
    text.push_str(
        "## FOLIO's routes\n\n| module | routes | served | not served |\n|---|--:|--:|--:|\n",
    );
    let mut listed: BTreeMap<&str, Vec<&Theirs>> = BTreeMap::new();
    for one in &facts.folio {
        listed.entry(&one.module).or_default().push(one);
    }
    for (module, routes) in &listed {
        let served = routes
            .iter()
            .filter(|one| declared.contains(&nameless(&one.place)))
            .count();
        let (all, rest) = (routes.len(), routes.len() - served);
        let _ = writeln!(text, "| {module} | {all} | {served} | {rest} |");
    }
    for module in modules {
        let theirs = listed.remove(module.name).unwrap_or_default();
        section(&mut text, &module.id(), Some(module), &theirs, facts);
    }
    for (module, theirs) in listed {
        section(&mut text, module, None, &theirs, facts);
    }
    text
}

fn section(
    text: &mut String,
    title: &str,
    module: Option<&Module>,
    theirs: &[&Theirs],
    facts: &Facts,
) {
    let _ = write!(text, "\n## {title}\n\n");
    let mut here = BTreeSet::new();
    match module {
        None => text.push_str("Not one of its routes is served.\n"),
        Some(module) => {
            text.push_str("| interface | path | methods |\n|---|---|---|\n");
            for interface in &module.interfaces {
                let mut paths: Vec<(&str, Vec<&str>)> = Vec::new();
                for route in &interface.routes {
                    let method = route.method.as_str();
                    here.insert(nameless(&(method.to_owned(), route.pattern.to_owned())));
                    match paths.iter_mut().find(|(path, _)| *path == route.pattern) {
                        Some((_, methods)) => methods.push(method),
                        None => paths.push((route.pattern, vec![method])),
                    }
                }
                for (path, methods) in paths {
                    let _ = writeln!(
                        text,
                        "| {} {} | `{path}` | {} |",
                        interface.id,
                        interface.version,
                        methods.join(" ")
                    );
                }
            }
        }
    }
    let differences: Vec<&(Place, String)> = facts
        .differences
        .iter()
        .filter(|(place, _)| here.contains(&nameless(place)))
        .collect();
    if !differences.is_empty() {
        text.push_str("\nOther than in FOLIO:\n\n");
        for ((method, path), sentence) in differences {
            let _ = writeln!(text, "- {method} `{path}`: {sentence}");
        }
    }
    let reasons: HashMap<Place, &str> = facts
        .not_served
        .iter()
        .map(|(place, reason)| (nameless(place), reason.as_str()))
        .collect();
    let mut not_served: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for one in theirs {
        if let Some(reason) = reasons.get(&nameless(&one.place)) {
            let (method, path) = &one.place;
            let of = match one.interface.as_str() {
                "-" => String::new(),
                interface => format!(" ({interface} {})", one.version),
            };
            let told = format!("{method} `{path}`{of}");
            not_served.entry(reason).or_default().push(told);
        }
    }
    if !not_served.is_empty() {
        text.push_str("\nNot served:\n\n");
        for (reason, routes) in not_served {
            let _ = writeln!(text, "- {reason}");
            for route in routes {
                let _ = writeln!(text, "  - {route}");
            }
        }
    }
}

/// Removes outdated reasons.
fn prune(facts: &mut Facts, declared: &BTreeSet<Place>) {
    facts
        .not_served
        .retain(|place, _| !declared.contains(&nameless(place)));
    let mut text = "method\tpath\treason\n".to_owned();
    let mut rows: Vec<(&Place, &String)> = facts.not_served.iter().collect();
    rows.sort_by_key(|((method, path), _)| (path, method));
    for ((method, path), reason) in rows {
        let _ = writeln!(text, "{method}\t{path}\t{reason}");
    }
    std::fs::write(file("not-served.tsv"), text).expect("not-served.tsv can be written");
}

#[tokio::test]
async fn the_compatibility_document_is_what_is_declared() {
    let library = library().await;
    let modules = &*library.platform.registry.modules;
    let declared = declared(modules);
    let mut facts = facts();
    let writes = std::env::var_os(WRITE).is_some();
    if writes {
        prune(&mut facts, &declared);
    }
    let faults = faults(&facts, &declared);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let document = document(modules, &facts);
    if writes {
        std::fs::write(file("routes.md"), &document).expect("routes.md can be written");
    }
    assert!(
        read("routes.md") == document,
        "docs/compatibility/routes.md is not what is declared; write it with `make compatibility`"
    );
}

#[test]
fn facts_that_are_not_so_are_found() {
    let place = |method: &str, path: &str| (method.to_owned(), path.to_owned());
    let theirs = |path: &str| Theirs {
        module: "mod-a".to_owned(),
        interface: "a".to_owned(),
        version: "1.0".to_owned(),
        place: place("GET", path),
    };
    let declared = BTreeSet::from([place("GET", "/a/{}")]);
    let mut facts = Facts {
        folio: vec![theirs("/a/{aId}"), theirs("/b")],
        not_served: BTreeMap::from([(place("GET", "/b"), "No b.".to_owned())]),
        differences: vec![(place("GET", "/a/{id}"), "Another.".to_owned())],
    };
    assert!(faults(&facts, &declared).is_empty());
    facts.folio.push(theirs("/c"));
    for path in ["/d", "/a/{id}"] {
        facts.not_served.insert(place("GET", path), String::new());
    }
    facts.differences.push((place("GET", "/e"), String::new()));
    let found = faults(&facts, &declared).join("\n");
    for part in [
        "GET /c of mod-a",
        "no GET /d",
        "/a/{id} is served",
        "at GET /e",
    ] {
        assert!(found.contains(part), "{part} in {found}");
    }
}
