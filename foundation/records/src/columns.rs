//! The generated columns of a collection that changes often.
//!
//! An update of a row leaves its indexes alone (PostgreSQL's HOT) when no column that an index reads
//! has changed. An index over an expression on the document reads the column `jsonb`, which changes
//! always. So such a collection keeps each property that an index reads in a generated column, and
//! indexes and statements read these. The value is that of the expression, so that one may stand for
//! the other everywhere.

use crate::expression::{Base, identifier, indexed_text, number_in, quote, source};
use crate::index::Index;

/// What stands behind the path in a column's name: the path alone names a foreign key.
const SUFFIX: &str = "text";

/// A generated column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredColumn {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: &'static str,
    /// What it is generated from, SQL over `jsonb`.
    pub expression: String,
}

impl StoredColumn {
    /// The column as in `CREATE TABLE`.
    #[must_use]
    pub fn definition(&self) -> String {
        let StoredColumn {
            name,
            kind,
            expression,
        } = self;
        format!("{name} {kind} GENERATED ALWAYS AS ({expression}) STORED")
    }
}

/// The column of the property at a dotted path. The id has one anyway.
#[must_use]
pub fn column_of(path: &str) -> String {
    match path {
        "id" => "id::text".to_owned(),
        _ => identifier(std::iter::once(path), SUFFIX),
    }
}

/// The column that has a text only where its row is in an index that leaves common values out.
#[must_use]
pub fn rare_column_of(field: &str) -> String {
    identifier(std::iter::once(field), "rare")
}

/// The columns of a property as a number, and of its JSON, which orders what is no number.
pub(crate) fn number_columns_of(field: &str) -> [String; 2] {
    ["number", "json"].map(|kind| identifier(std::iter::once(field), kind))
}

/// The column of the text that is joined of the elements of arrays, if an index has such a text.
pub(crate) fn joined_column_of(index: &Index) -> Option<String> {
    let of_elements = index.fields.iter().any(|field| field.contains("[*]"));
    of_elements.then(|| identifier(std::iter::once(index.field.as_str()), "joined"))
}

/// Lets an index read columns; adds those that it needs.
pub(crate) fn store(index: &mut Index, columns: &mut Vec<StoredColumn>) {
    if index.number {
        let [number, json] = number_columns_of(&index.field);
        add(
            columns,
            number,
            "numeric",
            number_in(Base::Record, &index.field),
        );
        add(columns, json, "jsonb", Base::Record.json(&index.field));
    } else if index.leaves_values_out() {
        let name = rare_column_of(&index.field);
        add(columns, name, "text", indexed_text(index));
    } else if let Some(name) = joined_column_of(index) {
        add(columns, name, "text", source(index));
    } else if index.expression.is_none() {
        let fields = match index.fields.is_empty() {
            true => std::slice::from_ref(&index.field),
            false => &index.fields,
        };
        fields.iter().for_each(|path| add_path(columns, path));
    }
    index.with.iter().for_each(|path| add_path(columns, path));
    for sql in [&mut index.expression, &mut index.condition]
        .into_iter()
        .flatten()
    {
        for path in paths(sql) {
            add_path(columns, &path);
        }
        *sql = in_columns(sql);
    }
    index.stored = true;
}

fn add_path(columns: &mut Vec<StoredColumn>, path: &str) {
    if path != "id" {
        add(columns, column_of(path), "text", Base::Record.text(path));
    }
}

fn add(columns: &mut Vec<StoredColumn>, name: String, kind: &'static str, expression: String) {
    let column = StoredColumn {
        name,
        kind,
        expression,
    };
    if !columns.contains(&column) {
        columns.push(column);
    }
}

/// SQL over `jsonb` with the columns in place of what they are generated from.
#[must_use]
pub fn in_columns(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some((before, path, behind)) = next_path(rest) {
        text.push_str(before);
        text.push_str(&column_of(&path));
        rest = behind;
    }
    text.push_str(rest);
    text
}

