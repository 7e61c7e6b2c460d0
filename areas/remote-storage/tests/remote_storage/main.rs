//! Configurations, mappings, the two queues, and what storages do with them, over HTTP on a real PostgreSQL.

mod accessions;
mod configurations;
mod counterpart;
mod desk;
mod events;
mod mappings;
mod queues;
mod together;

use octavo_server_testkit::operated;
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, Stock};
use octavo_testkit::{Answer, Client, Library};
use serde_json::{Value, json};

const CONFIGURATIONS: &str = "/remote-storage/configurations";
const MAPPINGS: &str = "/remote-storage/mappings";
const EXTENDED: &str = "/remote-storage/extended-mappings";
const ACCESSIONS: &str = "/remote-storage/accessions";
const RETRIEVALS: &str = "/remote-storage/retrievals";

/// A library with a storage that has one location, served by the second desk.
struct Annex {
    library: Library,
    stock: Stock,
    storage: String,
    location: String,
}

impl Annex {
    async fn of(configuration: Value) -> Annex {
        let library = operated().await;
        let client = library.client().await;
        let stock = Stock::new(client.clone()).await;
        let location = location(&stock, "Annex", Some(CIRC_DESK_2)).await;
        let storage = stored(&client, CONFIGURATIONS, &configuration).await;
        let _ = map(&client, &location, &storage).await;
        Annex {
            library,
            stock,
            storage,
            location,
        }
    }

    async fn dematic() -> Annex {
        Annex::of(json!({"name": "Dematic", "providerName": "DEMATIC_EMS"})).await
    }

    async fn caia_soft(accession: &str, returning: &str) -> Annex {
        Annex::of(json!({"name": "CaiaSoft", "providerName": "CAIA_SOFT",
                         "accessionWorkflowDetails": accession,
                         "returningWorkflowDetails": returning}))
        .await
    }

    fn client(&self) -> &Client {
        &self.stock.client
    }

    /// An item that lies in the storage.
    async fn item(&self, barcode: &str) -> String {
        let id = self.stock.item(barcode).await;
        self.send_there(&id).await;
        id
    }

    /// Gives an item the storage's location.
    async fn send_there(&self, item: &str) {
        let path = format!("/item-storage/items/{item}");
        let mut document = self.client().get(&path).await.expect(200).json();
        document["permanentLocationId"] = json!(self.location);
        let _ = self.client().put(&path, &document).await.expect(204);
    }

    /// Rows of a queue that wait.
    async fn waiting(&self, queue: &str) -> Vec<Value> {
        let (done, list) = match queue {
            ACCESSIONS => ("accessioned", "accessions"),
            _ => ("retrieved", "retrievals"),
        };
        let path = format!("{queue}?{done}=false&storageId={}&limit=1000", self.storage);
        let page = self.client().get(&path).await.expect(200).json();
        let rows = page[list].as_array().expect("rows").clone();
        assert_eq!(page["totalRecords"], rows.len());
        rows
    }

    async fn ask(&self, kind: &str, item: &str, patron: &str) -> Value {
        let body = request(&self.stock, kind, item, patron);
        let made = self.client().post("/circulation/requests", &body).await;
        made.expect(201).json()
    }
}

/// The id of a stored record.
async fn stored(client: &Client, path: &str, body: &Value) -> String {
    let stored = client.post(path, body).await.expect(201).json();
    stored["id"].as_str().expect("an id").to_owned()
}

/// A further location of the stock's library.
async fn location(stock: &Stock, name: &str, point: Option<&str>) -> String {
    let path = format!("/locations/{}", stock.location);
    let mut place = stock.client.get(&path).await.expect(200).json();
    let point = point.unwrap_or(CIRC_DESK_1);
    for (property, value) in [
        ("name", name),
        ("code", name),
        ("primaryServicePoint", point),
    ] {
        place[property] = json!(value);
    }
    place["servicePointIds"] = json!([point]);
    let _ = place.as_object_mut().expect("a location").remove("id");
    stored(&stock.client, "/locations", &place).await
}

async fn map(client: &Client, location: &str, storage: &str) -> Value {
    let body = json!({"folioLocationId": location, "configurationId": storage});
    client.post(MAPPINGS, &body).await.expect(201).json()
}

fn request(stock: &Stock, kind: &str, item: &str, patron: &str) -> Value {
    json!({"requestLevel": "Item", "requestType": kind, "requestDate": "2026-02-02T10:00:00Z",
           "requesterId": patron, "instanceId": stock.instance,
           "holdingsRecordId": stock.holdings, "itemId": item, "patronComments": "the blue one",
           "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK_1})
}

/// Asserts on a refusal: status, code, type and message.
#[track_caller]
fn refused(answer: Answer, status: u16, code: &str, message: &str) {
    let body = answer.expect(status).json();
    let error = &body["errors"][0];
    let kind = if status == 500 { "unknown" } else { "internal" };
    assert_eq!(
        (&error["code"], &error["message"], &error["type"]),
        (&json!(code), &json!(message), &json!(kind)),
        "{body}"
    );
}

async fn item_of(client: &Client, id: &str) -> Value {
    let path = format!("/item-storage/items/{id}");
    client.get(&path).await.expect(200).json()
}

/// An id that no record has.
const NOBODY: &str = "00000000-0000-4000-8000-000000000001";
