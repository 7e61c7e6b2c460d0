//! Converts thread groups: their number of users and duration, and the branches that they become.

use std::collections::HashMap;

use super::expand::{self, Variant};
use super::tree::Element;
use super::values::Values;
use super::walk::Item;
use crate::draft::RunOptions;
use crate::model::{Branch, Transaction, Workload};
use crate::note::Notes;
use crate::reference;

pub(super) const GROUPS: &str = "thread groups";

/// The purpose of a thread group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Before,
    Load,
    After,
}

/// The role of an element that is a thread group.
pub(super) fn role(element: &Element) -> Option<Role> {
    match element.short_kind() {
        "SetupThreadGroup" => Some(Role::Before),
        "PostThreadGroup" => Some(Role::After),
        kind if kind.ends_with("ThreadGroup") => Some(Role::Load),
        _ => None,
    }
}

/// Threads of a group, and its run options.
pub(super) fn options(
    group: &Element,
    values: &Values,
    run: &mut RunOptions,
    notes: &mut Notes,
) -> u64 {
    let number = |name: &str| values.number(group.text(name));
    let (users, ramp_up, duration) = match group.short_kind() {
        "ConcurrencyThreadGroup" | "ArrivalsThreadGroup" => {
            let factor = if group.text("Unit") == "M" { 60 } else { 1 };
            let time = |name: &str| number(name).map(|time| time.saturating_mul(factor));
            (number("TargetLevel"), time("RampUp"), time("Hold"))
        }
        "UltimateThreadGroup" => {
            let rows = group.property("ultimatethreadgroupdata");
            let rows = rows.map(|data| &data.items[..]).unwrap_or_default();
            let cell = |row: &super::tree::Property, at: usize| {
                row.items
                    .get(at)
                    .and_then(|cell| values.number(&cell.text))
                    .unwrap_or(0)
            };
            let users = rows
                .iter()
                .fold(0u64, |sum, row| sum.saturating_add(cell(row, 0)));
            let ramp_up = rows.iter().map(|row| cell(row, 2)).max();
            let all = |row| (1..5).fold(0u64, |sum, at| sum.saturating_add(cell(row, at)));
            (Some(users), ramp_up, rows.iter().map(all).max())
        }
        _ => {
            let scheduled = group.is_true("ThreadGroup.scheduler");
            let duration = number("ThreadGroup.duration").filter(|_| scheduled);
            (
                number("ThreadGroup.num_threads"),
                number("ThreadGroup.ramp_time"),
                duration,
            )
        }
    };
    if users.is_none() {
        let what = format!(
            "{}: its number of threads is not known, taken as 1",
            group.label()
        );
        notes.add(group.line, GROUPS, what);
    }
    let users = users.unwrap_or(1).min(1_000_000);
    let total = run.virtual_users.unwrap_or(0).saturating_add(users);
    run.virtual_users = Some(total);
    run.ramp_up_seconds = run.ramp_up_seconds.max(ramp_up);
    run.duration_seconds = run
        .duration_seconds
        .max(duration.filter(|seconds| *seconds > 0));
    let main = group.property("ThreadGroup.main_controller");
    let loops = main.map_or("", |main| main.inner("LoopController.loops"));
    if let (Some(loops), None) = (values.number(loops), duration) {
        run.loops = run.loops.max(Some(loops));
    }
    users
}

/// Whether users continue after a failed request.
pub(super) fn continues_after_error(group: &Element, notes: &mut Notes) -> bool {
    match group.text("ThreadGroup.on_sample_error").trim() {
        "" | "continue" => true,
        "startnextloop" => false,
        other => {
            let what = format!(
                "{}: after an error (`{other}`) the draft begins the next iteration",
                group.label()
            );
            notes.add(group.line, GROUPS, what);
            false
        }
    }
}

/// Splits a group into its loop and what comes before it.
pub(super) fn parted(items: Vec<Item>) -> (Vec<Item>, Vec<Item>) {
    let (mut once, mut rest) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Forever(items) => {
                // What comes before runs once; what comes after is never reached.
                once.append(&mut rest);
                return (once, items);
            }
            Item::Once(items) => once.extend(items),
            other => rest.push(other),
        }
    }
    (once, rest)
}

/// The branches of a draft as they are collected.
#[derive(Default)]
pub(super) struct Branches {
    found: Vec<(String, f64, Vec<Transaction>)>,
    /// What runs once, before all.
    before: Vec<Transaction>,
    /// What runs at the end.
    after: Vec<Transaction>,
}

impl Branches {
    /// Adds what runs once: as a group of its own, which is not measured.
    pub(super) fn once(&mut self, items: &[Item], name: &str) {
        self.before.extend(unsummed(items, name));
    }

    /// Adds what runs at the end.
    pub(super) fn at_the_end(&mut self, items: &[Item], name: &str) {
        self.after.extend(unsummed(items, name));
    }

