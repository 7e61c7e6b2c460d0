//! The East Asian Character Code: three bytes to a character, some 15,700 of them.
//!
//! `eacc.txt` holds the Library of Congress code table as text: a line has the code (six
//! hexadecimal digits) of its first character, then the characters of that code and the following
//! ones, `.` where there is none. Codes that the table maps to Unicode's private use area are left
//! out: nothing could display them.

use std::collections::HashMap;
use std::sync::LazyLock;

static TABLE: &str = include_str!("eacc.txt");

/// Characters whose codes differ only in the third byte.
struct Row {
    /// The third byte of the first character's code.
    start: u8,
    characters: Vec<char>,
}

/// Rows by the first two bytes of their codes.
static ROWS: LazyLock<HashMap<[u8; 2], Row>> =
    LazyLock::new(|| TABLE.lines().filter_map(row).collect());

fn row(line: &str) -> Option<([u8; 2], Row)> {
    let (code, characters) = line.split_once(' ')?;
    let [_, first, second, start] = u32::from_str_radix(code, 16).ok()?.to_be_bytes();
    Some((
        [first, second],
        Row {
            start,
            characters: characters.chars().collect(),
        },
    ))
}

/// The character of a code with its high bits cleared.
pub(super) fn character([first, second, third]: [u8; 3]) -> Option<char> {
    // The ideographic space has two codes; as text in the table it would be invisible.
    if matches!([first, second, third], [0x21, 0x23, 0x20 | 0x21]) {
        return Some('\u{3000}');
    }
    let row = ROWS.get(&[first, second])?;
    let character = *row
        .characters
        .get(usize::from(third.checked_sub(row.start)?))?;
    (character != '.').then_some(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_row() {
        assert_eq!(ROWS.len(), TABLE.lines().count());
        let characters = ROWS
            .values()
            .flat_map(|row| &row.characters)
            .filter(|&&c| c != '.');
        assert_eq!(characters.count(), 15_674);
    }

    #[test]
    fn codes_are_found() {
        assert_eq!(character([0x21, 0x30, 0x21]), Some('一'));
        assert_eq!(character([0x21, 0x23, 0x20]), Some('\u{3000}'));
        assert_eq!(character([0x21, 0x30, 0x20]), None);
        assert_eq!(character([0x7E, 0x7E, 0x7E]), None);
    }
}
