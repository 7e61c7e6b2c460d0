//! The reference data of a tenant that rules look up: types by name and by code.
//!
//! Lists have the names of FOLIO's mapping parameters (`identifierTypes`); the names of the paths
//! that serve them (`identifier-types`) are accepted as well. Every list is indexed when it is
//! inserted, so that a look-up never scans it.

use std::collections::HashMap;

use crate::codes::QuickMap;

/// The reference records that FOLIO ships and rules name, by list.
const SHIPPED: &str = include_str!("../data/references.tsv");

/// Reference records by list: `contributorTypes` has one entry for each record.
#[derive(Clone, Debug, Default)]
pub struct References {
    known: [Option<Indexed>; List::COUNT],
    others: HashMap<&'static str, Vec<Entry>>,
}

/// One reference record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: String,
    /// Its name, empty if it has none.
    pub name: String,
    /// Its code, empty if it has none. A record with several codes, such as an authority source
    /// file, has an entry for each.
    pub code: String,
}

/// A list in which functions look up records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    AlternativeTitleTypes,
    AuthorityIdentifierTypes,
    AuthorityNoteTypes,
    AuthoritySourceFiles,
    CallNumberTypes,
    ClassificationTypes,
    ContributorNameTypes,
    ContributorTypes,
    ElectronicAccessRelationships,
    HoldingsNoteTypes,
    HoldingsTypes,
    IdentifierTypes,
    InstanceDateTypes,
    InstanceFormats,
    InstanceNoteTypes,
    InstanceTypes,
    IssuanceModes,
    Locations,
    SubjectSources,
    SubjectTypes,
}

/// The lists with their names among the mapping parameters and in paths.
#[rustfmt::skip]
const NAMES: [(List, &str, &str); List::COUNT] = [
    (List::AlternativeTitleTypes, "alternativeTitleTypes", "alternative-title-types"),
    (List::AuthorityIdentifierTypes, "authorityIdentifierTypes", "authority-identifier-types"),
    (List::AuthorityNoteTypes, "authorityNoteTypes", "authority-note-types"),
    (List::AuthoritySourceFiles, "authoritySourceFiles", "authority-source-files"),
    (List::CallNumberTypes, "callNumberTypes", "call-number-types"),
    (List::ClassificationTypes, "classificationTypes", "classification-types"),
    (List::ContributorNameTypes, "contributorNameTypes", "contributor-name-types"),
    (List::ContributorTypes, "contributorTypes", "contributor-types"),
    (List::ElectronicAccessRelationships, "electronicAccessRelationships", "electronic-access-relationships"),
    (List::HoldingsNoteTypes, "holdingsNoteTypes", "holdings-note-types"),
    (List::HoldingsTypes, "holdingsTypes", "holdings-types"),
    (List::IdentifierTypes, "identifierTypes", "identifier-types"),
    (List::InstanceDateTypes, "instanceDateTypes", "instance-date-types"),
    (List::InstanceFormats, "instanceFormats", "instance-formats"),
    (List::InstanceNoteTypes, "instanceNoteTypes", "instance-note-types"),
    (List::InstanceTypes, "instanceTypes", "instance-types"),
    (List::IssuanceModes, "issuanceModes", "modes-of-issuance"),
    (List::Locations, "locations", "locations"),
    (List::SubjectSources, "subjectSources", "subject-sources"),
    (List::SubjectTypes, "subjectTypes", "subject-types"),
];

impl List {
    const COUNT: usize = 20;

    /// The list's name among the mapping parameters.
    pub(crate) fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    fn named(name: &str) -> Option<List> {
        NAMES
            .iter()
            .find(|(_, parameter, path)| *parameter == name || *path == name)
            .map(|(list, _, _)| *list)
    }
}

