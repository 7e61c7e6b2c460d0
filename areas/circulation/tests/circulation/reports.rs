//! Items in transit, the items of a title, the history of loans, and what slips print.

use serde_json::json;

use super::{IN, OUT, check_in, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, check_out};

#[tokio::test]
async fn items_on_their_way_are_told_with_loan_and_request() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let path = "/inventory-reports/items-in-transit";
    let none = client.get(path).await.expect(200).json();
    assert_eq!(
        (&none["items"], &none["totalRecords"]),
        (&json!([]), &json!(0))
    );
    let item = stock.item("i-1").await;
    let _ = stock
        .item_of("i-0", octavo_server_testkit::stock::DVD, "In transit")
        .await;
    let _ = stock.item("i-2").await;
    let patron = stock.patron("p-1").await;
    let _ = client.post(OUT, &check_out("i-1", "p-1")).await.expect(201);
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_2))
        .await
        .expect(200);
    let request = json!({"requestLevel": "Item", "requestType": "Hold",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": patron, "position": 1,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "status": "Open - Not yet filled", "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": CIRC_DESK_1, "tags": {"tagList": ["urgent"]}});
    let _ = client
        .post("/request-storage/requests", &request)
        .await
        .expect(201);
    let report = client.get(path).await.expect(200).json();
    assert_eq!(report["totalRecords"], 2);
    let told = &report["items"][0];
    assert_eq!(told["id"], json!(item));
    assert_eq!(told["title"], "Middlemarch");
    assert_eq!(told["contributors"], json!([{"name": "Eliot, George"}]));
    assert_eq!(told["status"], json!({"name": "In transit"}));
    assert_eq!(told["yearCaption"], json!([]));
    assert_eq!(
        told["location"],
        json!({"name": "Stacks", "code": "T/C/M/S", "libraryName": "Main"})
    );
    assert_eq!(
        told["inTransitDestinationServicePoint"],
        json!({"id": CIRC_DESK_1, "name": "Circ Desk 1"})
    );
    assert_eq!(told["lastCheckIn"]["servicePoint"]["name"], "Circ Desk 2");
    let seen = told["lastCheckIn"]["dateTime"].as_str();
    assert!(seen.is_some_and(|seen| seen.ends_with('Z')), "{seen:?}");
    assert_eq!(told["loan"]["checkInServicePoint"]["code"], "cd2");
    assert_eq!(told["loan"]["checkInDateTime"], "2026-03-01T10:00:00.000Z");
    assert_eq!(
        told["request"],
        json!({"requestType": "Hold", "requestDate": "2026-02-02T10:00:00.000Z",
               "requestPickupServicePointName": "Circ Desk 1", "tags": ["urgent"],
               "requestPatronGroup": "Undergraduate students"})
    );
    // Those without a loan come last.
    assert_eq!(report["items"][1]["barcode"], "i-0");
    assert!(report["items"][1].get("loan").is_none());
}

#[tokio::test]
async fn a_title_is_told_with_its_items() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.item("i-1").await;
    let _ = stock.item("i-2").await;
    let path = "/circulation/items-by-instance";
    let query = format!("id=={}", stock.instance);
    let title = client.query(path, &query).await.expect(200).json();
    assert_eq!(title["title"], "Middlemarch");
    let items = title["items"].as_array().expect("a list");
    assert_eq!(items.len(), 2);
    assert_eq!(items[0]["barcode"], "i-1");
    assert_eq!(items[0]["tenantId"], "diku");
    assert_eq!(items[0]["status"]["name"], "Available");
    assert_eq!(items[0]["location"]["name"], "Stacks");
    let none = client
        .query(path, "id==0b117416-8dcf-45a1-be9a-ffaa847c4423")
        .await;
    assert_eq!(none.expect(200).json(), json!({}));
    assert_eq!(client.get(path).await.expect(400).text, "query is empty");
    let _ = client.query(path, "((").await.expect(400);
}

#[tokio::test]
async fn the_history_of_a_loan_is_told_the_latest_change_first() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let _ = stock.item("i-1").await;
    let _ = stock.patron("p-1").await;
    let lent = client
        .post(OUT, &check_out("i-1", "p-1"))
        .await
        .expect(201)
        .json();
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    let id = lent["id"].as_str().expect("an id");
    let path = "/loan-storage/loan-history";
    for query in [
        format!("loan.id=={id}"),
        format!("loan.id=={id} sortby createdDate/sort.descending"),
        "cql.allRecords=1".to_owned(),
        String::new(),
    ] {
        let history = client.query(path, &query).await.expect(200).json();
        let actions = history["loansHistory"].as_array().expect("a list").iter();
        let actions: Vec<_> = actions.map(|one| one["loan"]["action"].clone()).collect();
        assert_eq!(
            actions,
            [json!("checkedin"), json!("checkedout")],
            "{query}"
        );
    }
    let _ = client.query(path, "((").await.expect(400);
}

