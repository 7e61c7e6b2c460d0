//! Renewal: what it does, and all that prevents it.

use octavo_testkit::Answer;
use serde_json::{Value, json};
use uuid::Uuid;

use super::lent::{Lent, OwnPolicy, parameters};
use super::{messages, stocked};
use octavo_server_testkit::stock::Stock;

const RENEW: &str = "/circulation/renew-by-barcode";
const BY_ID: &str = "/circulation/renew-by-id";
/// A loan date that no run of the tests reaches.
const FAR: &str = "2125-11-01T10:00:00Z";

async fn renew(stock: &Stock, lent: &Lent) -> Answer {
    stock.client.post(RENEW, &lent.renewal()).await
}

/// Refused with this error alone, and nothing has changed.
async fn refused(stock: &Stock, lent: &Lent, body: &Value, expected: Value) {
    let before = lent.records(&stock.client).await;
    let answer = stock.client.post(RENEW, body).await.expect(422).json();
    let error = &answer["errors"][0];
    let mut found = json!({"message": error["message"], "code": error["code"],
                           "block": error["overridableBlock"]["name"]});
    let keys: Vec<String> = parameters(error).into_iter().map(|(key, _)| key).collect();
    found["keys"] = json!(keys);
    assert_eq!(found, expected, "{body}");
    assert_eq!(messages(&answer).len(), 1, "{answer}");
    assert_eq!(lent.records(&stock.client).await, before);
}

#[tokio::test]
async fn a_loan_is_renewed_by_barcodes_and_by_ids() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _policy = OwnPolicy::new(&stock).await;
    let lent = Lent::new(&stock, "1", FAR).await;
    let answer = renew(&stock, &lent).await.expect(200);
    let address = format!("/circulation/loans/{}", lent.loan);
    assert_eq!(answer.header("location"), Some(address.as_str()));
    let loan = answer.json();
    assert_eq!(loan["id"], json!(lent.loan));
    assert_eq!(loan["action"], "renewed");
    assert_eq!(loan["renewalCount"], 1);
    // Twice thirty days from the loan date.
    assert_eq!(loan["dueDate"], "2125-12-31T10:00:00.000Z");
    assert_eq!(loan["status"]["name"], "Open");
    assert_eq!(loan["loanPolicy"]["name"], "Own");
    assert_eq!(loan["borrower"]["barcode"], "p-1");
    assert_eq!(loan["item"]["barcode"], "i-1");
    assert!(loan.get("itemStatus").is_none());
    assert!(loan.get("patronGroupIdAtCheckout").is_none());
    let body = json!({"itemId": lent.item, "userId": lent.patron});
    let loan = client.post(BY_ID, &body).await.expect(200).json();
    assert_eq!(loan["renewalCount"], 2);
    assert_eq!(loan["dueDate"], "2126-01-30T10:00:00.000Z");
    let database = &library.platform.store.database;
    let sql = "SELECT new->>'dueDate' FROM tenant_diku.outbox \
               WHERE topic = 'circulation.LOAN_DUE_DATE_CHANGED' ORDER BY position";
    let rows = database.query(sql, &[]).await.expect("the outbox");
    let told: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(
        told,
        ["2125-12-31T10:00:00.000Z", "2126-01-30T10:00:00.000Z"]
    );
    let sql = "SELECT jsonb->>'action' || ': ' || (jsonb->>'description') FROM \
               tenant_diku.circulation_logs WHERE jsonb->>'action' <> 'Checked out' ORDER BY jsonb->>'date', jsonb->>'action'";
    let rows = database.query(sql, &[]).await.expect("the log");
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let first = "New due date: 2125-12-31T10:00:00.000+00:00 (from 2125-12-01T10:00:00.000+00:00)";
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0], format!("Changed due date: {first}"));
    assert_eq!(lines[1], format!("Renewed: {first}"));
    let history = client
        .query(
            "/loan-storage/loan-history",
            &format!("loan.id=={}", lent.loan),
        )
        .await
        .expect(200)
        .json();
    assert_eq!(history["totalRecords"], 3);
}

