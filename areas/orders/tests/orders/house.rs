//! A library that orders: a vendor, a shelf, a fund with 1,000 USD, and orders on these.

use octavo_server_testkit::stock::{BOOK, Stock};
use octavo_server_testkit::{assert_in_order, library, operated};
use octavo_testkit::{Answer, Client, Library};
use serde_json::{Value, json};

use super::{METHOD, NAME_TYPE, made, new_id, text};

pub const ORDERS: &str = "/orders/composite-orders";
pub const LINES: &str = "/orders/order-lines";
/// FOLIO's identifier type for ISBNs.
const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";

pub struct House {
    pub library: Library,
    pub client: Client,
    pub stock: Stock,
    pub vendor: String,
    pub year: String,
    pub ledger: String,
    pub fund: String,
    pub budget: String,
}

impl House {
    pub async fn new() -> House {
        House::with(false).await
    }

    /// With a ledger that restricts encumbrances or not.
    pub async fn with(restricted: bool) -> House {
        House::of(library().await, restricted).await
    }

    /// Whose user may have requests traced.
    pub async fn operated() -> House {
        House::of(operated().await, false).await
    }

    async fn of(library: Library, restricted: bool) -> House {
        let client = library.client().await;
        let stock = Stock::new(client.clone()).await;
        let vendor = json!({"name": "River Books", "code": "RIVER", "status": "Active",
                            "isVendor": true});
        let vendor = made(&client, "/organizations-storage/organizations", &vendor).await;
        let year = json!({"name": "FY2026", "code": "FY2026", "series": "FY", "currency": "USD",
                          "periodStart": "2000-01-01", "periodEnd": "2150-12-31"});
        let year = made(&client, "/finance-storage/fiscal-years", &year).await;
        let ledger = json!({"name": "General", "code": "GEN", "fiscalYearOneId": year["id"],
                            "ledgerStatus": "Active", "restrictEncumbrance": restricted,
                            "restrictExpenditures": restricted});
        let ledger = made(&client, "/finance-storage/ledgers", &ledger).await;
        let mut house = House {
            library,
            client,
            stock,
            vendor: text(&vendor["id"]),
            year: text(&year["id"]),
            ledger: text(&ledger["id"]),
            fund: String::new(),
            budget: String::new(),
        };
        (house.fund, house.budget) = house.funded("HIST", &json!({})).await;
        // Several lines in an order.
        house.set("poLines-limit", "10").await;
        house
    }

    /// A fund with a budget of 1,000 USD.
    pub async fn funded(&self, code: &str, more: &Value) -> (String, String) {
        let mut fund = json!({"name": code, "code": code, "fundStatus": "Active",
                              "externalAccountNo": format!("ACC-{code}"),
                              "ledgerId": self.ledger});
        merge(&mut fund, more);
        let fund = made(&self.client, "/finance-storage/funds", &fund).await;
        let budget = json!({"name": format!("{code}-FY2026"), "budgetStatus": "Active",
                            "fundId": fund["id"], "fiscalYearId": self.year,
                            "allowableEncumbrance": 100});
        let budget = made(&self.client, "/finance-storage/budgets", &budget).await;
        let allocation = json!({"id": new_id(), "amount": 1000, "currency": "USD",
                                "fiscalYearId": self.year, "source": "User",
                                "transactionType": "Allocation", "toFundId": fund["id"]});
        let path = "/finance-storage/transactions/batch-all-or-nothing";
        let batch = json!({"transactionsToCreate": [allocation]});
        let _ = self.client.post(path, &batch).await.expect(204);
        (text(&fund["id"]), text(&budget["id"]))
    }

    /// A setting of orders.
    pub async fn set(&self, name: &str, value: &str) {
        let entry = json!({"module": "ORDERS", "configName": name, "value": value});
        let _ = made(&self.client, "/configurations/entries", &entry).await;
    }

    /// A line of printed copies at the shelf, on the fund.
    pub fn line(&self, copies: i64, price: f64) -> Value {
        json!({"source": "User", "titleOrPackage": "A field guide to river mills",
               "orderFormat": "Physical Resource", "acquisitionMethod": METHOD,
               "contributors": [{"contributor": "Vale, A.", "contributorNameTypeId": NAME_TYPE}],
               "details": {"productIds": [{"productId": "9780866989732", "productIdType": ISBN}]},
               "physical": {"createInventory": "Instance, Holding, Item", "materialType": BOOK},
               "cost": {"currency": "USD", "listUnitPrice": price, "quantityPhysical": copies},
               "locations": [{"locationId": self.stock.location, "quantityPhysical": copies}],
               "fundDistribution": [{"fundId": self.fund, "code": "HIST",
                                     "distributionType": "percentage", "value": 100}]})
    }

