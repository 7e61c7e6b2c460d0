//! From one MARC record to the documents that are stored for it. No I/O: human-readable ids, time
//! and settings come in as arguments.

use octavo_inventory::rules::source_record::put_marc;
use octavo_inventory::rules::{defaults, derive_holdings, derive_instance, derive_item};
use octavo_marc::{Field, Record, write_iso2709};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::settings::{HoldingsSettings, Settings};
use octavo_mapping::fixed::{
    HoldingsDefaults, ItemDefaults, holdings_from_marc, identify, instance_from_marc,
    items_from_marc, keep_control_number,
};

/// A record that makes an instance, before it has a human-readable id.
#[derive(Debug)]
pub(super) struct Draft {
    /// Its number in the input, from 1.
    pub position: u64,
    /// The record as it came.
    raw: String,
    /// The record without its foreign control number.
    record: Record,
    instance: Value,
    suppressed: bool,
    deleted: bool,
}

/// All documents that are stored for one record.
#[derive(Debug, Clone, Default)]
pub(super) struct Documents {
    /// Its number in the input, from 1.
    pub position: u64,
    /// The instance.
    pub instance: Map<String, Value>,
    /// Its holdings.
    pub holdings: Vec<Map<String, Value>>,
    /// Their items.
    pub items: Vec<Map<String, Value>>,
    /// The source record.
    pub source_record: Map<String, Value>,
}

/// Maps a record; or says why it makes no instance.
pub(super) fn draft(position: u64, mut record: Record) -> Result<Draft, String> {
    let raw = raw(&record);
    keep_control_number(&mut record);
    let instance = instance_from_marc(&record).map_err(|error| error.to_string())?;
    Ok(Draft {
        position,
        raw,
        suppressed: instance.discovery_suppress,
        deleted: instance.deleted,
        instance: instance.to_json(),
        record,
    })
}

/// The record as it came, as far as ISO 2709 can hold it; else in JSON.
fn raw(record: &Record) -> String {
    match write_iso2709(record).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        _ => record.to_json().to_string(),
    }
}

/// Completes a draft. `now` is in the stored notation.
pub(super) fn documents(draft: Draft, hrid: &str, settings: &Settings, now: &str) -> Documents {
    let Draft {
        position,
        raw,
        mut record,
        mut instance,
        suppressed,
        deleted,
    } = draft;
    let (instance_id, source_id) = (Uuid::new_v4(), Uuid::new_v4());
    let (holdings, items) = match &settings.holdings {
        Some(wanted) => holdings_and_items(&record, instance_id, wanted, now),
        None => (Vec::new(), Vec::new()),
    };
    instance["id"] = json!(instance_id);
    instance["hrid"] = json!(hrid);
    if let Value::Object(instance) = &mut instance {
        defaults::of_instance(instance);
    }
    derive_instance(&mut instance, None, now);
    identify(
        &mut record,
        hrid,
        &instance_id.to_string(),
        &source_id.to_string(),
    );
    let mut source_record = object(json!({
        "id": source_id,
        "snapshotId": settings.snapshot_id,
        "matchedId": source_id,
        "generation": 0,
        "recordType": "MARC_BIB",
        "rawRecord": {"id": source_id, "content": raw},
        "parsedRecord": {"id": source_id},
        "deleted": deleted,
        "order": position - 1,
        "externalIdsHolder": {"instanceId": instance_id, "instanceHrid": hrid},
        "additionalInfo": {"suppressDiscovery": suppressed},
        "state": if deleted { "DELETED" } else { "ACTUAL" },
    }));
    put_marc(&mut source_record, &record);
    Documents {
        position,
        instance: object(instance),
        holdings,
        items,
        source_record,
    }
}

type Maps = Vec<Map<String, Value>>;

fn holdings_and_items(
    record: &Record,
    instance_id: Uuid,
    settings: &HoldingsSettings,
    now: &str,
) -> (Maps, Maps) {
    let wanted = &settings.options;
    let defaults = HoldingsDefaults {
        instance_id,
        source_id: settings.source_id,
        permanent_location_id: wanted.location_id,
        holdings_type_id: wanted.holdings_type_id,
        location_by_code: &|code| settings.locations.get(code).copied(),
    };
    let mut all_holdings = holdings_from_marc(record, &defaults);
    let mut all_items = Vec::new();
    for (at, holdings) in all_holdings.iter_mut().enumerate() {
        let id = Uuid::new_v4();
        holdings["id"] = json!(id);
        if let Value::Object(holdings) = holdings {
            defaults::of_holdings(holdings);
        }
        derive_holdings(holdings);
        if let Some(items) = wanted.items {
            let defaults = ItemDefaults {
                holdings_record_id: id,
                material_type_id: items.material_type_id,
                permanent_loan_type_id: items.loan_type_id,
            };
            let items = items_from_marc(&shelved(record, at), &defaults);
            for (place, mut item) in (1_i32..).zip(items) {
                if let Value::Object(item) = &mut item {
                    defaults::of_item(item);
                    // The holdings are new: these are their first items.
                    item.insert("order".to_owned(), json!(place));
                }
                derive_item(&mut item, holdings, None, now);
                all_items.push(object(item));
            }
        }
    }
    (all_holdings.into_iter().map(object).collect(), all_items)
}

