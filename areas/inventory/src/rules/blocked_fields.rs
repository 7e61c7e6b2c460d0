//! Properties that cannot be edited in a record derived from MARC. The names are those of FOLIO's
//! `/inventory/config/*/blocked-fields`.

use serde_json::Value;

/// The id of the holdings source "MARC".
const MARC_HOLDINGS_SOURCE: &str = "036ee84a-6afd-4c3c-9ad3-4a12ab875f59";

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

/// FOLIO's refusal of an update that changes properties controlled by MARC. Preceding and succeeding
/// titles are separate records, compared elsewhere.
#[must_use]
pub fn refuse_instance(new: &Value, old: &Value) -> Option<String> {
    let marc = old.get("source").and_then(Value::as_str) == Some("MARC");
    (marc && touches(&INSTANCE, new, old)).then(instance_refusal)
}

/// FOLIO's message for an instance.
#[must_use]
pub fn instance_refusal() -> String {
    sentence("Instance", &INSTANCE)
}

/// The same as [`refuse_instance`] for a holdings record.
#[must_use]
pub fn refuse_holdings(new: &Value, old: &Value) -> Option<String> {
    let marc = old.get("sourceId").and_then(Value::as_str) == Some(MARC_HOLDINGS_SOURCE);
    (marc && touches(&HOLDINGS, new, old)).then(|| sentence("Holdings", &HOLDINGS))
}

fn sentence(record: &str, fields: &[&str]) -> String {
    format!(
        "{record} is controlled by MARC record, these fields are blocked and can not be updated: \
         {}",
        fields.join(",")
    )
}

fn touches(fields: &[&str], new: &Value, old: &Value) -> bool {
    fields
        .iter()
        .any(|field| plain(new.get(*field)) != plain(old.get(*field)))
}

/// An empty list counts as absent.
fn plain(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
        // Stored in a separate table, shown as part of the instance.
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

    #[test]
    fn marc_controls_what_it_describes() {
        let old = json!({"source": "MARC", "title": "Bridges", "tags": {}, "series": []});
        let mut new = old.clone();
        new["tags"] = json!({"tagList": ["urgent"]});
        new.as_object_mut()
            .expect("an object")
            .shift_remove("series");
        assert_eq!(refuse_instance(&new, &old), None);
        new["title"] = json!("Tunnels");
        assert!(refuse_instance(&new, &old).is_some_and(|text| text.contains(",title,")));
        let folio = json!({"source": "FOLIO", "title": "Bridges"});
        assert_eq!(refuse_instance(&new, &folio), None);
    }

    #[test]
    fn holdings_are_controlled_by_their_source() {
        let old = json!({"sourceId": MARC_HOLDINGS_SOURCE, "callNumber": "PN2"});
        let mut new = old.clone();
        new["discoverySuppress"] = json!(true);
        assert_eq!(refuse_holdings(&new, &old), None);
        new["callNumber"] = json!("PN3");
        assert!(refuse_holdings(&new, &old).is_some_and(|text| text.starts_with("Holdings is")));
        let folio = json!({"sourceId": "another", "callNumber": "PN2"});
        assert_eq!(refuse_holdings(&new, &folio), None);
    }
}
