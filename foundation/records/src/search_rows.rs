//! Narrow rows beside the records of a collection, for lists of what a search for words finds: the
//! words of one full-text index and what such lists are sorted by. As an expression on the document the
//! words were computed anew for each record that is looked at, some 50 µs, and a record is ten times as wide.

use crate::collection::Collection;
use crate::expression::{Base, index_name, key, quote, source, text_at, words_in};
use crate::index::{Index, IndexKind};

/// Records that are sorted when they are found; where there are more, the order is walked along.
const SORTED_MAX: i64 = 5_000;

/// Rows that are walked along until a page is full. Where it is not, all that is found is sorted: it
/// stands together at the end of the order.
const WALKED_MAX: i64 = 200_000;

/// What stands in the words of a record in which a word of one field may not be a word of all fields
/// together. No word begins with a blank.
pub(crate) const UNSURE: &str = "' '";

/// Texts up to this length, in characters, hold no word too long to be kept, of 2,046 bytes.
const SURE_CHARS: i64 = 400;

/// Texts up to this length hold no more words than have a place of their own, 16,383.
const PLACED_CHARS: i64 = 30_000;

/// The rows of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRows {
    /// The name of the full-text index whose words are here, and not in an index on the records.
    pub words: String,
    /// The paths by which lists are sorted, the first key first.
    pub sorted_by: Vec<String>,
    /// Records that are sorted when they are found.
    pub sorted_max: i64,
    /// Rows that are walked along in the order.
    pub walked_max: i64,
}

impl SearchRows {
    /// The words of this full-text index, in this order.
    #[must_use]
    pub fn of(words: &str, sorted_by: &[&str]) -> SearchRows {
        SearchRows {
            words: words.to_owned(),
            sorted_by: sorted_by.iter().map(|path| (*path).to_owned()).collect(),
            sorted_max: SORTED_MAX,
            walked_max: WALKED_MAX,
        }
    }

    /// The same with other bounds.
    #[must_use]
    pub fn bounded(self, sorted_max: i64, walked_max: i64) -> SearchRows {
        SearchRows {
            sorted_max,
            walked_max,
            ..self
        }
    }

    /// Whether an index of the collection is kept in the rows.
    #[must_use]
    pub fn keeps(&self, index: &Index) -> bool {
        index.kind == IndexKind::FullTextIndex && index.field == self.words
    }

    /// The columns that lists are sorted by.
    pub(crate) fn keys(&self) -> impl Iterator<Item = String> {
        (1..=self.sorted_by.len()).map(|at| format!("key_{at}"))
    }
}

/// The table of a collection's rows.
pub(crate) fn table_of(collection: &Collection) -> String {
    format!("{}_search", collection.table)
}

/// The step that makes the rows of a collection, fills them and lets the database keep them.
pub(crate) fn step(schema: &str, collection: &Collection) -> Option<(String, String)> {
    let rows = collection.search_rows.as_ref()?;
    let index = collection.indexes.iter().find(|one| rows.keeps(one))?;
    // The function has a document and no row, so it reads no generated columns.
    let index = &Index {
        stored: false,
        ..index.clone()
    };
    let (records, table) = (&collection.table, table_of(collection));
    let columns: Vec<String> = rows
        .keys()
        .map(|key| format!(",\n  {key} text COLLATE \"C\""))
        .collect();
    let keys: Vec<String> = rows.keys().collect();
    let mut values = vec!["id".to_owned(), words(index)];
    values.extend(rows.sorted_by.iter().map(|path| key(&Index::plain(path))));
    let values = values.join(",\n    ");
    let text = source(index);
    let assigned: Vec<String> = keys
        .iter()
        .map(|key| format!(", {key} = made.{key}"))
        .collect();
    let changed: Vec<String> = properties(index, rows)
        .iter()
        .map(|property| format!("(OLD.{property}) IS DISTINCT FROM (NEW.{property})"))
        .collect();
    let by_expression = index_name(collection, index);
    let sql = format!(
        "CREATE TABLE {schema}.{table} (
  id uuid PRIMARY KEY,
  words tsvector NOT NULL{columns}
);
CREATE FUNCTION {schema}.{table}_row(id uuid, jsonb jsonb) RETURNS SETOF {schema}.{table}
  LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT {values}
  FROM (SELECT {text} AS txt OFFSET 0) AS _ $$;
LOCK TABLE {schema}.{records} IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO {schema}.{table} SELECT made.* FROM {schema}.{records} AS record,
  LATERAL {schema}.{table}_row(record.id, record.jsonb) AS made;
CREATE INDEX {table}_words_idx ON {schema}.{table} USING gin (words);
CREATE INDEX {table}_keys_idx ON {schema}.{table} ({keys});
ANALYZE {schema}.{table};
DROP INDEX IF EXISTS {schema}.{by_expression};
CREATE FUNCTION {schema}.{table}_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {schema}.{table} SELECT made.* FROM added AS record,
    LATERAL {schema}.{table}_row(record.id, record.jsonb) AS made;
  RETURN NULL;
END $$;
CREATE TRIGGER {table}_added AFTER INSERT ON {schema}.{records}
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION {schema}.{table}_added();
CREATE FUNCTION {schema}.{table}_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE {schema}.{table} AS row SET words = made.words{assigned}
    FROM {schema}.{table}_row(NEW.id, NEW.jsonb) AS made WHERE row.id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER {table}_changed AFTER UPDATE ON {schema}.{records} FOR EACH ROW
  WHEN ({changed}) EXECUTE FUNCTION {schema}.{table}_changed();
CREATE FUNCTION {schema}.{table}_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.{table} AS row USING gone WHERE row.id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER {table}_deleted AFTER DELETE ON {schema}.{records}
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION {schema}.{table}_deleted();",
        columns = columns.concat(),
        keys = keys.join(", "),
        assigned = assigned.concat(),
        changed = changed.join("\n    OR "),
    );
    Some((format!("search rows {records}"), sql))
}

/// The words of `txt`, and [`UNSURE`] where they may lack one that a field has by itself, or that a field
/// begins with: behind `<` blanks end no word, what stands before `://` is none, and words that are too
/// long are left out.
fn words(index: &Index) -> String {
    let text = Index {
        fields: Vec::new(),
        expression: Some("txt".to_owned()),
        ..index.clone()
    };
    format!(
        "{words} || CASE WHEN
      (CASE WHEN length(txt) = octet_length(txt) THEN txt ELSE public.f_unaccent(txt) END) ~ '<|://'
      OR length(txt) > {PLACED_CHARS} OR length(txt) > {SURE_CHARS} AND txt ~ '\\S{{255}}\\S{{145}}'
      THEN array_to_tsvector(ARRAY[' ']) ELSE '' END",
        words = words_in(Base::Record, &text),
    )
}

/// The properties that the rows are made of, as JSON; an object that they are in where there are several.
fn properties(index: &Index, rows: &SearchRows) -> Vec<String> {
    let paths = index.fields.iter().chain(&rows.sorted_by);
    let mut properties: Vec<String> = Vec::new();
    for path in paths {
        let path = path.split("[*]").next().unwrap_or_default();
        let property = match path.rsplit_once('.') {
            _ if path == "id" => continue,
            None => format!("jsonb->{}", quote(path)),
            Some(_) => text_at(path),
        };
        if !properties.contains(&property) {
            properties.push(property);
        }
    }
    properties
}