#[tokio::test]
async fn item_loan_and_borrower_must_fit() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "2", FAR).await;
    let _ = stock.item("i-idle").await;
    let _ = stock.patron("p-other").await;
    let other = json!("p-other");
    let table = [
        (
            json!({}),
            "Renewal request must have an item barcode",
            ("itemBarcode", Value::Null),
        ),
        (
            json!({"itemBarcode": "i-2", "userBarcode": " "}),
            "Renewal request must have a user barcode",
            ("userBarcode", Value::Null),
        ),
        (
            json!({"itemBarcode": "nothing", "userBarcode": "p-2"}),
            "No item with barcode nothing exists",
            ("itemBarcode", json!("nothing")),
        ),
        (
            json!({"itemBarcode": "i-idle", "userBarcode": "p-2"}),
            "More than one open loan for item i-idle",
            ("itemBarcode", json!("i-idle")),
        ),
        (
            json!({"itemBarcode": "i-2", "userBarcode": "p-other"}),
            "Cannot renew item checked out to different user",
            ("userBarcode", other),
        ),
    ];
    let before = lent.records(client).await;
    for (body, message, parameter) in table {
        let answer = client.post(RENEW, &body).await.expect(422).json();
        assert_eq!(messages(&answer), [message]);
        let error = &answer["errors"][0];
        assert!(error.get("code").is_none(), "{message}");
        let expected = (parameter.0.to_owned(), parameter.1);
        assert_eq!(parameters(error), [expected], "{message}");
    }
    let nobody = Uuid::new_v4();
    for (body, message, key) in [
        (json!({}), "Renewal request must have an item ID", "itemId"),
        (
            json!({"itemId": lent.item}),
            "Renewal request must have a user ID",
            "userId",
        ),
        (
            json!({"itemId": "no-id", "userId": nobody}),
            "No item with ID no-id exists",
            "itemId",
        ),
        (
            json!({"itemId": lent.item, "userId": nobody}),
            "Cannot renew item checked out to different user",
            "userId",
        ),
    ] {
        let answer = client.post(BY_ID, &body).await.expect(422).json();
        assert_eq!(messages(&answer), [message]);
        assert_eq!(parameters(&answer["errors"][0])[0].0, key);
    }
    assert_eq!(lent.records(client).await, before);
    // A loan whose borrower is gone: only a storage that lost its user can have one.
    lent.with(client, json!({"userId": nobody})).await;
    let answer = renew(&stock, &lent).await.expect(422).json();
    assert_eq!(messages(&answer), ["user is not found"]);
    assert!(answer["errors"][0].get("code").is_none());
}

#[tokio::test]
async fn the_policy_stands_against_it() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let policy = OwnPolicy::new(&stock).await;
    let lent = Lent::new(&stock, "3", "2125-11-20T10:00:00Z").await;
    let schedules = "/fixed-due-date-schedule-storage/fixed-due-date-schedules";
    let past = json!({"name": "Past", "schedules": [{"from": "2020-01-01T00:00:00Z",
        "to": "2020-06-30T23:59:59Z", "due": "2020-07-01T23:59:59Z"}]});
    let past = client.post(schedules, &past).await.expect(201).json()["id"].clone();
    let block = "renewalDueDateRequiredBlock";
    let table = [
        (json!({"loanable": false}), "item is not loanable", block),
        (json!({"renewable": false}), "loan is not renewable", block),
        (
            json!({"renewalsPolicy": {"numberAllowed": 0}}),
            "loan at maximum renewal number",
            "renewalBlock",
        ),
        (
            json!({"renewalsPolicy": {"renewFromId": null}}),
            "cannot determine when to renew from",
            block,
        ),
        (
            json!({"renewalsPolicy": {"differentPeriod": true}}),
            "the loan period in the loan policy is not recognised",
            block,
        ),
        (
            json!({"renewalsPolicy": {"renewFromId": "SYSTEM_DATE", "differentPeriod": true,
                   "period": {"duration": 1, "intervalId": "Minutes"}}}),
            "renewal would not change the due date",
            block,
        ),
        (
            json!({"loansPolicy": {"profileId": "Odd"}}),
            "profile \"Odd\" in the loan policy is not recognised",
            block,
        ),
        (
            json!({"loansPolicy": {"fixedDueDateScheduleId": past}}),
            "renewal date falls outside of date ranges in the loan policy",
            block,
        ),
        (
            json!({"loansPolicy": {"profileId": "Fixed", "fixedDueDateScheduleId": past}}),
            "renewal date falls outside of date ranges in fixed loan policy",
            block,
        ),
    ];
    for (change, message, block) in table {
        policy.say(client, &change).await;
        let expected = json!({"message": message, "code": null, "block": block,
                              "keys": ["loanPolicyId", "loanPolicyName"]});
        refused(&stock, &lent, &lent.renewal(), expected).await;
    }
    // All reasons are reported together.
    let all = json!({"renewable": false, "renewalsPolicy": {"renewFromId": null}});
    policy.say(client, &all).await;
    let answer = renew(&stock, &lent).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        [
            "loan is not renewable",
            "cannot determine when to renew from"
        ]
    );
}

