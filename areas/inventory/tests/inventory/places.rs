//! Service points, locations and the units above them.

use serde_json::{Value, json};

use super::{NOWHERE, Shelf, error, id, post};

const POINTS: &str = "/service-points";
const LOCATIONS: &str = "/locations";

fn point(name: &str) -> Value {
    json!({"name": name, "code": name, "discoveryDisplayName": name})
}

#[tokio::test]
async fn a_service_point_for_pickup_has_a_hold_shelf() {
    let shelf = Shelf::new().await;
    let period = json!({"duration": 3, "intervalId": "Weeks"});
    let refused = |body: Value, sentence: &'static str| {
        let client = &shelf.client;
        async move {
            let answer = client.post(POINTS, &body).await.expect(422).json();
            assert_eq!(error(&answer), (sentence.to_owned(), "name".to_owned()));
        }
    };
    let mut desk = point("Desk");
    desk["pickupLocation"] = json!(true);
    let without =
        "Hold shelf expiry period must be specified when service point can be used for pickup.";
    refused(desk.clone(), without).await;
    desk["holdShelfExpiryPeriod"] = period.clone();
    let desk = post(&shelf.client, POINTS, desk).await;
    let mut office = point("Office");
    office["holdShelfExpiryPeriod"] = period;
    let with = "Hold shelf expiry period cannot be specified when service point cannot be used \
                for pickup";
    refused(office, with).await;
    let mut again = point("desk");
    again["code"] = json!("other");
    refused(again, "Service Point Exists").await;
    let mut again = point("Other");
    again["code"] = json!("DESK");
    refused(again, "Service Point Exists").await;

    let path = format!("{POINTS}/{}", id(&desk));
    let mut changed = desk.clone();
    changed["pickupLocation"] = json!(false);
    let answer = shelf.client.put(&path, &changed).await.expect(422).json();
    assert_eq!(error(&answer).0, with);
    changed["pickupLocation"] = json!(true);
    changed["name"] = json!("Desk 2");
    let _ = shelf.client.put(&path, &changed).await.expect(204);
    let missing = shelf
        .client
        .put(&format!("{POINTS}/{NOWHERE}"), &point("x"))
        .await
        .expect(404);
    assert_eq!(missing.text, "ServicePoint was not found");
}

/// A location like the shelf's, with other service points.
async fn location(shelf: &Shelf, name: &str, primary: &str, points: &[&str]) -> Value {
    let mut location = shelf.read(LOCATIONS, &shelf.stacks).await;
    let properties = location.as_object_mut().expect("an object");
    for property in ["id", "metadata"] {
        properties.remove(property);
    }
    location["name"] = json!(name);
    location["code"] = json!(name);
    location["primaryServicePoint"] = json!(primary);
    location["servicePointIds"] = json!(points);
    location
}

#[tokio::test]
async fn a_service_point_in_use_is_not_deleted() {
    let shelf = Shelf::new().await;
    let mut points = Vec::new();
    for name in ["a", "b", "c", "d", "e"] {
        points.push(id(&post(&shelf.client, POINTS, point(name)).await));
    }
    let body = location(&shelf, "Room", &points[0], &[&points[0], &points[1]]).await;
    let room = post(&shelf.client, LOCATIONS, body).await;
    let users = json!({
        "userId": NOWHERE, "servicePointsIds": [points[2], points[3]],
        "defaultServicePointId": points[3],
    });
    let _ = post(&shelf.client, "/service-points-users", users).await;
    for used in &points[..4] {
        let refused = shelf
            .client
            .delete(&format!("{POINTS}/{used}"))
            .await
            .expect(400);
        assert_eq!(refused.text, "Cannot delete service point, as it is in use");
    }
    let free = format!("{POINTS}/{}", points[4]);
    let _ = shelf.client.delete(&free).await.expect(204);
    assert_eq!(
        shelf.client.delete(&free).await.expect(404).text,
        "Not found"
    );
    let _ = shelf
        .client
        .delete(&format!("{LOCATIONS}/{}", id(&room)))
        .await
        .expect(204);
    let _ = shelf
        .client
        .delete(&format!("{POINTS}/{}", points[0]))
        .await
        .expect(204);
}

