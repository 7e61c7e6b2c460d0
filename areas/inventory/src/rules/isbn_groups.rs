//! Places the hyphens of an ISBN: after its registration group, publisher and title. The ISBN agency's
//! tables of ranges (`isbn_ranges.txt`) define the lengths.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::isbn::{is_valid_13, to_10, to_13};

/// Of each group, as `978-3`, the first and last publisher's number of each range.
type Ranges = HashMap<&'static str, Vec<(&'static str, &'static str)>>;

static RANGES: LazyLock<Ranges> = LazyLock::new(|| read(include_str!("isbn_ranges.txt")));

/// The longest group, in digits.
const GROUP_DIGITS_MAX: usize = 5;

fn read(table: &'static str) -> Ranges {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let (group, ranges) = line.split_once(' ')?;
            let ranges = ranges.split(' ');
            let ends = ranges.map(|range| range.split_once('-').unwrap_or((range, range)));
            Some((group, ends.collect()))
        })
        .collect()
}

/// The ISBN with hyphens between its parts, in ten digits or thirteen as it came; `None` when it is not
/// an ISBN, or of an unassigned range.
#[must_use]
pub fn hyphenated(isbn: &str) -> Option<String> {
    let thirteen = to_13(isbn)?;
    let (prefix, number) = thirteen.split_at(3);
    // The last digit is the check digit, and at least one is the title's.
    let number = &number[..9];
    let (group, publisher) = (1..=GROUP_DIGITS_MAX).find_map(|digits| {
        let (group, rest) = number.split_at_checked(digits)?;
        let ranges = RANGES.get(format!("{prefix}-{group}").as_str())?;
        Some((group, publisher(ranges, rest)?))
    })?;
    let title = &number[group.len() + publisher.len()..];
    let parts = if is_valid_13(isbn) {
        let check = thirteen.get(12..)?;
        [prefix, group, publisher, title, check].join("-")
    } else {
        let ten = to_10(isbn)?;
        [group, publisher, title, ten.get(9..)?].join("-")
    };
    Some(parts)
}

/// The publisher's number at the beginning of some digits.
fn publisher<'a>(ranges: &[(&str, &str)], digits: &'a str) -> Option<&'a str> {
    ranges.iter().find_map(|(first, last)| {
        let number = digits.get(..first.len())?;
        let title_remains = number.len() < digits.len();
        (title_remains && (*first..=*last).contains(&number)).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyphens_stand_where_the_parts_end() {
        for (plain, expected) in [
            ("9780306406157", "978-0-306-40615-7"),
            ("0306406152", "0-306-40615-2"),
            ("080442957X", "0-8044-2957-X"),
            ("9783161484100", "978-3-16-148410-0"),
            ("9789280115659", "978-92-801-1565-9"),
            ("9791090636071", "979-10-90636-07-1"),
            ("9788886110006", "978-88-86110-00-6"),
            ("978-0306-406157", "978-0-306-40615-7"),
            ("99921-58-10-7", "99921-58-10-7"),
        ] {
            assert_eq!(hyphenated(plain).as_deref(), Some(expected), "{plain}");
        }
    }

    #[test]
    fn what_is_no_isbn_or_not_given_out_has_no_hyphens() {
        // The second has the group 978-66, which does not exist.
        for text in ["9780306406158", "9786600000008", "", "123"] {
            assert_eq!(hyphenated(text), None, "{text}");
        }
        assert!(to_13("9786600000008").is_some());
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(RANGES.len() > 250);
        for (group, ranges) in RANGES.iter() {
            let (prefix, digits) = group.split_once('-').expect("a prefix");
            assert!(["978", "979"].contains(&prefix), "{group}");
            assert!(digits.len() <= GROUP_DIGITS_MAX, "{group}");
            let mut last_end = String::new();
            for (first, last) in ranges {
                assert_eq!(first.len(), last.len(), "{group} {first}");
                assert!(first <= last, "{group} {first}");
                assert!(digits.len() + first.len() < 9, "{group} {first}");
                let (start, end) = (format!("{first:0<9}"), format!("{last:9<9}"));
                assert!(last_end < start, "{group} {first} overlaps");
                last_end = end;
            }
        }
    }
}