#[tokio::test]
async fn others_who_wait_stand_against_it() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let policy = OwnPolicy::new(&stock).await;
    let lent = Lent::new(&stock, "4", FAR).await;
    let _hold = lent.requested(&stock, "Hold", "p-holds").await;
    let message = "Items with this loan policy cannot be renewed when there is an active, pending \
                   hold request";
    let by_hold = json!({"message": message, "code": null,
        "block": "renewalDueDateRequiredBlock", "keys": ["loanPolicyId", "loanPolicyName"]});
    refused(&stock, &lent, &lent.renewal(), by_hold).await;
    let fixed = json!({"loansPolicy": {"profileId": "Fixed"},
        "renewalsPolicy": {"differentPeriod": true, "period": {"duration": 1, "intervalId": "Days"}},
        "requestManagement": {"holds": {"renewItemsWithRequest": true,
            "alternateRenewalLoanPeriod": {"duration": 2, "intervalId": "Days"}}}});
    policy.say(client, &fixed).await;
    let answer = renew(&stock, &lent).await.expect(422).json();
    assert_eq!(
        messages(&answer)[..2],
        [
            "Item's loan policy has fixed profile but alternative renewal period for holds is specified",
            "Item's loan policy has fixed profile but renewal period is specified"
        ]
    );
    // A rolling policy that allows it has a period of its own for that.
    let holds = json!({"requestManagement": {"holds": {"renewItemsWithRequest": true,
        "alternateRenewalLoanPeriod": {"duration": 2, "intervalId": "Days"}}}});
    policy.say(client, &holds).await;
    let loan = renew(&stock, &lent).await.expect(200).json();
    assert_eq!(loan["dueDate"], "2125-12-03T10:00:00.000Z");

    let lent = Lent::new(&stock, "5", FAR).await;
    lent.with(client, json!({"dueDateChangedByRecall": true}))
        .await;
    let recall = lent.requested(&stock, "Recall", "p-recalls").await;
    let by_recall = json!({"message": "items cannot be renewed when there is an active recall request",
        "code": null, "block": "renewalBlock", "keys": ["requestId"]});
    refused(&stock, &lent, &lent.renewal(), by_recall).await;
    let mut body = lent.renewal();
    body["overrideBlocks"] = json!({"renewalBlock": {}, "comment": "The recall can wait"});
    let loan = client.post(RENEW, &body).await.expect(200).json();
    assert_eq!(loan["action"], "renewedThroughOverride");
    assert_eq!(loan["actionComment"], "The recall can wait");
    assert_eq!(loan["dueDateChangedByRecall"], true);
    let path = format!("/request-storage/requests/{recall}");
    let mut request = client.get(&path).await.expect(200).json();
    request["status"] = json!("Closed - Cancelled");
    if let Some(request) = request.as_object_mut() {
        let _ = request.remove("position");
    }
    let _ = client.put(&path, &request).await.expect(204);
    let loan = renew(&stock, &lent).await.expect(200).json();
    assert_eq!(loan["dueDateChangedByRecall"], false);
    assert!(loan.get("actionComment").is_none());
}

