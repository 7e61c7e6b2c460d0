//! `/instance-storage/instances`.

use reqwest::Method;
use serde_json::json;

use super::{INSTANCES, NOWHERE, Shelf, an_instance, id, post};

#[tokio::test]
async fn an_instance_is_completed() {
    let shelf = Shelf::new().await;
    let mut body = an_instance("Tunnels");
    body["notes"] = json!([{"note": "maps in pocket"}]);
    body["tags"] = json!({"tagList": ["urgent", " "]});
    let instance = post(&shelf.client, INSTANCES, body).await;
    assert_eq!(instance["hrid"], "in00000000002");
    for property in ["previouslyHeld", "discoverySuppress", "deleted"] {
        assert_eq!(instance[property], false, "{property}");
    }
    assert_eq!(instance["notes"][0]["staffOnly"], false);
    assert_eq!(instance["languages"], json!([]));
    assert_eq!(instance["tags"]["tagList"], json!(["urgent", " "]));
    assert!(instance["statusUpdatedDate"].is_string());
}

#[tokio::test]
async fn refusals_are_plain_text() {
    let shelf = Shelf::new().await;
    let mut body = an_instance("Tunnels");
    body["instanceTypeId"] = json!(NOWHERE);
    let answer = shelf.client.post(INSTANCES, &body).await.expect(400);
    assert_eq!(
        answer.text,
        format!(
            "Cannot set instance.instancetypeid = {NOWHERE} because it does not exist in \
             instance_type.id."
        )
    );
    let mut body = an_instance("Tunnels");
    body["hrid"] = json!("in00000000001");
    let answer = shelf.client.post(INSTANCES, &body).await.expect(400);
    assert_eq!(
        answer.text,
        "HRID value already exists in table instance: in00000000001"
    );

    let instance = shelf.read(INSTANCES, &shelf.instance).await;
    let path = format!("{INSTANCES}/{}", shelf.instance);
    let mut body = instance.clone();
    body["hrid"] = json!("in9");
    let answer = shelf.client.put(&path, &body).await.expect(400);
    assert_eq!(
        answer.text,
        "The hrid field cannot be changed: new=in9, old=in00000000001"
    );
    let mut changed = instance.clone();
    changed["title"] = json!("Bridges of the south");
    let _ = shelf.client.put(&path, &changed).await.expect(204);
    let _ = shelf.client.put(&path, &changed).await.expect(409);
    let nowhere = format!("{INSTANCES}/{NOWHERE}");
    let _ = shelf.client.put(&nowhere, &instance).await.expect(404);
}

#[tokio::test]
async fn a_patch_changes_what_it_names() {
    let shelf = Shelf::new().await;
    let path = format!("{INSTANCES}/{}", shelf.instance);
    let patch = json!({"id": shelf.instance, "_version": 1, "editions": ["2nd"]});
    let send = |patch: &serde_json::Value| {
        shelf
            .client
            .send(shelf.client.request(Method::PATCH, &path).json(patch))
    };
    let _ = send(&patch).await.expect(204);
    let instance = shelf.read(INSTANCES, &shelf.instance).await;
    assert_eq!(instance["editions"], json!(["2nd"]));
    assert_eq!(instance["title"], "Bridges of the north");
    let _ = send(&patch).await.expect(409);
    let _ = send(&json!({"_version": 2, "colour": "red"}))
        .await
        .expect(422);
    assert_eq!(id(&instance), shelf.instance);
}

/// The human-readable id of a shadow follows that of the instance that a consortium shares.
#[tokio::test]
async fn only_a_shadow_of_a_shared_instance_gets_another_hrid() {
    let shelf = Shelf::new().await;
    let path = format!("{INSTANCES}/{}", shelf.instance);
    let mut shadow = shelf.read(INSTANCES, &shelf.instance).await;
    shadow["hrid"] = json!("cons1");
    // The source that is sent decides, as in FOLIO.
    for source in ["FOLIO", "MARC", "CONSORTIUM", "consortium-FOLIO"] {
        shadow["source"] = json!(source);
        let refused = shelf.client.put(&path, &shadow).await.expect(400);
        assert_eq!(
            refused.text,
            "The hrid field cannot be changed: new=cons1, old=in00000000001"
        );
    }
    shadow["source"] = json!("CONSORTIUM-FOLIO");
    let _ = shelf.client.put(&path, &shadow).await.expect(204);
    let stored = shelf.read(INSTANCES, &shelf.instance).await;
    assert_eq!(stored["hrid"], "cons1");
    let patch = json!({"id": shelf.instance, "_version": 2, "hrid": "cons2"});
    let request = || shelf.client.request(Method::PATCH, &path).json(&patch);
    let _ = shelf.client.send(request()).await.expect(204);
    // The business interface has no such exception.
    let managed = format!("/inventory/instances/{}", shelf.instance);
    let mut form = shelf.client.get(&managed).await.expect(200).json();
    form["hrid"] = json!("cons3");
    let refused = shelf.client.put(&managed, &form).await.expect(422).json();
    assert_eq!(super::error(&refused).0, "HRID can not be updated");
    let stored = shelf.read(INSTANCES, &shelf.instance).await;
    assert_eq!(stored["hrid"], "cons2");
    // Another instance's id it does not get.
    let other = post(&shelf.client, INSTANCES, an_instance("Tunnels")).await;
    let mut shadow = stored;
    shadow["hrid"] = other["hrid"].clone();
    let taken = shelf.client.put(&path, &shadow).await.expect(400);
    assert!(taken.text.contains("already exists"), "{}", taken.text);
}

