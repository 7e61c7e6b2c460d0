//! Check-out and check-in by barcode, and what stands against them.

use octavo_testkit::{Client, Library};
use reqwest::Method;
use serde_json::{Value, json};

use crate::library;
use crate::stock::{BOOK, CIRC_DESK_1, CIRC_DESK_2, DVD, EXAMPLE_LOAN_POLICY, Stock, check_out};

const OUT: &str = "/circulation/check-out-by-barcode";
const IN: &str = "/circulation/check-in-by-barcode";

async fn stocked() -> (Library, Stock) {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client).await;
    (library, stock)
}

fn check_in(item: &str, service_point: &str) -> Value {
    json!({"itemBarcode": item, "servicePointId": service_point,
           "checkInDate": "2026-03-01T10:00:00Z"})
}

fn messages(answer: &Value) -> Vec<&str> {
    answer["errors"]
        .as_array()
        .map(|errors| {
            errors
                .iter()
                .filter_map(|error| error["message"].as_str())
                .collect()
        })
        .unwrap_or_default()
}

#[tokio::test]
async fn a_loan_from_desk_to_shelf() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let patron = stock.patron("p-1").await;
    let mut body = check_out("i-1", "p-1");
    body["loanDate"] = json!("2026-02-01T10:00:00Z");
    // JMeter's published plan sends no JSON content type, and looks for `"id" : `.
    let request = client
        .request(Method::POST, OUT)
        .header("content-type", "text/plain")
        .body(body.to_string());
    let answer = client.send(request).await.expect(201);
    assert!(answer.text.contains("\"id\" : \""), "{}", answer.text);
    let loan = answer.json();
    let id = loan["id"].as_str().expect("the loan's id").to_owned();
    assert_eq!(
        answer.header("location"),
        Some(format!("/circulation/loans/{id}").as_str())
    );
    assert_eq!(loan["userId"], json!(patron));
    assert_eq!(loan["itemId"], json!(item));
    assert_eq!(loan["action"], "checkedout");
    assert_eq!(loan["status"]["name"], "Open");
    assert_eq!(loan["loanPolicyId"], EXAMPLE_LOAN_POLICY);
    assert_eq!(loan["loanPolicy"]["name"], "Example Loan Policy");
    // Sixty days, to the end of the day, in UTC.
    assert_eq!(loan["dueDate"], "2026-04-02T23:59:59.000+00:00");
    assert_eq!(loan["item"]["title"], "Middlemarch");
    assert_eq!(loan["item"]["status"]["name"], "Checked out");
    assert_eq!(loan["item"]["location"]["name"], "Stacks");
    assert_eq!(loan["borrower"]["lastName"], "Brooke");
    assert_eq!(loan["checkoutServicePoint"]["name"], "Circ Desk 1");
    assert_eq!(loan["patronGroupAtCheckout"]["name"], "undergrad");
    assert_eq!(loan["feesAndFines"]["amountRemainingToPay"], 0);

    let open = client
        .query(
            "/circulation/loans",
            &format!("(userId=={patron} and status.name<>Closed)"),
        )
        .await
        .expect(200)
        .json();
    assert_eq!(open["totalRecords"], 1);
    assert_eq!(open["loans"][0]["item"]["barcode"], "i-1");

    // The same item cannot be lent again.
    let again = client
        .post(OUT, &check_out("i-1", "p-1"))
        .await
        .expect(422)
        .json();
    assert_eq!(
        messages(&again),
        [
            "Item is already checked out",
            "Cannot check out item that already has an open loan"
        ]
    );

    // The check-in's date may lie before the loan's: the published plans send 12-hour clocks.
    let mut body = check_in("i-1", CIRC_DESK_1);
    body["checkInDate"] = json!("2026-01-31T22:00:00Z");
    let back = client.post(IN, &body).await.expect(200).json();
    assert_eq!(back["loan"]["id"], json!(id));
    assert_eq!(back["loan"]["status"]["name"], "Closed");
    assert_eq!(back["loan"]["action"], "checkedin");
    assert_eq!(back["loan"]["returnDate"], "2026-01-31T22:00:00.000+00:00");
    assert_eq!(back["item"]["status"]["name"], "Available");
    assert_eq!(back["staffSlipContext"]["item"]["title"], "Middlemarch");
    assert!(back["item"].get("slip").is_none());
    assert_eq!(back["inHouseUse"], false);

    let stored = client
        .get(&format!("/item-storage/items/{item}"))
        .await
        .expect(200)
        .json();
    assert_eq!(stored["status"]["name"], "Available");
    assert_eq!(stored["lastCheckIn"]["servicePointId"], CIRC_DESK_1);
    assert_eq!(events(&library, "loan").await, ["CREATE", "UPDATE"]);
    assert_eq!(events(&library, "ITEM_CHECKED_OUT").await, ["CREATE"]);
    assert_eq!(events(&library, "ITEM_CHECKED_IN").await, ["CREATE"]);
    let history = client
        .query(
            "/loan-storage/loan-history",
            &format!("loan.id=={id} sortBy createdDate"),
        )
        .await
        .expect(200)
        .json();
    assert_eq!(history["loansHistory"][0]["operation"], "I");
    assert_eq!(history["loansHistory"][1]["operation"], "U");

    // Without a loan a check-in is use in the house.
    let again = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200)
        .json();
    assert!(again.get("loan").is_none());
    assert_eq!(again["inHouseUse"], true);
}

