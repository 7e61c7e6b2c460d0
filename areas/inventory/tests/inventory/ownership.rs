//! `/inventory/{items,holdings}/update-ownership` and `/inventory/tenant-items`: what a tenant that
//! is in no consortium is answered.

use serde_json::{Value, json};

use super::{ITEMS, NOWHERE, Shelf, error, id};

const PAIRS: &str = "/inventory/tenant-items";

#[tokio::test]
async fn a_tenant_in_no_consortium_owns_what_it_has() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1").await;
    let items = json!({"toHoldingsRecordId": NOWHERE, "itemIds": [item["id"]],
                       "targetTenantId": "branch"});
    let holdings = json!({"toInstanceId": NOWHERE, "holdingsRecordIds": [shelf.holdings],
                          "targetTenantId": "branch", "targetLocationId": shelf.display});
    for (path, form) in [
        ("/inventory/items/update-ownership", items),
        ("/inventory/holdings/update-ownership", holdings),
    ] {
        let answer = shelf.client.post(path, &form).await.expect(400);
        assert_eq!(answer.text, "diku tenant is not in consortia");
        for name in form.as_object().expect("an object").keys() {
            let mut form = form.clone();
            form[name] = Value::Null;
            let refused = shelf.client.post(path, &form).await.expect(422).json();
            let expected = (format!("{name} is a required field"), name.clone());
            assert_eq!(error(&refused), expected);
        }
        let mut form = form.clone();
        form["targetTenantId"] = json!("diku");
        let refused = shelf.client.post(path, &form).await.expect(422).json();
        let sentence = "targetTenantId field cannot be equal to source tenant id";
        assert_eq!(
            error(&refused),
            (sentence.to_owned(), "targetTenantId".to_owned())
        );
        let _ = shelf.client.post(path, &json!("x")).await.expect(422);
    }
    assert_eq!(shelf.read(ITEMS, &id(&item)).await, item);
}

#[tokio::test]
async fn items_of_ones_own_tenant_are_given_and_those_of_others_left_out() {
    let shelf = Shelf::new().await;
    let (first, second) = (shelf.item("1").await, shelf.item("2").await);
    let pair = |tenant: &str, item: &Value| json!({"tenantId": tenant, "itemId": item});
    let body = json!({"tenantItemPairs": [
        pair("diku", &second["id"]), pair("branch", &first["id"]), pair("diku", &json!(NOWHERE)),
        pair("diku", &json!("nonsense")), pair("diku", &first["id"]),
    ]});
    let answer = shelf.client.post(PAIRS, &body).await.expect(200).json();
    assert_eq!(
        answer,
        json!({"totalRecords": 2, "tenantItems": [
            {"tenantId": "diku", "item": second}, {"tenantId": "diku", "item": first},
        ]})
    );
    let none = json!({"tenantItemPairs": []});
    let answer = shelf.client.post(PAIRS, &none).await.expect(200).json();
    assert_eq!(answer, json!({"totalRecords": 0, "tenantItems": []}));
    for wrong in [
        json!({}),
        json!([]),
        json!({"tenantItemPairs": [{"tenantId": "diku"}]}),
    ] {
        let _ = shelf.client.post(PAIRS, &wrong).await.expect(422);
    }
    let many: Vec<Value> = (0..=10_000_u128)
        .map(|number| pair("diku", &json!(uuid::Uuid::from_u128(number))))
        .collect();
    let body = json!({"tenantItemPairs": many});
    let _ = shelf.client.post(PAIRS, &body).await.expect(413);
}
