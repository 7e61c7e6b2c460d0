//! What a staff slip can print about a check-in.

use jiff::Timestamp;
use octavo_records::instant;
use serde_json::{Map, Value, json};

use crate::app::check_in::CheckedIn;

/// The context of a slip; takes the slip's part out of the item's view.
pub(super) fn context(done: &mut CheckedIn, now: Timestamp) -> Value {
    let mut item = match done
        .item
        .as_object_mut()
        .and_then(|item| item.shift_remove("slip"))
    {
        Some(Value::Object(slip)) => slip,
        _ => Map::new(),
    };
    item.insert(
        "lastCheckedInDateTime".to_owned(),
        json!(instant::format(now)),
    );
    let mut context = Map::new();
    context.insert("item".to_owned(), Value::Object(item));
    if let Some(request) = &done.request {
        context.insert("requester".to_owned(), requester(request));
        context.insert("request".to_owned(), slip_request(request));
    }
    Value::Object(context)
}

fn requester(request: &Value) -> Value {
    let requester = &request["requester"];
    only_known(&[
        ("firstName", &requester["firstName"]),
        ("lastName", &requester["lastName"]),
        ("middleName", &requester["middleName"]),
        ("barcode", &requester["barcode"]),
        ("patronGroup", &requester["patronGroup"]["group"]),
    ])
}

fn slip_request(request: &Value) -> Value {
    only_known(&[
        ("requestID", &request["id"]),
        ("requestDate", &request["requestDate"]),
        ("requestExpirationDate", &request["requestExpirationDate"]),
        (
            "holdShelfExpirationDate",
            &request["holdShelfExpirationDate"],
        ),
        ("servicePointPickup", &request["pickupServicePoint"]["name"]),
        ("patronComments", &request["patronComments"]),
    ])
}

fn only_known(pairs: &[(&str, &Value)]) -> Value {
    pairs
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| ((*name).to_owned(), (*value).clone()))
        .collect::<Map<String, Value>>()
        .into()
}
