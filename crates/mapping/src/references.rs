//! The reference lists of a tenant that rules look things up in: types by name and by code.

use std::collections::HashMap;

/// Reference records by list: `lists["contributor-types"]` has one entry for each record.
#[derive(Clone, Debug, Default)]
pub struct References {
    lists: HashMap<&'static str, Vec<Entry>>,
}

/// One record of a list.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// Its name, empty if it has none.
    pub name: String,
    /// Its code, empty if it has none.
    pub code: String,
}

impl References {
    /// Takes a list.
    pub fn insert(&mut self, list: &'static str, entries: Vec<Entry>) {
        self.lists.insert(list, entries);
    }

    /// The records of a list; none if the tenant has no such list.
    #[must_use]
    pub fn list(&self, list: &str) -> &[Entry] {
        self.lists.get(list).map_or(&[], Vec::as_slice)
    }
}
