//! `/holdings-storage/holdings`.

use reqwest::Method;
use serde_json::json;

use super::{FOLIO, HOLDINGS, MARC, NOWHERE, Shelf, error, id};

#[tokio::test]
async fn holdings_are_where_their_temporary_location_is() {
    let shelf = Shelf::new().await;
    let body = json!({
        "instanceId": shelf.instance, "sourceId": FOLIO, "permanentLocationId": shelf.stacks,
        "temporaryLocationId": shelf.display, "effectiveLocationId": shelf.stacks,
        "notes": [{"note": "bought"}],
    });
    let holdings = shelf.client.post(HOLDINGS, &body).await.expect(201).json();
    assert_eq!(holdings["effectiveLocationId"], shelf.display);
    assert_eq!(holdings["hrid"], "ho00000000002");
    assert_eq!(holdings["notes"][0]["staffOnly"], false);

    let mut body = holdings.clone();
    body.as_object_mut()
        .expect("an object")
        .remove("temporaryLocationId");
    let path = format!("{HOLDINGS}/{}", id(&holdings));
    let _ = shelf.client.put(&path, &body).await.expect(204);
    assert_eq!(
        shelf.read(HOLDINGS, &id(&holdings)).await["effectiveLocationId"],
        shelf.stacks
    );
    let _ = shelf.client.put(&path, &body).await.expect(409);
    body["_version"] = json!(2);
    body["hrid"] = json!("ho9");
    let answer = shelf.client.put(&path, &body).await.expect(400);
    assert_eq!(
        answer.text,
        "The hrid field cannot be changed: new=ho9, old=ho00000000002"
    );
}

#[tokio::test]
async fn put_makes_holdings_that_are_not_there() {
    let shelf = Shelf::new().await;
    let body = json!({
        "instanceId": shelf.instance, "sourceId": FOLIO, "permanentLocationId": shelf.stacks,
    });
    let _ = shelf
        .client
        .put(&format!("{HOLDINGS}/{NOWHERE}"), &body)
        .await
        .expect(204);
    let holdings = shelf.read(HOLDINGS, NOWHERE).await;
    assert_eq!(holdings["effectiveLocationId"], shelf.stacks);
    assert_eq!(holdings["_version"], 1);
}

#[tokio::test]
async fn broken_references_are_refused() {
    let shelf = Shelf::new().await;
    let body = json!({
        "instanceId": NOWHERE, "sourceId": FOLIO, "permanentLocationId": shelf.stacks,
    });
    let answer = shelf.client.post(HOLDINGS, &body).await.expect(422).json();
    assert_eq!(
        error(&answer).0,
        format!(
            "Cannot set holdings_record.instanceid = {NOWHERE} because it does not exist in \
             instance.id."
        )
    );
    let _ = shelf.item("1001").await;
    let answer = shelf
        .client
        .delete(&format!("{HOLDINGS}/{}", shelf.holdings))
        .await
        .expect(400);
    assert!(answer.text.contains("still referenced from table item"));
}

#[tokio::test]
async fn a_patch_changes_what_it_names() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    let path = format!("{HOLDINGS}/{}", shelf.holdings);
    let patch = json!({"id": shelf.holdings, "_version": 1, "temporaryLocationId": shelf.display});
    let request = || shelf.client.request(Method::PATCH, &path).json(&patch);
    let _ = shelf.client.send(request()).await.expect(204);
    let holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    assert_eq!(holdings["effectiveLocationId"], shelf.display);
    assert_eq!(holdings["callNumber"], "TG145 .B7");
    let item = shelf.read(super::ITEMS, &id(&item)).await;
    assert_eq!(item["effectiveLocationId"], shelf.display);
    let _ = shelf.client.send(request()).await.expect(409);
    let nowhere = format!("{HOLDINGS}/{NOWHERE}");
    let request = shelf.client.request(Method::PATCH, &nowhere).json(&patch);
    let _ = shelf.client.send(request).await.expect(404);
}

#[tokio::test]
async fn marc_controls_its_holdings_in_inventory() {
    let shelf = Shelf::new().await;
    let body = json!({
        "instanceId": shelf.instance, "sourceId": MARC, "permanentLocationId": shelf.stacks,
    });
    let holdings = super::post(&shelf.client, HOLDINGS, body).await;
    let path = format!("/inventory/holdings/{}", id(&holdings));
    let mut body = holdings.clone();
    body["discoverySuppress"] = json!(true);
    let _ = shelf.client.put(&path, &body).await.expect(204);
    body["_version"] = json!(2);
    body["callNumber"] = json!("TG1");
    let answer = shelf.client.put(&path, &body).await.expect(422).json();
    assert!(
        error(&answer)
            .0
            .starts_with("Holdings is controlled by MARC record, these fields")
    );
    let mut body = holdings.clone();
    body["hrid"] = json!("ho9");
    let answer = shelf.client.put(&path, &body).await.expect(422).json();
    assert_eq!(error(&answer).0, "HRID can not be updated");
    let nowhere = format!("/inventory/holdings/{NOWHERE}");
    let answer = shelf.client.put(&nowhere, &holdings).await.expect(404);
    assert_eq!(answer.text, "Holdings not found");
}

#[tokio::test]
async fn a_patch_does_not_take_away_what_all_holdings_have() {
    let shelf = Shelf::new().await;
    let path = format!("{HOLDINGS}/{}", shelf.holdings);
    let send = |path: &str, patch: serde_json::Value| {
        let request = shelf.client.request(Method::PATCH, path).json(&patch);
        shelf.client.send(request)
    };
    let wrong = |property: &str| {
        json!({
            "message": format!("'{property}' value cannot be null"), "type": "1", "code": "-1",
            "parameters": [{"key": property}],
        })
    };
    let all = ["sourceId", "instanceId", "permanentLocationId"];
    for property in all {
        let mut patch = json!({"id": shelf.holdings, "_version": 1});
        patch[property] = serde_json::Value::Null;
        let refused = send(&path, patch).await.expect(422).json();
        assert_eq!(refused["errors"], json!([wrong(property)]));
    }
    let patch = json!({
        "id": shelf.holdings, "_version": 1, "permanentLocationId": null, "sourceId": null,
        "instanceId": null, "callNumber": "TG1",
    });
    let refused = send(&path, patch.clone()).await.expect(422).json();
    assert_eq!(refused["errors"], json!(all.map(wrong)));
    let _ = send(&format!("{HOLDINGS}/{NOWHERE}"), patch)
        .await
        .expect(404);
    let holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    assert_eq!(
        [&holdings["_version"], &holdings["callNumber"]],
        [&json!(1), &json!("TG145 .B7")]
    );
    let patch = json!({"id": shelf.holdings, "_version": 1, "callNumber": null});
    let _ = send(&path, patch).await.expect(204);
    let holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    assert_eq!(holdings.get("callNumber"), None);
}
