//! The indexes that a collection declares: FOLIO's kinds with FOLIO's options, and further kinds of
//! PostgreSQL. It must not know SQL; `expression` and `ddl` do.

use serde::{Deserialize, Serialize};

/// What an index is for: FOLIO's kinds by FOLIO's names, then PostgreSQL's further methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IndexKind {
    /// B-tree for equality, ranges, prefixes and sorting.
    Index,
    /// B-tree that holds a value once.
    UniqueIndex,
    /// B-tree for equality and prefixes.
    LikeIndex,
    /// Trigrams in a GIN index, for `*inner*` wildcards.
    GinIndex,
    /// Words in a GIN index, for `=`, `adj`, `all` and `any`.
    FullTextIndex,
    /// Hash, for equality alone: small whatever the length of the values.
    Hash,
    /// Trigrams in a GiST index: slower to search than GIN, cheaper to change.
    Gist,
    /// SP-GiST, a radix tree: equality, ranges and prefixes of texts with long common prefixes.
    SpGist,
    /// BRIN, a few bytes for each hundred pages: ranges over values that grow with time, such as
    /// dates.
    Brin,
}

impl IndexKind {
    /// All kinds, in the order in which they are documented.
    pub const ALL: [IndexKind; 9] = [
        IndexKind::Index,
        IndexKind::UniqueIndex,
        IndexKind::LikeIndex,
        IndexKind::GinIndex,
        IndexKind::FullTextIndex,
        IndexKind::Hash,
        IndexKind::Gist,
        IndexKind::SpGist,
        IndexKind::Brin,
    ];

    /// The name in declarations.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            IndexKind::Index => "index",
            IndexKind::UniqueIndex => "uniqueIndex",
            IndexKind::LikeIndex => "likeIndex",
            IndexKind::GinIndex => "ginIndex",
            IndexKind::FullTextIndex => "fullTextIndex",
            IndexKind::Hash => "hash",
            IndexKind::Gist => "gist",
            IndexKind::SpGist => "spGist",
            IndexKind::Brin => "brin",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<IndexKind> {
        IndexKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One declared index.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Index {
    /// The CQL name it serves: a dotted path, or the name of a combination of several fields.
    pub field: String,
    pub kind: IndexKind,
    #[serde(default, skip_serializing_if = "is_no")]
    pub case_sensitive: bool,
    /// Whether accents are removed before comparison.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub remove_accents: bool,
    /// For an index over several fields: their paths, joined by a blank. `contributors[*].name`
    /// takes one property of every element of an array, `languages[*]` the elements themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// Further keys after the first, folded alike: a composite index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// A condition in SQL over `jsonb` that makes the index partial.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// SQL over `jsonb` that replaces the field's value (FOLIO's `sqlExpression`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// SQL for the search term, which `$` stands for (FOLIO's `sqlExpressionQuery`). With it
    /// neither side is folded for comparison; the SQL has to do that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// For an array of objects: the property of an element that a search with array modifiers looks
    /// into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array_subfield: Option<String>,
    /// For an array of objects: the properties that may be modifiers, `/@name=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub array_modifiers: Vec<String>,
    /// Whether the key is the value as a number, for searches and sort keys with `/number`.
    #[serde(default, skip_serializing_if = "is_no")]
    pub number: bool,
    /// Values, folded as the index folds them, that nearly all searches for this field use.
    /// Statements contain them as literals, so that partial indexes on them can be used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub few: Vec<String>,
    /// Leaves out the rows without a value, and those with one of these values as they are stored:
    /// common ones that no search is narrowed by. Searches for other values are served, orders are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub except: Option<Vec<String>>,
    /// The message to clients in place of FOLIO's generic one when a unique key is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Whether it says how FOLIO reads the field, and is made only where an operator applies it.
    #[serde(skip)]
    pub on_demand: bool,
    /// Whether it reads generated columns in place of the document: see `columns`.
    #[serde(skip)]
    pub stored: bool,
}

fn yes() -> bool {
    true
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands a reference to it"
)]
fn is_yes(value: &bool) -> bool {
    *value
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands a reference to it"
)]
fn is_no(value: &bool) -> bool {
    !*value
}

