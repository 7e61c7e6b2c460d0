//! Check-outs and check-ins use the calendars as they are at that moment.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::{calendar, library, path, stored};
use octavo_server_testkit::stock::{
    CIRC_DESK_1, CIRC_DESK_2, EXAMPLE_LOAN_POLICY, Stock, check_out,
};

const OUT: &str = "/circulation/check-out-by-barcode";
const IN: &str = "/circulation/check-in-by-barcode";
const ABSENT: &str = "Calendar timetable is absent for requested date";

/// Changes the terms of the policy that the fallback rule names.
async fn terms(client: &Client, loans_policy: &Value) {
    let path = format!("/loan-policy-storage/loan-policies/{EXAMPLE_LOAN_POLICY}");
    let mut policy = client.get(&path).await.expect(200).json();
    policy["loansPolicy"] = loans_policy.clone();
    let _ = client.put(&path, &policy).await.expect(204);
}

fn rolling(duration: u32, interval: &str, management: &str) -> Value {
    json!({"profileId": "Rolling", "period": {"duration": duration, "intervalId": interval},
           "closedLibraryDueDateManagementId": management})
}

/// Lends an item and takes it back; returns the due date, or the message of the first error.
async fn due(client: &Client, item: &str, patron: &str, loan_date: &str) -> String {
    let mut body = check_out(item, patron);
    body["loanDate"] = json!(loan_date);
    let answer = client.post(OUT, &body).await;
    if answer.status != 201 {
        let refused = answer.expect(422).json();
        return refused["errors"][0]["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
    }
    let loan = answer.json();
    let back = json!({"itemBarcode": item, "servicePointId": CIRC_DESK_1,
                      "checkInDate": "2026-03-01T10:00:00Z"});
    let _ = client.post(IN, &back).await.expect(200);
    loan["dueDate"].as_str().expect("the due date").to_owned()
}

#[tokio::test]
async fn due_dates_move_by_the_calendar_in_force() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = &stock.client;
    let _ = stock.item("i-c1").await;
    let _ = stock.patron("p-c1").await;
    // 2026-06-13 is a Saturday.
    let next_day = rolling(1, "Days", "END_OF_THE_NEXT_OPEN_DAY");
    terms(client, &next_day).await;
    let friday = "2026-06-12T10:00:00Z";
    let lent = async |date: &str| due(client, "i-c1", "p-c1", date).await;
    assert_eq!(lent(friday).await, ABSENT);

    let june = stored(client, &calendar("Summer", "2026-06-01", "2026-08-31")).await;
    assert_eq!(lent(friday).await, "2026-06-15T23:59:59.000+00:00");
    terms(client, &rolling(1, "Days", "END_OF_THE_PREVIOUS_OPEN_DAY")).await;
    assert_eq!(lent(friday).await, "2026-06-12T23:59:59.000+00:00");

    // An exception in the midst is in force at the next check-out, and when it is gone so is that.
    terms(client, &next_day).await;
    let mut closed = june.clone();
    closed["exceptions"] = json!([
        {"name": "Works", "startDate": "2026-06-15", "endDate": "2026-06-17", "openings": []}]);
    let _ = client.put(&path(&june), &closed).await.expect(200);
    assert_eq!(lent(friday).await, "2026-06-18T23:59:59.000+00:00");
    closed["exceptions"] = json!([{"name": "Sunday", "startDate": "2026-06-14", "endDate": "2026-06-14",
        "openings": [{"startDate": "2026-06-14", "startTime": "12:00", "endDate": "2026-06-14", "endTime": "16:00"}]}]);
    let _ = client.put(&path(&june), &closed).await.expect(200);
    assert_eq!(lent(friday).await, "2026-06-14T23:59:59.000+00:00");
    let _ = client.put(&path(&june), &june).await.expect(200);
    assert_eq!(lent(friday).await, "2026-06-15T23:59:59.000+00:00");

    // Hours: until closing time, or from the next opening on with an offset.
    terms(
        client,
        &rolling(3, "Hours", "END_OF_THE_CURRENT_SERVICE_POINT_HOURS"),
    )
    .await;
    assert_eq!(
        lent("2026-06-12T15:00:00Z").await,
        "2026-06-12T17:00:00.000+00:00"
    );
    let mut opens = rolling(3, "Hours", "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS");
    opens["openingTimeOffset"] = json!({"duration": 30, "intervalId": "Minutes"});
    terms(client, &opens).await;
    assert_eq!(
        lent("2026-06-12T15:00:00Z").await,
        "2026-06-15T09:30:00.000+00:00"
    );
    assert_eq!(
        lent("2026-06-12T10:00:00Z").await,
        "2026-06-12T13:00:00.000+00:00"
    );

    // Another desk has hours of its own, or none.
    let mut other = check_out("i-c1", "p-c1");
    other["servicePointId"] = json!(CIRC_DESK_2);
    other["loanDate"] = json!(friday);
    let refused = client.post(OUT, &other).await.expect(422).json();
    assert_eq!(refused["errors"][0]["message"], ABSENT);
    let _ = client.delete(&path(&june)).await.expect(204);
    assert_eq!(lent("2026-06-12T15:00:00Z").await, ABSENT);
}

