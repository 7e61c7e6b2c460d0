//! Reference data: the records of a new tenant, with FOLIO's ids.

use octavo_records::{Collection, ValueKind};
use serde_json::{Map, Value};

/// Reference records of one table, as text in the source tree.
#[derive(Debug, Clone)]
pub struct ReferenceData {
    pub table: &'static str,
    text: &'static str,
    form: Form,
    always: Always,
}

/// Which records are loaded even for a tenant without reference data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Always {
    None,
    /// Those with these ids.
    Some(&'static [&'static str]),
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Tsv,
    Json,
}

/// A reference record that does not fit its collection.
#[derive(Debug, thiserror::Error)]
#[error("reference data of {table}, record {record}: {message}")]
pub struct ReferenceError {
    table: &'static str,
    record: usize,
    message: String,
}

impl ReferenceData {
    /// Tab-separated records. The first line names the properties, dotted for nested ones. A cell
    /// that begins with `[` or `{` is JSON, an empty one leaves the property out, any other is
    /// parsed as the kind of its property.
    #[must_use]
    pub fn tsv(table: &'static str, text: &'static str) -> ReferenceData {
        ReferenceData {
            table,
            text,
            form: Form::Tsv,
            always: Always::None,
        }
    }

    #[must_use]
    pub fn json(table: &'static str, text: &'static str) -> ReferenceData {
        ReferenceData {
            table,
            text,
            form: Form::Json,
            always: Always::None,
        }
    }

    /// Loads all of these records even for a tenant without reference data.
    #[must_use]
    pub fn essential(mut self) -> ReferenceData {
        self.always = Always::All;
        self
    }

    /// Loads the records with these ids even for a tenant without reference data.
    #[must_use]
    pub fn always(mut self, ids: &'static [&'static str]) -> ReferenceData {
        self.always = Always::Some(ids);
        self
    }

    /// Whether [`ReferenceData::essential`] was called.
    #[must_use]
    pub fn is_essential(&self) -> bool {
        self.always == Always::All
    }

    /// Whether any record is loaded even for a tenant without reference data.
    #[must_use]
    pub fn has_always(&self) -> bool {
        self.always != Always::None
    }

    /// The text that the records are read from, for checksums.
    pub(crate) fn source(&self) -> String {
        format!("{:?}\n{}", self.form, self.text)
    }

    /// The records, each checked against the collection's shape.
    ///
    /// # Errors
    /// Names the record that does not fit, and the reason.
    pub fn records(&self, collection: &Collection) -> Result<Vec<Value>, ReferenceError> {
        let error = |record, message| ReferenceError {
            table: self.table,
            record,
            message,
        };
        let mut records = match self.form {
            Form::Json => serde_json::from_str::<Vec<Value>>(self.text)
                .map_err(|cause| error(0, cause.to_string()))?,
            Form::Tsv => self.rows(collection),
        };
        for (at, record) in records.iter_mut().enumerate() {
            collection.shape.check(record).map_err(|violations| {
                error(
                    at + 1,
                    format!("{}: {}", violations[0].path, violations[0].message),
                )
            })?;
        }
        Ok(records)
    }

    /// The records that are loaded even for a tenant without reference data.
    ///
    /// # Errors
    /// As [`ReferenceData::records`].
    pub fn always_records(&self, collection: &Collection) -> Result<Vec<Value>, ReferenceError> {
        let mut records = match self.always {
            Always::None => return Ok(Vec::new()),
            Always::Some(_) | Always::All => self.records(collection)?,
        };
        if let Always::Some(ids) = self.always {
            records.retain(|one| one["id"].as_str().is_some_and(|id| ids.contains(&id)));
        }
        Ok(records)
    }

    fn rows(&self, collection: &Collection) -> Vec<Value> {
        let mut lines = self.text.lines().filter(|line| !line.trim().is_empty());
        let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        lines
            .map(|line| {
                let mut record = Map::new();
                for (path, cell) in header.iter().zip(line.split('\t')) {
                    if !cell.is_empty() {
                        put(
                            &mut record,
                            path,
                            cell_value(cell, collection.kind_at(path)),
                        );
                    }
                }
                Value::Object(record)
            })
            .collect()
    }
}

fn cell_value(cell: &str, kind: Option<&ValueKind>) -> Value {
    let json = cell.starts_with(['[', '{'])
        || matches!(
            kind,
            Some(ValueKind::Boolean | ValueKind::Integer | ValueKind::Number)
        );
    if json && let Ok(value) = serde_json::from_str(cell) {
        return value;
    }
    Value::String(cell.to_owned())
}

fn put(record: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            record.insert(path.to_owned(), value);
        }
        Some((parent, rest)) => {
            let inner = record
                .entry(parent.to_owned())
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}