#[tokio::test]
async fn a_service_point_is_deleted_or_named_by_a_location_but_not_both() {
    let shelf = Shelf::new().await;
    for round in 0..12 {
        let name = format!("p{round}");
        let desk = id(&post(&shelf.client, POINTS, point(&name)).await);
        let body = location(&shelf, &name, &desk, &[&desk]).await;
        let naming = shelf.client.clone();
        let named = tokio::spawn(async move { naming.post(LOCATIONS, &body).await.status });
        let deleted = shelf
            .client
            .delete(&format!("{POINTS}/{desk}"))
            .await
            .status;
        // FOLIO takes service points that do not exist, so the location is stored in either case;
        // what may not be is a deletion that overlooks it.
        assert_eq!(named.await.expect("answered"), 201);
        assert!(matches!(deleted, 204 | 400), "{deleted}");
        if deleted == 400 {
            let _ = shelf
                .client
                .get(&format!("{POINTS}/{desk}"))
                .await
                .expect(200);
        }
    }
}

#[tokio::test]
async fn a_location_has_service_points_and_keeps_its_id() {
    let shelf = Shelf::new().await;
    let [a, b] = [
        id(&post(&shelf.client, POINTS, point("a")).await),
        id(&post(&shelf.client, POINTS, point("b")).await),
    ];
    let none = "A location must have at least one Service Point assigned.";
    let twice = "A Service Point can only appear once on a Location.";
    let primary = "A Location's Primary Service point must be included as a Service Point.";
    let wrong = |message: &str, key: &str| json!({"message": message, "type": "1", "code": "-1", "parameters": [{"key": key}]});
    let cases: [(&[&str], Value); 3] = [
        (
            &[],
            json!([
                wrong(none, "servicePointIds"),
                wrong(primary, "primaryServicePoint")
            ]),
        ),
        (&[&a, &a], json!([wrong(twice, "servicePointIds")])),
        (&[&b], json!([wrong(primary, "primaryServicePoint")])),
    ];
    let good = post(
        &shelf.client,
        LOCATIONS,
        location(&shelf, "Room", &a, &[&a, &b]).await,
    )
    .await;
    let path = format!("{LOCATIONS}/{}", id(&good));
    for (points, errors) in cases {
        let body = location(&shelf, "Hall", &a, points).await;
        let refused = shelf.client.post(LOCATIONS, &body).await.expect(422).json();
        assert_eq!(refused["errors"], errors);
        let refused = shelf.client.put(&path, &body).await.expect(422).json();
        assert_eq!(refused["errors"], errors);
    }
    let mut other = good.clone();
    other["id"] = json!(NOWHERE);
    let refused = shelf.client.put(&path, &other).await.expect(422).json();
    assert_eq!(
        refused["errors"],
        json!([wrong("Illegal operation: id cannot be changed", "id")])
    );
    let mut renamed = good.clone();
    renamed["name"] = json!("Hall");
    let _ = shelf.client.put(&path, &renamed).await.expect(204);
    renamed.as_object_mut().expect("an object").remove("id");
    let _ = shelf.client.put(&path, &renamed).await.expect(204);
    let nowhere = format!("{LOCATIONS}/{NOWHERE}");
    let _ = shelf.client.put(&nowhere, &renamed).await.expect(404);
}

