//! A desk for tests: a fiscal year that contains today, a ledger, funds with budgets, a vendor, orders with
//! encumbrances, and invoices.

use octavo_testkit::{Answer, Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::library;

pub const INVOICES: &str = "/invoice/invoices";
pub const LINES: &str = "/invoice/invoice-lines";

pub fn new_id() -> String {
    Uuid::new_v4().to_string()
}

/// The first error of a response.
pub fn error(answer: &Answer) -> Value {
    answer.json()["errors"][0].clone()
}

/// The code of the first error.
pub fn code(answer: &Answer) -> String {
    let error = error(answer);
    error["code"].as_str().unwrap_or_default().to_owned()
}

pub struct Desk {
    pub library: Library,
    pub client: Client,
    pub year: String,
    pub ledger: String,
    pub vendor: String,
}

impl Desk {
    /// A ledger without restrictions.
    pub async fn new() -> Desk {
        Desk::with(false).await
    }

    /// A ledger that restricts encumbrances and expenditures, or not.
    pub async fn with(restricts: bool) -> Desk {
        let library = library().await;
        let client = library.client().await;
        let year = fiscal_year(&client, "FY2026", "2000-01-01", "2150-12-31").await;
        let ledger = new_id();
        let body = json!({"id": ledger, "name": "GEN", "code": "GEN", "fiscalYearOneId": year,
                          "ledgerStatus": "Active", "restrictEncumbrance": restricts,
                          "restrictExpenditures": restricts});
        put_in(&client, "/finance-storage/ledgers", &body).await;
        let vendor = new_id();
        let body = json!({"id": vendor, "name": "Otter Books", "code": "OTTER",
                          "status": "Active", "isVendor": true,
                          "addresses": [{"city": "Lund"}, {"city": "Ystad", "isPrimary": true}]});
        put_in(&client, "/organizations-storage/organizations", &body).await;
        Desk {
            library,
            client,
            year,
            ledger,
            vendor,
        }
    }

    /// A fund with an account of its name and an active budget of this sum.
    pub async fn fund(&self, code: &str, sum: f64) -> String {
        self.fund_with(code, sum, &json!({})).await
    }

    /// The same with further properties of its budget.
    pub async fn fund_with(&self, code: &str, sum: f64, more: &Value) -> String {
        let fund = new_id();
        let body = json!({"id": fund, "code": code, "name": code, "fundStatus": "Active",
                          "ledgerId": self.ledger, "externalAccountNo": format!("ACC{code}")});
        put_in(&self.client, "/finance-storage/funds", &body).await;
        let mut budget = json!({"id": new_id(), "name": format!("{code}-FY2026"),
                                "fundId": fund, "fiscalYearId": self.year,
                                "budgetStatus": "Active"});
        for (name, value) in more.as_object().expect("an object") {
            budget[name] = value.clone();
        }
        put_in(&self.client, "/finance-storage/budgets", &budget).await;
        if sum != 0.0 {
            let allocation = json!({"id": new_id(), "amount": sum, "currency": "USD",
                "fiscalYearId": self.year, "source": "User", "transactionType": "Allocation",
                "toFundId": fund});
            self.transact(&[allocation]).await;
        }
        fund
    }

    pub async fn transact(&self, transactions: &[Value]) {
        let path = "/finance-storage/transactions/batch-all-or-nothing";
        let body = json!({"transactionsToCreate": transactions});
        let _ = self.client.post(path, &body).await.expect(204);
    }

    /// The sums of a fund's budget: encumbered, awaiting payment, expenditures, credits.
    pub async fn budget(&self, fund: &str) -> String {
        let query = format!("fundId=={fund}");
        let found = self.client.query("/finance-storage/budgets", &query).await;
        let budget = found.expect(200).json()["budgets"][0].clone();
        let names = ["encumbered", "awaitingPayment", "expenditures", "credits"];
        let sum = |name: &str| budget[name].as_f64().unwrap_or_default().to_string();
        names.map(sum).join(" ")
    }

    /// An open order with one line, and an encumbrance for each fund and amount. Gives the line and the
    /// encumbrances.
    pub async fn order(&self, number: &str, rows: &[(&str, f64)]) -> (String, Vec<String>) {
        let order = new_id();
        let body = json!({"id": order, "poNumber": number, "orderType": "One-Time",
                          "workflowStatus": "Open", "vendor": self.vendor, "approved": true});
        put_in(&self.client, "/orders-storage/purchase-orders", &body).await;
        let line = self.order_line(&order, &format!("{number}-1")).await;
        let mut encumbrances = Vec::new();
        for (fund, amount) in rows {
            let one = json!({"id": new_id(), "amount": amount, "currency": "USD",
                "fiscalYearId": self.year, "source": "PoLine", "transactionType": "Encumbrance",
                "fromFundId": fund, "encumbrance": {
                    "initialAmountEncumbered": amount, "status": "Unreleased",
                    "orderType": "One-Time", "orderStatus": "Open", "subscription": false,
                    "reEncumber": true, "sourcePurchaseOrderId": order,
                    "sourcePoLineId": line}});
            encumbrances.push(one["id"].as_str().expect("an id").to_owned());
            self.transact(&[one]).await;
        }
        (line, encumbrances)
    }

    pub async fn order_line(&self, order: &str, number: &str) -> String {
        let line = new_id();
        let body = json!({"id": line, "purchaseOrderId": order, "poLineNumber": number,
                          "titleOrPackage": "T", "source": "User",
                          "orderFormat": "Physical Resource",
                          "acquisitionMethod": "df26d81b-9d63-4ff8-bf41-49bf75cfa70e",
                          "paymentStatus": "Awaiting Payment",
                          "receiptStatus": "Awaiting Receipt",
                          "cost": {"currency": "USD", "listUnitPrice": 1, "quantityPhysical": 1}});
        put_in(&self.client, "/orders-storage/po-lines", &body).await;
        line
    }

    pub async fn payment_status(&self, po_line: &str) -> String {
        let path = format!("/orders-storage/po-lines/{po_line}");
        let line = self.client.get(&path).await.expect(200).json();
        line["paymentStatus"].as_str().expect("a status").to_owned()
    }

    pub async fn set_payment_status(&self, po_line: &str, status: &str) {
        let path = format!("/orders-storage/po-lines/{po_line}");
        let mut line = self.client.get(&path).await.expect(200).json();
        line["paymentStatus"] = json!(status);
        let _ = self.client.put(&path, &line).await.expect(204);
    }

    /// An encumbrance as `amount/initial/awaiting/expended/credited status`.
    pub async fn encumbrance(&self, id: &str) -> String {
        let path = format!("/finance-storage/transactions/{id}");
        let one = self.client.get(&path).await.expect(200).json();
        let part = &one["encumbrance"];
        let number = |value: &Value| value.as_f64().unwrap_or_default().to_string();
        let amounts = [
            number(&one["amount"]),
            number(&part["initialAmountEncumbered"]),
            number(&part["amountAwaitingPayment"]),
            number(&part["amountExpended"]),
            number(&part["amountCredited"]),
        ];
        let status = part["status"].as_str().unwrap_or_default();
        format!("{} {status}", amounts.join("/"))
    }

    /// The transactions of an invoice as `type amount`, sorted.
    pub async fn transactions(&self, invoice: &str) -> Vec<String> {
        let query = format!("sourceInvoiceId=={invoice}");
        let path = "/finance-storage/transactions";
        let found = self.client.query(path, &query).await.expect(200).json();
        let list = found["transactions"].as_array().expect("a list").iter();
        let mut shown: Vec<String> = list
            .map(|one| {
                let kind = one["transactionType"].as_str().expect("a type");
                format!("{kind} {}", one["amount"].as_f64().expect("an amount"))
            })
            .collect();
        shown.sort_unstable();
        shown
    }

    /// The body of a new invoice.
    pub fn invoice_body(&self) -> Value {
        json!({"currency": "USD", "invoiceDate": "2026-03-01T00:00:00.000+00:00",
               "paymentMethod": "EFT", "status": "Open", "source": "User",
               "vendorInvoiceNo": "V1", "vendorId": self.vendor})
    }

    pub async fn invoice(&self, more: &Value) -> String {
        let mut body = self.invoice_body();
        for (name, value) in more.as_object().expect("an object") {
            body[name] = value.clone();
        }
        let made = self.client.post(INVOICES, &body).await.expect(201).json();
        made["id"].as_str().expect("an id").to_owned()
    }

    /// A line; its id.
    pub async fn line(&self, invoice: &str, sum: f64, rows: &[Value], more: &Value) -> String {
        let made = self.try_line(invoice, sum, rows, more).await;
        let made = made.expect(201).json();
        made["id"].as_str().expect("an id").to_owned()
    }

    pub async fn try_line(&self, invoice: &str, sum: f64, rows: &[Value], more: &Value) -> Answer {
        let mut body = json!({"invoiceId": invoice, "description": "d",
                              "invoiceLineStatus": "Open", "subTotal": sum, "quantity": 1,
                              "releaseEncumbrance": false, "fundDistributions": rows});
        for (name, value) in more.as_object().expect("an object") {
            body[name] = value.clone();
        }
        self.client.post(LINES, &body).await
    }

    pub async fn read(&self, invoice: &str) -> Value {
        let path = format!("{INVOICES}/{invoice}");
        self.client.get(&path).await.expect(200).json()
    }

    pub async fn read_line(&self, line: &str) -> Value {
        let path = format!("{LINES}/{line}");
        self.client.get(&path).await.expect(200).json()
    }

    /// Asks for another status.
    pub async fn become_(&self, invoice: &str, status: &str) -> Answer {
        self.change(invoice, &json!({"status": status})).await
    }

    /// Changes properties; `null` takes one out.
    pub async fn change(&self, invoice: &str, changes: &Value) -> Answer {
        let mut body = self.read(invoice).await;
        for (name, value) in changes.as_object().expect("an object") {
            match value {
                Value::Null => {
                    body.as_object_mut().expect("an object").shift_remove(name);
                }
                value => body[name] = value.clone(),
            }
        }
        self.client
            .put(&format!("{INVOICES}/{invoice}"), &body)
            .await
    }

    /// Approves, pays or cancels, which must succeed.
    pub async fn now(&self, invoice: &str, status: &str) {
        let _ = self.become_(invoice, status).await.expect(204);
    }

    /// Asserts the invariants of invoices.
    pub async fn in_order(&self) {
        let store = &self.library.platform.store;
        let tenant = self.library.tenant();
        let tables = octavo_records::Tables {
            tenant: &tenant,
            catalog: &store.catalog,
        };
        let rules = octavo_invoices::store::invariants::rules(tables);
        for (rule, _, sql) in rules {
            let sql = format!("SELECT id::text AS id FROM ({sql}) AS seen WHERE fault");
            let rows = store
                .database
                .query(&sql, &[])
                .await
                .expect("it can be read");
            let faults: Vec<String> = rows.iter().map(|row| row.get("id")).collect();
            assert!(faults.is_empty(), "{rule}: {faults:?}");
        }
    }

    pub async fn voucher(&self, invoice: &str) -> Value {
        let query = format!("invoiceId=={invoice}");
        let found = self.client.query("/voucher/vouchers", &query).await;
        found.expect(200).json()["vouchers"][0].clone()
    }

    /// The lines of an invoice's voucher as `account amount`, sorted.
    pub async fn voucher_lines(&self, invoice: &str) -> Vec<String> {
        let voucher = self.voucher(invoice).await;
        let id = voucher["id"].as_str().expect("a voucher");
        let query = format!("voucherId=={id}");
        let found = self.client.query("/voucher/voucher-lines", &query).await;
        let found = found.expect(200).json();
        let mut shown: Vec<String> = found["voucherLines"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|line| {
                let account = line["externalAccountNumber"].as_str().expect("an account");
                format!("{account} {}", line["amount"])
            })
            .collect();
        shown.sort_unstable();
        shown
    }
}

/// A part of a fund in per cent.
pub fn percent(fund: &str, value: f64) -> Value {
    json!({"fundId": fund, "distributionType": "percentage", "value": value})
}

pub fn amount(fund: &str, value: f64) -> Value {
    json!({"fundId": fund, "distributionType": "amount", "value": value})
}

pub async fn fiscal_year(client: &Client, code: &str, start: &str, end: &str) -> String {
    let id = new_id();
    let series: String = code.chars().filter(char::is_ascii_alphabetic).collect();
    let body = json!({"id": id, "name": code, "code": code, "series": series, "currency": "USD",
                      "periodStart": format!("{start}T00:00:00.000+00:00"),
                      "periodEnd": format!("{end}T23:59:59.000+00:00")});
    put_in(client, "/finance-storage/fiscal-years", &body).await;
    id
}

pub async fn put_in(client: &Client, path: &str, body: &Value) {
    let _ = client.post(path, body).await.expect(201);
}
