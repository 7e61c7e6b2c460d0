//! Inventory: a shelf with one title on it, and what can be done with it.

mod batches;
mod bound_with;
mod deleted;
mod dereferenced;
mod following;
mod harvest;
mod holdings;
mod hrids;
mod instances;
mod isbn;
mod items;
mod jobs;
mod kept;
mod lists;
mod managed_batch;
mod managed_instances;
mod managed_items;
mod marc_json;
mod marks;
mod moves;
mod order;
mod ownership;
mod places;
mod reference_answers;
mod references;
mod relationships;
mod searches;
mod settings;
mod statements;
mod titles;
mod views;

use octavo_testkit::{Client, Library};
use serde_json::{Value, json};

use octavo_server_testkit::operated;

const BOOK: &str = "1a54b431-2e4f-452d-9cae-9cee66c9a892";
const CAN_CIRCULATE: &str = "2b94c631-fca9-4892-a730-03ee529ffe27";
const TEXT: &str = "6312d172-f0cf-40f6-b27d-9fa8feaf332f";
const FOLIO: &str = "f32d531e-df79-46b3-8932-cdd35f7a2264";
const MARC: &str = "036ee84a-6afd-4c3c-9ad3-4a12ab875f59";
const PERSONAL_NAME: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
const LIBRARY_OF_CONGRESS: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
const NOWHERE: &str = "0b117416-8dcf-45a1-be9a-ffaa847c4423";
const ITEMS: &str = "/item-storage/items";
const HOLDINGS: &str = "/holdings-storage/holdings";
const INSTANCES: &str = "/instance-storage/instances";

/// A library with two locations, one title and its holdings in the first of them.
struct Shelf {
    client: Client,
    stacks: String,
    display: String,
    instance: String,
    holdings: String,
    library: Library,
}

impl Shelf {
    async fn new() -> Shelf {
        Shelf::of(operated().await).await
    }

    async fn of(library: Library) -> Shelf {
        let client = library.client().await;
        let institution = post(
            &client,
            "/location-units/institutions",
            json!({"name": "Town", "code": "T"}),
        )
        .await;
        let campus = json!({"name": "Main", "code": "M", "institutionId": institution["id"]});
        let campus = post(&client, "/location-units/campuses", campus).await;
        let branch = json!({"name": "Central", "code": "C", "campusId": campus["id"]});
        let branch = post(&client, "/location-units/libraries", branch).await;
        let desks = client
            .get("/service-points?limit=1")
            .await
            .expect(200)
            .json();
        let location = |name: &str| {
            json!({
                "name": name, "code": name, "institutionId": institution["id"],
                "campusId": campus["id"], "libraryId": branch["id"],
                "primaryServicePoint": desks["servicepoints"][0]["id"],
                "servicePointIds": [desks["servicepoints"][0]["id"]],
            })
        };
        let stacks = post(&client, "/locations", location("Stacks")).await;
        let display = post(&client, "/locations", location("Display")).await;
        let instance = post(&client, INSTANCES, an_instance("Bridges of the north")).await;
        let holdings = json!({
            "instanceId": instance["id"], "sourceId": FOLIO, "permanentLocationId": stacks["id"],
            "callNumber": "TG145 .B7", "callNumberTypeId": LIBRARY_OF_CONGRESS,
        });
        let holdings = post(&client, HOLDINGS, holdings).await;
        Shelf {
            client,
            stacks: id(&stacks),
            display: id(&display),
            instance: id(&instance),
            holdings: id(&holdings),
            library,
        }
    }

    /// An item of the shelf's holdings.
    fn an_item(&self, barcode: &str) -> Value {
        json!({
            "barcode": barcode, "status": {"name": "Available"}, "holdingsRecordId": self.holdings,
            "materialTypeId": BOOK, "permanentLoanTypeId": CAN_CIRCULATE,
        })
    }

    /// The same, stored.
    async fn item(&self, barcode: &str) -> Value {
        post(&self.client, ITEMS, self.an_item(barcode)).await
    }

    async fn read(&self, path: &str, id: &str) -> Value {
        self.client
            .get(&format!("{path}/{id}"))
            .await
            .expect(200)
            .json()
    }
}

fn an_instance(title: &str) -> Value {
    json!({
        "title": title, "source": "FOLIO", "instanceTypeId": TEXT,
        "contributors": [{"name": "Bergström, Åsa", "contributorNameTypeId": PERSONAL_NAME}],
    })
}

async fn post(client: &Client, path: &str, body: Value) -> Value {
    client.post(path, &body).await.expect(201).json()
}

fn id(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}

/// A second title with holdings in the same place: the ids of both.
async fn another_title(shelf: &Shelf, title: &str) -> (String, String) {
    let instance = post(&shelf.client, INSTANCES, an_instance(title)).await;
    let holdings = json!({
        "instanceId": instance["id"], "sourceId": FOLIO, "permanentLocationId": shelf.stacks,
    });
    let holdings = post(&shelf.client, HOLDINGS, holdings).await;
    (id(&instance), id(&holdings))
}

/// The first error of a list, and the name of its first parameter.
fn error(body: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let error = &body["errors"][0];
    (
        text(&error["message"]),
        text(&error["parameters"][0]["key"]),
    )
}