#[tokio::test]
async fn the_borrower_stands_against_it() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _policy = OwnPolicy::new(&stock).await;
    let lent = Lent::new(&stock, "6", FAR).await;
    let path = format!("/users/{}", lent.patron);
    let user = client.get(&path).await.expect(200).json();
    let mut inactive = user.clone();
    inactive["active"] = json!(false);
    let _ = client.put(&path, &inactive).await.expect(204);
    let expected = json!({"message": "Cannot renew loan when user is inactive or expired",
        "code": null, "block": null, "keys": ["reason"]});
    refused(&stock, &lent, &lent.renewal(), expected).await;
    let _ = client.put(&path, &user).await.expect(204);
    for (desc, renewals) in [("Borrows too much", false), ("Renews for ever", true)] {
        let block = json!({"type": "Manual", "desc": desc, "borrowing": !renewals,
                           "renewals": renewals, "requests": false, "userId": lent.patron});
        let _ = client.post("/manualblocks", &block).await.expect(201);
    }
    let blocked = json!({"message": "Patron blocked from renewing",
        "code": "USER_IS_BLOCKED_MANUALLY", "block": "patronBlock", "keys": ["reason"]});
    refused(&stock, &lent, &lent.renewal(), blocked).await;

    let mut body = lent.renewal();
    body["overrideBlocks"] = json!({"patronBlock": {}, "comment": "Once more"});
    let may = ["circulation.renew-by-barcode.post"];
    let (clerk, _) = octavo_server_testkit::staff(&library, client, "clerk", &may).await;
    let answer = clerk.post(RENEW, &body).await.expect(422).json();
    assert_eq!(messages(&answer), ["Insufficient override permissions"]);
    assert_eq!(
        answer["errors"][0]["overridableBlock"],
        json!({"name": "patronBlock",
               "missingPermissions": ["circulation.override-patron-block.post"]})
    );
    let loan = client.post(RENEW, &body).await.expect(200).json();
    assert_eq!(loan["action"], "renewedThroughOverride");
    assert_eq!(loan["actionComment"], "Once more");

    // A limit that the patron's group has passed.
    let condition = "3d7c52dc-c732-4223-8bf8-e5917801386f";
    let path = format!("/patron-block-conditions/{condition}");
    let mut stored = client.get(&path).await.expect(200).json();
    stored["blockRenewals"] = json!(true);
    stored["message"] = json!("Too many items");
    let _ = client.put(&path, &stored).await.expect(204);
    let limit = json!({"id": Uuid::new_v4(), "conditionId": condition, "patronGroupId": octavo_server_testkit::stock::UNDERGRAD, "value": 1});
    let _ = client
        .post("/patron-block-limits", &limit)
        .await
        .expect(201);
    let _ = stock.item("i-more").await;
    let more = octavo_server_testkit::stock::check_out("i-more", "p-10");
    let lent = Lent::new(&stock, "10", FAR).await;
    let _ = client.post(super::OUT, &more).await.expect(201);
    let expected = json!({"message": "Too many items", "code": "USER_IS_BLOCKED_AUTOMATICALLY",
                          "block": "patronBlock", "keys": []});
    refused(&stock, &lent, &lent.renewal(), expected).await;
}

