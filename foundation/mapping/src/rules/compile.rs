//! Compiles rules from JSON. All errors are collected, each with its path.

use octavo_marc::Tag;
use serde_json::{Map, Value};

use super::entries::{control_row, of_tag};
use super::extended::Extended;
use super::{RuleProblem, Rules};
use crate::RecordKind;
use crate::properties::{Property, properties};

/// The most tags in rules.
const TAGS_MAX: usize = 1_000;

/// The most entries and rows in all rules together.
const ROWS_MAX: usize = 20_000;

/// The most functions that match a pattern: compiled patterns take memory.
const PATTERNS_MAX: usize = 20;

/// The most errors that are reported.
const PROBLEMS_MAX: usize = 100;

/// The key of the leader among the tags.
const LEADER: &str = "LDR";

/// The state of a compilation.
pub(super) struct Compiling {
    pub properties: &'static [Property],
    problems: Vec<RuleProblem>,
    rows: usize,
    patterns: usize,
}

impl Compiling {
    /// Reports an error.
    pub fn problem(&mut self, path: &str, problem: impl Into<String>) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(RuleProblem {
                path: path.to_owned(),
                problem: problem.into(),
            });
        }
    }

    /// Counts a function that matches a pattern; false when there are too many.
    pub fn counts_pattern(&mut self, path: &str) -> bool {
        self.patterns += 1;
        if self.patterns == PATTERNS_MAX + 1 {
            let problem = format!("rules go by values' beginnings at most {PATTERNS_MAX} times");
            self.problem(path, problem);
        }
        self.patterns <= PATTERNS_MAX
    }

    /// Counts a row; false when there are too many.
    pub fn counts(&mut self, path: &str) -> bool {
        self.rows += 1;
        if self.rows == ROWS_MAX + 1 {
            self.problem(path, format!("rules have at most {ROWS_MAX} targets"));
        }
        self.rows <= ROWS_MAX
    }
}

pub(super) fn compile(
    kind: RecordKind,
    extended: bool,
    rules: &Value,
) -> Result<Rules, Vec<RuleProblem>> {
    let mut compiling = Compiling {
        properties: properties(kind, extended),
        problems: Vec::new(),
        rows: 0,
        patterns: 0,
    };
    let mut compiled = Rules {
        kind,
        properties: compiling.properties,
        leader: Vec::new(),
        control: Default::default(),
        data: Default::default(),
    };
    match rules.as_object() {
        None => compiling.problem("", "an object with rules by tag is expected"),
        Some(rules) if rules.len() > TAGS_MAX => {
            compiling.problem("", format!("rules are for at most {TAGS_MAX} tags"));
        }
        Some(rules) => {
            for (name, entries) in rules {
                tag(&mut compiling, &mut compiled, extended, name, entries);
            }
        }
    }
    if compiling.problems.is_empty() {
        Ok(compiled)
    } else {
        Err(compiling.problems)
    }
}

fn tag(
    compiling: &mut Compiling,
    compiled: &mut Rules,
    extended: bool,
    name: &str,
    entries: &Value,
) {
    let tag = Tag::new(name);
    if tag.is_none() {
        compiling.problem(name, "a tag of three letters or digits is expected, or LDR");
        return;
    }
    let Some(entries) = entries.as_array() else {
        compiling.problem(name, "a list of entries is expected");
        return;
    };
    let mut objects: Vec<(String, &Map<String, Value>)> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let path = format!("{name}[{at}]");
        match entry.as_object() {
            Some(entry) if compiling.counts(&path) => objects.push((path, entry)),
            Some(_) => return,
            None => compiling.problem(&path, "an object is expected"),
        }
    }
    match tag {
        Some(tag) if name != LEADER && !tag.is_control() => {
            let mut of_tag = of_tag(compiling, &objects);
            if extended && let Some(extended) = Extended::of(tag) {
                extended.complete(compiling.properties, &mut of_tag);
            }
            compiled.data.insert(tag, of_tag);
        }
        Some(tag) => {
            let rows = objects
                .iter()
                .filter_map(|(path, entry)| control_row(compiling, path, entry));
            let rows = rows.collect();
            if name == LEADER {
                compiled.leader = rows;
            } else {
                compiled.control.insert(tag, rows);
            }
        }
        None => {}
    }
}