/// The fields that describe the items of the holdings in this place: each 852 makes holdings of
/// its own, and 876 does not say whose items it describes, so the first holdings take them.
fn shelved(record: &Record, at: usize) -> Record {
    let mut located = 0;
    let fields = record.fields.iter().filter(|field| match field {
        Field::Data(data) if data.tag == "852" => {
            located += 1;
            located - 1 == at
        }
        Field::Data(data) => at == 0 && data.tag == "876",
        Field::Control(_) => false,
    });
    Record {
        leader: record.leader,
        fields: fields.cloned().collect(),
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use octavo_marc::parse_text;

    use super::super::{HoldingsOptions, ItemOptions};
    use super::*;

    const NOW: &str = "2026-01-02T03:04:05.678+00:00";

    fn settings(holdings: bool) -> Settings {
        let options = HoldingsOptions {
            location_id: Uuid::from_u128(1),
            holdings_type_id: None,
            items: Some(ItemOptions {
                material_type_id: Uuid::from_u128(2),
                loan_type_id: Uuid::from_u128(3),
            }),
        };
        let locations = HashMap::from([("ANNEX".to_owned(), Uuid::from_u128(4))]);
        let holdings = holdings.then(|| HoldingsSettings {
            options,
            source_id: Uuid::from_u128(5),
            locations,
        });
        Settings {
            snapshot_id: Uuid::from_u128(6),
            holdings,
        }
    }

    fn built(text: &str, holdings: bool) -> Documents {
        let draft = draft(3, parse_text(text).unwrap()).unwrap();
        documents(draft, "in00000000042", &settings(holdings), NOW)
    }

    #[test]
    fn instance_and_source_record_name_each_other() {
        let built = built("001 991\n003 NoOU\n245 10$aBridges /$cA. Mason", false);
        assert_eq!(built.instance["hrid"], "in00000000042");
        assert_eq!(built.instance["source"], "MARC");
        assert!(built.holdings.is_empty() && built.items.is_empty());
        let source = &built.source_record;
        assert_eq!(
            source["externalIdsHolder"]["instanceId"],
            built.instance["id"]
        );
        assert_eq!(source["externalIdsHolder"]["instanceHrid"], "in00000000042");
        assert_eq!(
            (&source["matchedId"], &source["order"]),
            (&source["id"], &json!(2))
        );
        let raw = source["rawRecord"]["content"].as_str().unwrap();
        assert!(raw.contains("991") && !raw.contains("in00000000042"));
        let formatted = source["parsedRecord"]["formattedContent"].as_str().unwrap();
        assert!(formatted.contains("001 in00000000042\n"), "{formatted}");
        assert!(formatted.contains("035   $a(NoOU)991\n"), "{formatted}");
        let (i, s) = (&built.instance["id"], &source["id"]);
        let own = format!("999 ff$i{}$s{}\n", i.as_str().unwrap(), s.as_str().unwrap());
        assert!(formatted.ends_with(&own), "{formatted}");
    }

    #[test]
    fn items_stand_with_their_own_holdings() {
        let text = "245 10$aBridges\n852 0 $bANNEX$hTG300$p31\n852 0 $bXX$hTG301$p32\n876   $p33";
        let built = built(text, true);
        let places: Vec<&Value> = built
            .holdings
            .iter()
            .map(|one| &one["effectiveLocationId"])
            .collect();
        assert_eq!(
            places,
            [&json!(Uuid::from_u128(4)), &json!(Uuid::from_u128(1))]
        );
        let shelf = |barcode: &str| {
            let item = built
                .items
                .iter()
                .find(|item| item["barcode"] == barcode)
                .unwrap();
            let holdings = built
                .holdings
                .iter()
                .position(|h| h["id"] == item["holdingsRecordId"]);
            (
                holdings.unwrap(),
                item["effectiveCallNumberComponents"]["callNumber"].clone(),
            )
        };
        assert_eq!(shelf("31"), (0, json!("TG300")));
        assert_eq!(shelf("32"), (1, json!("TG301")));
        assert_eq!(shelf("33"), (0, json!("TG300")));
    }

    #[test]
    fn what_makes_no_instance_says_why() {
        let reason = draft(1, parse_text("001 991\n500   $aLoose").unwrap()).unwrap_err();
        assert!(reason.contains("245"), "{reason}");
    }
}
