//! SQL for the values inside a document. Index definitions and searches both come from here, so
//! that a declared index is always usable by the search it was declared for.

use crate::collection::Collection;
use crate::columns::{column_of, joined_column_of, number_columns_of, rare_column_of, unless};
use crate::index::{Index, IndexKind};

/// B-tree keys are cut to this many characters, as FOLIO does, so that long titles fit a page.
pub const KEY_CHARS: usize = 600;

/// Where a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Base {
    /// The record's document, the column `jsonb`.
    #[default]
    Record,
    /// One element of an array, called `element` where arrays are taken apart.
    Element,
}

impl Base {
    /// The dotted path as text: `jsonb->'status'->>'name'`.
    #[must_use]
    pub fn text(self, path: &str) -> String {
        self.at(path, "->>")
    }

    /// The dotted path as JSON: `jsonb->'status'->'name'`.
    #[must_use]
    pub fn json(self, path: &str) -> String {
        self.at(path, "->")
    }

    fn at(self, path: &str, last: &str) -> String {
        let mut sql = String::from(match self {
            Base::Record => "jsonb",
            Base::Element => "element",
        });
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            sql.push_str(if names.peek().is_some() { "->" } else { last });
            sql.push_str(&quote(name));
        }
        sql
    }
}

/// `jsonb->'status'->>'name'` for the dotted path `status.name`.
#[must_use]
pub fn text_at(path: &str) -> String {
    Base::Record.text(path)
}

/// `jsonb->'status'->'name'`: the value as JSON.
#[must_use]
pub fn json_at(path: &str) -> String {
    Base::Record.json(path)
}

/// What stands behind a key that is compared with the bound list of ids `$1`.
///
/// PostgreSQL takes a bound list for ten values as long as it does not look at it, and plans a statement with a shorter
/// one anew each time, because that seems cheaper: 0.1 to 0.2 ms, more than most look-ups take. It does not look behind
/// a query, so the plan is made once. For lists that are short as a rule.
pub const AMONG_IDS: &str = "= ANY((SELECT $1::uuid[])::uuid[])";

/// The same for a bound list of texts.
pub const AMONG_TEXTS: &str = "= ANY((SELECT $1::text[])::text[])";

/// The same for ids that are bound as texts.
pub const AMONG_IDS_AS_TEXTS: &str = "= ANY((SELECT $1::text[]::uuid[])::uuid[])";

/// A text literal.
#[must_use]
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The text that an index covers, before case and accents are folded.
#[must_use]
pub fn source(index: &Index) -> String {
    source_in(Base::Record, index)
}

/// The same for a path with another base.
#[must_use]
pub fn source_in(base: Base, index: &Index) -> String {
    if let Some(sql) = &index.expression {
        return format!("({sql})");
    }
    // An index that leaves values out has a column of the others only.
    let has_columns = index.stored && !index.leaves_values_out();
    let text = |path: &str| match base {
        Base::Record if has_columns => column_of(path),
        _ => base.text(path),
    };
    if index.fields.is_empty() {
        return text(&index.field);
    }
    if let Some(column) = joined_column_of(index).filter(|_| has_columns && base == Base::Record) {
        return column;
    }
    let parts: Vec<String> = index
        .fields
        .iter()
        .map(|field| match field.split_once("[*]") {
            None => text(field),
            Some((array, "")) => format!("public.octavo_join({})", base.json(array)),
            Some((array, property)) => format!(
                "public.octavo_join({}, {})",
                base.json(array),
                quote(property.trim_start_matches('.'))
            ),
        })
        .collect();
    // concat_ws is not immutable; octavo_concat does the same over text.
    format!("public.octavo_concat(VARIADIC ARRAY[{}])", parts.join(", "))
}

/// Folds case and accents of a text expression as the index declares.
#[must_use]
pub fn fold(index: &Index, text: &str) -> String {
    match (index.case_sensitive, index.remove_accents) {
        _ if index.term.is_some() => text.to_owned(),
        (false, true) => format!("lower(public.f_unaccent({text}))"),
        (false, false) => format!("lower({text})"),
        (true, true) => format!("public.f_unaccent({text})"),
        (true, false) => text.to_owned(),
    }
}

