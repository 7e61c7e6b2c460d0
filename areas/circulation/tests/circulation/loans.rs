//! Items lent and taken in, one after another and at two desks at once.

use octavo_testkit::{Client, Library};
use reqwest::Method;
use serde_json::json;

use super::{IN, OUT, check_in, messages, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, EXAMPLE_LOAN_POLICY, check_out};

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
    assert_eq!(back["loan"]["returnDate"], "2026-01-31T22:00:00.000Z");
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
    assert_eq!(
        events(&library, "circulation.loan").await,
        ["CREATE", "UPDATE"]
    );
    assert_eq!(
        events(&library, "circulation.ITEM_CHECKED_OUT").await,
        ["CREATE"]
    );
    assert_eq!(
        events(&library, "circulation.ITEM_CHECKED_IN").await,
        ["CREATE"]
    );
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
    assert_eq!(events(&library, "circulation.loan").await, ["CREATE"]);
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
    for (session, message, key, value) in [
        (
            json!({"actionType": "Stroll", "patronId": patron}),
            "Invalid patron action type value",
            "actionType",
            json!("Stroll"),
        ),
        (
            json!({"actionType": "Check-out"}),
            "End patron session request must have patron id",
            "patronId",
            json!(null),
        ),
        (
            json!({"actionType": " ", "patronId": patron}),
            "End patron session request must have action type",
            "actionType",
            json!(null),
        ),
    ] {
        let wrong = json!({"endSessions": [session]});
        let path = "/circulation/end-patron-action-session";
        let answer = client.post(path, &wrong).await.expect(422).json();
        let error = &answer["errors"][0];
        assert_eq!(error["message"], message);
        let mut parameter = json!({"key": key});
        if !value.is_null() {
            parameter["value"] = value;
        }
        assert_eq!(error["parameters"], json!([parameter]));
    }
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
#[tokio::test]
async fn a_patrons_open_loans_are_found_among_all_that_they_had() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let _ = stock.item("i-1").await;
    let sql = format!(
        "INSERT INTO tenant_diku.loan (id, jsonb) SELECT id, jsonb_build_object('id', id, 'userId',
           '{patron}', 'itemId', gen_random_uuid(), 'status', '{{\"name\": \"Closed\"}}'::jsonb,
           'action', 'checkedin', 'loanDate', '2026-01-01T00:00:00.000+00:00')
         FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 3000)) AS made"
    );
    let database = &library.platform.store.database;
    let _ = database.query(&sql, &[]).await.expect("loans");
    let _ = database.query("ANALYZE tenant_diku.loan", &[]).await;
    let _ = client.post(OUT, &check_out("i-1", "p-1")).await.expect(201);
    for open in [
        "status.name<>Closed",
        "status.name==Open",
        "status.name==\"open\"",
    ] {
        let query = format!("(userId=={patron} and {open})");
        let found = client.query("/circulation/loans", &query).await;
        assert_eq!(found.expect(200).json()["totalRecords"], 1, "{open}");
        let plan = plan_of(&library, &query).await;
        // The one open loan of all may be found by its status as well.
        let by_user = plan.contains("loan_openofuser_idx");
        let by_status = open.contains("==") && plan.contains("loan_status_name_idx");
        assert!(by_user || by_status, "{open}: {plan}");
    }
    let closed = format!("userId=={patron} and status.name==Closed");
    let closed = client.query("/circulation/loans", &closed).await;
    // Of many an estimate.
    assert!(closed.expect(200).json()["totalRecords"].as_u64() >= Some(1000));
}

/// How PostgreSQL finds what a query asks for, with one plan for all values.
async fn plan_of(library: &Library, query: &str) -> String {
    let store = &library.platform.store;
    let tenant = library.tenant();
    let collection = store.catalog.get("loan").expect("loans");
    let plan = store
        .plan(&tenant, collection, Some(query))
        .expect("a plan");
    let sql = octavo_records::plan::Sql::page(tenant.schema(), "loan", &plan, 10, 0);
    let transaction = store.database.transaction().await.expect("a transaction");
    let prepare = format!(
        "SET LOCAL plan_cache_mode = force_generic_plan; PREPARE asked AS {}",
        sql.text
    );
    transaction
        .batch_execute(&prepare)
        .await
        .expect("a statement");
    let nulls = vec!["NULL"; sql.parameters.len()].join(", ");
    let explain = format!("EXPLAIN EXECUTE asked ({nulls})");
    let rows = transaction.query(&explain, &[]).await.expect("a plan");
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let gone = transaction.batch_execute("DEALLOCATE asked").await;
    gone.expect("a connection as it was");
    lines.join("\n")
}

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
