//! Records that clients write whole: accounts, types of fee and policies.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{account, charge, events_of};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::Stock;

#[tokio::test]
async fn accounts_show_where_their_items_are() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let mut body = account(3.0);
    body["itemId"] = json!(item);
    // Nobody else says so.
    body["holdingsRecordId"] = json!(Uuid::new_v4());
    let created = client.post("/accounts", &body).await.expect(201).json();
    assert_eq!(created.get("holdingsRecordId"), None);
    let id = super::text(&created["id"]);
    let query = format!("id=={id}");
    let list = client.query("/accounts", &query).await.expect(200).json();
    assert_eq!(list["totalRecords"], 1);
    let path = format!("/accounts/{id}");
    let read = client.get(&path).await.expect(200).json();
    for shown in [&list["accounts"][0], &read] {
        assert_eq!(shown["holdingsRecordId"], json!(stock.holdings));
        assert_eq!(shown["instanceId"], json!(stock.instance));
    }
    let _ = client
        .get(&format!("/accounts/{}", Uuid::new_v4()))
        .await
        .expect(404);
    let facets = format!("/accounts?query={query}&facets=feeFineType");
    let faceted = client.get(&facets).await.expect(200).json();
    assert_eq!(
        faceted["resultInfo"]["facets"][0]["facetValues"][0]["value"],
        "Damage"
    );
}

#[tokio::test]
async fn amounts_are_what_json_holds_exactly() {
    let library = library().await;
    let client = library.client().await;
    for name in ["amount", "remaining"] {
        let mut body = account(3.0);
        body[name] = json!(10_000_000_000_000.0);
        let answer = client.post("/accounts", &body).await.expect(422).json();
        let error = &answer["errors"][0];
        assert_eq!(
            error["message"],
            "must be between -9999999999999.99 and 9999999999999.99"
        );
        assert_eq!(error["parameters"][0]["key"], name);
    }
    let mut body = account(3.0);
    let _ = body.as_object_mut().expect("an object").remove("userId");
    let answer = client.post("/accounts", &body).await.expect(422).json();
    assert_eq!(answer["errors"][0]["parameters"][0]["key"], "userId");
}

#[tokio::test]
async fn accounts_have_the_ids_of_their_writers() {
    let library = library().await;
    let client = library.client().await;
    let mut body = account(3.0);
    let id = super::text(&body["id"]);
    let _ = client.post("/accounts", &body).await.expect(201);
    let taken = client.post("/accounts", &body).await.expect(422).json();
    let message = super::text(&taken["errors"][0]["message"]);
    assert_eq!(
        message,
        format!("id value already exists in table accounts: {id}")
    );
    let _ = body.as_object_mut().expect("an object").remove("id");
    for answer in [
        client.post("/accounts", &body).await,
        client.put(&format!("/accounts/{id}"), &body).await,
    ] {
        let error = &answer.expect(422).json()["errors"][0];
        assert_eq!(error["message"], "must not be null");
        assert_eq!(error["parameters"][0]["key"], "id");
    }
    // Other violations are reported with it.
    let _ = body.as_object_mut().expect("an object").remove("userId");
    let both = client.post("/accounts", &body).await.expect(422).json();
    assert_eq!(both["errors"].as_array().map(Vec::len), Some(2), "{both}");
}

#[tokio::test]
async fn missing_records_are_refused_in_folios_words() {
    let library = library().await;
    let client = library.client().await;
    let id = Uuid::new_v4();
    let kind = json!({"id": id, "feeFineType": "Damage", "automatic": false});
    let action = json!({"accountId": id, "userId": id});
    for (path, object, body) in [
        ("owners", "Owner", json!({"owner": "Town"})),
        ("feefines", "Feefine", kind),
        ("feefineactions", "Feefineaction", action),
        ("payments", "Payment", json!({"nameMethod": "Cash"})),
        ("waives", "Waive", json!({"nameReason": "Kindness"})),
        ("refunds", "Refund", json!({"nameReason": "Mistake"})),
        ("transfers", "Transfer", json!({"accountName": "Bursar"})),
        ("comments", "Comment", json!({"paid": true})),
        (
            "transfer-criterias",
            "TransferCriteria",
            json!({"criteria": "1", "type": "2", "value": 1.0, "interval": "3"}),
        ),
        (
            "manualblocks",
            "Manualblock",
            json!({"userId": id, "type": "Manual", "desc": "x"}),
        ),
        ("accounts", "Account", Value::Null),
    ] {
        let one = format!("/{path}/{id}");
        let read = client.get(&one).await.expect(404);
        assert_eq!(read.text, format!("{object}Object does not exist"));
        let deleted = client.delete(&one).await.expect(404);
        assert_eq!(deleted.text, "Record Not Found", "{path}");
        if !body.is_null() {
            let changed = client.put(&one, &body).await.expect(404);
            assert_eq!(changed.text, "Record Not Found", "{path}");
        }
    }
    let owner = json!({"id": id, "owner": "Town"});
    let _ = client.post("/owners", &owner).await.expect(201);
    let taken = client.post("/owners", &owner).await.expect(400);
    assert_eq!(taken.text, "Unable to process request");
}

