//! The view of an item in loans and check-ins.

use octavo_library::{MaterialTypeId, id_at};
use serde_json::{Map, Value, json};

use super::object;
use crate::circulation_config::CirculationConfig;
use crate::store::item::ItemAtDesk;

/// The item's view with its current document.
#[must_use]
pub fn item(
    at_desk: &ItemAtDesk,
    document: &Map<String, Value>,
    config: &CirculationConfig,
) -> Value {
    let nothing = Value::Null;
    let own = |name: &str| document.get(name).unwrap_or(&nothing);
    let instance = &at_desk.instance;
    let call_number = own("effectiveCallNumberComponents");
    let mut shown = object([
        ("id", &json!(at_desk.id)),
        ("title", &instance["title"]),
        ("barcode", own("barcode")),
        ("holdingsRecordId", &json!(at_desk.holdings_record_id)),
        ("instanceId", &json!(at_desk.instance_id)),
        ("instanceHrid", &instance["hrid"]),
        ("itemHrid", own("hrid")),
        ("callNumber", &call_number["callNumber"]),
    ]);
    let components = super::only(call_number, &["callNumber", "prefix", "suffix"]);
    shown.insert("callNumberComponents".to_owned(), Value::Object(components));
    for name in ["enumeration", "chronology", "volume", "displaySummary"] {
        set(&mut shown, name, own(name).clone());
    }
    set(&mut shown, "copyNumber", copy_number(at_desk, document));
    set(&mut shown, "contributors", contributors(instance));
    set(&mut shown, "primaryContributor", primary(instance));
    set(&mut shown, "status", own("status").clone());
    let location = id_at(own("effectiveLocationId")).and_then(|id| config.locations.get(&id));
    if let Some(location) = location {
        set(&mut shown, "location", named(location.name.as_deref()));
    }
    let material = id_at::<MaterialTypeId>(own("materialTypeId"));
    if let Some(name) = config.name(material) {
        set(&mut shown, "materialType", named(Some(name)));
    }
    let destination = own("inTransitDestinationServicePointId");
    set(
        &mut shown,
        "inTransitDestinationServicePointId",
        destination.clone(),
    );
    if let Some(point) = id_at(destination).and_then(|id| config.service_points.get(&id)) {
        let point = super::only(point, &["id", "name"]);
        set(
            &mut shown,
            "inTransitDestinationServicePoint",
            Value::Object(point),
        );
    }
    set(&mut shown, "lastCheckIn", own("lastCheckIn").clone());
    Value::Object(shown)
}

/// The item's copy number, else that of its holdings.
pub(super) fn copy_number(at_desk: &ItemAtDesk, document: &Map<String, Value>) -> Value {
    match document.get("copyNumber") {
        Some(own) if !own.is_null() => own.clone(),
        _ => json!(at_desk.holdings_copy_number),
    }
}

/// The name of the primary contributor.
pub(super) fn primary(instance: &Value) -> Value {
    let all = instance["contributors"].as_array();
    all.into_iter()
        .flatten()
        .find(|one| one["primary"] == true)
        .map_or(Value::Null, |one| one["name"].clone())
}

fn contributors(instance: &Value) -> Value {
    let all = instance["contributors"].as_array();
    all.into_iter()
        .flatten()
        .map(|one| Value::Object(super::only(one, &["name"])))
        .collect()
}

pub(super) fn named(name: Option<&str>) -> Value {
    match name {
        Some(name) => json!({ "name": name }),
        None => json!({}),
    }
}

pub(super) fn set(shown: &mut Map<String, Value>, name: &str, value: Value) {
    if !value.is_null() {
        shown.insert(name.to_owned(), value);
    }
}