    pub fn order(&self, status: &str, lines: &[Value]) -> Value {
        json!({"vendor": self.vendor, "orderType": "One-Time", "workflowStatus": status,
               "compositePoLines": lines})
    }

    /// An order as it is answered.
    pub async fn ordered(&self, status: &str, lines: &[Value]) -> Value {
        made(&self.client, ORDERS, &self.order(status, lines)).await
    }

    pub async fn get(&self, path: &str) -> Value {
        self.client.get(path).await.expect(200).json()
    }

    pub async fn stored(&self, order: &Value) -> Value {
        self.get(&format!("{ORDERS}/{}", text(&order["id"]))).await
    }

    /// Another version of an order.
    pub async fn put(&self, order: &Value) -> Answer {
        let path = format!("{ORDERS}/{}", text(&order["id"]));
        self.client.put(&path, order).await
    }

    /// An order with another status.
    pub async fn turn(&self, order: &Value, status: &str) -> Answer {
        let mut order = self.stored(order).await;
        order["workflowStatus"] = json!(status);
        self.put(&order).await
    }

    pub async fn put_line(&self, line: &Value) -> Answer {
        let path = format!("{LINES}/{}", text(&line["id"]));
        self.client.put(&path, line).await
    }

    pub async fn found(&self, path: &str, query: &str, key: &str) -> Vec<Value> {
        let path = format!("{path}?limit=1000");
        super::found(&self.client, &path, query, key).await
    }

    pub async fn all(&self, path: &str, key: &str) -> Vec<Value> {
        self.found(path, "cql.allRecords=1 sortby id", key).await
    }

    pub async fn pieces(&self) -> Vec<Value> {
        self.all("/orders-storage/pieces", "pieces").await
    }

    /// The items that orders made.
    pub async fn items(&self) -> Vec<Value> {
        let query = "cql.allRecords=1 sortby id";
        let mut items = self.found("/item-storage/items", query, "items").await;
        items.retain(|item| item["purchaseOrderLineIdentifier"].is_string());
        items
    }

    /// The encumbrances as `amount/initial/awaiting/expended/credited status orderStatus`.
    pub async fn encumbrances(&self) -> Vec<String> {
        let query = "transactionType==Encumbrance sortby metadata.createdDate";
        let path = "/finance-storage/transactions";
        let found = self.found(path, query, "transactions").await;
        found.iter().map(shown).collect()
    }

    /// Nothing that must hold of the library's records is broken.
    pub async fn in_order(&self) {
        assert_in_order(&self.library).await;
    }

    /// The amounts of the budget: encumbered, awaiting payment, expenditures, credits.
    pub async fn budget(&self) -> String {
        let budget = self
            .get(&format!("/finance-storage/budgets/{}", self.budget))
            .await;
        ["encumbered", "awaitingPayment", "expenditures", "credits"]
            .map(|name| plain(&budget[name]))
            .join(", ")
    }
}

fn merge(record: &mut Value, more: &Value) {
    for (name, value) in more.as_object().expect("an object") {
        record[name] = value.clone();
    }
}

fn plain(number: &Value) -> String {
    let text = number.to_string();
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

fn shown(one: &Value) -> String {
    let part = &one["encumbrance"];
    let amounts = [
        &one["amount"],
        &part["initialAmountEncumbered"],
        &part["amountAwaitingPayment"],
        &part["amountExpended"],
        &part["amountCredited"],
    ]
    .map(plain);
    let word = |name: &str| text(&part[name]);
    format!(
        "{} {} {}",
        amounts.join("/"),
        word("status"),
        word("orderStatus")
    )
}

/// The codes of an answer's errors.
pub fn codes(answer: &Answer) -> Vec<String> {
    let body = answer.json();
    let errors = body["errors"].as_array().expect("a list of errors").clone();
    errors.iter().map(|error| text(&error["code"])).collect()
}
