//! The tokens of a staff slip about a check-in.

use jiff::Timestamp;
use octavo_library::wire_time;
use serde_json::{Map, Value, json};

use crate::app::check_in::CheckedIn;
use crate::representation::notice::name_country;

/// The tokens of a slip; removes the slip's part from the view of the item.
pub(super) fn context(done: &mut CheckedIn, now: Timestamp) -> Value {
    let now = json!(wire_time::format_z(now));
    let mut item = taken_out(&mut done.item);
    item.insert("lastCheckedInDateTime".to_owned(), now.clone());
    let mut context = Map::new();
    context.insert("item".to_owned(), Value::Object(item));
    let request = match done.request_slip.take() {
        Some(Value::Object(parts)) => parts,
        _ => Map::new(),
    };
    for (name, mut part) in request {
        if name == "requester" {
            name_country(&mut part);
        }
        context.insert(name, part);
    }
    context.insert("currentDateTime".to_owned(), now);
    Value::Object(context)
}

fn taken_out(view: &mut Value) -> Map<String, Value> {
    let slip = view
        .as_object_mut()
        .and_then(|view| view.shift_remove("slip"));
    match slip {
        Some(Value::Object(slip)) => slip,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_taken_out_of_the_view_and_names_the_country() {
        let mut done = CheckedIn {
            loan: None,
            item: json!({"id": "1", "slip": {"title": "Emma"}}),
            in_house_use: false,
            request_slip: Some(json!({
                "requester": {"lastName": "Brooke", "primaryCountry": "GB"},
                "request": {"requestID": "2"}})),
        };
        let now = "2026-03-01T10:00:00Z".parse().expect("an instant");
        let told = json!("2026-03-01T10:00:00.000Z");
        assert_eq!(
            context(&mut done, now),
            json!({"item": {"title": "Emma", "lastCheckedInDateTime": told},
                   "requester": {"lastName": "Brooke", "primaryCountry": "United Kingdom"},
                   "request": {"requestID": "2"}, "currentDateTime": told})
        );
        assert_eq!(done.item, json!({"id": "1"}));
        let mut nowhere = json!({"primaryCountry": "ZZ"});
        name_country(&mut nowhere);
        assert_eq!(nowhere, json!({}));
    }
}
