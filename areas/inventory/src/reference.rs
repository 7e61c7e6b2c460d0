//! The records every tenant starts with: FOLIO's ids, names and codes, one table a file.
//!
//! Location units and locations are no part of it: each library has its own.

use octavo_platform::ReferenceData;

macro_rules! tables {
    ($($table:literal),* $(,)?) => {
        vec![$(ReferenceData::tsv($table, include_str!(concat!("reference/", $table, ".tsv")))),*]
    };
}

/// All reference data of inventory; what is referred to comes first.
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
        "hrid_settings" | "inventory_setting" => one.essential(),
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
