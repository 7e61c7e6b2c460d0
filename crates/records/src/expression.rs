//! SQL for the values inside a document. Index definitions and searches both come from here, so
//! that a declared index is always usable by the search it was declared for.

use crate::collection::Collection;
use crate::index::{Index, IndexKind};

/// B-tree keys are cut to this many characters, as FOLIO does, so that long titles fit a page.
pub const KEY_CHARS: usize = 600;

/// `jsonb->'status'->>'name'` for the dotted path `status.name`.
#[must_use]
pub fn text_at(path: &str) -> String {
    at(path, "->>")
}

/// `jsonb->'status'->'name'`: the value as JSON.
#[must_use]
pub fn json_at(path: &str) -> String {
    at(path, "->")
}

fn at(path: &str, last: &str) -> String {
    let mut sql = String::from("jsonb");
    let mut names = path.split('.').peekable();
    while let Some(name) = names.next() {
        sql.push_str(if names.peek().is_some() { "->" } else { last });
        sql.push_str(&quote(name));
    }
    sql
}

/// A text literal.
#[must_use]
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The text that an index is over, before case and accents are folded.
#[must_use]
pub fn source(index: &Index) -> String {
    if index.fields.is_empty() {
        return text_at(&index.field);
    }
    let parts: Vec<String> = index
        .fields
        .iter()
        .map(|field| match field.split_once("[*].") {
            Some((array, property)) => {
                format!(
                    "public.octavo_join({}, {})",
                    json_at(array),
                    quote(property)
                )
            }
            None => text_at(field),
        })
        .collect();
    // concat_ws is not immutable; octavo_concat is the same over text.
    format!("public.octavo_concat(VARIADIC ARRAY[{}])", parts.join(", "))
}

/// Folds case and accents of a text expression as an index declares.
#[must_use]
pub fn fold(index: &Index, text: &str) -> String {
    match (index.case_sensitive, index.remove_accents) {
        (false, true) => format!("lower(public.f_unaccent({text}))"),
        (false, false) => format!("lower({text})"),
        (true, true) => format!("public.f_unaccent({text})"),
        (true, false) => text.to_owned(),
    }
}

/// The folded text of an index in full length, in code-point order whatever the database's locale.
#[must_use]
pub fn folded(index: &Index) -> String {
    format!("({}) COLLATE \"C\"", fold(index, &source(index)))
}

/// The expression that a declared index stores.
#[must_use]
pub fn key(index: &Index) -> String {
    match index.kind {
        IndexKind::UniqueIndex => folded(index),
        IndexKind::Index | IndexKind::LikeIndex => {
            format!(
                "left({}, {KEY_CHARS}) COLLATE \"C\"",
                fold(index, &source(index))
            )
        }
        IndexKind::GinIndex => fold(index, &source(index)),
        IndexKind::FullTextIndex => words(&source(index)),
    }
}

/// The words of a text.
#[must_use]
pub fn words(text: &str) -> String {
    format!("public.octavo_words({text})")
}

/// The expression as FOLIO prints it in a uniqueness error.
#[must_use]
pub fn as_folio_prints(index: &Index) -> String {
    let text = match index.field.rsplit_once('.') {
        None => format!("jsonb ->> '{}'::text", index.field),
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
    };
    let field = index.field.replace(['.', '@'], "_").to_lowercase();
    let name = format!("{}_{field}_{suffix}", collection.table);
    if name.len() <= 63 {
        return name;
    }
    // Long names are cut and made distinct again by a checksum of the whole.
    let sum = name.bytes().fold(2_166_136_261_u32, |sum, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(16_777_619)
    });
    format!("{}_{sum:08x}", &name[..54])
}

/// The expression of the b-tree that serves equality on a field, and how the value is folded:
/// areas' own statements compare with it, so that they use the declared index.
///
/// # Panics
/// When the collection declares no such index: a fault that the first test meets.
#[must_use]
pub fn equality(collection: &Collection, field: &str, value: &str) -> String {
    let index = collection
        .indexes
        .iter()
        .find(|index| {
            index.field == field
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
