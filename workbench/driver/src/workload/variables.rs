//! Variable names become slot numbers when a workload is compiled; a virtual user holds one value
//! for each slot. As in JMeter, a variable that was never set reads as its own reference,
//! `${name}`.

use std::collections::{HashMap, HashSet};

/// The variables of a workload and where each is set. Each included workload has a scope of its own
/// for its names, beside the names that all of them share.
#[derive(Debug, Default, Clone)]
pub struct Names {
    slots: HashMap<(usize, String), usize>,
    names: Vec<(usize, String)>,
    shared: HashSet<String>,
    scope: usize,
    set: Vec<bool>,
    changing: Vec<bool>,
}

/// The scope of the names that all workloads share.
const SHARED: usize = usize::MAX;

impl Names {
    /// Switches to the scope of another workload.
    pub fn enter(&mut self, scope: usize) {
        self.scope = scope;
    }

    /// Makes a name mean the same variable in all workloads.
    pub fn share(&mut self, name: &str) {
        self.shared.insert(name.to_owned());
    }

    /// The slot of a variable that is read somewhere.
    pub fn used(&mut self, name: &str) -> usize {
        let scope = match self.shared.contains(name) {
            true => SHARED,
            false => self.scope,
        };
        let key = (scope, name.to_owned());
        if let Some(slot) = self.slots.get(&key) {
            return *slot;
        }
        let slot = self.names.len();
        self.names.push((self.scope, name.to_owned()));
        self.slots.insert(key, slot);
        self.set.push(false);
        self.changing.push(false);
        slot
    }

    /// The slot of a variable that is set before the first iteration and then stays.
    pub fn set_once(&mut self, name: &str) -> usize {
        let slot = self.used(name);
        self.set[slot] = true;
        slot
    }

    /// The slot of a variable that iterations set.
    pub fn set_often(&mut self, name: &str) -> usize {
        let slot = self.set_once(name);
        self.changing[slot] = true;
        slot
    }

    /// All names, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(_, name)| name.as_str())
    }

    /// Whether the variable keeps its value during the iterations.
    pub fn is_constant(&self, slot: usize) -> bool {
        !self.changing[slot]
    }

    /// The name of a slot.
    pub fn name(&self, slot: usize) -> &str {
        &self.names[slot].1
    }

    /// The first variable that is read but never set, surely a misspelt name, with the scope in
    /// which it is read.
    pub fn never_set(&self) -> Option<(usize, &str)> {
        let slot = self.set.iter().position(|set| !set)?;
        let (scope, name) = &self.names[slot];
        Some((*scope, name))
    }
}

/// The values of one virtual user.
#[derive(Debug, Clone)]
pub struct Variables {
    values: Vec<String>,
}

impl Variables {
    /// All variables unset.
    pub fn new(names: &Names) -> Self {
        Self {
            values: names
                .names
                .iter()
                .map(|(_, name)| format!("${{{name}}}"))
                .collect(),
        }
    }

    /// The text of a slot.
    pub fn text(&self, slot: usize) -> &str {
        &self.values[slot]
    }

    /// Sets a slot, keeping its buffer.
    pub fn set(&mut self, slot: usize, value: &str) {
        let text = &mut self.values[slot];
        text.clear();
        text.push_str(value);
    }
}
