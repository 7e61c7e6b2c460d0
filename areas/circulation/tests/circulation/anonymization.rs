//! Closed loans and requests that lose who they belong to, by hand, in the storage and by timers.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::support::{refused, sql, timer};
use super::{IN, OUT, check_in, stocked};
use octavo_server_testkit::composition;
use octavo_server_testkit::stock::{CIRC_DESK_1, Stock, check_out};

const TIMER: &str = "/circulation/scheduled-anonymize-processing";
const NOBODY: &str = "0b117416-8dcf-45a1-be9a-ffaa847c4423";

/// Lends an item and takes it in; returns the loan's id.
async fn closed_loan(stock: &Stock, item: &str, patron: &str) -> String {
    let _ = stock.item(item).await;
    let lent = stock.client.post(OUT, &check_out(item, patron)).await;
    let id = lent.expect(201).json()["id"].clone();
    let back = stock.client.post(IN, &check_in(item, CIRC_DESK_1)).await;
    let _ = back.expect(200);
    id.as_str().expect("an id").to_owned()
}

async fn borrower(stock: &Stock, loan: &str) -> Value {
    let path = format!("/loan-storage/loans/{loan}");
    let loan = stock.client.get(&path).await.expect(200).json();
    loan["userId"].clone()
}

/// How many rows of a loan's history name a borrower.
async fn named_in_history(library: &Library, loan: &str) -> i64 {
    let text = format!(
        "SELECT count(*) FROM tenant_diku.audit_loan
         WHERE jsonb->'loan'->>'id' = '{loan}' AND jsonb->'loan' ? 'userId'"
    );
    sql(library, &text).await[0]
}

async fn charge(library: &Library, loan: &str, status: &str, closed: Option<&str>) {
    let account = format!(
        "INSERT INTO tenant_diku.accounts (id, jsonb) SELECT id, jsonb_build_object('id', id,
           'loanId', '{loan}', 'status', jsonb_build_object('name', '{status}'))
         FROM (SELECT gen_random_uuid() AS id) AS one RETURNING 1::bigint"
    );
    sql(library, &account).await;
    let Some(at) = closed else { return };
    let action = format!(
        "INSERT INTO tenant_diku.feefineactions (id, jsonb) SELECT id, jsonb_build_object('id', id,
           'accountId', (SELECT id FROM tenant_diku.accounts WHERE jsonb->>'loanId' = '{loan}'),
           'balance', 0.0, 'dateAction', '{at}')
         FROM (SELECT gen_random_uuid() AS id) AS one RETURNING 1::bigint"
    );
    sql(library, &action).await;
}

#[tokio::test]
async fn by_hand_a_borrowers_closed_loans_without_fees_become_anonymous() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let free = closed_loan(&stock, "i-1", "p-1").await;
    let charged = closed_loan(&stock, "i-2", "p-1").await;
    charge(&library, &charged, "Closed", None).await;
    let _ = stock.item("i-3").await;
    let open = client.post(OUT, &check_out("i-3", "p-1")).await.expect(201);
    let open = open.json()["id"].as_str().expect("an id").to_owned();
    assert_eq!(named_in_history(&library, &free).await, 2);

    let path = format!("/loan-anonymization/by-user/{patron}");
    let done = client.post(&path, &json!({})).await.expect(200).json();
    assert_eq!(
        done,
        json!({"anonymizedLoans": [free],
               "errors": [{"message": "haveAssociatedFeesAndFines", "parameters": [
                 {"key": "loanIds", "value": format!("[\"{charged}\"]")}]}]})
    );
    assert_eq!(borrower(&stock, &free).await, json!(null));
    assert_eq!(borrower(&stock, &charged).await, json!(patron));
    assert_eq!(borrower(&stock, &open).await, json!(patron));
    assert_eq!(named_in_history(&library, &free).await, 0);
    assert_eq!(named_in_history(&library, &open).await, 1);
    // The log forgets as well: who had the item stands only in the lines of the others.
    let named = client
        .query("/audit-data/circulation/logs", "userBarcode==p-1")
        .await
        .expect(200)
        .json();
    let items: Vec<&Value> = named["logRecords"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|line| &line["items"][0]["itemBarcode"])
        .collect();
    assert!(
        items.contains(&&json!("i-2")) && items.contains(&&json!("i-3")),
        "{named}"
    );
    assert!(!items.contains(&&json!("i-1")), "{named}");
    let query = "action==Anonymize";
    let logged = client
        .query("/audit-data/circulation/logs", query)
        .await
        .expect(200)
        .json();
    assert_eq!(logged["totalRecords"], 1);
    let line = &logged["logRecords"][0];
    assert_eq!(
        (&line["source"], &line["userBarcode"]),
        (&json!("System"), &json!("-"))
    );
    assert_eq!(line["items"][0]["loanId"], json!(free));
    assert_eq!(line["items"][0]["itemBarcode"], "i-1");
    // Nobody's loans are none, whatever the id.
    for user in [NOBODY, "nobody"] {
        let path = format!("/loan-anonymization/by-user/{user}");
        let done = client.post(&path, &json!({})).await.expect(200).json();
        assert_eq!(done, json!({"anonymizedLoans": [], "errors": []}));
    }
}

