//! The records every tenant starts with: FOLIO's ids, names and codes, one table per file.
//!
//! It has no location units and locations: each library has its own.

use octavo_platform::ReferenceData;

/// Identifier types that FOLIO creates again whenever the module is enabled: cancelled LCCN and system
/// numbers, UPC and ISMN and their invalid forms.
const IDENTIFIER_TYPES: &[&str] = &[
    "fc4e3f2a-887a-46e5-8057-aeeb271a4e56",
    "b3ea81fb-3324-4c64-9efc-7c0c93d5943c",
    "ebfd00b6-61d3-4d87-a6d8-810c941176d5",
    "4f07ea37-6c7f-4836-add2-14249e628ed1",
    "1795ea23-6856-48a5-a772-f356e16a8a6c",
    "c858e4f2-2b6b-4385-842b-60532ee34abb",
];

/// The instance format that is created likewise: audio belts.
const INSTANCE_FORMATS: &[&str] = &["0d9b1c3d-2d13-4f18-9472-cc1b91bf1752"];

macro_rules! tables {
    ($($table:literal),* $(,)?) => {
        vec![$(ReferenceData::tsv($table, include_str!(concat!("reference/", $table, ".tsv")))),*]
    };
}

/// All reference data of inventory; referenced tables first.
#[must_use]
pub fn all() -> Vec<ReferenceData> {
    let data = tables![
        "alternative_title_type",
        "call_number_type",
        "classification_type",
        "contributor_name_type",
        "contributor_type",
        "electronic_access_relationship",
        "holdings_note_type",
        "holdings_records_source",
        "holdings_type",
        "hrid_settings",
        "identifier_type",
        "ill_policy",
        "instance_date_type",
        "instance_format",
        "instance_note_type",
        "instance_relationship_type",
        "instance_status",
        "instance_type",
        "inventory_setting",
        "item_damaged_status",
        "item_note_type",
        "loan_type",
        "material_type",
        "mode_of_issuance",
        "nature_of_content_term",
        "service_point",
        "statistical_code_type",
        "statistical_code",
        "subject_source",
        "subject_type",
    ];
    let essential = |one: ReferenceData| match one.table {
        "hrid_settings" | "inventory_setting" | "instance_date_type" | "subject_source"
        | "subject_type" => one.essential(),
        "identifier_type" => one.always(IDENTIFIER_TYPES),
        "instance_format" => one.always(INSTANCE_FORMATS),
        _ => one,
    };
    data.into_iter().map(essential).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::collections;

    #[test]
    fn every_record_fits_its_shape_and_has_an_id_of_its_own() {
        let collections = collections::all();
        let mut count = 0;
        for data in all() {
            let collection = collections
                .iter()
                .find(|collection| collection.table == data.table)
                .unwrap_or_else(|| panic!("{} is no table", data.table));
            let records = data
                .records(collection)
                .expect("records that fit the shape");
            let ids: HashSet<&str> = records
                .iter()
                .filter_map(|record| record["id"].as_str())
                .collect();
            assert_eq!(ids.len(), records.len(), "{}", data.table);
            count += records.len();
        }
        assert_eq!(count, 630);
    }
}