#[tokio::test]
async fn the_hours_of_a_day_are_those_of_the_tenants_time_zone() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = &stock.client;
    let _ = stock.item("i-c2").await;
    let _ = stock.patron("p-c2").await;
    let locale = json!({"module": "ORG", "configName": "localeSettings", "enabled": true,
                        "value": "{\"locale\":\"en-US\",\"timezone\":\"America/New_York\"}"});
    let _ = client
        .post("/configurations/entries", &locale)
        .await
        .expect(201);
    let _ = stored(client, &calendar("Year", "2026-01-01", "2026-12-31")).await;
    terms(
        client,
        &rolling(3, "Hours", "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS"),
    )
    .await;
    // Friday 15:00 in New York, over the change of the clocks on 2026-03-08: opens at -4 on Monday.
    let found = due(client, "i-c2", "p-c2", "2026-03-06T20:00:00Z").await;
    assert_eq!(found, "2026-03-09T13:00:00.000+00:00");
    let found = due(client, "i-c2", "p-c2", "2026-03-05T20:00:00Z").await;
    assert_eq!(found, "2026-03-06T14:00:00.000+00:00");
}

#[tokio::test]
async fn items_wait_on_the_hold_shelf_by_the_calendar_of_the_pickup_service_point() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = &stock.client;
    let item = stock.item("i-c3").await;
    let _ = stock.patron("p-c3").await;
    let requester = stock.patron("p-c4").await;
    let point = format!("/service-points/{CIRC_DESK_1}");
    let mut desk = client.get(&point).await.expect(200).json();
    desk["holdShelfExpiryPeriod"] = json!({"duration": 1, "intervalId": "Days"});
    desk["holdShelfClosedLibraryDateManagement"] = json!("Move_to_the_end_of_the_next_open_day");
    let _ = client.put(&point, &desk).await.expect(204);
    // Closed for years, but for one day far away.
    let mut years = calendar("Years", "2020-01-01", "2059-12-31");
    years["normalHours"] = json!([]);
    years["exceptions"] = json!([{"name": "Open", "startDate": "2050-05-05", "endDate": "2050-05-05",
        "openings": [{"startDate": "2050-05-05", "startTime": "09:00", "endDate": "2050-05-05", "endTime": "10:00"}]}]);
    let _ = stored(client, &years).await;
    let _ = client
        .post(OUT, &check_out("i-c3", "p-c3"))
        .await
        .expect(201);
    let request = json!({"requestLevel": "Item", "requestType": "Hold",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": requester,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "status": "Open - Not yet filled", "position": 1,
        "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK_1});
    let request = client
        .post("/request-storage/requests", &request)
        .await
        .expect(201)
        .json();
    let back = json!({"itemBarcode": "i-c3", "servicePointId": CIRC_DESK_1,
                      "checkInDate": "2026-03-01T10:00:00Z"});
    let _ = client.post(IN, &back).await.expect(200);
    let id = request["id"].as_str().expect("the request's id");
    let waiting = client
        .get(&format!("/request-storage/requests/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(waiting["status"], "Open - Awaiting pickup");
    assert_eq!(
        waiting["holdShelfExpirationDate"],
        "2050-05-05T23:59:59.000+00:00"
    );
}
