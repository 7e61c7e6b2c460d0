//! Searching, facets and browsing: what they find is what was saved last.

mod browse;
mod consistency;
mod facets;
mod filling;
mod heavy;
mod item_rows;
mod queries;
mod shelf_keys;

use octavo_platform::Handler;
use octavo_platform::system_call;
use octavo_testkit::{Answer, Client, Library};
use serde_json::{Value, json};

use octavo_server_testkit::library;
use octavo_server_testkit::stock::{BOOK, CAN_CIRCULATE, Stock};

const INSTANCES: &str = "/instance-storage/instances";
const HOLDINGS: &str = "/holdings-storage/holdings";
const ITEMS: &str = "/item-storage/items";
const SEARCH: &str = "/search/instances";
const TEXT: &str = "6312d172-f0cf-40f6-b27d-9fa8feaf332f";
const PERSONAL_NAME: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
const LC: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
const LC_CLASSES: &str = "ce176ace-a53e-4b4d-aa89-725ed7b2edac";

/// A library with a title, and its client.
struct Shelf {
    client: Client,
    stock: Stock,
    library: Library,
}

impl Shelf {
    async fn new() -> Shelf {
        let library = library().await;
        let client = library.client().await;
        let stock = Stock::new(client.clone()).await;
        Shelf {
            client,
            stock,
            library,
        }
    }

    /// Stores an instance with a title and whatever else.
    async fn instance(&self, title: &str, more: Value) -> Value {
        self.post(INSTANCES, an_instance(title, more)).await
    }

    async fn holdings(&self, instance: &Value, number: &str) -> Value {
        let sources = self.client.get("/holdings-sources?query=name==FOLIO").await;
        let source = sources.expect(200).json()["holdingsRecordsSources"][0]["id"].clone();
        let holdings = json!({
            "instanceId": instance["id"], "permanentLocationId": self.stock.location,
            "callNumber": number, "callNumberTypeId": LC, "sourceId": source,
        });
        self.post(HOLDINGS, holdings).await
    }

    async fn item(&self, holdings: &Value, barcode: &str) -> Value {
        let item = json!({
            "barcode": barcode, "holdingsRecordId": holdings["id"], "status": {"name": "Available"},
            "materialTypeId": BOOK, "permanentLoanTypeId": CAN_CIRCULATE,
        });
        self.post(ITEMS, item).await
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        self.client.post(path, &body).await.expect(201).json()
    }

    /// Puts a record with changes, and gives it as it is then.
    async fn change(&self, path: &str, record: &Value, changes: Value) -> Value {
        let path = format!("{path}/{}", record["id"].as_str().expect("an id"));
        let mut now = self.client.get(&path).await.expect(200).json();
        for (name, value) in changes.as_object().expect("an object") {
            now[name] = value.clone();
        }
        let answer = self.client.put(&path, &now).await;
        assert_eq!(answer.status, 204, "{}", answer.text);
        self.client.get(&path).await.expect(200).json()
    }

    async fn delete(&self, path: &str, record: &Value) {
        let path = format!("{path}/{}", record["id"].as_str().expect("an id"));
        let answer = self.client.delete(&path).await;
        assert_eq!(answer.status, 204, "{}", answer.text);
    }

    /// The titles that a query finds, in order; the total has to be their number.
    async fn titles(&self, query: &str) -> Vec<String> {
        let found = self.client.query(SEARCH, query).await.expect(200).json();
        let titles = texts(&found["instances"], "title");
        assert_eq!(found["totalRecords"], titles.len(), "{query}");
        titles
    }

    /// Runs the timer that takes up what was there before.
    async fn fill(&self) -> u16 {
        let platform = &self.library.platform;
        let view = platform.registry.known(self.library.tenant().id());
        let view = view.expect("the tenant was asked for");
        let modules = octavo_search::modules();
        let mut timers = modules.iter().flat_map(|one| &one.timers);
        let Some(Handler::Call(handler)) = timers.next().map(|timer| &timer.handler) else {
            panic!("there is no timer of the area's own");
        };
        let answer = handler(system_call(platform, &view)).await;
        answer.expect("it is carried out").status().as_u16()
    }

    /// Runs a statement; returns the first column as numbers.
    async fn sql(&self, text: &str) -> Vec<i64> {
        let database = &self.library.platform.store.database;
        let rows = database.query(text, &[]).await.expect(text);
        rows.iter().map(|row| row.get(0)).collect()
    }

    async fn asked(&self, path: &str, parameters: &[(&str, &str)]) -> Answer {
        let request = self.client.request(reqwest::Method::GET, path);
        self.client.send(request.query(parameters)).await
    }

    async fn found(&self, path: &str, parameters: &[(&str, &str)]) -> Value {
        self.asked(path, parameters).await.expect(200).json()
    }
}

fn an_instance(title: &str, more: Value) -> Value {
    let mut instance = json!({"title": title, "source": "FOLIO", "instanceTypeId": TEXT});
    for (name, value) in more.as_object().expect("an object") {
        instance[name] = value.clone();
    }
    instance
}

fn texts(list: &Value, name: &str) -> Vec<String> {
    let list = list.as_array().expect("a list");
    let texts = list
        .iter()
        .map(|one| one[name].as_str().unwrap_or_default());
    texts.map(str::to_owned).collect()
}

/// Asserts on a refusal: the message, and key and value of its parameter.
#[track_caller]
fn refused(answer: Answer, message: &str, key: &str, value: &str) {
    let body = answer.expect(400).json();
    assert_eq!(body["total_records"], 1, "{body}");
    let error = &body["errors"][0];
    assert_eq!(error["message"], message);
    assert_eq!(error["code"], "validation_error");
    assert_eq!(error["type"], "RequestValidationException");
    assert_eq!(error["parameters"][0]["key"], key);
    assert_eq!(error["parameters"][0]["value"], value);
}
