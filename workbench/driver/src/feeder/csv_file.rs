//! Feeder rows from CSV files as JMeter plans use them: optional header line, comma, semicolon or
//! tab as delimiter, surplus columns ignored.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use super::Row;

/// The most rows: a feeder is held in memory.
const ROWS_MAX: usize = 5_000_000;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CsvError {
    #[error("cannot read {file}: {reason}")]
    Unreadable { file: String, reason: String },
    /// A line lacks a value.
    #[error("{file}, line {line}: {expected} columns expected, {found} found")]
    TooFewColumns {
        file: String,
        /// The line, from 1.
        line: u64,
        /// Columns that the feeder has.
        expected: usize,
        /// Columns of this line.
        found: usize,
    },
    /// It has no rows, or too many.
    #[error("{file} has {rows} rows; a feeder needs 1 to {ROWS_MAX}")]
    RowCount {
        file: String,
        /// Its rows, or one more than the limit.
        rows: usize,
    },
}

/// A CSV file with a header line.
#[derive(Debug)]
pub struct Table {
    /// Column numbers by name.
    pub columns: HashMap<String, usize>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// Reads rows for the named columns. A first line that contains one of the names is a header line
/// and skipped; values are taken by position, as in JMeter.
///
/// # Errors
/// When the file cannot be read, a line is too short, or there is no row.
pub fn read_rows(file: &Path, columns: &[String]) -> Result<Vec<Row>, CsvError> {
    let (records, _) = read(file, columns.len())?;
    let is_header = |record: &Row| {
        record
            .iter()
            .any(|cell| columns.iter().any(|name| **name == **cell))
    };
    let skip = usize::from(records.first().is_some_and(is_header));
    counted(file, records.into_iter().skip(skip).collect())
}

/// Reads a file whose first line names its columns.
///
/// # Errors
/// When the file cannot be read, a line is shorter than the header, or there is no row.
pub fn read_table(file: &Path) -> Result<Table, CsvError> {
    let (mut records, _) = read(file, 1)?;
    if records.is_empty() {
        return counted(file, records).map(|rows| Table {
            columns: HashMap::new(),
            rows,
        });
    }
    let header = records.remove(0);
    let columns = header
        .iter()
        .enumerate()
        .map(|(at, name)| (name.to_string(), at))
        .collect();
    if let Some(at) = records.iter().position(|row| row.len() < header.len()) {
        return Err(CsvError::TooFewColumns {
            file: file.display().to_string(),
            line: at as u64 + 2,
            expected: header.len(),
            found: records[at].len(),
        });
    }
    Ok(Table {
        columns,
        rows: counted(file, records)?,
    })
}

fn counted(file: &Path, rows: Vec<Row>) -> Result<Vec<Row>, CsvError> {
    match rows.len() {
        1..=ROWS_MAX => Ok(rows),
        rows => Err(CsvError::RowCount {
            file: file.display().to_string(),
            rows,
        }),
    }
}

fn read(file: &Path, at_least: usize) -> Result<(Vec<Row>, u8), CsvError> {
    let unreadable = |error: &dyn std::fmt::Display| CsvError::Unreadable {
        file: file.display().to_string(),
        reason: error.to_string(),
    };
    let mut opened = std::fs::File::open(file).map_err(|error| unreadable(&error))?;
    let mut sample = Vec::new();
    opened
        .by_ref()
        .take(4096)
        .read_to_end(&mut sample)
        .map_err(|error| unreadable(&error))?;
    let delimiter = delimiter(&sample);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .from_reader(std::io::Cursor::new(sample).chain(opened));
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(&error))?;
        if record.len() < at_least {
            return Err(CsvError::TooFewColumns {
                file: file.display().to_string(),
                line: record.position().map_or(0, csv::Position::line),
                expected: at_least,
                found: record.len(),
            });
        }
        rows.push(
            record
                .iter()
                .map(Box::from)
                .collect::<Vec<Box<str>>>()
                .into(),
        );
        if rows.len() > ROWS_MAX + 1 {
            break;
        }
    }
    Ok((rows, delimiter))
}

fn delimiter(sample: &[u8]) -> u8 {
    let first_line = sample
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    *first_line
        .iter()
        .find(|byte| b",;\t".contains(byte))
        .unwrap_or(&b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> tempfile::TempFile {
        tempfile::TempFile::new(text)
    }

    /// The few functions of a temporary file that these tests need.
    mod tempfile {
        use std::path::{Path, PathBuf};

        pub struct TempFile(PathBuf);

        impl TempFile {
            pub fn new(text: &str) -> Self {
                let name = format!("octavo-feeder-{}.csv", uuid::Uuid::new_v4());
                let path = std::env::temp_dir().join(name);
                std::fs::write(&path, text).unwrap();
                Self(path)
            }
            pub fn path(&self) -> &Path {
                &self.0
            }
        }

        impl Drop for TempFile {
            fn drop(&mut self) {
                let _ = std::fs::remove_file(&self.0);
            }
        }
    }

    fn values(rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| row.join("|")).collect()
    }

    #[test]
    fn reads_files_as_jmeter_plans_have_them() {
        let check = |text: &str, columns: &[&str], expected: &[&str]| {
            let columns: Vec<_> = columns.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(
                values(&read_rows(file(text).path(), &columns).unwrap()),
                expected
            );
        };
        check(
            "80298093\n77858416\r\n",
            &["barcode"],
            &["80298093", "77858416"],
        );
        check("a;1\nb;2\n", &["id", "n"], &["a|1", "b|2"]);
        check("barcode\n1\n", &["barcode"], &["1"]);
        check("\"a,b\",c\n", &["x", "y"], &["a,b|c"]);
    }

    #[test]
    fn names_the_line_that_is_too_short_and_the_empty_file() {
        let columns = ["a".to_owned(), "b".to_owned()];
        let error = read_rows(file("1,2\n3\n").path(), &columns).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("line 2: 2 columns expected, 1 found"),
            "{error}"
        );
        assert!(matches!(
            read_rows(file("").path(), &columns),
            Err(CsvError::RowCount { .. })
        ));
        assert!(read_rows(Path::new("/no/such.csv"), &columns).is_err());
    }

    #[test]
    fn tables_have_named_columns() {
        let table = read_table(file("id,barcode\n1,x\n").path()).unwrap();
        assert_eq!(table.columns["barcode"], 1);
        assert_eq!(values(&table.rows), ["1|x"]);
        assert!(read_table(file("id,barcode\n1\n").path()).is_err());
        assert!(read_table(file("id\n").path()).is_err());
    }
}
