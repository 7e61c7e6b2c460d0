//! Parses a facet from a client: `configName`, `tags.tagList[]:20`. `store/facets.rs` counts the
//! values.

use crate::plan::field::{FIELD_CHARS_MAX, is_name};

/// The most facets of one list.
pub const FACETS_MAX: usize = 20;
/// The most values of one facet.
const VALUES_MAX: i64 = 10_000;
/// FOLIO's default number of values.
const VALUES_DEFAULT: i64 = 5;

/// A property whose most frequent values are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facet {
    /// The names of the path.
    pub(crate) steps: Vec<Step>,
    /// The most values to list.
    pub(crate) values_max: i64,
}

/// One name of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub name: String,
    /// Whether the elements of an array count each.
    pub elements: bool,
}

impl Facet {
    /// Parses `path` or `path:n`; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Facet> {
        let (path, values_max) = match text.split_once(':') {
            None => (text, VALUES_DEFAULT),
            Some((path, number)) => (path, count(number)?),
        };
        if path.len() > FIELD_CHARS_MAX {
            return None;
        }
        let steps = path.split('.').map(|part| {
            let (name, elements) = match part.strip_suffix("[]") {
                Some(name) => (name, true),
                None => (part, false),
            };
            is_name(name).then(|| Step {
                name: name.to_owned(),
                elements,
            })
        });
        Some(Facet {
            steps: steps.collect::<Option<Vec<_>>>()?,
            values_max,
        })
    }

    /// FOLIO's name of the facet: the last name of its path.
    #[must_use]
    pub fn name(&self) -> &str {
        self.steps.last().map_or("", |step| step.name.as_str())
    }

    /// Whether the path goes through the elements of an array.
    pub(crate) fn goes_through_elements(&self) -> bool {
        self.steps.iter().any(|step| step.elements)
    }

    /// The path in PostgreSQL's jsonpath.
    pub(crate) fn json_path(&self) -> String {
        let mut path = String::from("strict $");
        for step in &self.steps {
            // Names contain neither quotes nor backslashes.
            path.push_str(&format!(".\"{}\"", step.name));
            path.push_str(if step.elements { "[*]" } else { "" });
        }
        path
    }
}

fn count(number: &str) -> Option<i64> {
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| number.parse::<i64>().ok())??;
    (1..=VALUES_MAX).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_numbers_are_read() {
        let facet = Facet::parse("personal.addresses[].city:12").expect("it is one");
        assert_eq!(facet.name(), "city");
        assert_eq!(facet.values_max, 12);
        assert!(facet.goes_through_elements());
        assert_eq!(
            facet.json_path(),
            "strict $.\"personal\".\"addresses\"[*].\"city\""
        );
        let plain = Facet::parse("module").expect("it is one");
        assert_eq!((plain.name(), plain.values_max), ("module", 5));
        assert!(!plain.goes_through_elements());
    }

    #[test]
    fn what_is_no_path_is_refused() {
        let long = "a".repeat(129);
        for wrong in [
            "",
            "a,",
            ",a",
            "a..b",
            "a.",
            "[]",
            "a'b",
            "a\"b",
            "a[0]",
            "a:",
            "a:x",
            "a:0",
            "a:-1",
            "a:10001",
            "a:1:2",
            "a b",
            long.as_str(),
        ] {
            assert_eq!(Facet::parse(wrong), None, "{wrong:?}");
        }
    }
}