/// The search term, a placeholder, in the form in which it is compared with the index.
#[must_use]
pub fn term(index: &Index, placeholder: &str) -> String {
    match &index.term {
        Some(sql) => sql.replace('$', placeholder),
        None => fold(index, placeholder),
    }
}

/// The folded text of an index in full length, in code-point order whatever the database's locale.
#[must_use]
pub fn folded(index: &Index) -> String {
    folded_in(Base::Record, index)
}

/// The same for a path with another base.
#[must_use]
pub fn folded_in(base: Base, index: &Index) -> String {
    format!("({}) COLLATE \"C\"", fold(index, &source_in(base, index)))
}

/// The value of a field as a number; NULL for other values.
#[must_use]
pub fn number_in(base: Base, field: &str) -> String {
    format!("public.octavo_number({})", base.json(field))
}

/// The text that the key of an index is made of: none where the row is left out of the index.
#[must_use]
pub fn indexed_text(index: &Index) -> String {
    let text = source(index);
    match &index.except {
        Some(values) if !values.is_empty() => match index.stored {
            true => rare_column_of(&index.field),
            false => unless(&text, values),
        },
        _ => text,
    }
}

/// Which rows an index has; none where it has all of them.
#[must_use]
pub fn rows(index: &Index) -> Option<String> {
    let present = index
        .except
        .as_ref()
        // In the words of the key, so that every comparison with it implies this.
        .map(|_| format!("({}) IS NOT NULL", key(index)));
    match (&index.condition, present) {
        (Some(condition), Some(present)) => Some(format!("{condition} AND {present}")),
        (condition, present) => condition.clone().or(present),
    }
}

/// Whether keys of this kind are cut to [`KEY_CHARS`].
#[must_use]
pub fn is_cut(kind: IndexKind) -> bool {
    matches!(
        kind,
        IndexKind::Index | IndexKind::LikeIndex | IndexKind::Brin
    )
}

/// The expression that a declared index stores; the first one if it has several.
#[must_use]
pub fn key(index: &Index) -> String {
    if index.number {
        return match index.stored {
            true => number_columns_of(&index.field)[0].clone(),
            false => number_in(Base::Record, &index.field),
        };
    }
    let text = fold(index, &indexed_text(index));
    match index.kind {
        IndexKind::UniqueIndex | IndexKind::Hash | IndexKind::SpGist => {
            format!("({text}) COLLATE \"C\"")
        }
        IndexKind::Index | IndexKind::LikeIndex | IndexKind::Brin => {
            format!("left({text}, {KEY_CHARS}) COLLATE \"C\"")
        }
        IndexKind::GinIndex | IndexKind::Gist => text,
        IndexKind::FullTextIndex => words_in(Base::Record, index),
    }
}

/// The expressions of a declared index, the first being [`key`].
#[must_use]
pub fn keys(index: &Index) -> Vec<String> {
    let mut keys = vec![key(index)];
    if index.number {
        // Behind the number, values that are none keep an order among themselves.
        keys.push(match index.stored {
            true => number_columns_of(&index.field)[1].clone(),
            false => json_at(&index.field),
        });
    }
    keys.extend(
        index
            .with
            .iter()
            .map(|field| match index.stored {
                true => column_of(field),
                false => text_at(field),
            })
            .map(|text| format!("({}) COLLATE \"C\"", fold(index, &text))),
    );
    keys
}

/// The words of an index's text. An array of objects is searched as its JSON.
#[must_use]
pub fn words_in(base: Base, index: &Index) -> String {
    let mut text = source_in(base, index);
    if base == Base::Record && index.array_subfield.is_some() {
        text = format!("public.octavo_unescaped({text})");
    }
    match index.remove_accents {
        true => format!("public.octavo_words({text})"),
        // As octavo_words, but with accents.
        false => format!("to_tsvector('pg_catalog.simple', translate({text}, '&', ','))"),
    }
}

/// A search for words in this order; `text` is a placeholder.
#[must_use]
pub fn phrase(index: &Index, text: &str) -> String {
    match index.remove_accents {
        true => format!("public.octavo_phrase({text})"),
        false => format!("phraseto_tsquery('pg_catalog.simple', translate({text}, '&', ','))"),
    }
}

