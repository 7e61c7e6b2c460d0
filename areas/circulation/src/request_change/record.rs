//! Copies of related records in a stored request, for searching and lists.

use octavo_library::id_in;
use serde_json::{Map, Value, json};

use crate::circulation_config::CirculationConfig;

type Document = Map<String, Value>;

/// The related records of a request that exist.
#[derive(Debug, Clone, Copy)]
pub struct Related<'a> {
    pub item: Option<&'a Document>,
    pub instance: Option<&'a Value>,
    /// The requester.
    pub requester: Option<&'a Value>,
    /// The proxy.
    pub proxy: Option<&'a Value>,
    /// The tenant's configuration.
    pub config: &'a CirculationConfig,
}

/// Writes the summaries into the document of a request.
pub fn summarize(document: &mut Document, related: Related<'_>) {
    let mut search = Map::new();
    if let Some(item) = related.item {
        document.insert("item".into(), item_of(item, related.config).into());
        let call_number = item.get("effectiveCallNumberComponents");
        if let Some(parts) = call_number.and_then(Value::as_object) {
            let parts = some(parts, &["callNumber", "prefix", "suffix"]);
            search.insert("callNumberComponents".into(), parts.into());
        }
        if let Some(order) = item.get("effectiveShelvingOrder") {
            search.insert("shelvingOrder".into(), order.clone());
        }
    }
    if let Some(instance) = related.instance {
        document.insert("instance".into(), instance_of(instance));
    }
    for (name, user) in [("requester", related.requester), ("proxy", related.proxy)] {
        match user {
            Some(user) => document.insert(name.into(), user_of(user).into()),
            None => document.shift_remove(name),
        };
    }
    let pickup = id_in(document, "pickupServicePointId");
    if let Some(name) = pickup.and_then(|id| related.config.point_name(id)) {
        search.insert("pickupServicePointName".into(), name.into());
    }
    document.insert("searchIndex".into(), search.into());
}

fn item_of(item: &Document, config: &CirculationConfig) -> Document {
    let mut kept = some(item, &["barcode"]);
    let location = id_in(item, "effectiveLocationId");
    let Some((id, location)) = location.and_then(|id| Some((id, config.locations.get(&id)?)))
    else {
        return kept;
    };
    kept.insert("itemEffectiveLocationId".into(), id.to_string().into());
    if let Some(name) = &location.name {
        kept.insert("itemEffectiveLocationName".into(), name.as_str().into());
    }
    if let Some(point) = location.place.primary_service_point {
        kept.insert("retrievalServicePointId".into(), point.to_string().into());
        if let Some(name) = config.point_name(point) {
            kept.insert("retrievalServicePointName".into(), name.into());
        }
    }
    kept
}

fn instance_of(instance: &Value) -> Value {
    let identifiers = instance["identifiers"].as_array();
    let identifiers: Vec<Document> = identifiers
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .map(|one| some(one, &["value", "identifierTypeId"]))
        .collect();
    json!({"title": instance["title"], "identifiers": identifiers})
}

fn user_of(user: &Value) -> Document {
    let personal = user["personal"].as_object();
    let mut kept = personal.map_or_else(Map::new, |personal| {
        some(personal, &["lastName", "firstName", "middleName"])
    });
    if let Some(barcode) = user.get("barcode") {
        kept.insert("barcode".into(), barcode.clone());
    }
    kept
}

fn some(of: &Document, names: &[&str]) -> Document {
    let there = names.iter().filter_map(|name| {
        let value = of.get(*name).filter(|value| !value.is_null())?;
        Some(((*name).to_owned(), value.clone()))
    });
    there.collect()
}