impl Index {
    /// An index of this kind on one field, folding case and accents.
    #[must_use]
    pub fn new(kind: IndexKind, field: &str) -> Index {
        Index {
            field: field.to_owned(),
            kind,
            case_sensitive: false,
            remove_accents: true,
            fields: Vec::new(),
            with: Vec::new(),
            condition: None,
            expression: None,
            term: None,
            array_subfield: None,
            array_modifiers: Vec::new(),
            number: false,
            few: Vec::new(),
            except: None,
            refusal: None,
            on_demand: false,
            stored: false,
        }
    }

    /// A B-tree on one field.
    #[must_use]
    pub fn plain(field: &str) -> Index {
        Index::new(IndexKind::Index, field)
    }

    /// Declares the values that nearly all searches use, folded.
    #[must_use]
    pub fn few(mut self, values: &[&str]) -> Index {
        self.few = values.iter().map(|value| (*value).to_owned()).collect();
        self
    }

    /// A unique key on one field.
    #[must_use]
    pub fn unique(field: &str) -> Index {
        Index::new(IndexKind::UniqueIndex, field)
    }

    #[must_use]
    pub fn like(field: &str) -> Index {
        Index::new(IndexKind::LikeIndex, field)
    }

    #[must_use]
    pub fn gin(field: &str) -> Index {
        Index::new(IndexKind::GinIndex, field)
    }

    #[must_use]
    pub fn full_text(field: &str) -> Index {
        Index::new(IndexKind::FullTextIndex, field)
    }

    /// A B-tree on the value as a number.
    #[must_use]
    pub fn number(field: &str) -> Index {
        let mut index = Index::new(IndexKind::Index, field);
        index.number = true;
        index
    }

    #[must_use]
    pub fn case_sensitive(mut self) -> Index {
        self.case_sensitive = true;
        self
    }

    /// Compares with accents.
    #[must_use]
    pub fn keep_accents(mut self) -> Index {
        self.remove_accents = false;
        self
    }

    /// Serves the CQL name from several fields joined by blanks.
    #[must_use]
    pub fn over(mut self, fields: &[&str]) -> Index {
        self.fields = owned(fields);
        self
    }

    /// Adds keys after the first.
    #[must_use]
    pub fn with(mut self, fields: &[&str]) -> Index {
        self.with = owned(fields);
        self
    }

    /// Makes the index partial, by an SQL condition over `jsonb`.
    #[must_use]
    pub fn when(mut self, condition: &str) -> Index {
        self.condition = Some(condition.to_owned());
        self
    }

    /// Indexes only the rows that have a value.
    #[must_use]
    pub fn present(self) -> Index {
        self.except(&[])
    }

    /// Indexes only the rows that have a value other than these.
    ///
    /// A collection that changes often computes them in a column whose name does not say them: who
    /// changes them for tenants that exist has to drop that column in a step of its own.
    ///
    /// # Panics
    /// On a value that is not ASCII: what it is folded to would be known to the database alone.
    #[must_use]
    pub fn except(mut self, common: &[&str]) -> Index {
        let known = common.iter().all(|value| value.is_ascii());
        assert!(known, "invariant: common values are ASCII");
        self.except = Some(owned(common));
        self
    }

    /// Is not made with the table: FOLIO declares it, but no part of the product asks for it, and every
    /// write would pay. Searches that need it are in the advice, and an operator can apply it.
    #[must_use]
    pub fn on_demand(mut self) -> Index {
        self.on_demand = true;
        self
    }

    /// Takes the text from SQL over `jsonb`.
    #[must_use]
    pub fn expression(mut self, sql: &str) -> Index {
        self.expression = Some(sql.to_owned());
        self
    }

    /// Applies SQL to the search term, which `$` stands for.
    #[must_use]
    pub fn term(mut self, sql: &str) -> Index {
        self.term = Some(sql.to_owned());
        self
    }