#[tokio::test]
async fn a_check_in_elsewhere_sends_the_item_home() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-2").await;
    let _ = stock.patron("p-2").await;
    let _ = client.post(OUT, &check_out("i-2", "p-2")).await.expect(201);
    let back = client
        .post(IN, &check_in("i-2", CIRC_DESK_2))
        .await
        .expect(200)
        .json();
    assert_eq!(back["item"]["status"]["name"], "In transit");
    assert_eq!(
        back["item"]["inTransitDestinationServicePointId"],
        CIRC_DESK_1
    );
    assert_eq!(
        back["item"]["inTransitDestinationServicePoint"]["name"],
        "Circ Desk 1"
    );
    assert_eq!(
        back["staffSlipContext"]["item"]["toServicePoint"],
        "Circ Desk 1"
    );
    // An item in transit can be lent, and then is on its way no more.
    let _ = client.post(OUT, &check_out("i-2", "p-2")).await.expect(201);
    let stored = client
        .get(&format!("/item-storage/items/{item}"))
        .await
        .expect(200)
        .json();
    assert_eq!(stored["status"]["name"], "Checked out");
    assert!(stored.get("inTransitDestinationServicePointId").is_none());
}

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
async fn rules_policies_and_the_tenants_time_zone_decide_the_due_date() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let locale = json!({"module": "ORG", "configName": "localeSettings", "enabled": true,
                        "value": "{\"locale\":\"en-US\",\"timezone\":\"America/New_York\"}"});
    let _ = client
        .post("/configurations/entries", &locale)
        .await
        .expect(201);
    let _ = stock.patron("p-4").await;
    let _ = stock.item("i-4").await;
    let mut body = check_out("i-4", "p-4");
    body["loanDate"] = json!("2026-02-01T10:00:00Z");
    let loan = client.post(OUT, &body).await.expect(201).json();
    // Midnight in New York, which has daylight saving by then.
    assert_eq!(loan["dueDate"], "2026-04-03T03:59:59.000+00:00");

    // A fixed schedule, named by a rule for DVDs of this location.
    let schedule = json!({"name": "Term", "schedules": [
        {"from": "2026-01-01T00:00:00Z", "to": "2026-06-30T23:59:59Z", "due": "2026-07-01T23:59:59Z"}]});
    let schedule = client
        .post(
            "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
            &schedule,
        )
        .await
        .expect(201)
        .json();
    let policy = json!({"name": "Term loan", "loanable": true, "renewable": false,
        "loansPolicy": {"profileId": "Fixed", "fixedDueDateScheduleId": schedule["id"],
                        "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"}});
    let policy = client
        .post("/loan-policy-storage/loan-policies", &policy)
        .await
        .expect(201)
        .json();
    let policy = policy["id"].as_str().expect("the policy's id");
    let rules = client.get("/circulation/rules").await.expect(200).json();
    let text = rules["rulesAsText"].as_str().expect("the text");
    let fallback = text.lines().nth(1).expect("the fallback line");
    let others = fallback
        .split_once(" r ")
        .expect("the fallback's policies")
        .1;
    let text = format!(
        "{text}\ns {} + m {DVD}: l {policy} r {others}",
        stock.location
    );
    let _ = client
        .put("/circulation/rules", &json!({"rulesAsText": text}))
        .await
        .expect(204);
    let _ = stock.item("i-5").await;
    let mut body = check_out("i-5", "p-4");
    body["loanDate"] = json!("2026-02-01T10:00:00Z");
    let loan = client.post(OUT, &body).await.expect(201).json();
    assert_eq!(loan["loanPolicy"]["name"], "Term loan");
    assert_eq!(loan["dueDate"], "2026-07-01T23:59:59.000+00:00");
    let _ = stock.item("i-6").await;
    body["itemBarcode"] = json!("i-6");
    body["loanDate"] = json!("2026-08-01T10:00:00Z");
    let answer = client.post(OUT, &body).await.expect(422).json();
    assert_eq!(
        messages(&answer),
        ["loan date falls outside of the date ranges in the loan policy"]
    );

    let wrong = json!({"rulesAsText": "priority: last-line\nfallback-policy: l 7"});
    let answer = client
        .put("/circulation/rules", &wrong)
        .await
        .expect(422)
        .json();
    assert!(
        answer["line"].is_number() && answer["column"].is_number(),
        "{answer}"
    );
    let unchanged = client.get("/circulation/rules").await.expect(200).json();
    assert_eq!(unchanged["rulesAsText"], json!(text));
    let found = client
        .get(&format!(
            "/circulation/rules/loan-policy?item_type_id={DVD}&loan_type_id={}&patron_type_id={}\
             &location_id={}",
            crate::stock::CAN_CIRCULATE,
            crate::stock::UNDERGRAD,
            stock.location
        ))
        .await
        .expect(200)
        .json();
    assert_eq!(found["loanPolicyId"], json!(policy));
    assert_eq!(found["appliedRuleConditions"]["materialTypeMatch"], true);
    let _ = client
        .get("/circulation/rules/loan-policy?item_type_id=7")
        .await
        .expect(400);
}

