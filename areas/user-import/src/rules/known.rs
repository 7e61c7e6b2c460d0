//! The library's reference data, by the names that an import uses.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

/// Names and their ids, read when an import begins.
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
    /// Custom fields by their references; select fields with the ids of options by name.
    pub custom_fields: HashMap<String, Option<HashMap<String, String>>>,
}

/// The options of a select field; `None` for other fields. The first of two options with the same name
/// wins.
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