/// The one shipped name whose spelling differs between FOLIO's releases: rules and reference data
/// may come from different ones.
fn respelled(folded: &str) -> Option<&'static str> {
    match folded {
        "cumulative index / finding aids notes" => Some("cumulative index / finding aides notes"),
        "cumulative index / finding aides notes" => Some("cumulative index / finding aids notes"),
        _ => None,
    }
}

/// A list with its indexes; of records with the same name or code the first one wins.
#[derive(Clone, Debug, Default)]
struct Indexed {
    entries: Vec<Entry>,
    by_name: QuickMap<String, usize>,
    by_code: QuickMap<String, usize>,
    by_any_case_code: QuickMap<String, usize>,
}

impl References {
    /// The names of the lists that rules look up, as [`References::insert`] takes them.
    pub fn lists() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(_, name, _)| *name)
    }

    /// The reference records of a new tenant.
    #[must_use]
    pub fn shipped() -> References {
        let mut lists: HashMap<&'static str, Vec<Entry>> = HashMap::new();
        for line in SHIPPED.lines().skip(1) {
            let mut columns = line.split('\t');
            let mut column = || columns.next().unwrap_or_default();
            let (list, id, code, name) = (column(), column(), column(), column());
            lists.entry(list).or_default().push(Entry {
                id: id.to_owned(),
                name: name.to_owned(),
                code: code.to_owned(),
            });
        }
        let mut references = References::default();
        for (list, entries) in lists {
            references.insert(list, entries);
        }
        references
    }

    /// Inserts and indexes a list.
    pub fn insert(&mut self, list: &'static str, entries: Vec<Entry>) {
        match List::named(list) {
            Some(known) => self.known[known as usize] = Some(Indexed::of(entries)),
            None => {
                self.others.insert(list, entries);
            }
        }
    }

    /// The records of a list; empty if the tenant has no such list.
    #[must_use]
    pub fn list(&self, list: &str) -> &[Entry] {
        match List::named(list) {
            Some(known) => self.indexed(known).map_or(&[], |list| &list.entries),
            None => self.others.get(list).map_or(&[], Vec::as_slice),
        }
    }

    pub(crate) fn has(&self, list: List) -> bool {
        self.indexed(list).is_some()
    }

    /// The record with this name, which the caller has [`folded`], and its position.
    pub(crate) fn named(&self, list: List, folded: &str) -> Option<(usize, &Entry)> {
        let list = self.indexed(list)?;
        let other = || list.by_name.get(respelled(folded)?);
        let at = *list.by_name.get(folded).or_else(other)?;
        Some((at, &list.entries[at]))
    }

    /// The record with exactly this code.
    pub(crate) fn coded(&self, list: List, code: &str) -> Option<&Entry> {
        let list = self.indexed(list)?;
        list.by_code.get(code).map(|&at| &list.entries[at])
    }

    /// The record with this code, which the caller has [`folded`], and its position.
    pub(crate) fn coded_in_any_case(&self, list: List, folded: &str) -> Option<(usize, &Entry)> {
        let list = self.indexed(list)?;
        let at = *list.by_any_case_code.get(folded)?;
        Some((at, &list.entries[at]))
    }

    fn indexed(&self, list: List) -> Option<&Indexed> {
        self.known[list as usize].as_ref()
    }
}

impl Indexed {
    fn of(entries: Vec<Entry>) -> Indexed {
        let mut indexed = Indexed::default();
        for (at, entry) in entries.iter().enumerate() {
            if !entry.name.trim().is_empty() {
                let name = folded(entry.name.trim());
                indexed.by_name.entry(name).or_insert(at);
            }
            if !entry.code.trim().is_empty() {
                indexed.by_code.entry(entry.code.clone()).or_insert(at);
                let code = folded(entry.code.trim());
                indexed.by_any_case_code.entry(code).or_insert(at);
            }
        }
        indexed.entries = entries;
        indexed
    }
}