#[tokio::test]
async fn books_are_lent_for_an_hour() {
    let (_library, stock) = stocked().await;
    let _ = stock.item_of("b-1", BOOK, "Available").await;
    let _ = stock.patron("p-5").await;
    let mut body = check_out("b-1", "p-5");
    body["loanDate"] = json!("2026-02-01T10:00:00Z");
    let loan = stock.client.post(OUT, &body).await.expect(201).json();
    assert_eq!(loan["dueDate"], "2026-02-01T11:00:00.000+00:00");
}

#[tokio::test]
async fn two_desks_one_item_one_loan() {
    let (library, stock) = stocked().await;
    let item = stock.item("i-7").await;
    for number in 0..8 {
        let _ = stock.patron(&format!("d-{number}")).await;
    }
    let desks: Vec<_> = (0..8)
        .map(|number| {
            let client = stock.client.clone();
            let body = check_out("i-7", &format!("d-{number}"));
            tokio::spawn(async move { client.post(OUT, &body).await })
        })
        .collect();
    let mut won = 0;
    for desk in desks {
        let answer = desk.await.expect("the desk ends");
        match answer.status {
            201 => won += 1,
            422 => assert_eq!(messages(&answer.json())[0], "Item is already checked out"),
            other => panic!("{other}: {}", answer.text),
        }
    }
    assert_eq!(won, 1);
    let loans = stock
        .client
        .query("/loan-storage/loans", &format!("itemId=={item}"))
        .await
        .expect(200)
        .json();
    assert_eq!(loans["totalRecords"], 1);
    assert_eq!(events(&library, "loan").await, ["CREATE"]);
    // And the other way: many desks take it in, one closes the loan.
    let desks: Vec<_> = (0..4)
        .map(|_| {
            let client = stock.client.clone();
            tokio::spawn(async move { client.post(IN, &check_in("i-7", CIRC_DESK_1)).await })
        })
        .collect();
    let mut closed = 0;
    for desk in desks {
        let answer = desk.await.expect("the desk ends").expect(200).json();
        closed += usize::from(answer.get("loan").is_some());
    }
    assert_eq!(closed, 1);
}

#[tokio::test]
async fn a_second_open_loan_is_refused_by_the_database_too() {
    let (_library, stock) = stocked().await;
    let item = stock.item("i-8").await;
    let patron = stock.patron("p-8").await;
    let _ = stock
        .client
        .post(OUT, &check_out("i-8", "p-8"))
        .await
        .expect(201);
    let loan = json!({"userId": patron, "itemId": item, "action": "checkedout",
                      "loanDate": "2026-02-01T10:00:00Z", "status": {"name": "Open"}});
    let answer = stock
        .client
        .post("/loan-storage/loans", &loan)
        .await
        .expect(422)
        .json();
    assert_eq!(
        messages(&answer),
        ["Cannot have more than one open loan for the same item"]
    );
}

