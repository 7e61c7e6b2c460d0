//! What the library has set up, by the names under which an import speaks of it.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

/// Names and what they stand for, as they are when an import begins.
#[derive(Debug, Clone, Default)]
pub struct ReferenceNames {
    /// The ids of address types by their names.
    pub address_types: HashMap<String, String>,
    /// The ids of patron groups by their names.
    pub groups: HashMap<String, String>,
    /// The ids of departments by their names.
    pub departments: HashMap<String, String>,
    /// The ids of service points.
    pub service_points: HashSet<String>,
    /// Custom fields by their references: the ids of options by their names, where a field is chosen
    /// from a list.
    pub custom_fields: HashMap<String, Option<HashMap<String, String>>>,
}

/// The options of a custom field's definition; nothing for one that is not chosen from a list. Of
/// two options with one name the first counts.
#[must_use]
pub fn options(definition: &Value) -> Option<HashMap<String, String>> {
    const CHOSEN: [&str; 3] = [
        "RADIO_BUTTON",
        "SINGLE_SELECT_DROPDOWN",
        "MULTI_SELECT_DROPDOWN",
    ];
    let kind = definition["type"].as_str()?;
    if !CHOSEN.contains(&kind) {
        return None;
    }
    let mut options = HashMap::new();
    let values = definition["selectField"]["options"]["values"].as_array();
    for one in values.into_iter().flatten() {
        if let (Some(name), Some(id)) = (one["value"].as_str(), one["id"].as_str()) {
            options
                .entry(name.to_owned())
                .or_insert_with(|| id.to_owned());
        }
    }
    Some(options)
}