/// The dotted paths of the texts that SQL takes from `jsonb`.
fn paths(sql: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut rest = sql;
    while let Some((_, path, behind)) = next_path(rest) {
        paths.push(path);
        rest = behind;
    }
    paths
}

/// The first `jsonb->'a'->>'b'`: what stands before it, its dotted path, and what stands behind it.
fn next_path(sql: &str) -> Option<(&str, String, &str)> {
    let mut from = 0;
    loop {
        let at = from + sql.get(from..)?.find("jsonb->")?;
        from = at + "jsonb".len();
        let of_another = |one: char| one.is_alphanumeric() || matches!(one, '_' | '.' | ':' | '"');
        if sql[..at].ends_with(of_another) {
            continue;
        }
        if let Some((path, behind)) = text_path(&sql[from..]) {
            return Some((&sql[..at], path, behind));
        }
    }
}

/// `->'a'->>'b'` as `a.b`, and what stands behind it. Nothing where the value is not taken as text.
fn text_path(sql: &str) -> Option<(String, &str)> {
    let mut path = String::new();
    let mut rest = sql;
    loop {
        let (last, name) = match rest.strip_prefix("->>'") {
            Some(name) => (true, name),
            None => (false, rest.strip_prefix("->'")?),
        };
        let (name, behind) = name.split_once('\'')?;
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(name);
        rest = behind;
        if last {
            return Some((path, rest));
        }
    }
}

/// A text unless it is one of these.
pub(crate) fn unless(text: &str, values: &[String]) -> String {
    let values: Vec<String> = values.iter().map(|value| quote(value)).collect();
    // Not folded: the column is computed at every write, and folding costs more than all the rest.
    format!(
        "CASE WHEN {text} NOT IN ({}) THEN {text} END",
        values.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_document_become_columns_and_nothing_else_does() {
        for (sql, expected) in [
            (
                "lower(jsonb->'status'->>'name') = 'open'",
                "lower(status_name_text) = 'open'",
            ),
            (
                "(jsonb->>'dueDate') || ' ' || (jsonb->>'id')",
                "(duedate_text) || ' ' || (id::text)",
            ),
            (
                "item.jsonb->>'status' = 'a' AND jsonb->>'b' IS NULL",
                "item.jsonb->>'status' = 'a' AND b_text IS NULL",
            ),
            ("jsonb->'tags' @> $1::jsonb", "jsonb->'tags' @> $1::jsonb"),
            ("my_jsonb->>'a'", "my_jsonb->>'a'"),
        ] {
            assert_eq!(in_columns(sql), expected);
        }
    }

    #[test]
    fn an_index_names_the_columns_that_it_reads_once() {
        let mut columns = Vec::new();
        let mut first = Index::plain("status.name").when("jsonb->>'userId' IS NOT NULL");
        let mut second = Index::plain("userId");
        store(&mut first, &mut columns);
        store(&mut second, &mut columns);
        let definitions: Vec<String> = columns.iter().map(StoredColumn::definition).collect();
        assert_eq!(
            definitions,
            [
                "status_name_text text GENERATED ALWAYS AS (jsonb->'status'->>'name') STORED",
                "userid_text text GENERATED ALWAYS AS (jsonb->>'userId') STORED",
            ]
        );
        assert_eq!(first.condition.as_deref(), Some("userid_text IS NOT NULL"));
    }

    #[test]
    fn common_values_are_no_text_of_the_column() {
        let mut columns = Vec::new();
        let mut index = Index::plain("status.name")
            .keep_accents()
            .except(&["Available", "Checked out"]);
        store(&mut index, &mut columns);
        assert_eq!(
            columns[0].definition(),
            "status_name_rare text GENERATED ALWAYS AS (CASE WHEN jsonb->'status'->>'name' \
             NOT IN ('Available', 'Checked out') THEN jsonb->'status'->>'name' END) STORED"
        );
    }
}
