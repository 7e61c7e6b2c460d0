//! What is refused of losses and claims, with FOLIO's wording; nothing is changed then.

use serde_json::json;

use super::*;

const LOST: &str = "declare-item-lost";
const CLAIM: &str = "claim-item-returned";
const MISSING: &str = "declare-claimed-returned-item-as-missing";

fn lost() -> Value {
    json!({"declaredLostDateTime": "2026-03-01T10:00:00Z", "servicePointId": CIRC_DESK_1})
}

/// Status, message and parameter of a refusal; loan and item are as they were.
async fn refused(client: &Client, lent: &Lent, act: &str, body: Value) -> (Value, Value, Value) {
    let before = (lent.loan(client).await, lent.item(client).await);
    let answer = lent.act(client, act, body).await.expect(422).json();
    let after = (lent.loan(client).await, lent.item(client).await);
    assert_eq!(before, after);
    let error = &answer["errors"][0];
    assert_eq!(answer["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!(error.get("code"), None);
    assert_eq!(error["parameters"].as_array().map(Vec::len), Some(1));
    let parameter = &error["parameters"][0];
    (
        error["message"].clone(),
        parameter["key"].clone(),
        parameter["value"].clone(),
    )
}

fn told_as(message: &str, key: &str, value: Value) -> (Value, Value, Value) {
    (json!(message), json!(key), value)
}

#[tokio::test]
async fn bodies_without_what_is_needed() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = lend(&stock, "1").await;
    let point = "A service point is required for item to be declared lost";
    let date = "Item claimed returned date is a required field";
    let (claimed, said) = ("itemClaimedReturnedDateTime", "Comment is a required field");
    let table = [
        (
            LOST,
            json!({}),
            told_as(point, "servicePointId", json!(null)),
        ),
        (
            LOST,
            json!({"servicePointId": " "}),
            told_as(point, "servicePointId", json!(" ")),
        ),
        (
            LOST,
            json!({"servicePointId": CIRC_DESK_1, "declaredLostDateTime": "soon"}),
            told_as(
                "Text 'soon' could not be parsed as a date and time",
                "declaredLostDateTime",
                json!("soon"),
            ),
        ),
        (
            CLAIM,
            json!({"comment": "x"}),
            told_as(date, claimed, json!(null)),
        ),
        (
            CLAIM,
            json!({claimed: "soon"}),
            told_as(date, claimed, json!("soon")),
        ),
        (MISSING, json!({}), told_as(said, "comment", json!(null))),
    ];
    for (act, body, expected) in table {
        let found = refused(client, &lent, act, body.clone()).await;
        assert_eq!(found, expected, "{act} {body}");
    }
}

#[tokio::test]
async fn loans_that_are_not_in_the_way_of_it() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let lent = lend(&stock, "1").await;
    let claim = json!({"itemClaimedReturnedDateTime": "2026-03-01T10:00:00Z"});
    let missing = json!({"comment": "looked"});
    assert_eq!(
        refused(client, &lent, MISSING, missing.clone()).await,
        told_as("Item is not Claimed returned", "itemId", json!(lent.item))
    );
    lent.declare_lost(client).await;
    assert_eq!(
        refused(client, &lent, LOST, lost()).await,
        told_as(
            "The item is already declared lost",
            "itemId",
            json!(lent.item)
        )
    );
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    for (act, body) in [(LOST, lost()), (CLAIM, claim), (MISSING, missing)] {
        let expected = told_as("Loan is closed", "loanId", json!(lent.loan));
        assert_eq!(refused(client, &lent, act, body).await, expected, "{act}");
    }
}

#[tokio::test]
async fn fees_that_would_be_owed_to_nobody() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = lend(&stock, "1").await;
    let charging = [
        actual_cost(),
        json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 1.0}}),
        json!({"lostItemProcessingFee": 5.0, "chargeAmountItemPatron": true}),
    ];
    for policy in charging {
        charge(client, policy).await;
        let message = "No fee/fine owner found for item's permanent location";
        let expected = told_as(message, "locationId", json!(stock.location));
        assert_eq!(refused(client, &lent, LOST, lost()).await, expected);
    }
}

#[tokio::test]
async fn notes_that_have_no_type() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    charge(client, json!({})).await;
    let lent = lend(&stock, "1").await;
    lent.claim(client).await;
    let database = &library.platform.store.database;
    let _ = database
        .execute("DELETE FROM tenant_diku.note_type", &[])
        .await
        .expect("deleted");
    let expected = told_as("No General note type found", "noteTypes", json!(null));
    assert_eq!(refused(client, &lent, LOST, lost()).await, expected);
    let body = json!({"comment": "looked"});
    assert_eq!(refused(client, &lent, MISSING, body).await, expected);
}

#[tokio::test]
async fn loans_that_there_are_not() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let claim = json!({"itemClaimedReturnedDateTime": "2026-03-01T10:00:00Z"});
    for (act, body) in [
        (LOST, lost()),
        (CLAIM, claim),
        (MISSING, json!({"comment": "x"})),
    ] {
        let answer = client
            .post(&format!("/circulation/loans/{POLICY}/{act}"), &body)
            .await;
        assert_eq!(
            answer.expect(404).text,
            format!("loan record with ID \"{POLICY}\" cannot be found")
        );
        let answer = client
            .post(&format!("/circulation/loans/7/{act}"), &body)
            .await;
        let _ = answer.expect(400);
    }
    // The item has been deleted under its loan.
    let lent = lend(&stock, "1").await;
    let path = format!("/item-storage/items/{}", lent.item);
    let _ = client.delete(&path).await.expect(204);
    let before = lent.loan(client).await;
    let answer = lent.act(client, LOST, lost()).await.expect(404);
    assert_eq!(
        answer.text,
        format!("item record with ID \"{}\" cannot be found", lent.item)
    );
    assert_eq!(lent.loan(client).await, before);
}

#[tokio::test]
async fn who_has_no_permission() {
    let (library, stock) = stocked().await;
    let lent = lend(&stock, "1").await;
    let (stranger, _) = octavo_server_testkit::reader(&library, &stock.client).await;
    for act in [LOST, CLAIM, MISSING] {
        let _ = lent.act(&stranger, act, json!({})).await.expect(403);
    }
    for handler in ["loan-related-fee-fine-closed", "fee-fine-balance-changed"] {
        let path = format!("/circulation/handlers/{handler}");
        let _ = stranger.post(&path, &json!({})).await.expect(403);
    }
}
