//! Variable names become slot numbers when a workload is compiled; a virtual user holds one value a
//! slot. As in JMeter, a variable that was never set reads as its own reference, `${name}`.

use std::collections::HashMap;

/// The variables of a workload and where each is set.
#[derive(Debug, Default, Clone)]
pub struct Names {
    slots: HashMap<String, usize>,
    names: Vec<String>,
    set: Vec<bool>,
    changing: Vec<bool>,
}

impl Names {
    /// The slot of a variable that is read somewhere.
    pub fn used(&mut self, name: &str) -> usize {
        if let Some(slot) = self.slots.get(name) {
            return *slot;
        }
        let slot = self.names.len();
        self.slots.insert(name.to_owned(), slot);
        self.names.push(name.to_owned());
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
        self.names.iter().map(String::as_str)
    }

    /// Whether the variable keeps its value during the iterations.
    pub fn is_constant(&self, slot: usize) -> bool {
        !self.changing[slot]
    }

    /// The first variable that is read but set nowhere: surely a misspelt name.
    pub fn never_set(&self) -> Option<&str> {
        let slot = self.set.iter().position(|set| !set)?;
        Some(&self.names[slot])
    }
}

/// The values one virtual user holds.
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
                .map(|name| format!("${{{name}}}"))
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
