//! The stored record of a request: the sent document with properties for searching and sorting: item,
//! title, people, call number, names of locations.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};
use octavo_library::{HoldingsId, ItemId, id_at, wire_time};
use serde_json::{Map, Value, json};

use super::form::Form;
use super::request::PlaceRequest;
use crate::circulation_config::CirculationConfig;

/// Properties that clients may send and that are not stored.
const NOT_KEPT: [&str; 8] = [
    "item",
    "requester",
    "proxy",
    "loan",
    "pickupServicePoint",
    "deliveryAddress",
    "requestProcessingParameters",
    "position",
];

/// The item's properties in a request's record.
#[derive(Debug, Clone, Copy)]
pub struct ItemRecord<'a> {
    pub id: ItemId,
    pub holdings_record_id: HoldingsId,
    pub document: &'a Map<String, Value>,
}

/// The related records for a request's record.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// The item, if it is for one.
    pub item: Option<ItemRecord<'a>>,
    /// The title: `title` and `identifiers`.
    pub instance: &'a Value,
    /// The requester's record.
    pub requester: Option<&'a Value>,
    /// The proxy's record.
    pub proxy: Option<&'a Value>,
    /// The tenant's configuration.
    pub config: &'a CirculationConfig,
}

/// The record of a placed request, at this position in the queue.
#[must_use]
pub fn stored(
    request: &PlaceRequest,
    form: &Form,
    position: Option<u32>,
    parts: Parts<'_>,
    zone: &TimeZone,
) -> Map<String, Value> {
    let mut record = request.body().clone();
    for name in NOT_KEPT {
        record.shift_remove(name);
    }
    if let Some(Value::Object(printed)) = record.get_mut("printDetails") {
        printed.shift_remove("lastPrintRequester");
    }
    if let Some(kind) = request.kind() {
        record.insert("requestType".into(), kind.name().into());
    }
    if request.is_for_title() {
        record.insert("requestLevel".into(), "Title".into());
    } else {
        record.insert("requestLevel".into(), "Item".into());
    }
    record.insert("status".into(), form.status.name().into());
    if let Some(end) = request.instant("requestExpirationDate") {
        let end = wire_time::format(end_of_day(end, zone));
        record.insert("requestExpirationDate".into(), end.into());
    }
    if let Some(position) = position {
        record.insert("position".into(), position.into());
    }
    let identifiers = parts.instance["identifiers"].as_array();
    let identifiers: Vec<Value> = identifiers
        .into_iter()
        .flatten()
        .map(|one| only(one, &["value", "identifierTypeId"]))
        .collect();
    let mut instance = Map::new();
    put(&mut instance, "title", &parts.instance["title"]);
    instance.insert("identifiers".into(), identifiers.into());
    record.insert("instance".into(), Value::Object(instance));
    for (name, person) in [("requester", parts.requester), ("proxy", parts.proxy)] {
        if let Some(person) = person {
            record.insert(name.into(), person_of(person));
        }
    }
    put_item(&mut record, parts.item, parts.config);
    record
}

/// The record of a moved request, with its type and position there.
#[must_use]
pub fn moved(
    record: &Map<String, Value>,
    kind: &'static str,
    position: u32,
    item: ItemRecord<'_>,
    config: &CirculationConfig,
) -> Map<String, Value> {
    let mut record = record.clone();
    record.insert("requestType".into(), kind.into());
    record.insert("position".into(), position.into());
    put_item(&mut record, Some(item), config);
    record
}

fn put_item(
    record: &mut Map<String, Value>,
    item: Option<ItemRecord<'_>>,
    config: &CirculationConfig,
) {
    let mut index = Map::new();
    if let Some(item) = item {
        record.insert("itemId".into(), item.id.to_string().into());
        let holdings = item.holdings_record_id.to_string();
        record.insert("holdingsRecordId".into(), holdings.into());
        record.insert("item".into(), item_of(&item, config));
        let own = |name: &str| item.document.get(name).unwrap_or(&Value::Null);
        let call_number = own("effectiveCallNumberComponents");
        if call_number.is_object() {
            let parts = only(call_number, &["callNumber", "prefix", "suffix"]);
            index.insert("callNumberComponents".into(), parts);
        }
        put(&mut index, "shelvingOrder", own("effectiveShelvingOrder"));
    }
    let point = record.get("pickupServicePointId").and_then(id_at);
    if let Some(name) = point.and_then(|point| config.point_name(point)) {
        index.insert("pickupServicePointName".into(), name.into());
    }
    record.insert("searchIndex".into(), Value::Object(index));
}

fn item_of(item: &ItemRecord<'_>, config: &CirculationConfig) -> Value {
    let mut told = Map::new();
    let own = |name: &str| item.document.get(name).unwrap_or(&Value::Null);
    put(&mut told, "barcode", own("barcode"));
    let id = id_at(own("effectiveLocationId"));
    let location = id.and_then(|id| config.locations.get(&id));
    if let (Some(id), Some(location)) = (id, location) {
        told.insert("itemEffectiveLocationId".into(), id.to_string().into());
        put(
            &mut told,
            "itemEffectiveLocationName",
            &json!(location.name),
        );
        if let Some(point) = location.place.primary_service_point {
            told.insert("retrievalServicePointId".into(), point.to_string().into());
            let name = config.point_name(point);
            put(&mut told, "retrievalServicePointName", &json!(name));
        }
    }
    Value::Object(told)
}

fn person_of(person: &Value) -> Value {
    let names = ["lastName", "firstName", "middleName"];
    let mut told = only(&person["personal"], &names);
    if let Value::Object(told) = &mut told {
        put(told, "barcode", &person["barcode"]);
    }
    told
}

fn only(value: &Value, names: &[&str]) -> Value {
    let mut map = Map::new();
    for name in names {
        put(&mut map, name, &value[*name]);
    }
    Value::Object(map)
}

fn put(map: &mut Map<String, Value>, name: &str, value: &Value) {
    if !value.is_null() {
        map.insert(name.to_owned(), value.clone());
    }
}

/// The last second of the day; the instant itself at the end of all days.
fn end_of_day(at: Timestamp, zone: &TimeZone) -> Timestamp {
    let start = at.to_zoned(zone.clone()).start_of_day();
    let last = start.and_then(|start: Zoned| start.checked_add(1.day())?.checked_sub(1.second()));
    last.map_or(at, |last| last.timestamp())
}
