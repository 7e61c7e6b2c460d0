//! The properties of a holdings record.

use super::{ELECTRONIC_ACCESS, Member, Property, Shape, needed, property, text, truth};

pub(super) const PROPERTIES: &[Property] = &[
    property("id", Shape::Text),
    property("hrid", Shape::Text),
    property("sourceId", Shape::Text),
    property("holdingsTypeId", Shape::Text),
    property("formerIds", Shape::DistinctTexts),
    property("instanceId", Shape::Text),
    property("permanentLocationId", Shape::Text),
    property("temporaryLocationId", Shape::Text),
    property("electronicAccess", Shape::Records(ELECTRONIC_ACCESS)),
    property("callNumberTypeId", Shape::Text),
    property("callNumberPrefix", Shape::Text),
    property("callNumber", Shape::Text),
    property("callNumberSuffix", Shape::Text),
    property("shelvingTitle", Shape::Text),
    property("acquisitionFormat", Shape::Text),
    property("acquisitionMethod", Shape::Text),
    property("receiptStatus", Shape::Text),
    property("administrativeNotes", Shape::Texts),
    property("notes", Shape::Records(NOTES)),
    property("illPolicyId", Shape::Text),
    property("retentionPolicy", Shape::Text),
    property("digitizationPolicy", Shape::Text),
    property("holdingsStatements", Shape::Records(STATEMENTS)),
    property("holdingsStatementsForIndexes", Shape::Records(STATEMENTS)),
    property(
        "holdingsStatementsForSupplements",
        Shape::Records(STATEMENTS),
    ),
    property("copyNumber", Shape::Text),
    property("numberOfItems", Shape::Text),
    property("discoverySuppress", Shape::Truth),
    property("statisticalCodeIds", Shape::DistinctTexts),
];

const NOTES: &[Member] = &[
    text("holdingsNoteTypeId"),
    needed("note"),
    truth("staffOnly"),
];

const STATEMENTS: &[Member] = &[text("statement"), text("note"), text("staffNote")];