#[tokio::test]
async fn what_stands_for_another_tenants_is_listed_only_when_asked_for() {
    let shelf = Shelf::new().await;
    let mut routing = point("Routing");
    routing["ecsRequestRouting"] = json!(true);
    let routing = id(&post(&shelf.client, POINTS, routing).await);
    let mut shadow = location(&shelf, "Shadow", &routing, &[&routing]).await;
    shadow["isShadow"] = json!(true);
    let _ = post(&shelf.client, LOCATIONS, shadow).await;
    let institution = json!({"name": "Shadow", "code": "S", "isShadow": true});
    let institution = post(&shelf.client, "/location-units/institutions", institution).await;
    let campus = json!({
        "name": "Shadow", "code": "S", "isShadow": true, "institutionId": institution["id"],
    });
    let campus = post(&shelf.client, "/location-units/campuses", campus).await;
    let branch = json!({"name": "Shadow", "code": "S", "isShadow": true, "campusId": campus["id"]});
    let _ = post(&shelf.client, "/location-units/libraries", branch).await;
    for (path, parameter) in [
        (POINTS, "includeRoutingServicePoints"),
        (LOCATIONS, "includeShadowLocations"),
        ("/location-units/institutions", "includeShadow"),
        ("/location-units/campuses", "includeShadow"),
        ("/location-units/libraries", "includeShadow"),
    ] {
        let total = |path: String, query: &'static str| {
            let client = &shelf.client;
            async move {
                let found = client.query(&path, query).await.expect(200).json();
                found["totalRecords"].as_i64().expect("a number")
            }
        };
        let all = "cql.allRecords=1 sortBy name";
        let asked = |value: &str| format!("{path}?{parameter}={value}");
        let shown = total(path.to_owned(), all).await;
        assert_eq!(total(asked("false"), all).await, shown, "{path}");
        assert_eq!(total(asked("true"), all).await, shown + 1, "{path}");
        let shadow = "name==(Shadow or Routing)";
        assert_eq!(total(path.to_owned(), shadow).await, 0, "{path}");
        assert_eq!(total(asked("true"), shadow).await, 1, "{path}");
        let plain = shelf.client.get(path).await.expect(200).json();
        assert_eq!(plain["totalRecords"].as_i64(), Some(shown), "{path}");
        let _ = shelf.client.get(&asked("perhaps")).await.expect(400);
    }
}

#[tokio::test]
async fn a_service_point_that_a_request_names_stays_and_may_change() {
    let library = octavo_server_testkit::library().await;
    let stock = octavo_server_testkit::stock::Stock::new(library.client().await).await;
    let client = &stock.client;
    let mut desk = point("Kiosk");
    desk["pickupLocation"] = json!(true);
    desk["holdShelfExpiryPeriod"] = json!({"duration": 3, "intervalId": "Weeks"});
    let desk = post(client, POINTS, desk).await;
    let path = format!("{POINTS}/{}", id(&desk));
    let (item, patron) = (stock.item("i").await, stock.patron("p").await);
    let request = json!({
        "requestLevel": "Item", "requestType": "Page", "requestDate": "2026-02-02T10:00:00Z",
        "requesterId": patron, "instanceId": stock.instance, "holdingsRecordId": stock.holdings,
        "itemId": item, "position": 1, "fulfillmentPreference": "Hold Shelf",
        "status": "Open - Not yet filled", "pickupServicePointId": desk["id"],
    });
    let request = post(client, "/request-storage/requests", request).await;
    let refused = client.delete(&path).await.expect(400);
    assert_eq!(refused.text, "Cannot delete service point, as it is in use");
    // FOLIO changes it anyway, even so that nobody picks up there any more.
    let mut changed = desk.clone();
    changed["name"] = json!("Kiosk 2");
    changed["pickupLocation"] = json!(false);
    changed
        .as_object_mut()
        .expect("an object")
        .remove("holdShelfExpiryPeriod");
    let _ = client.put(&path, &changed).await.expect(204);
    // A closed request counts as well: its history names its pickup location.
    let own = format!("/request-storage/requests/{}", id(&request));
    let mut closed = client.get(&own).await.expect(200).json();
    closed["status"] = json!("Closed - Cancelled");
    let _ = client.put(&own, &closed).await.expect(204);
    let _ = client.delete(&path).await.expect(400);
    let _ = client.delete(&own).await.expect(204);
    let _ = client.delete(&path).await.expect(204);
}
