//! The last step of every draft: each variable that is read gets a source, each branch draws the
//! feeders that it needs, and what is unused is removed.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::model::Workload;
use crate::note::Notes;
use crate::reference::{self, DOLLAR, DRIVERS};

const UNSET: &str = "variables that nothing sets: give them a value in [variables]";
const ALIASES: &str = "variables that scripts or functions copy, read where they come from";
const FEEDERS: &str = "test data";

/// What a plan's scripts and properties reveal about variables that nothing else sets.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    /// The same value under another name.
    pub(crate) aliases: BTreeMap<String, String>,
    /// The variable that holds the login's token.
    pub(crate) token: Option<String>,
}

/// Makes the workload valid.
pub(crate) fn finish(workload: &mut Workload, knowledge: &Knowledge, notes: &mut Notes) {
    guard_drivers(workload, notes);
    resolve(workload, knowledge, notes);
    draw(workload, notes);
    // A column is set only where its feeder is drawn; variables left over now have no source.
    let used = used(workload);
    let set = set(workload);
    workload
        .variables
        .retain(|name, value| used.contains(name) && !(value.is_empty() && set.contains(name)));
    for name in &used {
        if name == DOLLAR {
            workload.variables.insert(name.clone(), "$".to_owned());
        } else if !set.contains(name) && workload.variables.get(name).is_none_or(String::is_empty) {
            let line = line_of(workload, name);
            notes.add(line, UNSET, format!("`{name}`"));
            workload.variables.insert(name.clone(), String::new());
        }
    }
}

/// Keeps the plan from setting variables that only the driver may set.
fn guard_drivers(workload: &mut Workload, notes: &mut Notes) {
    for name in DRIVERS {
        if workload.variables.remove(name).is_some() {
            let what = format!("`{name}` is an option of `workload run`");
            notes.add(0, "variables that the command line gives", what);
        }
    }
    for feeder in &mut workload.feeders {
        for column in &mut feeder.columns {
            if DRIVERS.contains(&column.as_str()) {
                let what = format!(
                    "column `{column}` of `{}` is given by the options of `workload run`: \
                     all users are one",
                    feeder.name
                );
                notes.add(feeder.line, FEEDERS, what);
                *column = format!("row_{column}");
            }
        }
    }
}

fn used(workload: &Workload) -> BTreeSet<String> {
    let texts = workload.calls().flat_map(|call| call.texts());
    texts
        .flat_map(reference::names)
        .map(str::to_owned)
        .collect()
}

/// The variables that extractions, feeders and the driver set.
fn set(workload: &Workload) -> HashSet<String> {
    let extracts = workload.calls().flat_map(|call| &call.extract);
    let extracts = extracts.map(|extract| extract.variable.clone());
    let columns = workload.feeders.iter().flat_map(|one| one.columns.clone());
    let drivers = DRIVERS.iter().map(|name| (*name).to_owned());
    extracts.chain(columns).chain(drivers).collect()
}

/// Redirects variables without a source to the one that has their value.
fn resolve(workload: &mut Workload, knowledge: &Knowledge, notes: &mut Notes) {
    let set = set(workload);
    for name in used(workload) {
        if set.contains(&name) || name == DOLLAR {
            continue;
        }
        let known = workload.variables.get(&name);
        if known.is_some_and(|value| !value.is_empty()) {
            continue;
        }
        let Some(source) = source(&name, &set, knowledge, workload) else {
            continue;
        };
        let what = format!("`{name}` is `{source}`");
        notes.add(line_of(workload, &name), ALIASES, what);
        for text in workload.calls_mut().flat_map(|call| call.texts_mut()) {
            reference::rename(text, &name, &source);
        }
    }
}

fn source(
    name: &str,
    set: &HashSet<String>,
    knowledge: &Knowledge,
    workload: &Workload,
) -> Option<String> {
    let is_known = |name: &str| {
        let value = workload.variables.get(name);
        set.contains(name) || value.is_some_and(|value| !value.is_empty())
    };
    let mut at = name;
    for _ in 0..8 {
        let Some(next) = knowledge.aliases.get(at) else {
            break;
        };
        if is_known(next) {
            return Some(next.clone());
        }
        at = next;
    }
    // `name_1` is the first of several matches, or a group of an expression.
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let stem = stem.strip_suffix("_g").or_else(|| stem.strip_suffix('_'));
    if let Some(stem) = stem.filter(|stem| is_known(stem)) {
        return Some(stem.to_owned());
    }
    let lowercase = name.to_lowercase();
    let is_token = lowercase.contains("token")
        && !lowercase.contains("refresh")
        && !lowercase.contains("resum");
    knowledge.token.clone().filter(|_| is_token)
}

/// Each branch draws a row of every feeder whose columns its steps read.
fn draw(workload: &mut Workload, notes: &mut Notes) {
    let mut needed: BTreeSet<String> = BTreeSet::new();
    for branch in &mut workload.branches {
        let steps = workload.transactions.iter();
        let steps = steps.filter(|one| branch.steps.contains(&one.name));
        let calls = steps.flat_map(|one| &one.calls);
        let read: HashSet<&str> = calls
            .flat_map(|call| call.texts())
            .flat_map(reference::names)
            .collect();
        for feeder in &workload.feeders {
            if feeder.columns.iter().any(|one| read.contains(one.as_str())) {
                branch.draws.push(feeder.name.clone());
                needed.insert(feeder.name.clone());
            }
        }
    }
    workload.feeders.retain(|feeder| {
        let kept = needed.contains(&feeder.name);
        if !kept {
            let what = format!(
                "`{}` ({}) is left out: no request of the draft reads its columns",
                feeder.name, feeder.file
            );
            notes.add(feeder.line, FEEDERS, what);
        }
        kept
    });
}

fn line_of(workload: &Workload, name: &str) -> usize {
    let reads = |text: &str| reference::names(text).contains(&name);
    let mut calls = workload.calls();
    let found = calls.find(|call| call.texts().any(reads));
    found.map_or(0, |call| call.line)
}