#[tokio::test]
async fn requests_decide_where_an_item_goes() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-9").await;
    let _ = stock.patron("p-9").await;
    let first = stock.patron("p-10").await;
    let second = stock.patron("p-11").await;
    let _ = client.post(OUT, &check_out("i-9", "p-9")).await.expect(201);
    let mut ids = Vec::new();
    for (position, requester) in [(1, &first), (2, &second)] {
        let request = json!({"requestLevel": "Item", "requestType": "Hold",
            "requestDate": "2026-02-02T10:00:00Z", "requesterId": requester,
            "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
            "status": "Open - Not yet filled", "position": position,
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK_1});
        let stored = client
            .post("/request-storage/requests", &request)
            .await
            .expect(201)
            .json();
        ids.push(stored["id"].as_str().expect("the request's id").to_owned());
    }
    let back = client
        .post(IN, &check_in("i-9", CIRC_DESK_1))
        .await
        .expect(200)
        .json();
    assert_eq!(back["item"]["status"]["name"], "Awaiting pickup");
    assert_eq!(back["staffSlipContext"]["requester"]["barcode"], "p-10");
    let waiting = client
        .query(
            "/circulation/requests",
            &format!("(itemId=={item} and (status==\"Open - Awaiting pickup\" or status==\"Open - Awaiting delivery\"))"),
        )
        .await
        .expect(200)
        .json();
    assert_eq!(waiting["totalRecords"], 1);
    assert_eq!(waiting["requests"][0]["id"], json!(ids[0]));
    assert_eq!(waiting["requests"][0]["requester"]["barcode"], "p-10");
    // It waits for the first requester and for nobody else.
    let answer = client
        .post(OUT, &check_out("i-9", "p-11"))
        .await
        .expect(422)
        .json();
    assert_eq!(
        messages(&answer),
        [
            "Middlemarch (Barcode: i-9) cannot be checked out to user Brooke, Dorothea because it \
          has been requested by another patron"
        ]
    );
    let _ = client
        .post(OUT, &check_out("i-9", "p-10"))
        .await
        .expect(201);
    let filled = client
        .get(&format!("/circulation/requests/{}", ids[0]))
        .await
        .expect(200)
        .json();
    assert_eq!(filled["status"], "Closed - Filled");
    let moved = client
        .get(&format!("/circulation/requests/{}", ids[1]))
        .await
        .expect(200)
        .json();
    assert_eq!(moved["position"], 1);
}

#[tokio::test]
async fn sessions_end() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.item("i-12").await;
    let patron = stock.patron("p-12").await;
    let _ = client
        .post(OUT, &check_out("i-12", "p-12"))
        .await
        .expect(201);
    let sessions = "/patron-action-session-storage/patron-action-sessions";
    let query = format!("patronId=={patron}");
    assert_eq!(
        client.query(sessions, &query).await.expect(200).json()["totalRecords"],
        1
    );
    let end = json!({"endSessions": [{"actionType": "Check-out", "patronId": patron}]});
    let _ = client
        .post("/circulation/end-patron-action-session", &end)
        .await
        .expect(204);
    assert_eq!(
        client.query(sessions, &query).await.expect(200).json()["totalRecords"],
        0
    );
    let wrong = json!({"endSessions": [{"actionType": "Stroll", "patronId": patron}]});
    let _ = client
        .post("/circulation/end-patron-action-session", &wrong)
        .await
        .expect(422);
}

#[tokio::test]
async fn a_missing_loan_is_named() {
    let (_library, stock) = stocked().await;
    let client: &Client = &stock.client;
    let id = "0b117416-8dcf-45a1-be9a-ffaa847c4423";
    let answer = client
        .get(&format!("/circulation/loans/{id}"))
        .await
        .expect(404);
    assert_eq!(
        answer.text,
        format!("loan record with ID \"{id}\" cannot be found")
    );
}

/// The types of the events of a topic, in the order in which they were written.
async fn events(library: &Library, topic: &str) -> Vec<String> {
    let sql = "SELECT type FROM tenant_diku.outbox WHERE topic = $1 ORDER BY position";
    let rows = library
        .platform
        .store
        .database
        .query(sql, &[&topic])
        .await
        .expect("the outbox");
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn a_proxy_borrows_for_their_sponsor() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.item("i-20").await;
    let sponsor = stock.patron("p-20").await;
    let proxy = stock.patron("p-21").await;
    let mut body = check_out("i-20", "p-20");
    body["proxyUserBarcode"] = json!("p-21");
    let answer = client.post(OUT, &body).await.expect(422).json();
    assert_eq!(messages(&answer).len(), 1, "{answer}");
    let relation = json!({"userId": sponsor, "proxyUserId": proxy, "status": "Active"});
    let _ = client.post("/proxiesfor", &relation).await.expect(201);
    let loan = client.post(OUT, &body).await.expect(201).json();
    assert_eq!(loan["userId"], json!(sponsor));
    assert_eq!(loan["proxyUserId"], json!(proxy));
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
                       "patronGroupId": crate::stock::UNDERGRAD, "value": 1});
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
