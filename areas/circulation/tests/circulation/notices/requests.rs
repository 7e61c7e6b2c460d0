//! Requests: placed, ready, cancelled, at the end of their time.

use octavo_circulation::app::due_notices::OF_REQUESTS;
use octavo_circulation::app::request_notices::changed;
use octavo_circulation::store::policy::tenant_terms;
use uuid::Uuid;

use super::*;
use octavo_server_testkit::stock::DVD;

const STORED: &str = "/request-storage/requests";
const REQUESTS: &str = "/circulation/requests";
const EXPIRE: &str = "/scheduled-request-expiration";
const TIMER: &str = "/circulation/request-scheduled-notices-processing";

async fn requested(notices: Value) -> (Library, Stock, SmtpServer) {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let server = mail_server(client).await;
    let names = [
        "Ready",
        "Expired",
        "Shelf",
        "Page",
        "Hold",
        "Recall",
        "Recalled",
        "Cancelled",
    ];
    for (number, name) in (1..).zip(names) {
        let of = "{{item.title}} {{item.barcode}} {{item.status}} at {{request.servicePointPickup}} \
                  until {{request.holdShelfExpirationDate}}{{request.requestExpirationDate}} \
                  {{request.reasonForCancellation}}{{loan.dueDate}}";
        template(client, number, &format!("<p>{name}: {of}</p>")).await;
    }
    let _ = OwnPolicy::new(&stock).await;
    let _ = telling(client, notices).await;
    (library, stock, server)
}