/// Text in the case in which names are compared.
pub(crate) fn folded(text: &str) -> String {
    text.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, code: &str, name: &str) -> Entry {
        let text = str::to_owned;
        Entry {
            id: text(id),
            name: text(name),
            code: text(code),
        }
    }

    #[test]
    fn a_name_that_releases_spell_in_two_ways_is_found_in_both() {
        for (stored, wanted) in [("Aids", "aides"), ("Aides", "aids"), ("Aides", "aides")] {
            let mut references = References::default();
            let name = format!("Cumulative Index / Finding {stored} notes");
            references.insert("instance-note-types", vec![entry("1", "", &name)]);
            let wanted = format!("cumulative index / finding {wanted} notes");
            let found = references.named(List::InstanceNoteTypes, &wanted);
            assert_eq!(
                found.map(|(_, entry)| entry.id.as_str()),
                Some("1"),
                "{stored}"
            );
        }
    }

    #[test]
    fn lists_have_two_names_and_the_first_alike_is_found() {
        let mut references = References::default();
        references.insert(
            "identifier-types",
            vec![entry("1", "", " ISBN "), entry("2", "", "isbn")],
        );
        assert_eq!(references.list("identifierTypes").len(), 2);
        let found = references.named(List::IdentifierTypes, "isbn").unwrap();
        assert_eq!(found.1.id, "1");
        assert!(!references.has(List::Locations));
        references.insert("statisticalCodes", vec![entry("3", "x", "")]);
        assert_eq!(references.list("statisticalCodes")[0].id, "3");
        assert!(references.list("unheard-of").is_empty());
    }

    #[test]
    fn codes_are_found_exactly_or_in_any_case() {
        let mut references = References::default();
        references.insert("locations", vec![entry("1", "Main", "Main library")]);
        assert!(references.coded(List::Locations, "main").is_none());
        assert_eq!(references.coded(List::Locations, "Main").unwrap().id, "1");
        let found = references.coded_in_any_case(List::Locations, "main");
        assert_eq!(found.unwrap().1.id, "1");
    }

    #[test]
    fn every_list_is_at_its_own_place() {
        for (at, (list, name, _)) in NAMES.iter().enumerate() {
            assert_eq!(*list as usize, at, "{name}");
        }
    }

    /// The shipped records exist twice: in inventory's reference data and here.
    #[test]
    fn the_shipped_records_are_those_of_the_inventory() {
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../areas/inventory/src/reference/"
        );
        for (list, file) in [
            ("alternativeTitleTypes", "alternative_title_type"),
            ("callNumberTypes", "call_number_type"),
            ("classificationTypes", "classification_type"),
            ("contributorNameTypes", "contributor_name_type"),
            ("contributorTypes", "contributor_type"),
            (
                "electronicAccessRelationships",
                "electronic_access_relationship",
            ),
            ("holdingsNoteTypes", "holdings_note_type"),
            ("holdingsTypes", "holdings_type"),
            ("identifierTypes", "identifier_type"),
            ("instanceDateTypes", "instance_date_type"),
            ("instanceFormats", "instance_format"),
            ("instanceNoteTypes", "instance_note_type"),
            ("instanceTypes", "instance_type"),
            ("issuanceModes", "mode_of_issuance"),
            ("subjectSources", "subject_source"),
            ("subjectTypes", "subject_type"),
        ] {
            let text = std::fs::read_to_string(format!("{folder}{file}.tsv")).unwrap();
            let mut lines = text
                .lines()
                .map(|line| line.split('\t').collect::<Vec<_>>());
            let header = lines.next().unwrap();
            let column = |line: &[&str], name: &str| {
                let at = header.iter().position(|&column| column == name);
                at.map_or("", |at| line[at]).to_owned()
            };
            let expected: Vec<Entry> = lines
                .map(|line| {
                    entry(
                        &column(&line, "id"),
                        &column(&line, "code"),
                        &column(&line, "name"),
                    )
                })
                .collect();
            assert_eq!(References::shipped().list(list), expected, "{list}");
        }
    }
}
