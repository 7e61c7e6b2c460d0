//! The indexes that a collection declares, in FOLIO's kinds and with FOLIO's options.

use serde::Deserialize;

/// What an index is for (the `index_kind` of FOLIO's table declarations).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IndexKind {
    /// B-tree for equality, ranges, prefixes and sorting.
    Index,
    /// B-tree that admits a value once.
    UniqueIndex,
    /// B-tree for equality and prefixes.
    LikeIndex,
    /// Trigrams, for `*inner*` wildcards.
    GinIndex,
    /// Words, for `=`, `adj`, `all` and `any`.
    FullTextIndex,
}

/// One declared index.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Index {
    /// The CQL name it serves: a dotted path, or the name of a combination of several fields.
    pub field: String,
    /// What it is for.
    pub kind: IndexKind,
    /// Whether upper and lower case differ.
    #[serde(default)]
    pub case_sensitive: bool,
    /// Whether accents are removed before comparison.
    #[serde(default = "yes")]
    pub remove_accents: bool,
    /// For an index over several fields: their paths, joined by a blank. `contributors[*].name`
    /// takes one property of every element of an array.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Further columns of a unique key.
    #[serde(default)]
    pub with: Vec<String>,
    /// A condition in SQL over `jsonb` that makes the index partial.
    #[serde(default, rename = "where")]
    pub condition: Option<String>,
    /// What a client is told instead of FOLIO's generic sentence when a unique key is taken.
    #[serde(default)]
    pub refusal: Option<String>,
}

fn yes() -> bool {
    true
}

impl Index {
    fn of(kind: IndexKind, field: &str) -> Index {
        Index {
            field: field.to_owned(),
            kind,
            case_sensitive: false,
            remove_accents: true,
            fields: Vec::new(),
            with: Vec::new(),
            condition: None,
            refusal: None,
        }
    }

    /// A B-tree on one field.
    #[must_use]
    pub fn plain(field: &str) -> Index {
        Index::of(IndexKind::Index, field)
    }

    /// A unique key on one field.
    #[must_use]
    pub fn unique(field: &str) -> Index {
        Index::of(IndexKind::UniqueIndex, field)
    }

    /// A B-tree for equality and prefixes.
    #[must_use]
    pub fn like(field: &str) -> Index {
        Index::of(IndexKind::LikeIndex, field)
    }

    /// A trigram index.
    #[must_use]
    pub fn gin(field: &str) -> Index {
        Index::of(IndexKind::GinIndex, field)
    }

    /// An index over words.
    #[must_use]
    pub fn full_text(field: &str) -> Index {
        Index::of(IndexKind::FullTextIndex, field)
    }

    /// Makes upper and lower case differ.
    #[must_use]
    pub fn case_sensitive(mut self) -> Index {
        self.case_sensitive = true;
        self
    }

    /// Makes accents count.
    #[must_use]
    pub fn keep_accents(mut self) -> Index {
        self.remove_accents = false;
        self
    }

    /// Serves the CQL name from several fields joined by blanks.
    #[must_use]
    pub fn over(mut self, fields: &[&str]) -> Index {
        self.fields = fields.iter().map(|field| (*field).to_owned()).collect();
        self
    }

    /// Adds columns to a unique key.
    #[must_use]
    pub fn with(mut self, fields: &[&str]) -> Index {
        self.with = fields.iter().map(|field| (*field).to_owned()).collect();
        self
    }

    /// Indexes only the rows for which an SQL condition over `jsonb` holds.
    #[must_use]
    pub fn when(mut self, condition: &str) -> Index {
        self.condition = Some(condition.to_owned());
        self
    }

    /// What a client is told when the key is taken.
    #[must_use]
    pub fn refusing(mut self, message: &str) -> Index {
        self.refusal = Some(message.to_owned());
        self
    }
}