    /// Adds the paths of a group with its users.
    pub(super) fn load(&mut self, ways: Vec<Variant>, name: &str, users: u64) {
        let ways: Vec<Variant> = ways
            .into_iter()
            .filter(|way| !way.parts.is_empty())
            .collect();
        let many = ways.len() > 1;
        for way in ways {
            let steps = expand::transactions(way.parts);
            let name = match steps.last().filter(|_| many) {
                Some(last) => last.name.clone(),
                None => name.to_owned(),
            };
            let share = way.share * users.max(1) as f64;
            self.found.push((name, share, steps));
        }
    }

    /// Whether there is nothing to repeat.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Makes what runs once the load, for plans that have nothing else.
    pub(super) fn once_is_all(&mut self, name: &str) {
        let steps: Vec<_> = self.before.drain(..).chain(self.after.drain(..)).collect();
        if !steps.is_empty() {
            self.found.push((name.to_owned(), 1.0, steps));
        }
    }

    /// Writes branches and transactions into the workload.
    pub(super) fn settle(mut self, workload: &mut Workload, notes: &mut Notes) {
        let (first, aside) = self.needed_first();
        let shares: Vec<f64> = self.found.iter().map(|(_, share, _)| *share).collect();
        let mut names = Vec::new();
        let mut places = HashMap::new();
        for ((name, _, steps), weight) in self.found.drain(..).zip(expand::weights(&shares)) {
            let steps = first.iter().cloned().chain(steps);
            let steps = steps
                .map(|step| add(&mut workload.transactions, &mut places, step))
                .collect();
            workload.branches.push(Branch {
                name: unique(&mut names, name),
                weight,
                draws: Vec::new(),
                steps,
            });
        }
        if !first.is_empty() {
            let what = "what each user does once begins every iteration of the draft, because \
                        later requests need what it finds";
            notes.add(0, GROUPS, what);
        }
        for (name, steps, when) in [
            ("set-up", aside, "first"),
            ("tear-down", self.after, "last"),
        ] {
            if steps.is_empty() {
                continue;
            }
            let what =
                format!("what is done {when} is the branch `{name}` of weight 0, which never runs");
            notes.add(0, GROUPS, what);
            let steps = steps
                .into_iter()
                .map(|step| add(&mut workload.transactions, &mut places, step));
            workload.branches.push(Branch {
                name: unique(&mut names, name.to_owned()),
                weight: 0,
                draws: Vec::new(),
                steps: steps.collect(),
            });
        }
    }

    /// Splits what runs once into what the load needs and the rest.
    fn needed_first(&mut self) -> (Vec<Transaction>, Vec<Transaction>) {
        let loads = self.found.iter().flat_map(|(_, _, steps)| steps);
        let calls = loads.flat_map(|one| &one.calls);
        let read: Vec<&str> = calls
            .flat_map(|call| call.texts())
            .flat_map(reference::names)
            .collect();
        let sets_some = |one: &Transaction| {
            let mut extracts = one.calls.iter().flat_map(|call| &call.extract);
            extracts.any(|extract| read.contains(&extract.variable.as_str()))
        };
        // What a needed transaction needs itself comes before it.
        let last = self.before.iter().rposition(sets_some);
        let aside = self.before.split_off(last.map_or(0, |last| last + 1));
        (std::mem::take(&mut self.before), aside)
    }
}

fn unsummed(items: &[Item], name: &str) -> Vec<Transaction> {
    let (ways, _) = expand::ways(items, name);
    let first = ways
        .into_iter()
        .next()
        .map(|way| way.parts)
        .unwrap_or_default();
    let steps = expand::transactions(first).into_iter();
    steps
        .map(|step| Transaction {
            summed: false,
            ..step
        })
        .collect()
}

/// Adds a transaction unless an equal one exists; returns its name.
fn add(
    all: &mut Vec<Transaction>,
    places: &mut HashMap<String, usize>,
    mut step: Transaction,
) -> String {
    if step.name.is_empty() {
        step.name = "requests".to_owned();
    }
    let stem = step.name.clone();
    for number in 2.. {
        match places.get(&step.name).map(|place| &all[*place]) {
            None => break,
            Some(one) if one.calls == step.calls && one.summed == step.summed => {
                return step.name;
            }
            Some(_) => step.name = format!("{stem} ({number})"),
        }
    }
    let name = step.name.clone();
    places.insert(name.clone(), all.len());
    all.push(step);
    name
}

fn unique(names: &mut Vec<String>, name: String) -> String {
    let name = if name.is_empty() {
        "users".to_owned()
    } else {
        name
    };
    let mut unique = name.clone();
    for number in 2.. {
        if !names.contains(&unique) {
            break;
        }
        unique = format!("{name} ({number})");
    }
    names.push(unique.clone());
    unique
}
