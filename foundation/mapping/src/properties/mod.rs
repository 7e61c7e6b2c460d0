//! The properties of each record type that rules may write.
//!
//! A rule's target is a property (`title`), a list of texts (`editions`), or a field of the records
//! of a list (`identifiers.value`) or of a nested object (`dates.date1`).

mod authority;
mod holdings;
mod instance;

use crate::RecordKind;

/// A property of a record type.
#[derive(Debug)]
pub(crate) struct Property {
    /// FOLIO's name.
    pub name: &'static str,
    pub shape: Shape,
}

/// The type of a property.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Text,
    /// A boolean.
    Truth,
    /// A list of texts.
    Texts,
    /// A list of texts without duplicates.
    DistinctTexts,
    /// A list of objects.
    Records(&'static [Member]),
    /// A list of objects without duplicates.
    DistinctRecords(&'static [Member]),
    /// A nested object.
    Part(&'static [Member]),
}

/// A field of an object in a property.
#[derive(Debug)]
pub(crate) struct Member {
    /// FOLIO's name.
    pub name: &'static str,
    /// Whether it is a boolean, otherwise text.
    pub is_truth: bool,
    /// Whether an object without it is left out.
    pub is_needed: bool,
    /// Whether it is the id of an authority; catalogues hold all kinds of other values in its
    /// subfield.
    pub is_id: bool,
}

/// The target of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub property: usize,
    pub place: TargetShape,
}

/// What is written at a target.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TargetShape {
    Text,
    Truth,
    Texts,
    Record {
        members: &'static [Member],
        member: usize,
    },
    Part {
        members: &'static [Member],
        member: usize,
    },
}

/// The properties of records of this kind.
pub(crate) fn properties(kind: RecordKind, extended: bool) -> &'static [Property] {
    match (kind, extended) {
        (RecordKind::Bib, _) => instance::PROPERTIES,
        (RecordKind::Holdings, _) => holdings::PROPERTIES,
        (RecordKind::Authority, false) => authority::properties(),
        (RecordKind::Authority, true) => authority::extended_properties(),
    }
}

/// The target of this name, or the error in it.
pub(crate) fn target(properties: &'static [Property], name: &str) -> Result<Target, String> {
    let (own, member) = match name.split_once('.') {
        Some((own, member)) => (own, Some(member)),
        None => (name, None),
    };
    let property = properties
        .iter()
        .position(|property| property.name == own)
        .ok_or_else(|| format!("the record has no property {own:?}"))?;
    let place = match (properties[property].shape, member) {
        (Shape::Text, None) => TargetShape::Text,
        (Shape::Truth, None) => TargetShape::Truth,
        (Shape::Texts | Shape::DistinctTexts, None) => TargetShape::Texts,
        (Shape::Records(members) | Shape::DistinctRecords(members), Some(name)) => {
            TargetShape::Record {
                members,
                member: member_named(own, members, name)?,
            }
        }
        (Shape::Part(members), Some(name)) => TargetShape::Part {
            members,
            member: member_named(own, members, name)?,
        },
        (_, Some(_)) => return Err(format!("{own:?} has no fields")),
        (_, None) => return Err(format!("a field of {own:?} is expected, as in \"{own}.…\"")),
    };
    Ok(Target { property, place })
}

fn member_named(own: &str, members: &[Member], name: &str) -> Result<usize, String> {
    members
        .iter()
        .position(|member| member.name == name)
        .ok_or_else(|| format!("{own:?} has no field {name:?}"))
}

const fn property(name: &'static str, shape: Shape) -> Property {
    Property { name, shape }
}

const fn text(name: &'static str) -> Member {
    Member {
        name,
        is_truth: false,
        is_needed: false,
        is_id: false,
    }
}

const fn needed(name: &'static str) -> Member {
    Member {
        name,
        is_truth: false,
        is_needed: true,
        is_id: false,
    }
}

const fn id(name: &'static str) -> Member {
    Member {
        name,
        is_truth: false,
        is_needed: false,
        is_id: true,
    }
}

const fn truth(name: &'static str) -> Member {
    Member {
        name,
        is_truth: true,
        is_needed: false,
        is_id: false,
    }
}

/// Electronic access of instances and holdings; an object without URI is left out.
const ELECTRONIC_ACCESS: &[Member] = &[
    needed("uri"),
    text("linkText"),
    text("materialsSpecification"),
    text("publicNote"),
    text("relationshipId"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_properties_or_their_fields() {
        let instance = properties(RecordKind::Bib, false);
        for name in [
            "title",
            "editions",
            "identifiers.value",
            "dates.date1",
            "deleted",
        ] {
            assert!(target(instance, name).is_ok(), "{name}");
        }
        for (name, problem) in [
            ("", "the record has no property \"\""),
            ("titel", "the record has no property \"titel\""),
            ("title.value", "\"title\" has no fields"),
            (
                "identifiers",
                "a field of \"identifiers\" is expected, as in \"identifiers.…\"",
            ),
            (
                "identifiers.valeu",
                "\"identifiers\" has no field \"valeu\"",
            ),
            (
                "identifiers.value.x",
                "\"identifiers\" has no field \"value.x\"",
            ),
        ] {
            assert_eq!(target(instance, name).unwrap_err(), problem);
        }
    }

    #[test]
    fn only_extended_authorities_have_relations() {
        for (extended, has) in [(false, false), (true, true)] {
            let authority = properties(RecordKind::Authority, extended);
            assert_eq!(target(authority, "saftBroaderTerm.headingRef").is_ok(), has);
            assert_eq!(target(authority, "saftTopicalTermTrunc").is_ok(), has);
            assert!(target(authority, "saftTopicalTerm").is_ok());
        }
    }
}