#[tokio::test]
async fn a_slip_tells_item_request_and_requester() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let types = client
        .get("/addresstypes?query=addressType==Home")
        .await
        .expect(200)
        .json();
    let home = types["addressTypes"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let department = json!({"name": "History", "code": "HIS"});
    let department = client
        .post("/departments", &department)
        .await
        .expect(201)
        .json();
    let more = json!({"departments": [department["id"]],
        "personal": {"lastName": "Brooke", "firstName": "Dorothea", "preferredContactTypeId": "002",
          "addresses": [{"addressTypeId": home, "primaryAddress": true, "addressLine1": "Lowick 1",
            "city": "Middlemarch", "region": "M", "postalCode": "0815", "countryId": "GB"}]}});
    let patron = stock.patron_with("p-1", more).await;
    let item = stock.item("i-1").await;
    let request = json!({"requestLevel": "Item", "requestType": "Page",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": patron, "position": 1,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "status": "Open - Not yet filled", "fulfillmentPreference": "Delivery",
        "deliveryAddressTypeId": home, "patronComments": "Soon, please"});
    let request = client
        .post("/request-storage/requests", &request)
        .await
        .expect(201)
        .json();
    let back = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200)
        .json();
    let slip = &back["staffSlipContext"];
    assert!(slip["currentDateTime"].is_string());
    assert_eq!(
        slip["item"]["lastCheckedInDateTime"],
        slip["currentDateTime"]
    );
    for (token, value) in [
        ("title", "Middlemarch"),
        ("allContributors", "Eliot, George"),
        ("primaryContributor", "Eliot, George"),
        ("barcode", "i-1"),
        ("status", "Awaiting delivery"),
        ("materialType", "dvd"),
        ("loanType", "Can circulate"),
        ("callNumber", "PR4662 .A1"),
        ("copy", ""),
        ("yearCaption", ""),
        ("administrativeNotes", ""),
        ("seriesStatements", ""),
        ("effectiveLocationSpecific", "Stacks"),
        ("effectiveLocationLibrary", "Main"),
        ("effectiveLocationPrimaryServicePointName", "Circ Desk 1"),
        ("fromServicePoint", "Circ Desk 1"),
    ] {
        assert_eq!(slip["item"][token], value, "{token}");
    }
    assert_eq!(
        slip["requester"],
        json!({"firstName": "Dorothea", "preferredFirstName": "Dorothea", "lastName": "Brooke",
               "barcode": "p-1", "patronGroup": "undergrad", "departments": "History",
               "addressLine1": "Lowick 1", "city": "Middlemarch", "region": "M",
               "postalCode": "0815", "countryId": "GB", "addressType": "Home",
               "primaryAddressLine1": "Lowick 1", "primaryCity": "Middlemarch",
               "primaryStateProvRegion": "M", "primaryZipPostalCode": "0815",
               "primaryCountry": "United Kingdom", "primaryDeliveryAddressType": "Home"})
    );
    assert_eq!(
        slip["request"],
        json!({"requestID": request["id"], "requestDate": "2026-02-02T10:00:00.000Z",
               "deliveryAddressType": "Home", "patronComments": "Soon, please"})
    );
    // The patron data of slips is not part of the request itself.
    let path = format!(
        "/circulation/requests/{}",
        request["id"].as_str().expect("an id")
    );
    let shown = client.get(&path).await.expect(200).json();
    assert!(shown.get("slip").is_none());
}

#[tokio::test]
async fn a_request_tells_when_the_loan_before_it_is_due_as_circulation_writes_dates() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let _ = stock.patron("p-1").await;
    let loan = client.post(OUT, &check_out("i-1", "p-1")).await;
    let due = loan.expect(201).json()["dueDate"].clone();
    let due = due.as_str().expect("a date").replace("+00:00", "Z");
    let requester = stock.patron("p-2").await;
    let request = super::support::wait(&stock, "Hold", &item, &requester, json!({})).await;
    let shown = client
        .get(&format!("/circulation/requests/{request}"))
        .await;
    let shown = shown.expect(200).json();
    assert_eq!(shown["loan"], json!({ "dueDate": due }));
    // Stored properties are shown unchanged.
    assert_eq!(shown["requestDate"], "2026-02-02T10:00:00.000+00:00");
    let queue = client
        .get(&format!("/circulation/requests/queue/item/{item}"))
        .await;
    let queue = queue.expect(200).json();
    assert_eq!(queue["requests"][0]["loan"]["dueDate"], json!(due));
}
