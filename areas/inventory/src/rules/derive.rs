//! What the server sets in a record before it is written: effective location and call number,
//! shelving order, dates of status, complete lists. All of it follows from the record, the one
//! above it and the one it replaces.

use serde_json::Value;

use super::call_number::CallNumber;
use super::{filled, lists, location, set, status};

/// Completes an item. `previous` is the item it replaces; `now` is in the stored notation.
///
/// Call it for each item of a holdings record too when that record's location or call number
/// changes, with the item itself as `previous`.
pub fn derive_item(item: &mut Value, holdings: &Value, previous: Option<&Value>, now: &str) {
    status::date_item_status(item, previous, now);
    let location = location::of_item(item, holdings).map(str::to_owned);
    let call_number = CallNumber::effective(item, holdings);
    let order = call_number.shelving_order(item);
    if let Value::Object(item) = item {
        set(item, "effectiveLocationId", location);
        set(item, "effectiveShelvingOrder", order);
        item.insert(
            "effectiveCallNumberComponents".to_owned(),
            call_number.to_json(),
        );
        lists::ITEM.tidy(item);
    }
}

/// Completes a holdings record.
pub fn derive_holdings(holdings: &mut Value) {
    let location = location::of_holdings(holdings).map(str::to_owned);
    if let Value::Object(holdings) = holdings {
        set(holdings, "effectiveLocationId", location);
        lists::HOLDINGS.tidy(holdings);
    }
}

/// Completes an instance. `previous` is the instance it replaces; `now` is in the stored notation.
pub fn derive_instance(instance: &mut Value, previous: Option<&Value>, now: &str) {
    if let Value::Object(instance) = instance {
        status::date_instance_status(instance, previous, now);
        lists::INSTANCE.tidy(instance);
    }
}

/// Whether FOLIO reads the holdings of a new item: it does unless the item has all derived properties
/// itself.
#[must_use]
pub fn takes_from_holdings(item: &Value) -> bool {
    let says = |property: &str| filled(item, property).is_some();
    let own_call_number = [
        "itemLevelCallNumber",
        "itemLevelCallNumberPrefix",
        "itemLevelCallNumberSuffix",
        "itemLevelCallNumberTypeId",
    ];
    !own_call_number.into_iter().all(says)
        || !(says("permanentLocationId") || says("temporaryLocationId"))
}

/// Whether a change of a holdings record changes what its items derive from it.
#[must_use]
pub fn items_follow(new: &Value, old: &Value) -> bool {
    [
        "permanentLocationId",
        "temporaryLocationId",
        "callNumber",
        "callNumberPrefix",
        "callNumberSuffix",
        "callNumberTypeId",
    ]
    .iter()
    .any(|property| new.get(property) != old.get(property))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rules::shelf_key;

    const NOW: &str = "2026-01-02T03:04:05.678+00:00";

    #[test]
    fn an_item_takes_after_its_holdings() {
        let holdings = json!({
            "permanentLocationId": "stacks",
            "callNumber": "PN2 .A6",
            "callNumberTypeId": shelf_key::LC,
        });
        let mut item = json!({"status": {"name": "Available"}, "volume": "v. 3"});
        derive_item(&mut item, &holdings, None, NOW);
        assert_eq!(item["effectiveLocationId"], "stacks");
        assert_eq!(
            item["effectiveCallNumberComponents"]["callNumber"],
            "PN2 .A6"
        );
        assert_eq!(item["effectiveShelvingOrder"], "PN 12 A6 V 13");
        assert_eq!(item["status"]["date"], NOW);
        assert_eq!(item["notes"], json!([]));

        let moved = json!({"permanentLocationId": "stacks", "temporaryLocationId": "display"});
        assert!(items_follow(&moved, &holdings));
        let before = item.clone();
        derive_item(&mut item, &moved, Some(&before), "later");
        assert_eq!(item["effectiveLocationId"], "display");
        assert_eq!(item["effectiveCallNumberComponents"], json!({}));
        assert_eq!(item.get("effectiveShelvingOrder"), None);
        assert_eq!(item["status"]["date"], NOW);
    }

    #[test]
    fn holdings_and_instances_are_completed_in_place() {
        let mut holdings = json!({"permanentLocationId": "stacks", "effectiveLocationId": "no"});
        derive_holdings(&mut holdings);
        assert_eq!(holdings["effectiveLocationId"], "stacks");
        assert!(!items_follow(
            &holdings,
            &json!({"permanentLocationId": "stacks"})
        ));

        let mut instance = json!({"title": "Bridges"});
        derive_instance(&mut instance, None, NOW);
        assert_eq!(instance["statusUpdatedDate"], NOW);
        assert_eq!(instance["languages"], json!([]));
    }
}
