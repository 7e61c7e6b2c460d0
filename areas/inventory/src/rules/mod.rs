//! Computations on inventory records: pure functions over their JSON. Time and new ids are arguments.

pub mod blocked_fields;
pub mod bound_with;
pub mod call_number;
pub mod defaults;
pub mod derive;
pub mod form;
pub mod harvest;
pub mod hrid;
pub mod instance_form;
pub mod instance_links;
pub mod isbn;
pub mod isbn_groups;
pub mod item_form;
pub mod items_query;
pub mod jobs;
pub mod list_answers;
pub mod list_entry;
pub mod lists;
pub mod location;
pub mod location_form;
pub mod marc_json;
pub mod move_form;
pub mod notes;
pub mod order;
pub mod ownership_form;
pub mod patch;
pub mod released_request;
pub mod service_point;
pub mod setting;
pub mod shelf_key;
pub mod source_record;
pub mod status;
pub mod status_moves;
pub mod tenant_item_pairs;
pub mod titles;
pub mod unchanged;
pub mod view_query;

pub use blocked_fields::{blocked_fields, holdings_blocked_fields};
pub use derive::{derive_holdings, derive_instance, derive_item};

use serde_json::{Map, Value};

/// The text of a property, unless it is missing or blank.
fn filled<'a>(record: &'a Value, property: &str) -> Option<&'a str> {
    record
        .get(property)
        .and_then(Value::as_str)
        .filter(|text| !text.trim().is_empty())
}

/// Sets a property to a text, or removes it.
fn set(record: &mut Map<String, Value>, property: &str, text: Option<String>) {
    match text {
        Some(text) => {
            record.insert(property.to_owned(), Value::String(text));
        }
        None => {
            record.shift_remove(property);
        }
    }
}
