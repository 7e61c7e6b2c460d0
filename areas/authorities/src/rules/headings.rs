//! The types of headings, and a record's heading.

use serde_json::{Map, Value};

/// A kind of heading: the property that holds it and its field in MARC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadingType {
    /// The property, which is FOLIO's code of the type.
    pub name: &'static str,
    /// The field of the authority's MARC record.
    pub tag: &'static str,
}

const fn heading(name: &'static str, tag: &'static str) -> HeadingType {
    HeadingType { name, tag }
}

/// All types, in the order of precedence.
pub const TYPES: [HeadingType; 17] = [
    heading("personalName", "100"),
    heading("personalNameTitle", "100"),
    heading("corporateName", "110"),
    heading("corporateNameTitle", "110"),
    heading("meetingName", "111"),
    heading("meetingNameTitle", "111"),
    heading("uniformTitle", "130"),
    heading("namedEvent", "147"),
    heading("topicalTerm", "150"),
    heading("geographicName", "151"),
    heading("genreTerm", "155"),
    heading("chronTerm", "148"),
    heading("mediumPerfTerm", "162"),
    heading("generalSubdivision", "180"),
    heading("geographicSubdivision", "181"),
    heading("chronSubdivision", "182"),
    heading("formSubdivision", "185"),
];

/// The heading of a record with its kind: the first there is.
#[must_use]
pub fn of(authority: &Map<String, Value>) -> Option<(HeadingType, &str)> {
    TYPES.into_iter().find_map(|kind| {
        let value = authority.get(kind.name)?.as_str()?;
        Some((kind, value))
    })
}

/// Removes all but the first heading: a record has only one.
pub fn keep_one(authority: &mut Map<String, Value>) {
    let kept = of(authority).map(|(kind, _)| kind);
    for kind in TYPES {
        if Some(kind) != kept {
            authority.shift_remove(kind.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_record_has_the_first_of_its_headings() {
        let record = json!({"topicalTerm": "Whales", "corporateName": "Whalers", "source": "MARC"});
        let mut record = record.as_object().cloned().expect("an object");
        let (kind, value) = of(&record).expect("a heading");
        assert_eq!((kind.tag, value), ("110", "Whalers"));
        keep_one(&mut record);
        assert_eq!(
            Value::Object(record),
            json!({"corporateName": "Whalers", "source": "MARC"})
        );
        assert_eq!(of(&Map::new()), None);
    }
}