    /// Lets searches look into elements of an array: into `subfield`, and into what the modifiers
    /// name.
    #[must_use]
    pub fn elements(mut self, subfield: &str, modifiers: &[&str]) -> Index {
        self.array_subfield = Some(subfield.to_owned());
        self.array_modifiers = owned(modifiers);
        self
    }

    /// Sets the message to clients when the key is taken.
    #[must_use]
    pub fn refusing(mut self, message: &str) -> Index {
        self.refusal = Some(message.to_owned());
        self
    }

    /// Whether it allows at most one record with a value of its field alone.
    #[must_use]
    pub fn is_unique_key(&self) -> bool {
        self.kind == IndexKind::UniqueIndex && self.with.is_empty() && self.condition.is_none()
    }

    /// Whether two indexes read and fold the text alike, whatever their kinds.
    #[must_use]
    pub fn reads_like(&self, other: &Index) -> bool {
        self.takes_like(other)
            && self.case_sensitive == other.case_sensitive
            && self.remove_accents == other.remove_accents
    }

    /// Whether texts that are equal under `finer` are equal under this index too.
    #[must_use]
    pub fn is_coarser_than(&self, finer: &Index) -> bool {
        self.takes_like(finer)
            && self.case_sensitive <= finer.case_sensitive
            && self.remove_accents >= finer.remove_accents
    }

    /// Whether it has every row, so that it gives them in order.
    #[must_use]
    pub fn has_every_row(&self) -> bool {
        self.except.is_none() && self.condition.is_none()
    }

    /// Whether rows with a value are left out.
    #[must_use]
    pub fn leaves_values_out(&self) -> bool {
        self.except
            .as_ref()
            .is_some_and(|values| !values.is_empty())
    }

    /// Whether it has all rows that a comparison with this value finds. What is not ASCII may be one
    /// of the values left out once it is folded.
    #[must_use]
    pub fn has_rows_of(&self, operator: &str, value: &str) -> bool {
        let Some(except) = self.except.as_ref().filter(|values| !values.is_empty()) else {
            return true;
        };
        let is_common = |common: &String| match self.case_sensitive {
            true => common == value,
            false => common.eq_ignore_ascii_case(value),
        };
        operator == "=" && value.is_ascii() && !except.iter().any(is_common)
    }

    /// Whether another declaration is the same, wherever its values are read from.
    #[must_use]
    pub fn is_declared_as(&self, other: &Index) -> bool {
        let as_read = |index: &Index| Index {
            stored: false,
            ..index.clone()
        };
        as_read(self) == as_read(other)
    }

    fn takes_like(&self, other: &Index) -> bool {
        self.field == other.field
            && self.fields == other.fields
            && self.expression == other.expression
            && self.term == other.term
            && self.number == other.number
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_named_as_they_are_declared() {
        for kind in IndexKind::ALL {
            assert_eq!(
                serde_json::to_value(kind).expect("a kind is JSON"),
                kind.name()
            );
            assert_eq!(IndexKind::named(kind.name()), Some(kind));
        }
    }

    #[test]
    fn a_declaration_survives_being_written_down() {
        let index = Index::full_text("identifiers")
            .elements("value", &["identifierTypeId"])
            .keep_accents();
        let json = serde_json::to_value(&index).expect("an index is JSON");
        assert_eq!(
            json,
            serde_json::json!({
                "field": "identifiers", "kind": "fullTextIndex", "removeAccents": false,
                "arraySubfield": "value", "arrayModifiers": ["identifierTypeId"],
            })
        );
        assert_eq!(
            serde_json::from_value::<Index>(json).expect("it reads back"),
            index
        );
    }

    #[test]
    fn a_coarser_index_finds_all_that_a_finer_comparison_wants() {
        let folded = Index::plain("name");
        let exact = Index::plain("name").case_sensitive().keep_accents();
        assert!(folded.is_coarser_than(&exact));
        assert!(folded.is_coarser_than(&folded));
        assert!(!exact.is_coarser_than(&folded));
        assert!(!Index::plain("code").is_coarser_than(&exact));
    }
}
