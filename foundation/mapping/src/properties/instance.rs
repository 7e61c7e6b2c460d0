//! The properties of an instance.

use super::{ELECTRONIC_ACCESS, Member, Property, Shape, id, needed, property, text, truth};

pub(super) const PROPERTIES: &[Property] = &[
    property("source", Shape::Text),
    property("hrid", Shape::Text),
    property("sourceUri", Shape::Text),
    property("title", Shape::Text),
    property("indexTitle", Shape::Text),
    property(
        "alternativeTitles",
        Shape::DistinctRecords(ALTERNATIVE_TITLES),
    ),
    property("editions", Shape::DistinctTexts),
    property("series", Shape::DistinctRecords(SERIES)),
    property("identifiers", Shape::Records(IDENTIFIERS)),
    property("contributors", Shape::Records(CONTRIBUTORS)),
    property("subjects", Shape::DistinctRecords(SUBJECTS)),
    property("classifications", Shape::Records(CLASSIFICATIONS)),
    property("publication", Shape::Records(PUBLICATION)),
    property("publicationFrequency", Shape::DistinctTexts),
    property("publicationRange", Shape::DistinctTexts),
    property("dates", Shape::Part(DATES)),
    property("electronicAccess", Shape::Records(ELECTRONIC_ACCESS)),
    property("instanceTypeId", Shape::Text),
    property("instanceFormatIds", Shape::Texts),
    property("physicalDescriptions", Shape::Texts),
    property("languages", Shape::DistinctTexts),
    property("notes", Shape::Records(NOTES)),
    property("administrativeNotes", Shape::Texts),
    property("modeOfIssuanceId", Shape::Text),
    property("catalogedDate", Shape::Text),
    property("previouslyHeld", Shape::Truth),
    property("staffSuppress", Shape::Truth),
    property("discoverySuppress", Shape::Truth),
    property("deleted", Shape::Truth),
    property("statisticalCodeIds", Shape::DistinctTexts),
    property("sourceRecordFormat", Shape::Text),
    property("statusId", Shape::Text),
    property("statusUpdatedDate", Shape::Text),
    property("natureOfContentTermIds", Shape::DistinctTexts),
    property("parentInstances", Shape::Records(PARENTS)),
    property("childInstances", Shape::Records(CHILDREN)),
    property("precedingTitles", Shape::Records(PRECEDING_TITLES)),
    property("succeedingTitles", Shape::Records(SUCCEEDING_TITLES)),
];

const ALTERNATIVE_TITLES: &[Member] = &[
    text("alternativeTitleTypeId"),
    needed("alternativeTitle"),
    id("authorityId"),
];

const SERIES: &[Member] = &[needed("value"), id("authorityId")];

const IDENTIFIERS: &[Member] = &[needed("value"), needed("identifierTypeId")];

const CONTRIBUTORS: &[Member] = &[
    needed("name"),
    text("contributorTypeId"),
    text("contributorTypeText"),
    text("contributorNameTypeId"),
    id("authorityId"),
    truth("primary"),
];

const SUBJECTS: &[Member] = &[
    needed("value"),
    id("authorityId"),
    text("sourceId"),
    text("typeId"),
];

const CLASSIFICATIONS: &[Member] = &[
    needed("classificationNumber"),
    needed("classificationTypeId"),
];

const PUBLICATION: &[Member] = &[
    text("publisher"),
    text("place"),
    text("dateOfPublication"),
    text("role"),
];

const DATES: &[Member] = &[text("dateTypeId"), text("date1"), text("date2")];

const NOTES: &[Member] = &[
    text("instanceNoteTypeId"),
    needed("note"),
    truth("staffOnly"),
];

const PARENTS: &[Member] = &[
    needed("superInstanceId"),
    text("instanceRelationshipTypeId"),
];

const CHILDREN: &[Member] = &[needed("subInstanceId"), text("instanceRelationshipTypeId")];

/// A title record without text is left out.
const PRECEDING_TITLES: &[Member] = &[
    text("precedingInstanceId"),
    needed("title"),
    text("hrid"),
    text("isbnId"),
    text("isbnValue"),
    text("issnId"),
    text("issnValue"),
];

const SUCCEEDING_TITLES: &[Member] = &[
    text("succeedingInstanceId"),
    needed("title"),
    text("hrid"),
    text("isbnId"),
    text("isbnValue"),
    text("issnId"),
    text("issnValue"),
];