#[tokio::test]
async fn the_storage_anonymizes_what_is_closed_and_says_which_ids_are_none() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let one = closed_loan(&stock, "i-1", "p-1").await;
    let two = closed_loan(&stock, "i-2", "p-1").await;
    let _ = stock.item("i-3").await;
    let open = client.post(OUT, &check_out("i-3", "p-1")).await.expect(201);
    let open = open.json()["id"].as_str().expect("an id").to_owned();

    let path = "/anonymize-storage-loans";
    let body = json!({"loanIds": [one, open, "none", NOBODY]});
    let done = client.post(path, &body).await.expect(200).json();
    assert_eq!(
        done,
        json!({"anonymizedLoans": [one, open, NOBODY],
               "notAnonymizedLoans": [{"reason": "invalidLoanIds", "loanIds": ["none"]}]})
    );
    assert_eq!(borrower(&stock, &one).await, json!(null));
    assert_eq!(borrower(&stock, &open).await, json!(patron));
    assert_eq!(named_in_history(&library, &one).await, 0);
    let message = "Please provide valid loanIds";
    for (body, value) in [
        (json!({"loanIds": ["a", "b"]}), "[a, b]"),
        (json!({"loanIds": []}), "[]"),
        (json!({}), "[]"),
    ] {
        refused(client.post(path, &body).await, message, "loanIds", value);
    }
    let many = json!({"loanIds": vec!["x"; 50_001]});
    let _ = client.post(path, &many).await.expect(413);
    let _ = client.post(path, &json!({"loans": []})).await.expect(422);

    let path = "/loan-storage/loans/anonymize";
    let answer = client.post(&format!("{path}/me"), &json!({})).await;
    refused(answer, "Invalid user ID, should be a UUID", "userId", "me");
    let _ = client
        .post(&format!("{path}/{patron}"), &json!({}))
        .await
        .expect(204);
    assert_eq!(borrower(&stock, &two).await, json!(null));
    assert_eq!(borrower(&stock, &open).await, json!(patron));
    assert_eq!(named_in_history(&library, &two).await, 0);
}

#[tokio::test]
async fn the_timer_follows_the_tenants_settings() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.patron("p-1").await;
    let free = closed_loan(&stock, "i-1", "p-1").await;
    let paid = closed_loan(&stock, "i-2", "p-1").await;
    let owing = closed_loan(&stock, "i-3", "p-1").await;
    charge(
        &library,
        &paid,
        "Closed",
        Some("2026-01-01T00:00:00.000+00:00"),
    )
    .await;
    charge(&library, &owing, "Open", None).await;
    let named = async || {
        let mut named = Vec::new();
        for loan in [&free, &paid, &owing] {
            named.push(borrower(&stock, loan).await != json!(null));
        }
        named
    };
    // Without a setting, and with one that says never, nothing happens.
    assert_eq!(timer(&library, &library.platform, TIMER).await, 200);
    assert_eq!(named().await, [true, true, true]);
    // The older place of the setting: an interval that is not over yet.
    let value = json!({"closingType": {"loan": "interval", "feeFine": null},
                       "loan": {"duration": 1, "intervalId": "Weeks"}, "treatEnabled": false});
    let entry = json!({"module": "LOAN_HISTORY", "configName": "loan_history",
                       "value": value.to_string()});
    let made = client
        .post("/configurations/entries", &entry)
        .await
        .expect(201)
        .json();
    assert_eq!(timer(&library, &library.platform, TIMER).await, 200);
    assert_eq!(named().await, [true, true, true]);
    let made = format!(
        "/configurations/entries/{}",
        made["id"].as_str().expect("an id")
    );
    let _ = client.delete(&made).await.expect(204);
    // Where the configuration says nothing, circulation's own setting holds: loans with fees two weeks after the last fee, others never.
    let setting = json!({"name": "loan_history", "value": {
        "closingType": {"loan": "never", "feeFine": "interval"}, "treatEnabled": true,
        "feeFine": {"duration": 2, "intervalId": "Weeks"}}});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    assert_eq!(timer(&library, &library.platform, TIMER).await, 200);
    assert_eq!(named().await, [true, false, true]);
    let setting = json!({"name": "loan_history", "value": {
        "closingType": {"loan": "immediately", "feeFine": "immediately"}, "treatEnabled": true}});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    assert_eq!(timer(&library, &library.platform, TIMER).await, 200);
    assert_eq!(named().await, [false, false, true]);
    assert_eq!(named_in_history(&library, &free).await, 0);
}

