//! What cannot be edited in a record that is made from MARC: its properties come from the MARC
//! record. The names are those of FOLIO's `/inventory/config/*/blocked-fields`.

/// The properties of an instance that its MARC record controls.
const INSTANCE: [&str; 24] = [
    "hrid",
    "source",
    "alternativeTitles",
    "series",
    "identifiers",
    "contributors",
    "editions",
    "physicalDescriptions",
    "instanceFormatIds",
    "languages",
    "publication",
    "publicationFrequency",
    "publicationRange",
    "notes",
    "electronicAccess",
    "subjects",
    "classifications",
    "title",
    "indexTitle",
    "instanceTypeId",
    "modeOfIssuanceId",
    "precedingTitles",
    "succeedingTitles",
    "dates",
];

/// The properties of a holdings record that its MARC record controls.
const HOLDINGS: [&str; 14] = [
    "formerIds",
    "holdingsTypeId",
    "permanentLocationId",
    "shelvingTitle",
    "copyNumber",
    "callNumberTypeId",
    "callNumberPrefix",
    "callNumber",
    "callNumberSuffix",
    "holdingsStatements",
    "holdingsStatementsForIndexes",
    "holdingsStatementsForSupplements",
    "notes",
    "electronicAccess",
];

/// The properties of an instance that cannot be edited when its source is MARC.
#[must_use]
pub fn blocked_fields() -> &'static [&'static str] {
    &INSTANCE
}

/// The properties of a holdings record that cannot be edited when its source is MARC.
#[must_use]
pub fn holdings_blocked_fields() -> &'static [&'static str] {
    &HOLDINGS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collections;

    #[test]
    fn blocked_fields_are_properties_of_the_record_types() {
        let collections = collections::all();
        let shape_of = |table: &str| {
            collections
                .iter()
                .find(|collection| collection.table == table)
                .expect("a table")
        };
        // Kept in a table of their own, shown as part of the instance.
        let linked = ["precedingTitles", "succeedingTitles"];
        for field in blocked_fields()
            .iter()
            .filter(|field| !linked.contains(field))
        {
            assert!(shape_of("instance").kind_at(field).is_some(), "{field}");
        }
        for field in holdings_blocked_fields() {
            assert!(
                shape_of("holdings_record").kind_at(field).is_some(),
                "{field}"
            );
        }
    }
}
