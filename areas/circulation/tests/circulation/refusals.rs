//! What prevents a loan, and what overrides it.

use reqwest::Method;
use serde_json::json;

use super::{IN, OUT, check_in, messages, stocked};
use octavo_server_testkit::stock::{BOOK, CIRC_DESK_1, DVD, check_out};

#[tokio::test]
async fn refusals_come_together() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let answer = client
        .post(OUT, &check_out("nothing", "nobody"))
        .await
        .expect(422)
        .json();
    assert_eq!(
        messages(&answer),
        [
            "Could not find user with matching barcode",
            "No item with barcode nothing could be found"
        ]
    );
    assert_eq!(answer["errors"][0]["code"], "USER_BARCODE_NOT_FOUND");
    assert_eq!(
        answer["errors"][0]["parameters"][0],
        json!({"key": "userBarcode", "value": "nobody"})
    );

    let _ = stock.item_of("i-lost", DVD, "Declared lost").await;
    let _ = stock.patron_with("p-gone", json!({"active": false})).await;
    let mut body = check_out("i-lost", "p-gone");
    body.as_object_mut()
        .expect("an object")
        .remove("servicePointId");
    let answer = client.post(OUT, &body).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        [
            "Check out must be performed at a service point",
            "Cannot check out to inactive user",
            "Middlemarch (dvd) (Barcode: i-lost) has the item status Declared lost and cannot be checked out"
        ]
    );
    for (body, message) in [
        (json!({}), "Checkin request must have an item barcode"),
        (
            json!({"itemBarcode": "x"}),
            "Checkin request must have a service point id",
        ),
        (
            json!({"itemBarcode": "x", "servicePointId": CIRC_DESK_1}),
            "Checkin request must have an check in date",
        ),
        (
            check_in("nothing", CIRC_DESK_1),
            "No item with barcode nothing exists",
        ),
    ] {
        let answer = client.post(IN, &body).await.expect(422).json();
        assert_eq!(messages(&answer), [message]);
    }
    let malformed = client.request(Method::POST, OUT).body("{\"itemBarcode\": ");
    let _ = client.send(malformed).await.expect(400);
}

#[tokio::test]
async fn patron_blocks_and_their_override() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.item("i-3").await;
    let patron = stock.patron("p-3").await;
    let block = json!({"type": "Manual", "desc": "Owes a book", "borrowing": true,
                       "renewals": false, "requests": false, "userId": patron});
    let _ = client.post("/manualblocks", &block).await.expect(201);
    let answer = client
        .post(OUT, &check_out("i-3", "p-3"))
        .await
        .expect(422)
        .json();
    assert_eq!(messages(&answer), ["Patron blocked from borrowing"]);
    let error = &answer["errors"][0];
    assert_eq!(error["code"], "USER_IS_BLOCKED_MANUALLY");
    assert_eq!(
        error["parameters"][0],
        json!({"key": "reason", "value": "Owes a book"})
    );
    assert_eq!(error["overridableBlock"]["name"], "patronBlock");
    assert_eq!(error["overridableBlock"]["missingPermissions"], json!([]));
    let mut body = check_out("i-3", "p-3");
    body["overrideBlocks"] = json!({"patronBlock": {}, "comment": "Promised to return it"});
    let loan = client.post(OUT, &body).await.expect(201).json();
    assert_eq!(loan["action"], "checkedOutThroughOverride");
    assert_eq!(loan["actionComment"], "Promised to return it");
}

#[tokio::test]
async fn limits_of_a_policy_and_of_a_patron_group() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.patron("p-22").await;
    for barcode in ["i-22", "i-23"] {
        let _ = stock.item(barcode).await;
    }
    // One DVD at a time: the rule mentions the material type, so the limit counts by it.
    let policy = json!({"name": "One at a time", "loanable": true, "renewable": false,
        "loansPolicy": {"profileId": "Rolling", "period": {"duration": 1, "intervalId": "Weeks"},
                        "itemLimit": 1, "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"}});
    let policy = client
        .post("/loan-policy-storage/loan-policies", &policy)
        .await
        .expect(201)
        .json();
    let rules = client.get("/circulation/rules").await.expect(200).json();
    let text = rules["rulesAsText"].as_str().expect("the text");
    let others = text
        .lines()
        .nth(1)
        .and_then(|line| line.split_once(" r "))
        .expect("policies")
        .1;
    let text = format!(
        "{text}\nm {DVD}: l {} r {others}",
        policy["id"].as_str().expect("an id")
    );
    let _ = client
        .put("/circulation/rules", &json!({"rulesAsText": text}))
        .await
        .expect(204);
    let _ = client
        .post(OUT, &check_out("i-22", "p-22"))
        .await
        .expect(201);
    let answer = client
        .post(OUT, &check_out("i-23", "p-22"))
        .await
        .expect(422)
        .json();
    assert_eq!(
        messages(&answer),
        ["Patron has reached maximum limit of 1 items for material type"]
    );
    assert_eq!(
        answer["errors"][0]["overridableBlock"]["name"],
        "itemLimitBlock"
    );

    // The patron group's limit of items charged out, as an automated block.
    let condition = "3d7c52dc-c732-4223-8bf8-e5917801386f";
    let path = format!("/patron-block-conditions/{condition}");
    let mut stored = client.get(&path).await.expect(200).json();
    stored["blockBorrowing"] = json!(true);
    stored["message"] = json!("Too many items");
    let _ = client.put(&path, &stored).await.expect(204);
    let limit = json!({"id": "1de95200-72e4-4967-bdf8-257fb7559539", "conditionId": condition,
                       "patronGroupId": octavo_server_testkit::stock::UNDERGRAD, "value": 1});
    let _ = client
        .post("/patron-block-limits", &limit)
        .await
        .expect(201);
    let _ = stock.item_of("i-24", BOOK, "Available").await;
    let answer = client
        .post(OUT, &check_out("i-24", "p-22"))
        .await
        .expect(422)
        .json();
    assert_eq!(messages(&answer), ["Too many items"]);
    assert_eq!(answer["errors"][0]["code"], "USER_IS_BLOCKED_AUTOMATICALLY");
}
