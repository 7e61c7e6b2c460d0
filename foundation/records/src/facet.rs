//! A facet as a client names it: `configName`, `tags.tagList[]:20`. Reading it is all that is done
//! here; the values are counted in `store/facets.rs`.

use crate::plan::field::{FIELD_CHARS_MAX, is_name};

/// Facets that one list may have.
pub const FACETS_MAX: usize = 20;
/// Values that one facet may list.
const VALUES_MAX: i64 = 10_000;
/// FOLIO's number of values where the client names none.
const VALUES_DEFAULT: i64 = 5;

/// The property whose commonest values are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facet {
    /// The names that lead to it.
    pub(crate) steps: Vec<Step>,
    /// How many values are listed at most.
    pub(crate) values_max: i64,
}

/// One name of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub name: String,
    /// Whether each element of what is there counts by itself.
    pub elements: bool,
}

impl Facet {
    /// Reads `path` or `path:n`; nothing when it is neither.
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

    /// What FOLIO calls it: the last name of its path.
    #[must_use]
    pub fn name(&self) -> &str {
        self.steps.last().map_or("", |step| step.name.as_str())
    }

    /// Whether it goes through the elements of an array.
    pub(crate) fn goes_through_elements(&self) -> bool {
        self.steps.iter().any(|step| step.elements)
    }

    /// Its path in PostgreSQL's language for paths in JSON.
    pub(crate) fn json_path(&self) -> String {
        let mut path = String::from("strict $");
        for step in &self.steps {
            // Names hold neither quotes nor backslashes.
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