#[tokio::test]
async fn overrides_need_a_reason_and_something_to_override() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let policy = OwnPolicy::new(&stock).await;
    let lent = Lent::new(&stock, "7", "2125-11-20T10:00:00Z").await;
    let with = |blocks: Value| {
        let mut body = lent.renewal();
        body["overrideBlocks"] = blocks;
        body
    };
    let may = ["circulation.renew-by-barcode.post"];
    let (clerk, _) = octavo_server_testkit::staff(&library, client, "clerk", &may).await;
    let body = with(json!({"renewalBlock": {}, "comment": "Please"}));
    let answer = clerk.post(RENEW, &body).await.expect(422).json();
    assert_eq!(messages(&answer)[0], "Insufficient override permissions");
    assert_eq!(
        answer["errors"][0]["overridableBlock"]["name"],
        "renewalBlock"
    );
    let expected = json!({"message": "Override renewal request must have a comment",
        "code": null, "block": null, "keys": ["comment"]});
    refused(&stock, &lent, &with(json!({"renewalBlock": {}})), expected).await;
    let answer = client.post(RENEW, &body).await.expect(422).json();
    assert!(messages(&answer)[0].starts_with("Override renewal does not match any"));
    assert!(answer["errors"][0].get("code").is_none());
    policy.say(client, &json!({"renewable": false})).await;
    let expected = json!({"message": "New due date must be specified when due date calculation fails",
        "code": null, "block": null, "keys": ["dueDate"]});
    refused(&stock, &lent, &body, expected).await;
    let unchanged = json!({"renewalsPolicy": {"renewFromId": "SYSTEM_DATE", "differentPeriod": true,
                           "period": {"duration": 1, "intervalId": "Minutes"}}});
    policy.say(client, &unchanged).await;
    let expected = json!({"message": "New due date is required when renewal would not change the due date",
        "code": null, "block": null,
        "keys": ["dueDate"]});
    refused(&stock, &lent, &body, expected).await;
    let dated = |date: &str| {
        with(json!({"renewalDueDateRequiredBlock": {"dueDate": date}, "comment": "By hand"}))
    };
    let expected = json!({"message": "renewal would not change the due date",
        "code": null, "block": null,
        "keys": ["loanPolicyId", "loanPolicyName"]});
    refused(&stock, &lent, &dated("2125-11-21T00:00:00Z"), expected).await;
    let body = dated("2126-05-05T12:00:00Z");
    let loan = client.post(RENEW, &body).await.expect(200).json();
    assert_eq!(loan["dueDate"], "2126-05-05T12:00:00.000Z");
    assert_eq!(loan["action"], "renewedThroughOverride");
}

#[tokio::test]
async fn a_lost_item_is_renewed_through_an_override_only() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _policy = OwnPolicy::new(&stock).await;
    let lent = Lent::new(&stock, "8", FAR).await;
    for (status, block) in [
        ("Declared lost", json!("renewalBlock")),
        ("Claimed returned", Value::Null),
        ("Aged to lost", json!("renewalBlock")),
    ] {
        lent.status(client, status).await;
        let expected = json!({"message": format!("item is {status}"), "code": null, "block": block,
                              "keys": ["itemId"]});
        refused(&stock, &lent, &lent.renewal(), expected).await;
    }
    lent.with(
        client,
        json!({"itemStatus": "Aged to lost", "action": "itemAgedToLost",
        "agedToLostDelayedBilling": {"lostItemHasBeenBilled": false,
            "dateLostItemShouldBeBilled": "2026-12-24T00:00:00Z",
            "agedToLostDate": "2026-12-01T00:00:00Z"}}),
    )
    .await;
    let mut body = lent.renewal();
    body["overrideBlocks"] = json!({"renewalBlock": {}, "comment": "Found again"});
    let loan = client.post(RENEW, &body).await.expect(200).json();
    assert_eq!(loan["item"]["status"]["name"], "Checked out");
    let stored = lent.loan(client).await;
    assert_eq!(stored["itemStatus"], "Checked out");
    let billing = &stored["agedToLostDelayedBilling"];
    assert!(billing["lostItemHasBeenBilled"].is_null());
    assert!(billing["dateLostItemShouldBeBilled"].is_null());
    assert_eq!(billing["agedToLostDate"], "2026-12-01T00:00:00.000+00:00");
}

#[tokio::test]
async fn reminders_stand_against_it_where_the_fine_policy_says_so() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _policy = OwnPolicy::new(&stock).await;
    let lent = Lent::new(&stock, "9", FAR).await;
    let billed = json!({"lastFeeBilled": {"number": 1, "date": "2026-11-20T10:00:00Z"}});
    lent.with(client, json!({"reminders": billed})).await;
    let message = "Renewals not allowed for loans with reminders.";
    let expected = json!({"message": message, "code": null,
                          "block": "renewalBlock", "keys": ["reason"]});
    refused(&stock, &lent, &lent.renewal(), expected).await;
    let mut body = lent.renewal();
    body["overrideBlocks"] = json!({"renewalBlock": {}, "comment": "Paid"});
    let loan = client.post(RENEW, &body).await.expect(200).json();
    assert_eq!(loan["action"], "renewedThroughOverride");
    assert!(loan.get("reminders").is_none());
}