#[tokio::test]
async fn changes_of_accounts_are_published() {
    let library = library().await;
    let client = library.client().await;
    let id = charge(&client, 3.0).await;
    let path = format!("/accounts/{id}");
    let mut changed = account(3.0);
    changed["remaining"] = json!(1.25);
    let _ = client.put(&path, &changed).await.expect(204);
    let loan = Uuid::new_v4();
    changed["loanId"] = json!(loan);
    changed["remaining"] = json!(0);
    changed["status"]["name"] = json!("Closed");
    let _ = client.put(&path, &changed).await.expect(204);
    let _ = client.delete(&path).await.expect(204);
    let _ = client.delete(&path).await.expect(404);
    let _ = client.put(&path, &changed).await.expect(404);
    let events = events_of(&library, "FEE_FINE_BALANCE_CHANGED").await;
    let balances: Vec<f64> = events
        .iter()
        .filter_map(|one| one["balance"].as_f64())
        .collect();
    assert_eq!(balances, [3.0, 1.25, 0.0, 0.0]);
    assert_eq!(events[3].get("userId"), None);
    let ended = events_of(&library, "LOAN_RELATED_FEE_FINE_CLOSED").await;
    assert_eq!(ended, [json!({"loanId": loan})]);
}

#[tokio::test]
async fn automatic_types_stay_as_they_are() {
    let library = library().await;
    let client = library.client().await;
    let automatic = "9523cb96-e752-40c2-89da-60f3961a488d";
    let path = format!("/feefines/{automatic}");
    let kind = json!({"id": automatic, "feeFineType": "Overdue fine", "automatic": true});
    for answer in [
        client.post("/feefines", &kind).await,
        client.put(&path, &kind).await,
        client.delete(&path).await,
    ] {
        let answer = answer.expect(422).json();
        assert_eq!(
            answer["errors"][0]["message"],
            "Attempt to change an automatic fee/fine type"
        );
    }
    assert_eq!(
        client.get(&path).await.expect(200).json()["automatic"],
        true
    );
    // Others are changed as one likes; an owner has each type once, and keeps its types.
    let owner = Uuid::new_v4();
    let body = json!({"id": owner, "owner": "Main library"});
    let _ = client.post("/owners", &body).await.expect(201);
    let own = |id: Uuid| {
        json!({"id": id, "feeFineType": "Damage", "automatic": false,
                                "ownerId": owner})
    };
    let id = Uuid::new_v4();
    let _ = client.post("/feefines", &own(id)).await.expect(201);
    let taken = client.post("/feefines", &own(Uuid::new_v4())).await;
    assert_eq!(
        (taken.status, taken.text.as_str()),
        (400, "Unable to process request")
    );
    let _ = client.delete(&format!("/owners/{owner}")).await.expect(400);
    let _ = client
        .put(&format!("/feefines/{id}"), &own(id))
        .await
        .expect(204);
    let _ = client.delete(&format!("/feefines/{id}")).await.expect(204);
    let _ = client.delete(&format!("/owners/{owner}")).await.expect(204);
}

#[tokio::test]
async fn policies_have_names_of_their_own_and_charge_nothing_negative() {
    let library = library().await;
    let client = library.client().await;
    let table = [
        (
            "/overdue-fines-policies",
            json!({"overdueFine": {"quantity": -1, "intervalId": "day"}}),
            (
                "Quantity must not be negative.",
                "overdueFine.quantity",
                "-1.00",
            ),
            ("Overdue fine", "feesfines.policy.overdue.duplicate"),
        ),
        (
            "/lost-item-fees-policies",
            json!({"lostItemProcessingFee": -0.5}),
            (
                "The value must greater than or equal to 0",
                "lostItemProcessingFee",
                "-0.50",
            ),
            ("Lost item fee", "feesfines.policy.lost.duplicate"),
        ),
    ];
    for (path, negative, (message, key, value), (kind, code)) in table {
        let mut body = negative;
        body["name"] = json!("Strict");
        let answer = client.post(path, &body).await.expect(422).json();
        let error = &answer["errors"][0];
        assert_eq!(error["message"], message);
        assert_eq!(error["parameters"], json!([{"key": key, "value": value}]));
        let id = Uuid::new_v4();
        let _ = client
            .post(path, &json!({"id": id, "name": "Strict"}))
            .await
            .expect(201);
        let one = format!("{path}/{id}");
        let answer = client.put(&one, &body).await.expect(422).json();
        assert_eq!(answer["errors"][0]["message"], message);
        let answer = client
            .post(path, &json!({"name": "STRICT"}))
            .await
            .expect(422)
            .json();
        let taken = format!(
            "The {kind} policy name entered already exists. Please enter a different name."
        );
        assert_eq!(answer["errors"][0]["message"], taken);
        assert_eq!(answer["errors"][0]["code"], code);
    }
}
