//! What the tests of acts on a loan begin with: an item on loan under a policy of their own.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::OUT;
use octavo_server_testkit::stock::{CIRC_DESK_1, DVD, Stock, check_out};

/// An item that is lent, and to whom.
#[derive(Debug, Clone)]
pub struct Lent {
    pub item: String,
    pub patron: String,
    pub loan: String,
    pub item_barcode: String,
    pub user_barcode: String,
}

impl Lent {
    /// Lends a new item to a new patron at a date.
    pub async fn new(stock: &Stock, name: &str, loan_date: &str) -> Lent {
        let (item_barcode, user_barcode) = (format!("i-{name}"), format!("p-{name}"));
        let item = stock.item(&item_barcode).await;
        let patron = stock.patron(&user_barcode).await;
        let mut body = check_out(&item_barcode, &user_barcode);
        body["loanDate"] = json!(loan_date);
        let loan = stock.client.post(OUT, &body).await.expect(201).json();
        Lent {
            item,
            patron,
            loan: loan["id"].as_str().expect("the loan's id").to_owned(),
            item_barcode,
            user_barcode,
        }
    }

    /// The body of a renewal.
    pub fn renewal(&self) -> Value {
        json!({"itemBarcode": self.item_barcode, "userBarcode": self.user_barcode})
    }

    /// The loan as it is stored.
    pub async fn loan(&self, client: &Client) -> Value {
        record(client, "/loan-storage/loans", &self.loan).await
    }

    /// Loan and item as they are stored.
    pub async fn records(&self, client: &Client) -> (Value, Value) {
        let item = record(client, "/item-storage/items", &self.item).await;
        (self.loan(client).await, item)
    }

    /// Gives the item a status.
    pub async fn status(&self, client: &Client, status: &str) {
        let path = format!("/item-storage/items/{}", self.item);
        let mut item = client.get(&path).await.expect(200).json();
        item["status"] = json!({"name": status});
        let _ = client.put(&path, &item).await.expect(204);
    }

    /// Changes properties of the stored loan.
    pub async fn with(&self, client: &Client, more: Value) {
        let mut loan = self.loan(client).await;
        if let (Some(loan), Some(more)) = (loan.as_object_mut(), more.as_object()) {
            loan.extend(more.clone());
        }
        let path = format!("/loan-storage/loans/{}", self.loan);
        let _ = client.put(&path, &loan).await.expect(204);
    }

    /// Lets someone new ask for the item; returns the request's id.
    pub async fn requested(&self, stock: &Stock, kind: &str, requester: &str) -> String {
        let requester = stock.patron(requester).await;
        let request = json!({"requestLevel": "Item", "requestType": kind,
            "requestDate": "2026-02-02T10:00:00Z", "requesterId": requester,
            "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": self.item,
            "status": "Open - Not yet filled", "position": 1,
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK_1});
        let path = "/request-storage/requests";
        let stored = stock.client.post(path, &request).await.expect(201).json();
        stored["id"].as_str().expect("the request's id").to_owned()
    }
}

async fn record(client: &Client, path: &str, id: &str) -> Value {
    client.get(&format!("{path}/{id}")).await.expect(200).json()
}

/// A loan policy that the rules name for the stock's items.
#[derive(Debug, Clone)]
pub struct OwnPolicy {
    pub id: String,
}

impl OwnPolicy {
    /// Thirty days, renewed for as many from the present due date, twice.
    pub fn body() -> Value {
        json!({"name": "Own", "loanable": true, "renewable": true,
            "loansPolicy": {"profileId": "Rolling", "period": {"duration": 30, "intervalId": "Days"},
                            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"},
            "renewalsPolicy": {"unlimited": false, "numberAllowed": 2,
                               "renewFromId": "CURRENT_DUE_DATE", "differentPeriod": false}})
    }

    /// Stores it and writes the rule.
    pub async fn new(stock: &Stock) -> OwnPolicy {
        let client = &stock.client;
        let path = "/loan-policy-storage/loan-policies";
        let stored = client
            .post(path, &OwnPolicy::body())
            .await
            .expect(201)
            .json();
        let id = stored["id"].as_str().expect("the policy's id").to_owned();
        let rules = client.get("/circulation/rules").await.expect(200).json();
        let text = rules["rulesAsText"].as_str().expect("the text");
        let fallback = text.lines().nth(1).expect("the fallback line");
        let others = fallback.split_once(" r ").expect("the other policies").1;
        let text = format!("{text}\nm {DVD}: l {id} r {others}");
        let rules = json!({"rulesAsText": text});
        let _ = client.put("/circulation/rules", &rules).await.expect(204);
        OwnPolicy { id }
    }

    /// Changes it; `change` edits the usual body.
    pub async fn say(&self, client: &Client, change: &Value) {
        let mut body = OwnPolicy::body();
        over(&mut body, change);
        body["id"] = json!(self.id);
        let path = format!("/loan-policy-storage/loan-policies/{}", self.id);
        let _ = client.put(&path, &body).await.expect(204);
    }
}

fn over(body: &mut Value, change: &Value) {
    match (body, change) {
        (Value::Object(body), Value::Object(change)) => {
            for (name, value) in change {
                if value.is_null() {
                    let _ = body.remove(name);
                } else {
                    over(body.entry(name.clone()).or_insert(Value::Null), value);
                }
            }
        }
        (body, change) => *body = change.clone(),
    }
}

/// The parameters of an error as pairs.
pub fn parameters(error: &Value) -> Vec<(String, Value)> {
    let all = error["parameters"].as_array().cloned().unwrap_or_default();
    all.iter()
        .map(|one| {
            let key = one["key"].as_str().unwrap_or_default().to_owned();
            (key, one["value"].clone())
        })
        .collect()
}
