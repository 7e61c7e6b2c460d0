//! Reads and checks the editor's forms. No I/O.

mod form;
mod look;

pub use form::{Form, Ids};
pub use look::{Wrong, wrong_fields};

use serde_json::Value;

use crate::quick_marc::subfields_of;
use crate::validation::{Checked, Content};

/// The fields of a form for validation.
#[must_use]
pub fn checked(fields: &[Value]) -> Vec<Checked> {
    fields.iter().map(checked_field).collect()
}

fn checked_field(item: &Value) -> Checked {
    let tag = item["tag"].as_str().unwrap_or_default().to_owned();
    let content = if is_control(&tag) {
        Content::Control(text_of(&item["content"]))
    } else {
        let at = |index: usize| {
            let indicator = item["indicators"].get(index).and_then(Value::as_str);
            match indicator.and_then(|text| text.chars().next()) {
                None | Some('\\') => ' ',
                Some(other) => other,
            }
        };
        let subfields = subfields_of(item["content"].as_str().unwrap_or_default());
        let subfields = subfields.into_iter().map(|one| (one.code, one.value));
        Content::Data([at(0), at(1)], subfields.collect())
    };
    Checked { tag, content }
}

fn is_control(tag: &str) -> bool {
    matches!(tag.as_bytes(), [b'0', b'0', b'1'..=b'9'])
}

/// The value of a control field, also of one split into parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Object(parts) => parts.values().map(text_of).collect(),
        Value::Array(items) => items.iter().map(text_of).collect(),
        _ => String::new(),
    }
}