/// A request of somebody new, with an address, placed or only stored.
async fn request(stock: &Stock, path: &str, kind: &str, item: Option<&str>, more: Value) -> Value {
    let client = &stock.client;
    let requester = stock.patron(&format!("r-{kind}")).await;
    address(client, &requester, &format!("{kind}@example.org")).await;
    let mut request = json!({"requestLevel": "Item", "requestType": kind,
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": requester,
        "instanceId": stock.instance, "status": "Open - Not yet filled", "position": 1,
        "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK_1});
    if let Some(item) = item {
        request["itemId"] = json!(item);
        request["holdingsRecordId"] = json!(stock.holdings);
    }
    if let (Some(request), Some(more)) = (request.as_object_mut(), more.as_object()) {
        request.extend(more.clone());
    }
    client.post(path, &request).await.expect(201).json()
}

fn id(record: &Value) -> Uuid {
    let id = record["id"].as_str().expect("an id");
    id.parse().expect("a UUID")
}

/// The notice before the expiration of a stored request recurs.
async fn schedule_anew(library: &Library, request: &Value) {
    let (tenant, cache) = (library.tenant(), ConfigCache::default());
    let platform = &library.platform;
    let desk = desk_at(platform, &tenant, &cache, "2024-02-01T10:00:00Z");
    let transaction = platform.store.database.transaction().await;
    let transaction = transaction.expect("a transaction");
    let terms = tenant_terms(&transaction, desk.tables()).await;
    let terms = terms.expect("the terms");
    let done = changed(desk, &transaction, &terms, id(request).into()).await;
    done.expect("the notices are written");
    transaction.commit().await.expect("permanent");
}

/// Sends a request again with these properties, to where it was placed or stored.
async fn change(client: &Client, path: &str, request: &Value, more: Value) {
    let path = format!("{path}/{}", id(request));
    let mut stored = client.get(&path).await.expect(200).json();
    if let (Some(stored), Some(more)) = (stored.as_object_mut(), more.as_object()) {
        stored.extend(more.clone());
    }
    let _ = client.put(&path, &stored).await.expect(204);
}

#[tokio::test]
async fn a_requester_hears_that_the_item_is_ready_and_that_its_time_is_over() {
    let (library, stock, server) = requested(json!({"requestNotices": [
        notice(1, "Upon At", "Available"),
        by(notice(3, "Before", "Hold expiration"), 1, "Days"),
        notice(3, "Upon At", "Hold expiration"),
    ]}))
    .await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let hold = request(&stock, STORED, "Hold", Some(&item), json!({})).await;
    for _ in 0..2 {
        // The second time it is on the shelf already.
        let body = check_in("i-1", CIRC_DESK_1);
        let _ = client.post(IN, &body).await.expect(200);
    }
    let texts = delivered(&library, &server, 1).await;
    let ready = "Hold@example.org: Ready: Middlemarch i-1 Awaiting pickup at Circ Desk 1 until ";
    assert!(texts[0].starts_with(ready), "{texts:?}");
    let of_request = format!("requestId=={}", id(&hold));
    assert_eq!(to_come(client, &of_request).await.len(), 2);
    // The one before is sent in its time, the other when the request has been closed.
    let past = json!({"holdShelfExpirationDate": "2024-03-01T10:00:00.000+00:00"});
    change(client, STORED, &hold, past).await;
    schedule_anew(&library, &hold).await;
    let (before, upon) = (
        "Hold expiration 2024-02-29T10:00",
        "Hold expiration 2024-03-01T10:00",
    );
    assert_eq!(to_come(client, &of_request).await, [before, upon]);
    let here = &library.platform;
    let done = run_in(&library, here, &OF_REQUESTS, "2024-02-29T10:00:30Z").await;
    assert_eq!(done, sent(1, 1, 0, 0));
    let done = run_in(&library, here, &OF_REQUESTS, "2024-03-01T10:00:30Z").await;
    assert_eq!(done, sent(0, 0, 0, 1));
    assert_eq!(timer(&library, here, EXPIRE).await, 204);
    assert_eq!(timer(&library, here, TIMER).await, 204);
    let texts = delivered(&library, &server, 3).await;
    let shelf =
        "Hold@example.org: Shelf: Middlemarch i-1 Awaiting pickup at Circ Desk 1 until 3/1/24";
    assert!(
        texts[1].starts_with(shelf) && texts[2].starts_with(shelf),
        "{texts:?}"
    );
    assert!(to_come(client, &of_request).await.is_empty());
    let said = |template: u8, event: &str| {
        format!("Send: Template: Template {template}. Triggering event: {event}.")
    };
    // By date: the runs at a given time were before the check-in.
    let shelf = said(3, "Hold expiration");
    assert_eq!(
        logged(&library).await,
        [shelf.clone(), said(1, "Available"), shelf]
    );
}

#[tokio::test]
async fn placing_and_cancelling_are_told_of_and_an_expired_request_too() {
    let (library, stock, server) = requested(json!({
        "requestNotices": [
            notice(4, "Upon At", "Paging request"),
            notice(5, "Upon At", "Hold request"),
            notice(6, "Upon At", "Recall request"),
            notice(8, "Upon At", "Request cancellation"),
            notice(2, "Upon At", "Request expiration"),
        ],
        "loanNotices": [notice(7, "Upon At", "Item recalled")],
    }))
    .await;
    let client = &stock.client;
    let lent = Lent::new(&stock, "1", LENT).await;
    address(client, &lent.patron, "borrower@example.org").await;
    let _ = request(&stock, REQUESTS, "Recall", Some(&lent.item), json!({})).await;
    let texts = delivered(&library, &server, 2).await;
    assert!(
        texts[0].starts_with("Recall@example.org: Recall: Middlemarch i-1"),
        "{texts:?}"
    );
    assert!(
        texts[1].starts_with("borrower@example.org: Recalled: Middlemarch i-1"),
        "{texts:?}"
    );

    let page = stock.item("i-2").await;
    let expires = json!({"requestExpirationDate": "2024-03-01T10:00:00.000+00:00"});
    let page = request(&stock, REQUESTS, "Page", Some(&page), expires.clone()).await;
    let hold = stock.item_of("i-3", DVD, "Missing").await;
    let _ = request(&stock, REQUESTS, "Hold", Some(&hold), expires).await;
    let texts = delivered(&library, &server, 4).await;
    assert!(
        texts[0].starts_with("Hold@example.org: Hold: Middlemarch i-3"),
        "{texts:?}"
    );
    assert!(
        texts[1].starts_with("Page@example.org: Page: Middlemarch i-2"),
        "{texts:?}"
    );
    let all = "triggeringEvent==\"Request expiration\"";
    assert_eq!(
        to_come(client, all).await,
        ["Request expiration 2024-03-01T23:59:59.000+00:00"; 2]
    );

    let reasons = client
        .get("/cancellation-reason-storage/cancellation-reasons")
        .await;
    let reason = reasons.expect(200).json()["cancellationReasons"][0].clone();
    let cancel = json!({"status": "Closed - Cancelled", "cancellationReasonId": reason["id"]});
    change(client, REQUESTS, &page, cancel).await;
    assert_eq!(to_come(client, all).await.len(), 1);
    // A request that expires gets its notice after that.
    let here = &library.platform;
    assert_eq!(timer(&library, here, TIMER).await, 204);
    assert_eq!(to_come(client, all).await.len(), 1);
    assert_eq!(timer(&library, here, EXPIRE).await, 204);
    assert_eq!(timer(&library, here, TIMER).await, 204);
    assert!(to_come(client, all).await.is_empty());
    let texts = delivered(&library, &server, 6).await;
    assert!(
        texts[0].starts_with("Hold@example.org: Expired: Middlemarch i-3"),
        "{texts:?}"
    );
    let why = reason["publicDescription"]
        .as_str()
        .or(reason["name"].as_str());
    let why = why.expect("a reason");
    let text = texts
        .iter()
        .find(|text| text.contains("Cancelled: Middlemarch"));
    assert!(
        text.is_some_and(|text| text.contains(why)),
        "{why}: {texts:?}"
    );
}

#[tokio::test]
async fn a_request_for_a_title_is_told_of_by_the_templates_of_the_settings() {
    let (library, stock, server) = requested(json!({})).await;
    let client = &stock.client;
    let titles = json!({"titleLevelRequestsFeatureEnabled": true,
        "createTitleLevelRequestsByDefault": false, "tlrHoldShouldFollowCirculationRules": false,
        "confirmationPatronNoticeTemplateId": template_id(5),
        "cancellationPatronNoticeTemplateId": template_id(8),
        "expirationPatronNoticeTemplateId": template_id(2)});
    let setting = json!({"name": "generalTlr", "value": titles});
    let answer = client.post("/circulation/settings", &setting).await;
    let _ = answer.expect(201);
    let more = json!({"requestLevel": "Title",
                      "requestExpirationDate": "2024-03-01T10:00:00.000+00:00"});
    let hold = request(&stock, REQUESTS, "Hold", None, more).await;
    // Placed, a request ends with its last day.
    let due = "Title level request expiration 2024-03-01T23:59:59.000+00:00";
    assert_eq!(to_come(client, "cql.allRecords=1").await, [due]);
    let texts = delivered(&library, &server, 1).await;
    let begin = "Hold@example.org: Hold: Middlemarch   at Circ Desk 1 until 3/1/24";
    assert!(texts[0].starts_with(begin), "{texts:?}");
    change(
        client,
        STORED,
        &hold,
        json!({"status": "Closed - Unfilled"}),
    )
    .await;
    assert_eq!(timer(&library, &library.platform, TIMER).await, 204);
    let texts = delivered(&library, &server, 2).await;
    assert!(
        texts[0].starts_with("Hold@example.org: Expired: Middlemarch"),
        "{texts:?}"
    );
    change(
        client,
        STORED,
        &hold,
        json!({"status": "Open - Not yet filled", "position": 1}),
    )
    .await;
    change(
        client,
        REQUESTS,
        &hold,
        json!({"status": "Closed - Cancelled"}),
    )
    .await;
    let texts = delivered(&library, &server, 3).await;
    assert!(
        texts[0].starts_with("Hold@example.org: Cancelled: Middlemarch"),
        "{texts:?}"
    );
}
