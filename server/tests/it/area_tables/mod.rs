//! The tables of other areas that an area reads and writes are declared ([`Module::reads`],
//! [`Module::writes`]), and no others are used: compared with the sources, and listed in
//! `docs/tables.md`.

mod mentions;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use octavo_platform::Module;

use crate::declarations::areas;
use crate::tidy::{files, root, shown};
use mentions::Mention;

const DOCUMENT: &str = "docs/tables.md";

/// Columns of an area's own that have the name of another area's table.
const COLUMNS: [(&str, &str); 4] = [
    ("authorities", "base_url"),
    ("data-import", "po_line"),
    ("search", "call_number_type"),
    ("search", "instance_type"),
];

struct Area {
    name: &'static str,
    own: BTreeSet<String>,
    reads: BTreeSet<&'static str>,
    writes: BTreeSet<&'static str>,
}

impl Area {
    fn declares(&self, one: &Mention) -> bool {
        let table = one.table.as_str();
        self.writes.contains(table) || (!one.writes && self.reads.contains(table))
    }
}

/// All areas with their own tables and their declarations about others'.
fn all() -> Vec<Area> {
    let area = |(name, modules): (&'static str, Vec<Module>)| Area {
        name,
        own: modules.iter().flat_map(own).collect(),
        reads: modules.iter().flat_map(|one| one.reads.clone()).collect(),
        writes: modules.iter().flat_map(|one| one.writes.clone()).collect(),
    };
    let mut areas = areas();
    for (name, modules) in &mut areas {
        // Its record types belong to a module that data-import completes.
        if *name == "cataloging" {
            modules.push(octavo_cataloging::routes::mapping_module());
        }
        // And the log to one that audit completes.
        if *name == "circulation" {
            modules.push(octavo_circulation::routes::circulation_log());
        }
    }
    areas.into_iter().map(area).collect()
}

/// The tables of a module: its collections', and those that its migrations create.
fn own(module: &Module) -> Vec<String> {
    let collections = module.collections.iter().map(|one| one.table.clone());
    let made = module.migrations.iter().flat_map(|(_, sql)| {
        let parts = sql.split("CREATE ").skip(1).filter_map(|rest| {
            let kinds = ["UNLOGGED TABLE ", "TABLE "];
            let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
            let rest = rest.strip_prefix("IF NOT EXISTS ").unwrap_or(rest);
            let name = rest.strip_prefix("{schema}.")?;
            let end = name.find(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric());
            Some(name[..end?].to_owned())
        });
        parts.collect::<Vec<_>>()
    });
    collections.chain(made).collect()
}

#[test]
fn what_an_area_does_with_tables_of_others_is_declared() {
    let all = all();
    let mut faults = Vec::new();
    for area in &all {
        let others = all.iter().filter(|other| other.name != area.name);
        let foreign: BTreeSet<String> = others.flat_map(|other| other.own.clone()).collect();
        let foreign: BTreeSet<String> = foreign.difference(&area.own).cloned().collect();
        let mut undeclared: BTreeMap<(String, bool), String> = BTreeMap::new();
        let mut named = BTreeSet::new();
        for (place, one) in mentions(area, &foreign) {
            named.insert(one.table.clone());
            if !area.declares(&one) && !COLUMNS.contains(&(area.name, one.table.as_str())) {
                let place = format!("{place}:{}", one.line);
                undeclared.entry((one.table, one.writes)).or_insert(place);
            }
        }
        for ((table, writes), place) in undeclared {
            let act = if writes { "writes" } else { "reads" };
            faults.push(format!(
                "{} {act} {table} ({place}) and does not declare it",
                area.name
            ));
        }
        for table in area.reads.union(&area.writes) {
            if !foreign.contains(*table) {
                faults.push(format!("{} declares {table}, no other's table", area.name));
            } else if !named.contains(*table) && !is_named(area, table) {
                faults.push(format!("{} declares {table}, named nowhere", area.name));
            }
        }
        for table in area.reads.intersection(&area.writes) {
            faults.push(format!(
                "{} declares {table} twice: who writes may read",
                area.name
            ));
        }
    }
    assert!(
        faults.is_empty(),
        "{}\n\nsay so in the area's Module, by `.reads(\"…\")` or `.writes(\"…\")`, or leave it to the other area: a \
         function of its own that reads or writes for you\n",
        faults.join("\n")
    );
}

/// The sources of an area, without its tests.
fn sources(area: &Area) -> Vec<PathBuf> {
    let folder = root().join("areas").join(area.name).join("src");
    let wanted = |path: &std::path::Path| {
        let name = shown(path);
        let ends = name.ends_with(".rs") || name.ends_with(".sql");
        path.starts_with(&folder)
            && ends
            && !name.ends_with("/tests.rs")
            && !name.contains("/tests/")
    };
    files(&wanted)
}

fn mentions(area: &Area, foreign: &BTreeSet<String>) -> Vec<(String, Mention)> {
    let mut found = Vec::new();
    for path in sources(area) {
        let text = fs::read_to_string(&path).expect("a source can be read");
        let of = match shown(&path).ends_with(".sql") {
            true => mentions::of_sql(&text, foreign),
            false => mentions::of_rust(&text, foreign),
        };
        found.extend(of.into_iter().map(|one| (shown(&path), one)));
    }
    found
}

/// Whether the sources name a table at all.
fn is_named(area: &Area, table: &str) -> bool {
    let forms = [format!("\"{table}\""), format!("}}.{table}")];
    sources(area).iter().any(|path| {
        let text = fs::read_to_string(path).expect("a source can be read");
        let declares = |line: &&str| line.contains(".reads(") || line.contains(".writes(");
        let mut lines = text.lines().filter(|line| !declares(line));
        lines.any(|line| forms.iter().any(|form| line.contains(form)))
    })
}

#[test]
fn the_document_of_tables_is_what_is_declared() {
    let document = document(&all());
    let path = root().join(DOCUMENT);
    if std::env::var_os("OCTAVO_WRITE").is_some() {
        fs::write(&path, &document).expect("the document can be written");
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == document,
        "{DOCUMENT} differs from the declarations; generate it with `make compatibility`"
    );
}

/// Each table that another area reads or writes, by its own area.
fn document(all: &[Area]) -> String {
    let mut text = String::from(
        "# Tables that areas share\n\n\
         Generated by `make compatibility` from the declarations of the modules (`reads`, `writes` in\n\
         `foundation/platform/src/declaration/module.rs`). A test compares the declarations with the statements.\n\
         `writes` includes reading. Calls of functions of another area are not listed: `Cargo.toml` has these\n\
         dependencies.\n\n\
         | area | table | read by | written by |\n|---|---|---|---|\n",
    );
    let mut seen = BTreeSet::new();
    for owner in all {
        for table in owner.own.iter().filter(|table| seen.insert(*table)) {
            let who = |of: fn(&Area) -> &BTreeSet<&'static str>| {
                let who = all.iter().filter(|area| of(area).contains(table.as_str()));
                who.map(|area| area.name).collect::<Vec<_>>().join(", ")
            };
            let (readers, writers) = (who(|area| &area.reads), who(|area| &area.writes));
            if !(readers.is_empty() && writers.is_empty()) {
                let owner = owner.name;
                text.push_str(&format!(
                    "| {owner} | `{table}` | {readers} | {writers} |\n"
                ));
            }
        }
    }
    text
}
