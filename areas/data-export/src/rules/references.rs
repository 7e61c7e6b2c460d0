//! Reference lists that resolve ids in inventory's records.

use std::collections::HashMap;

/// A list of named records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum List {
    /// Kinds of other titles.
    AlternativeTitleTypes,
    /// Kinds of call numbers.
    CallNumberTypes,
    /// Kinds of contributors' names.
    ContributorNameTypes,
    /// What an electronic access is to the record.
    ElectronicAccessRelationships,
    /// Kinds of notes on holdings.
    HoldingsNoteTypes,
    /// Kinds of identifiers.
    IdentifierTypes,
    InstanceFormats,
    /// Kinds of resources.
    InstanceTypes,
    /// Kinds of notes on items.
    ItemNoteTypes,
    /// Kinds of loans.
    LoanTypes,
    Locations,
    Campuses,
    Institutions,
    Libraries,
    /// Kinds of material.
    MaterialTypes,
    ModesOfIssuance,
    NatureOfContentTerms,
}

impl List {
    /// All of them, each with its table.
    pub const ALL: [(List, &'static str); 17] = [
        (List::AlternativeTitleTypes, "alternative_title_type"),
        (List::CallNumberTypes, "call_number_type"),
        (List::ContributorNameTypes, "contributor_name_type"),
        (
            List::ElectronicAccessRelationships,
            "electronic_access_relationship",
        ),
        (List::HoldingsNoteTypes, "holdings_note_type"),
        (List::IdentifierTypes, "identifier_type"),
        (List::InstanceFormats, "instance_format"),
        (List::InstanceTypes, "instance_type"),
        (List::ItemNoteTypes, "item_note_type"),
        (List::LoanTypes, "loan_type"),
        (List::Locations, "location"),
        (List::Campuses, "loccampus"),
        (List::Institutions, "locinstitution"),
        (List::Libraries, "loclibrary"),
        (List::MaterialTypes, "material_type"),
        (List::ModesOfIssuance, "mode_of_issuance"),
        (List::NatureOfContentTerms, "nature_of_content_term"),
    ];
}

/// One named record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    /// Its code, where it has one.
    pub code: Option<String>,
    /// A location's library.
    pub library_id: Option<String>,
    /// A location's campus.
    pub campus_id: Option<String>,
    /// A location's institution.
    pub institution_id: Option<String>,
}

/// The lists of a tenant.
#[derive(Debug, Clone, Default)]
pub struct References {
    lists: HashMap<List, HashMap<String, Entry>>,
}

impl References {
    pub fn add(&mut self, list: List, id: String, entry: Entry) {
        self.lists.entry(list).or_default().insert(id, entry);
    }

    #[must_use]
    pub fn get(&self, list: List, id: &str) -> Option<&Entry> {
        self.lists.get(&list)?.get(id)
    }

    /// The name of the entry of this id.
    #[must_use]
    pub fn name(&self, list: List, id: &str) -> Option<&str> {
        self.get(list, id).map(|entry| entry.name.as_str())
    }

    /// The ids and entries of a list, by their names.
    #[must_use]
    pub fn sorted(&self, list: List) -> Vec<(&str, &Entry)> {
        let mut entries: Vec<(&str, &Entry)> = self
            .lists
            .get(&list)
            .into_iter()
            .flatten()
            .map(|(id, entry)| (id.as_str(), entry))
            .collect();
        entries.sort_by(|(a, one), (b, other)| one.name.cmp(&other.name).then(a.cmp(b)));
        entries
    }
}
