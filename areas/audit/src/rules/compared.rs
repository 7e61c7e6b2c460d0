//! Which properties of instances, holdings and items mod-audit compares, as `compared/*.txt` list them.
//!
//! ```text
//! title                 a value
//! dates.date1           a value of an object
//! editions[]            a set of texts
//! notes[] note staffOnly    a set of objects, of which these properties count
//! previouslyHeld = false    a value that is false where it is absent
//! ```

use std::sync::LazyLock;

/// A compared property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// Its dotted path.
    pub path: &'static str,
    pub kind: Kind,
}

/// How a property is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A value.
    Value,
    /// A truth value that is false where it is absent.
    Flag,
    /// A set of texts.
    Texts,
    /// A set of objects, of which these properties count.
    Objects(Vec<&'static str>),
}

impl Compared {
    /// Its name: the last part of the path.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }
}

/// The properties of an instance.
pub static INSTANCE: LazyLock<Vec<Compared>> =
    LazyLock::new(|| read(include_str!("compared/instance.txt")));
/// The properties of a holdings record.
pub static HOLDINGS: LazyLock<Vec<Compared>> =
    LazyLock::new(|| read(include_str!("compared/holdings.txt")));
/// The properties of an item.
pub static ITEM: LazyLock<Vec<Compared>> =
    LazyLock::new(|| read(include_str!("compared/item.txt")));

fn read(text: &'static str) -> Vec<Compared> {
    text.lines().filter_map(line).collect()
}

fn line(line: &'static str) -> Option<Compared> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let Some(path) = first.strip_suffix("[]") else {
        let kind = match words.next() {
            Some("=") => Kind::Flag,
            _ => Kind::Value,
        };
        return Some(Compared { path: first, kind });
    };
    let properties: Vec<&str> = words.collect();
    let kind = match properties.is_empty() {
        true => Kind::Texts,
        false => Kind::Objects(properties),
    };
    Some(Compared { path, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_as_they_are_listed() {
        let of = |list: &[Compared], path: &str| {
            let found = list.iter().find(|one| one.path == path);
            found.map(|one| (one.name(), one.kind.clone()))
        };
        assert_eq!(of(&INSTANCE, "title"), Some(("title", Kind::Value)));
        assert_eq!(of(&INSTANCE, "dates.date1"), Some(("date1", Kind::Value)));
        assert_eq!(of(&INSTANCE, "previouslyHeld").unwrap().1, Kind::Flag);
        assert_eq!(of(&ITEM, "tags.tagList"), Some(("tagList", Kind::Texts)));
        let notes = Kind::Objects(vec!["holdingsNoteTypeId", "note", "staffOnly"]);
        assert_eq!(of(&HOLDINGS, "notes"), Some(("notes", notes)));
        assert_eq!([INSTANCE.len(), HOLDINGS.len(), ITEM.len()], [37, 33, 48]);
    }
}
