//! The properties of an authority: one heading and tracings of each kind. Extended authorities also
//! have truncated tracings, and headings by their relation.

use std::sync::LazyLock;

use super::{Member, Property, Shape, needed, property, text};

/// The kinds of headings; `sft…` and `saft…` are the see-from and see-also-from tracings.
const HEADINGS: [[&str; 4]; 17] = [
    heading(
        "personalName",
        "sftPersonalName",
        "saftPersonalName",
        "saftPersonalNameTrunc",
    ),
    heading(
        "personalNameTitle",
        "sftPersonalNameTitle",
        "saftPersonalNameTitle",
        "saftPersonalNameTitleTrunc",
    ),
    heading(
        "corporateName",
        "sftCorporateName",
        "saftCorporateName",
        "saftCorporateNameTrunc",
    ),
    heading(
        "corporateNameTitle",
        "sftCorporateNameTitle",
        "saftCorporateNameTitle",
        "saftCorporateNameTitleTrunc",
    ),
    heading(
        "meetingName",
        "sftMeetingName",
        "saftMeetingName",
        "saftMeetingNameTrunc",
    ),
    heading(
        "meetingNameTitle",
        "sftMeetingNameTitle",
        "saftMeetingNameTitle",
        "saftMeetingNameTitleTrunc",
    ),
    heading(
        "uniformTitle",
        "sftUniformTitle",
        "saftUniformTitle",
        "saftUniformTitleTrunc",
    ),
    heading(
        "namedEvent",
        "sftNamedEvent",
        "saftNamedEvent",
        "saftNamedEventTrunc",
    ),
    heading(
        "chronTerm",
        "sftChronTerm",
        "saftChronTerm",
        "saftChronTermTrunc",
    ),
    heading(
        "topicalTerm",
        "sftTopicalTerm",
        "saftTopicalTerm",
        "saftTopicalTermTrunc",
    ),
    heading(
        "geographicName",
        "sftGeographicName",
        "saftGeographicName",
        "saftGeographicNameTrunc",
    ),
    heading(
        "genreTerm",
        "sftGenreTerm",
        "saftGenreTerm",
        "saftGenreTermTrunc",
    ),
    heading(
        "mediumPerfTerm",
        "sftMediumPerfTerm",
        "saftMediumPerfTerm",
        "saftMediumPerfTermTrunc",
    ),
    heading(
        "generalSubdivision",
        "sftGeneralSubdivision",
        "saftGeneralSubdivision",
        "saftGeneralSubdivisionTrunc",
    ),
    heading(
        "geographicSubdivision",
        "sftGeographicSubdivision",
        "saftGeographicSubdivision",
        "saftGeographicSubdivisionTrunc",
    ),
    heading(
        "chronSubdivision",
        "sftChronSubdivision",
        "saftChronSubdivision",
        "saftChronSubdivisionTrunc",
    ),
    heading(
        "formSubdivision",
        "sftFormSubdivision",
        "saftFormSubdivision",
        "saftFormSubdivisionTrunc",
    ),
];

/// Headings by their relation to this one.
const RELATIONS: [&str; 4] = [
    "saftBroaderTerm",
    "saftNarrowerTerm",
    "saftEarlierHeading",
    "saftLaterHeading",
];

const IDENTIFIERS: &[Member] = &[needed("value"), text("identifierTypeId")];

const NOTES: &[Member] = &[text("noteTypeId"), needed("note")];

const RELATED: &[Member] = &[needed("headingRef"), text("headingType")];

const fn heading(
    own: &'static str,
    from: &'static str,
    to: &'static str,
    short: &'static str,
) -> [&'static str; 4] {
    [own, from, to, short]
}

pub(super) fn properties() -> &'static [Property] {
    static ALL: LazyLock<Vec<Property>> = LazyLock::new(|| {
        let mut all = vec![property("id", Shape::Text), property("source", Shape::Text)];
        for [own, from, to, _] in HEADINGS {
            all.push(property(own, Shape::Text));
            all.push(property(from, Shape::Texts));
            all.push(property(to, Shape::Texts));
        }
        all.push(property("subjectHeadings", Shape::Text));
        all.push(property("identifiers", Shape::Records(IDENTIFIERS)));
        all.push(property("notes", Shape::Records(NOTES)));
        all.push(property("sourceFileId", Shape::Text));
        all.push(property("naturalId", Shape::Text));
        all
    });
    &ALL
}

pub(super) fn extended_properties() -> &'static [Property] {
    static ALL: LazyLock<Vec<Property>> = LazyLock::new(|| {
        let plain = properties().iter();
        let mut all: Vec<Property> = plain.map(|one| property(one.name, one.shape)).collect();
        all.extend(HEADINGS.map(|[_, _, _, short]| property(short, Shape::Texts)));
        all.extend(RELATIONS.map(|name| property(name, Shape::Records(RELATED))));
        all
    });
    &ALL
}
