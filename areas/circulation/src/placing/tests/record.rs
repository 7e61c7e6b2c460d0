//! Records of requests.

use octavo_library::HoldingsId;

use super::*;
use crate::circulation_config::CirculationConfig;

#[test]
fn a_request_for_a_title_has_no_item() {
    let config = CirculationConfig::default();
    let parts = Parts {
        item: None,
        instance: &json!({"title": "Middlemarch", "identifiers": [
            {"value": "0-14-043388-6", "identifierTypeId": OTHER, "identifierTypeObject": {}}]}),
        requester: None,
        proxy: None,
        config: &config,
    };
    let more = json!({"requestLevel": "title", "itemId": null, "holdingsRecordId": null,
        "loan": {"dueDate": "2026-01-01"}, "position": 9, "status": "open - not yet filled",
        "requestExpirationDate": "2026-06-30T23:30:00Z",
        "printDetails": {"printCount": 1, "lastPrintRequester": {"lastName": "B"}}});
    let request = request("Hold", more);
    let form = Form::of(&request, true).expect("a form");
    let zone = TimeZone::get("Europe/Berlin").expect("a zone");
    let record = Value::Object(stored(&request, &form, Some(3), parts, &zone));
    assert_eq!(record["requestLevel"], "Title");
    assert_eq!(record["status"], "Open - Not yet filled");
    assert_eq!(record["position"], 3);
    // The last second of the first of July in Berlin.
    assert_eq!(
        record["requestExpirationDate"],
        "2026-07-01T21:59:59.000+00:00"
    );
    assert_eq!(record["searchIndex"], json!({}));
    assert_eq!(record["printDetails"], json!({"printCount": 1}));
    let identifiers = json!([{"value": "0-14-043388-6", "identifierTypeId": OTHER}]);
    assert_eq!(record["instance"]["identifiers"], identifiers);
    for name in [
        "item",
        "itemId",
        "loan",
        "requester",
        "requestProcessingParameters",
    ] {
        assert_eq!(record.get(name), None, "{name}");
    }
}

#[test]
fn a_request_that_moves_tells_of_its_new_item() {
    let config = CirculationConfig::default();
    let document = json!({"barcode": "i-2", "effectiveShelvingOrder": "PR 1",
        "effectiveCallNumberComponents": {"callNumber": "PR1", "typeId": OTHER}});
    let item = ItemRecord {
        id: OTHER,
        holdings_record_id: HoldingsId::from_u128(6),
        document: document.as_object().expect("an object"),
    };
    let before = json!({"id": REQUEST, "itemId": ITEM, "position": 2, "patronComments": "Soon"});
    let before = before.as_object().expect("an object");
    let record = Value::Object(moved(before, "Recall", 5, item, &config));
    let expected = json!({"id": REQUEST, "itemId": OTHER, "holdingsRecordId": HoldingsId::from_u128(6), "position": 5,
        "requestType": "Recall", "patronComments": "Soon", "item": {"barcode": "i-2"},
        "searchIndex": {"callNumberComponents": {"callNumber": "PR1"}, "shelvingOrder": "PR 1"}});
    assert_eq!(record, expected);
}