#[tokio::test]
async fn two_processes_anonymize_each_loan_once() {
    const LOANS: i64 = 1_200;
    let (library, stock) = stocked().await;
    let made = format!(
        "WITH made AS (INSERT INTO tenant_diku.loan (id, jsonb)
           SELECT id, jsonb_build_object('id', id, 'userId', '{NOBODY}', 'itemId', id,
             'action', 'checkedin', 'status', jsonb_build_object('name', 'Closed'),
             'systemReturnDate', CASE number % 4 WHEN 0 THEN '2026-01-01T00:00:00.000+00:00'
               WHEN 1 THEN NULL ELSE '2026-02-01T00:00:00.000+00:00' END)
           FROM (SELECT gen_random_uuid() AS id, number
             FROM generate_series(1, {LOANS}) AS number) AS loans RETURNING 1)
         SELECT count(*) FROM made"
    );
    sql(&library, &made).await;
    let setting = json!({"name": "loan_history",
                         "value": {"closingType": {"loan": "immediately"}}});
    let _ = stock
        .client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    let other = library.beside(composition).await;
    let path = "/loan-storage/loans?limit=0";
    let _ = stock.client.at(other.address).get(path).await.expect(200);
    let (one, two, three) = tokio::join!(
        timer(&library, &library.platform, TIMER),
        timer(&library, &other.platform, TIMER),
        timer(&library, &other.platform, TIMER),
    );
    assert_eq!((one, two, three), (200, 200, 200));
    // A run ignores what the others hold just then.
    assert_eq!(timer(&library, &other.platform, TIMER).await, 200);
    let text = "SELECT count(*) FROM tenant_diku.loan WHERE jsonb ? 'userId'";
    assert_eq!(sql(&library, text).await, [0]);
    let text = "SELECT count(*) FROM tenant_diku.audit_loan WHERE jsonb->'loan' ? 'userId'";
    assert_eq!(sql(&library, text).await, [0]);
    let text = "SELECT count(*) FROM tenant_diku.outbox
                WHERE topic = 'circulation.loan' AND type = 'UPDATE'";
    assert_eq!(sql(&library, text).await, [LOANS]);
    let text = "SELECT count(*) FROM tenant_diku.circulation_logs";
    assert_eq!(sql(&library, text).await, [LOANS]);
}

async fn request(stock: &Stock, item: &str, status: &str, more: Value) -> String {
    let item = stock.item(item).await;
    let requester = stock.patron(&format!("for-{item}")).await;
    let mut request = json!({"requestLevel": "Item", "requestType": "Hold",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": requester,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "requester": {"lastName": "Brooke"}, "proxyUserId": requester, "status": status,
        "fulfillmentPreference": "Delivery", "deliveryAddressTypeId": NOBODY});
    if let (Some(request), Some(more)) = (request.as_object_mut(), more.as_object()) {
        request.extend(more.clone());
    }
    let stored = stock
        .client
        .post("/request-storage/requests", &request)
        .await;
    let id = stored.expect(201).json()["id"].clone();
    id.as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn closed_requests_lose_their_requester() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let closed = request(&stock, "i-1", "Closed - Filled", json!({})).await;
    let waiting = request(&stock, "i-2", "Open - Not yet filled", json!({})).await;
    let sent = request(&stock, "i-3", "Open - Awaiting delivery", json!({})).await;
    let path = |id: &str| format!("/request-anonymization/{id}");
    let done = client
        .post(&path(&closed), &json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(done, json!({"requestId": closed, "anonymized": true}));
    let stored = async |id: &str| {
        let path = format!("/request-storage/requests/{id}");
        client.get(&path).await.expect(200).json()
    };
    let now = stored(&closed).await;
    for gone in [
        "requesterId",
        "requester",
        "proxyUserId",
        "deliveryAddressTypeId",
    ] {
        assert!(now.get(gone).is_none(), "{gone}");
    }
    for (id, message) in [
        (waiting.as_str(), "requestNotClosed"),
        (sent.as_str(), "requestNotEligibleForAnonymization"),
        ("none", "invalidRequestId"),
    ] {
        refused(
            client.post(&path(id), &json!({})).await,
            message,
            "requestId",
            id,
        );
    }
    let answer = client.post(&path(NOBODY), &json!({})).await.expect(404);
    assert_eq!(
        answer.text,
        format!("request record with ID \"{NOBODY}\" cannot be found")
    );

    // By itself only when the tenant wants it.
    let timer_path = "/circulation/scheduled-request-anonymize-processing";
    let other = request(&stock, "i-4", "Closed - Cancelled", json!({})).await;
    assert_eq!(timer(&library, &library.platform, timer_path).await, 200);
    assert!(stored(&other).await.get("requesterId").is_some());
    let setting = json!({"name": "requestAnonymization",
                         "value": {"mode": "delayed", "delay": 1, "delayUnit": "days"}});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    assert_eq!(timer(&library, &library.platform, timer_path).await, 200);
    assert!(stored(&other).await.get("requesterId").is_some());
    let setting = json!({"name": "requestAnonymization", "value": {"mode": "immediately"}});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    assert_eq!(timer(&library, &library.platform, timer_path).await, 200);
    assert!(stored(&other).await.get("requesterId").is_none());
    assert!(stored(&waiting).await.get("requesterId").is_some());
}