/// Property by property: what is blank stays, repetitions go from FOLIO's sets alone, and a blank is not
/// an id.
#[tokio::test]
async fn lists_are_stored_as_they_were_sent() {
    const TERM: &str = "96879b60-098b-453b-bf9a-c47866f1ab2a";
    const FORMAT: &str = "8d511d33-5e85-4c5d-9bce-6e3c9cd0c324";
    const CODE: &str = "b5968c9e-cddc-4576-99e3-8e60aed8b0dd";
    let shelf = Shelf::new().await;
    let texts = |value: &str| match value.len() {
        36 => json!([value, value]),
        _ => json!(["", value, " \t", value, ""]),
    };
    let left = |value: &str, set: bool| match (value.len(), set) {
        (36, true) => json!([value]),
        (_, true) => json!(["", value, " \t"]),
        (_, false) => texts(value),
    };
    let tags = json!({"tagList": ["", "urgent", " ", "urgent"]});
    let of_instances = [
        ("instanceFormatIds", FORMAT, false),
        ("physicalDescriptions", "x", false),
        ("languages", "eng", false),
        ("administrativeNotes", "x", false),
        ("editions", "x", true),
        ("publicationRange", "x", true),
        ("publicationFrequency", "x", true),
        ("natureOfContentTermIds", TERM, true),
        ("statisticalCodeIds", CODE, true),
    ];
    let of_holdings = [
        ("administrativeNotes", "x", false),
        ("statisticalCodeIds", CODE, true),
        ("formerIds", "x", true),
    ];
    let of_items = [
        ("administrativeNotes", "x", false),
        ("statisticalCodeIds", CODE, true),
        ("formerIds", "x", true),
        ("yearCaption", "x", true),
    ];
    let item = id(&shelf.item("1001").await);
    for (path, id, properties) in [
        (INSTANCES, shelf.instance.as_str(), &of_instances[..]),
        (super::HOLDINGS, shelf.holdings.as_str(), &of_holdings[..]),
        (super::ITEMS, item.as_str(), &of_items[..]),
    ] {
        let mut record = shelf.read(path, id).await;
        for (property, value, _) in properties {
            record[*property] = texts(value);
        }
        record["tags"] = tags.clone();
        let own = format!("{path}/{id}");
        let _ = shelf.client.put(&own, &record).await.expect(204);
        let stored = shelf.read(path, id).await;
        for (property, value, set) in properties {
            assert_eq!(stored[*property], left(value, *set), "{path} {property}");
        }
        assert_eq!(stored["tags"], tags);
        let mut blank = stored.clone();
        blank["statisticalCodeIds"] = json!([CODE, ""]);
        let _ = shelf.client.put(&own, &blank).await.expect(422);
        // The same, made again.
        for property in ["id", "hrid", "_version", "barcode"] {
            record.as_object_mut().expect("an object").remove(property);
        }
        let made = post(&shelf.client, path, record).await;
        for (property, ..) in properties {
            assert_eq!(made[*property], stored[*property], "{path} {property}");
        }
    }
}

#[tokio::test]
async fn what_is_said_twice_in_a_set_is_stored_once() {
    let shelf = Shelf::new().await;
    let mut body = an_instance("Tunnels");
    body["subjects"] = json!([{"value": "Rivers"}, {"value": "Roads"}, {"value": "Rivers"}]);
    body["series"] = json!([{"value": "Ways"}, {"value": "Ways"}]);
    let stored = post(&shelf.client, INSTANCES, body).await;
    let subjects = json!([{"value": "Rivers"}, {"value": "Roads"}]);
    assert_eq!(stored["subjects"], subjects);
    assert_eq!(stored["series"], json!([{"value": "Ways"}]));
}
