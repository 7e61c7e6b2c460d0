//! Rows of delimited files: fields, quotes, and rows over several lines.

use super::ReadError;
use super::input::{Input, Line};

/// A message with more lines comes from a quote that was never closed.
const LINES_OF_ROW_MAX: usize = 1000;
const ROW_BYTES_MAX: usize = 1 << 20;

/// The kind of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    Whole,
    /// The file ended within it.
    Last,
    /// Too long, or with an unclosed quote.
    Broken,
}

/// Reads the next row without splitting it. Returns the number of its first line.
pub(super) fn next(
    input: &mut Input,
    row: &mut Vec<u8>,
    line: &mut Vec<u8>,
) -> Result<Option<(Row, u64)>, ReadError> {
    let Some(kind) = input.next(row)? else {
        return Ok(None);
    };
    let start = input.line;
    let mut kind = kind;
    let mut lines = 1;
    loop {
        match kind {
            Line::TooLong => return Ok(Some((Row::Broken, start))),
            Line::Last => return Ok(Some((Row::Last, start))),
            Line::Whole if !is_open(row) => return Ok(Some((Row::Whole, start))),
            Line::Whole => {}
        }
        if lines >= LINES_OF_ROW_MAX || row.len() > ROW_BYTES_MAX {
            return Ok(Some((Row::Broken, start)));
        }
        match input.next(line)? {
            None => return Ok(Some((Row::Last, start))),
            Some(next) => {
                kind = next;
                row.push(b'\n');
                row.extend_from_slice(line);
                lines += 1;
            }
        }
    }
}

/// Whether a quote is open at the end.
fn is_open(row: &[u8]) -> bool {
    row.iter().filter(|byte| **byte == b'"').count() % 2 == 1
}

/// Splits a row into its fields, reusing their buffers.
pub(super) fn split(row: &str, delimiter: char, fields: &mut Vec<String>) -> usize {
    let mut count = 0;
    let mut next = |fields: &mut Vec<String>| {
        match fields.get_mut(count) {
            Some(field) => field.clear(),
            None => fields.push(String::new()),
        }
        count += 1;
        count - 1
    };
    if !row.contains('"') {
        for part in row.split(delimiter) {
            let at = next(fields);
            fields[at].push_str(part);
        }
        return count;
    }
    let mut at = next(fields);
    let mut letters = row.chars().peekable();
    let mut is_quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                fields[at].push('"');
            }
            '"' => is_quoted = !is_quoted,
            letter if letter == delimiter && !is_quoted => at = next(fields),
            letter => fields[at].push(letter),
        }
    }
    count
}

/// The delimiter of a header line: the first of those in use.
pub(super) fn delimiter(header: &str) -> char {
    let mut inside = false;
    for letter in header.chars() {
        match letter {
            '"' => inside = !inside,
            ',' | ';' | '\t' | '|' if !inside => return letter,
            _ => {}
        }
    }
    ','
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_split_with_their_quotes() {
        let check = |row: &str, delimiter: char, expected: &[&str]| {
            let mut fields = vec!["old".to_owned(); 2];
            let count = split(row, delimiter, &mut fields);
            assert_eq!(&fields[..count], expected, "{row}");
        };
        check("a,b,,c", ',', &["a", "b", "", "c"]);
        check("a;\"b;\"\"c\"\"\n\";d", ';', &["a", "b;\"c\"\n", "d"]);
        check("", ',', &[""]);
        assert_eq!(delimiter("a\tb,c"), '\t');
        assert_eq!(delimiter("\"a,b\";c"), ';');
    }
}
