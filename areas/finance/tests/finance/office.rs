//! A finance office for tests: a fiscal year that contains today, ledgers, funds and budgets.

use octavo_testkit::{Answer, Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::library;

pub const BATCH: &str = "/finance-storage/transactions/batch-all-or-nothing";

pub struct Office {
    pub library: Library,
    pub client: Client,
    pub year: String,
    /// The year after.
    pub next_year: String,
    pub ledger: String,
}

pub fn new_id() -> String {
    Uuid::new_v4().to_string()
}

impl Office {
    /// A ledger without restrictions, and two fiscal years of one series.
    pub async fn new() -> Office {
        let library = library().await;
        let client = library.client().await;
        let year = fiscal_year(&client, "FY2026", "2000-01-01", "2150-12-31").await;
        let next_year = fiscal_year(&client, "FY2151", "2151-01-01", "2151-12-31").await;
        let ledger = ledger(&client, "GEN", &year, false).await;
        Office {
            library,
            client,
            year,
            next_year,
            ledger,
        }
    }

    pub async fn fund(&self, code: &str) -> String {
        fund(&self.client, code, &self.ledger).await
    }

    /// A fund with an active budget; an allocation makes what it is worth.
    pub async fn funded(&self, code: &str, allocated: f64) -> (String, String) {
        let fund = self.fund(code).await;
        let budget = self.budget(&fund, code, &json!({})).await;
        if allocated != 0.0 {
            let allocation = self.allocation(allocated, None, Some(&fund));
            self.create(&[allocation]).await;
        }
        (fund, budget)
    }

    pub async fn budget(&self, fund: &str, code: &str, more: &Value) -> String {
        let id = new_id();
        let mut budget = json!({"id": id, "name": format!("{code}-FY2026"), "fundId": fund,
            "fiscalYearId": self.year, "budgetStatus": "Active"});
        for (name, value) in more.as_object().expect("an object") {
            budget[name] = value.clone();
        }
        let made = self.client.post("/finance-storage/budgets", &budget).await;
        let _ = made.expect(201);
        id
    }

    pub fn transaction(&self, kind: &str, amount: f64) -> Value {
        let source = match kind {
            "Encumbrance" => "PoLine",
            "Pending payment" | "Payment" | "Credit" => "Invoice",
            _ => "User",
        };
        json!({"id": new_id(), "amount": amount, "currency": "USD", "fiscalYearId": self.year,
               "source": source, "transactionType": kind})
    }

    pub fn allocation(&self, amount: f64, from: Option<&str>, to: Option<&str>) -> Value {
        let mut one = self.transaction("Allocation", amount);
        if let Some(from) = from {
            one["fromFundId"] = json!(from);
        }
        if let Some(to) = to {
            one["toFundId"] = json!(to);
        }
        one
    }

    pub fn encumbrance(&self, amount: f64, fund: &str) -> Value {
        let mut one = self.transaction("Encumbrance", amount);
        one["fromFundId"] = json!(fund);
        one["encumbrance"] = json!({"initialAmountEncumbered": amount, "status": "Unreleased",
            "orderType": "One-Time", "orderStatus": "Open", "subscription": false,
            "reEncumber": true, "sourcePurchaseOrderId": new_id(), "sourcePoLineId": new_id()});
        one
    }

    pub fn of_invoice(&self, kind: &str, amount: f64, fund: &str, invoice: &str) -> Value {
        let mut one = self.transaction(kind, amount);
        let side = if kind == "Credit" {
            "toFundId"
        } else {
            "fromFundId"
        };
        one[side] = json!(fund);
        one["sourceInvoiceId"] = json!(invoice);
        one
    }

    pub async fn create(&self, transactions: &[Value]) {
        let answer = self
            .batch(&json!({"transactionsToCreate": transactions}))
            .await;
        assert_eq!(answer.expect(204).text, "");
    }

    pub async fn batch(&self, body: &Value) -> Answer {
        self.client.post(BATCH, body).await
    }

    pub async fn stored(&self, path: &str, id: &str) -> Value {
        let path = format!("/finance-storage/{path}/{id}");
        self.client.get(&path).await.expect(200).json()
    }

    /// The amounts of a budget by these names, separated by blanks.
    pub async fn amounts(&self, budget: &str, names: &str) -> String {
        let budget = self.stored("budgets", budget).await;
        let amounts: Vec<String> = names
            .split(' ')
            .map(|name| budget[name].to_string())
            .collect();
        amounts.join(" ")
    }
}

pub async fn fiscal_year(client: &Client, code: &str, start: &str, end: &str) -> String {
    let id = new_id();
    let series: String = code.chars().filter(char::is_ascii_alphabetic).collect();
    let year = json!({"id": id, "name": code, "code": code, "series": series, "currency": "USD",
        "periodStart": format!("{start}T00:00:00.000+00:00"),
        "periodEnd": format!("{end}T23:59:59.000+00:00")});
    let _ = client
        .post("/finance-storage/fiscal-years", &year)
        .await
        .expect(201);
    id
}

pub async fn ledger(client: &Client, code: &str, year: &str, restricted: bool) -> String {
    let id = new_id();
    let ledger = json!({"id": id, "name": code, "code": code, "fiscalYearOneId": year,
        "ledgerStatus": "Active", "restrictEncumbrance": restricted,
        "restrictExpenditures": restricted});
    let _ = client
        .post("/finance-storage/ledgers", &ledger)
        .await
        .expect(201);
    id
}

pub async fn fund(client: &Client, code: &str, ledger: &str) -> String {
    let id = new_id();
    let fund = json!({"id": id, "code": code, "name": code, "ledgerId": ledger,
                      "fundStatus": "Active"});
    let _ = client
        .post("/finance-storage/funds", &fund)
        .await
        .expect(201);
    id
}
