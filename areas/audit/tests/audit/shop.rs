//! A library that buys: a vendor, a shelf, and a fund with 1,000 USD.

use octavo_server_testkit::library;
use octavo_server_testkit::stock::{BOOK, Stock};
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{made, text};

pub struct Shop {
    pub library: Library,
    pub client: Client,
    pub stock: Stock,
    pub vendor: String,
    fund: String,
}

impl Shop {
    pub async fn new() -> Shop {
        let library = library().await;
        let client = library.client().await;
        let stock = Stock::new(client.clone()).await;
        let vendor =
            json!({"name": "River Books", "code": "RIVER", "status": "Active", "isVendor": true});
        let vendor = made(&client, "/organizations/organizations", &vendor).await;
        let year = json!({"name": "FY", "code": "FY2026", "series": "FY", "currency": "USD",
                          "periodStart": "2000-01-01", "periodEnd": "2150-12-31"});
        let year = made(&client, "/finance-storage/fiscal-years", &year).await;
        let ledger = json!({"name": "General", "code": "GEN", "fiscalYearOneId": year["id"],
                            "ledgerStatus": "Active"});
        let ledger = made(&client, "/finance-storage/ledgers", &ledger).await;
        let fund = json!({"name": "HIST", "code": "HIST", "fundStatus": "Active",
                          "externalAccountNo": "ACC", "ledgerId": ledger["id"]});
        let fund = made(&client, "/finance-storage/funds", &fund).await;
        let budget = json!({"name": "HIST-FY2026", "budgetStatus": "Active", "fundId": fund["id"],
                            "fiscalYearId": year["id"], "allowableEncumbrance": 100});
        let _ = made(&client, "/finance-storage/budgets", &budget).await;
        let allocation = json!({"id": Uuid::new_v4(), "amount": 1000, "currency": "USD",
                                "fiscalYearId": year["id"], "source": "User",
                                "transactionType": "Allocation", "toFundId": fund["id"]});
        let batch = json!({"transactionsToCreate": [allocation]});
        let path = "/finance-storage/transactions/batch-all-or-nothing";
        let _ = client.post(path, &batch).await.expect(204);
        Shop {
            library,
            client,
            stock,
            vendor: text(&vendor["id"]),
            fund: text(&fund["id"]),
        }
    }

    pub fn on_fund(&self) -> Value {
        json!([{"fundId": self.fund, "code": "HIST", "distributionType": "percentage", "value": 100}])
    }

    /// A pending order of one line of two printed copies, as it is answered.
    pub async fn order(&self) -> Value {
        let line = json!({
            "source": "User", "titleOrPackage": "A field guide to river mills",
            "orderFormat": "Physical Resource", "acquisitionMethod": "df26d81b-9d63-4ff8-bf41-49bf75cfa70e",
            "physical": {"createInventory": "Instance, Holding, Item", "materialType": BOOK},
            "cost": {"currency": "USD", "listUnitPrice": 10, "quantityPhysical": 2},
            "locations": [{"locationId": self.stock.location, "quantityPhysical": 2}],
            "fundDistribution": self.on_fund()});
        let order = json!({"vendor": self.vendor, "orderType": "One-Time", "workflowStatus": "Pending",
                           "compositePoLines": [line]});
        made(&self.client, "/orders/composite-orders", &order).await
    }

    /// Opens an order.
    pub async fn open(&self, order: &Value) {
        let path = format!("/orders/composite-orders/{}", text(&order["id"]));
        super::change(&self.client, &path, |order| {
            order["workflowStatus"] = json!("Open");
        })
        .await;
    }
}