/// A search for a word with this prefix.
#[must_use]
pub fn starting(index: &Index, text: &str) -> String {
    match index.remove_accents {
        true => format!("public.octavo_starting({text})"),
        // As octavo_starting, but with accents.
        false => format!(
            "to_tsquery('pg_catalog.simple', '''' || replace(replace(translate({text}, '&', ','), \
             chr(92), chr(92) || chr(92)), '''', '''''') || ''':*')"
        ),
    }
}

/// The expression as FOLIO prints it in a uniqueness error.
#[must_use]
pub fn as_folio_prints(index: &Index) -> String {
    let fields = std::iter::once(&index.field).chain(&index.with);
    let printed: Vec<String> = fields.map(|field| folio_prints(index, field)).collect();
    printed.join(", ")
}

fn folio_prints(index: &Index, field: &str) -> String {
    let text = match field.rsplit_once('.') {
        None => format!("jsonb ->> '{field}'::text"),
        Some((parents, last)) => {
            let path: Vec<String> = parents
                .split('.')
                .map(|name| format!("'{name}'::text"))
                .collect();
            format!("(jsonb -> {}) ->> '{last}'::text", path.join(" -> "))
        }
    };
    match (index.case_sensitive, index.remove_accents) {
        (false, true) => format!("lower(f_unaccent({text}))"),
        (false, false) => format!("lower({text})"),
        (true, true) => format!("f_unaccent({text})"),
        (true, false) => text,
    }
}

/// The name of an index in the database; at most 63 bytes, PostgreSQL's limit.
#[must_use]
pub fn index_name(collection: &Collection, index: &Index) -> String {
    let suffix = match index.kind {
        IndexKind::Index => "idx",
        IndexKind::UniqueIndex => "idx_unique",
        IndexKind::LikeIndex => "idx_like",
        IndexKind::GinIndex => "idx_gin",
        IndexKind::FullTextIndex => "idx_ft",
        IndexKind::Hash => "idx_hash",
        IndexKind::Gist => "idx_gist",
        IndexKind::SpGist => "idx_spgist",
        IndexKind::Brin => "idx_brin",
    };
    let number = if index.number { "number_" } else { "" };
    let fields = std::iter::once(&index.field).chain(&index.with);
    let parts = std::iter::once(collection.table.as_str()).chain(fields.map(String::as_str));
    identifier(parts, &format!("{number}{suffix}"))
}

/// A name that is never quoted, of these parts; at most 63 bytes, PostgreSQL's limit.
pub(crate) fn identifier<'p>(parts: impl Iterator<Item = &'p str>, suffix: &str) -> String {
    let mut name = String::new();
    for part in parts {
        name.extend(part.to_lowercase().chars().map(|character| {
            if character.is_ascii_alphanumeric() {
                character
            } else {
                '_'
            }
        }));
        name.push('_');
    }
    name.push_str(suffix);
    if name.len() <= 63 {
        return name;
    }
    // Long names are cut and made distinct again by a checksum of the whole.
    let sum = name.bytes().fold(2_166_136_261_u32, |sum, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(16_777_619)
    });
    format!("{}_{sum:08x}", &name[..54])
}

/// The expression of the b-tree that serves equality on a field, and the folding of the value:
/// areas' own statements compare with it, so that they use the declared index.
///
/// # Panics
/// When the collection declares no such index: a programming error, which the first test reveals.
#[must_use]
pub fn equality(collection: &Collection, field: &str, value: &str) -> String {
    let index = collection
        .indexes
        .iter()
        .find(|index| {
            index.field == field
                && !index.on_demand
                && !index.leaves_values_out()
                && matches!(
                    index.kind,
                    IndexKind::UniqueIndex | IndexKind::Index | IndexKind::LikeIndex
                )
        })
        .unwrap_or_else(|| {
            panic!(
                "invariant: {}.{field} has an index for equality",
                collection.table
            )
        });
    let condition = index
        .condition
        .as_ref()
        .map(|condition| format!(" AND {condition}"))
        .unwrap_or_default();
    format!("{} = {}{condition}", key(index), fold(index, value))
}
