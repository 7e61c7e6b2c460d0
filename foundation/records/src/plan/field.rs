//! A CQL field of a collection: how its text is read, which indexes it has, and which names can be
//! fields at all.

use octavo_cql::Term;
use uuid::Uuid;

use super::PlanError;
use crate::collection::Collection;
use crate::index::{Index, IndexKind};
use crate::search_rows;
use crate::shape::ValueKind;

/// Longer field names are mistakes.
pub(crate) const FIELD_CHARS_MAX: usize = 128;

/// Kinds of index that serve equality, best first.
pub(super) const EQUALITY: &[IndexKind] = &[
    IndexKind::UniqueIndex,
    IndexKind::Index,
    IndexKind::LikeIndex,
    IndexKind::Hash,
    IndexKind::SpGist,
    IndexKind::Brin,
    IndexKind::GinIndex,
    IndexKind::Gist,
];
/// Kinds that serve ranges, best first.
pub(super) const RANGE: &[IndexKind] = &[
    IndexKind::UniqueIndex,
    IndexKind::Index,
    IndexKind::LikeIndex,
    IndexKind::SpGist,
    IndexKind::Brin,
];
/// Kinds that serve patterns with text before the first wildcard, best first.
pub(super) const PREFIX: &[IndexKind] = &[
    IndexKind::UniqueIndex,
    IndexKind::Index,
    IndexKind::LikeIndex,
    IndexKind::SpGist,
    IndexKind::GinIndex,
    IndexKind::Gist,
];
/// Kinds that serve patterns with a leading wildcard.
pub(super) const TRIGRAM: &[IndexKind] = &[IndexKind::GinIndex, IndexKind::Gist];
/// Kinds that return records in order.
pub(super) const ORDER: &[IndexKind] = &[
    IndexKind::Index,
    IndexKind::UniqueIndex,
    IndexKind::LikeIndex,
];
/// Kinds that find words.
pub(super) const WORDS: &[IndexKind] = &[IndexKind::FullTextIndex];

pub(super) struct Field<'a> {
    /// The CQL name.
    pub name: String,
    /// Its kind, if the shape declares it.
    pub kind: Option<&'a ValueKind>,
    /// How its text is read without an index of the wanted kind.
    pub implied: Index,
    /// The table of narrow rows that has its words in place of an index.
    pub rows: Option<String>,
    /// The indexes that can serve it.
    declared: Vec<&'a Index>,
}

impl<'a> Field<'a> {
    pub fn of(collection: &'a Collection, name: &str) -> Field<'a> {
        let on_it = || {
            collection
                .indexes
                .iter()
                .filter(|index| index.field == name)
        };
        let mut implied = Index::plain(name);
        // Without an index of the right kind a field is read as its other indexes read it.
        let kind = collection.kind_at(name);
        if let Some(other) = on_it().find(|index| !index.number) {
            // A nested property is read as its JSON, though an index may cover only a part of it.
            if kind.is_none() {
                implied.fields.clone_from(&other.fields);
            }
            implied.expression.clone_from(&other.expression);
            implied.term.clone_from(&other.term);
            implied.case_sensitive = other.case_sensitive;
            implied.remove_accents = other.remove_accents;
            let reads_path = kind.is_none() || other.fields.is_empty();
            implied.stored = other.stored && reads_path && !other.leaves_values_out();
        }
        Field {
            name: name.to_owned(),
            kind,
            implied,
            rows: collection
                .search_rows
                .as_ref()
                .filter(|rows| rows.words == name)
                .map(|_| search_rows::table_of(collection)),
            declared: on_it()
                .filter(|index| index.condition.is_none() && !index.on_demand)
                .collect(),
        }
    }

    /// A property of an array's elements, folded as the array's index declares. No index serves it
    /// alone.
    pub fn of_element(array: &Index, name: &str) -> Field<'a> {
        let mut implied = Index::plain(name);
        implied.case_sensitive = array.case_sensitive;
        implied.remove_accents = array.remove_accents;
        Field {
            name: name.to_owned(),
            kind: None,
            implied,
            rows: None,
            declared: Vec::new(),
        }
    }

    /// The best declared index of these kinds.
    pub fn declared(&self, kinds: &[IndexKind]) -> Option<&'a Index> {
        self.candidates(kinds).next()
    }

    /// The declared indexes of these kinds, best first.
    pub fn candidates(&self, kinds: &[IndexKind]) -> impl Iterator<Item = &'a Index> {
        kinds.iter().flat_map(|kind| {
            self.declared
                .iter()
                .filter(|index| index.kind == *kind && !index.number)
                .copied()
        })
    }

    /// Whether a full-text index finds everything that a term asks of the field. An index on a part
    /// of a property's JSON has neither the names in it nor ids.
    pub fn is_whole_in(&self, index: &Index, term: &Term) -> bool {
        let Some(kind) = self.kind.filter(|_| !index.fields.is_empty()) else {
            return true;
        };
        let words = term.words();
        let mut texts = words.iter().map(|word| word.text());
        !texts.any(|text| names(kind, &text) || text.len() >= 36 && Uuid::try_parse(&text).is_ok())
    }

    /// The index over the number, if one is declared.
    pub fn number_index(&self) -> Option<&'a Index> {
        self.declared.iter().find(|index| index.number).copied()
    }
}

/// Whether a text is the name of a property in this kind.
fn names(kind: &ValueKind, text: &str) -> bool {
    match kind {
        ValueKind::Array(inner) => names(inner, text),
        ValueKind::Object(object) => object
            .properties
            .iter()
            .any(|one| one.name.eq_ignore_ascii_case(text)),
        _ => false,
    }
}

/// Refuses what cannot be the name of a field.
pub(super) fn check_field(field: &str) -> Result<(), PlanError> {
    if field == octavo_cql::SERVER_CHOICE {
        return Err(PlanError::new(
            "CQL: a search without a field is not supported; name one, as in title=\"…\"",
        ));
    }
    let wellformed =
        !field.is_empty() && field.len() <= FIELD_CHARS_MAX && field.split('.').all(is_name);
    if wellformed {
        Ok(())
    } else {
        let shown: String = field.chars().take(FIELD_CHARS_MAX).collect();
        Err(PlanError::new(format!(
            "CQL: \"{shown}\" is not the name of a field"
        )))
    }
}

/// Whether a part of a path, between its dots, can be the name of a property.
pub(crate) fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '$');
    !name.is_empty() && name.chars().all(allowed)
}
