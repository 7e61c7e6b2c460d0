//! A small stock for tests: locations, a title, items and patrons created over the API.

use octavo_testkit::Client;
use serde_json::{Value, json};

/// FOLIO's service points: the first serves the stock's location, the second does not.
pub const CIRC_DESK_1: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
pub const CIRC_DESK_2: &str = "c4c90014-c8c9-4ade-8f24-b5e313319f4b";
/// FOLIO's loan policies.
pub const EXAMPLE_LOAN_POLICY: &str = "d9cd0bed-1b49-4b5e-a7bd-064b8d177231";
/// The material type "dvd" and the loan type "Can circulate".
pub const DVD: &str = "5ee11d91-f7e8-481d-b079-65d708582ccc";
pub const BOOK: &str = "1a54b431-2e4f-452d-9cae-9cee66c9a892";
pub const CAN_CIRCULATE: &str = "2b94c631-fca9-4892-a730-03ee529ffe27";
/// The patron group "undergrad".
pub const UNDERGRAD: &str = "bdc2b6d4-5ceb-4a12-ab46-249b9a68473e";

/// Locations and a title with holdings.
#[derive(Debug, Clone)]
pub struct Stock {
    pub client: Client,
    pub location: String,
    pub instance: String,
    pub holdings: String,
}

impl Stock {
    pub async fn new(client: Client) -> Stock {
        let post = async |path: &str, body: Value| -> String {
            let stored = client.post(path, &body).await.expect(201).json();
            stored["id"].as_str().expect("an id").to_owned()
        };
        let institution = post(
            "/location-units/institutions",
            json!({"name": "Town", "code": "T"}),
        )
        .await;
        let campus = post(
            "/location-units/campuses",
            json!({"name": "Centre", "code": "C", "institutionId": institution}),
        )
        .await;
        let library = post(
            "/location-units/libraries",
            json!({"name": "Main", "code": "M", "campusId": campus}),
        )
        .await;
        let location = post(
            "/locations",
            json!({"name": "Stacks", "code": "T/C/M/S", "isActive": true,
                   "institutionId": institution, "campusId": campus, "libraryId": library,
                   "primaryServicePoint": CIRC_DESK_1, "servicePointIds": [CIRC_DESK_1]}),
        )
        .await;
        let types = client
            .get("/instance-types?query=code==txt")
            .await
            .expect(200)
            .json();
        let instance = post(
            "/instance-storage/instances",
            json!({"title": "Middlemarch", "source": "local",
                   "instanceTypeId": types["instanceTypes"][0]["id"],
                   "contributors": [{"name": "Eliot, George", "primary": true,
                     "contributorNameTypeId": "2b94c631-fca9-4892-a730-03ee529ffe2a"}]}),
        )
        .await;
        let sources = client
            .get("/holdings-sources?query=name==FOLIO")
            .await
            .expect(200)
            .json();
        let holdings = post(
            "/holdings-storage/holdings",
            json!({"instanceId": instance, "permanentLocationId": location,
                   "callNumber": "PR4662 .A1", "sourceId": sources["holdingsRecordsSources"][0]["id"]}),
        )
        .await;
        Stock {
            client,
            location,
            instance,
            holdings,
        }
    }

    /// Adds an available item, a DVD so that the fallback rule applies; returns its id.
    pub async fn item(&self, barcode: &str) -> String {
        self.item_of(barcode, DVD, "Available").await
    }

    pub async fn item_of(&self, barcode: &str, material_type: &str, status: &str) -> String {
        let item = json!({"barcode": barcode, "holdingsRecordId": self.holdings,
                          "status": {"name": status}, "materialTypeId": material_type,
                          "permanentLoanTypeId": CAN_CIRCULATE});
        let stored = self
            .client
            .post("/item-storage/items", &item)
            .await
            .expect(201)
            .json();
        stored["id"].as_str().expect("an id").to_owned()
    }

    /// Adds an active patron; returns the id.
    pub async fn patron(&self, barcode: &str) -> String {
        self.patron_with(barcode, json!({})).await
    }

    /// Adds a patron with further properties.
    pub async fn patron_with(&self, barcode: &str, more: Value) -> String {
        let mut user = json!({"username": format!("user-{barcode}"), "barcode": barcode,
                              "active": true, "patronGroup": UNDERGRAD, "type": "patron",
                              "personal": {"lastName": "Brooke", "firstName": "Dorothea",
                                           "preferredContactTypeId": "002"}});
        if let (Some(user), Some(more)) = (user.as_object_mut(), more.as_object()) {
            user.extend(more.clone());
        }
        let stored = self.client.post("/users", &user).await.expect(201).json();
        stored["id"].as_str().expect("an id").to_owned()
    }
}

/// The body of a check-out at the first desk.
pub fn check_out(item: &str, patron: &str) -> Value {
    json!({"itemBarcode": item, "userBarcode": patron, "servicePointId": CIRC_DESK_1})
}
