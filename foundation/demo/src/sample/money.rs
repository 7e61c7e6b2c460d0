//! The money of a sample library's orders: a fiscal year, one ledger of funds with their budgets, two encumbrances
//! of each order that was opened, and for closed orders an invoice that was paid. Sums of budgets are those of the
//! transactions.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use uuid::Uuid;

use super::orders::SampleOrders;
use crate::document::{Document, table};
use crate::identity::IdKind;

/// Funds of the ledger.
const FUNDS: u64 = 50;
/// Funds that share the price of a line.
const SHARES: u64 = 2;
/// FOLIO's batch group.
const BATCH_GROUP: &str = "2a2cb998-1437-41d1-88ad-01930aaeadd5";
const SERIES: &str = "SAMPLE";
const CURRENCY: &str = "USD";

/// What orders have spent of a fund, in halves of the currency's unit.
#[derive(Clone, Copy, Default)]
struct Spent {
    encumbered: u64,
    expended: u64,
}

fn amount(halves: u64) -> f64 {
    halves as f64 / 2.0
}

/// The two funds that share a line.
fn funds_of(number: u64) -> [u64; SHARES as usize] {
    let first = number % FUNDS;
    let step = 1 + number / FUNDS % (FUNDS - 1);
    [first, (first + step) % FUNDS].map(|at| at + 1)
}

fn code(fund: u64) -> String {
    format!("SAMPLE-{fund:02}")
}

/// The money of orders.
#[derive(Clone, Copy, Debug)]
pub(super) struct Money {
    pub(super) orders: SampleOrders,
    pub(super) now: Timestamp,
}

impl Money {
    /// What orders are paid with, in an order that satisfies foreign keys; they come before orders.
    pub(super) fn accounts(self) -> impl Iterator<Item = Document> {
        [self.year(), self.ledger()]
            .into_iter()
            .chain((1..=FUNDS).map(move |number| self.fund(number)))
            .chain(std::iter::once(()).flat_map(move |()| self.budgets()))
    }

    /// What was encumbered and paid; it comes after orders and lines.
    pub(super) fn movements(self) -> impl Iterator<Item = Document> {
        let closed = move || self.orders.numbers().filter(move |one| self.is_paid(*one));
        closed()
            .map(move |number| self.invoice(number))
            .chain(closed().map(move |number| self.invoice_line(number)))
            .chain(closed().map(move |number| self.tie(number)))
            .chain(std::iter::once(()).flat_map(move |()| self.allocations()))
            .chain(
                self.orders
                    .numbers()
                    .flat_map(move |number| self.encumbrances(number)),
            )
            .chain(closed().flat_map(move |number| self.payments(number)))
    }

    /// The number of all of them.
    pub(super) fn count(self) -> u64 {
        let numbers = || self.orders.numbers();
        let encumbered = numbers().filter(|one| self.is_encumbered(*one)).count() as u64;
        let paid = numbers().filter(|one| self.is_paid(*one)).count() as u64;
        2 + 3 * FUNDS + SHARES * encumbered + (3 + SHARES) * paid
    }

    /// The distributions of a line among its funds.
    pub(super) fn distributions(self, number: u64) -> Value {
        let shares = funds_of(number).into_iter().zip(1..);
        let rows = shares.map(|(fund, share)| {
            let mut row = json!({"fundId": self.id(IdKind::Fund, fund), "code": code(fund),
                                 "distributionType": "percentage", "value": 50.0});
            if self.is_encumbered(number) {
                row["encumbrance"] = json!(self.share(IdKind::Encumbrance, number, share));
            }
            row
        });
        rows.collect()
    }

    fn is_encumbered(self, number: u64) -> bool {
        self.orders.status(number) != "Pending"
    }

    fn is_paid(self, number: u64) -> bool {
        self.orders.status(number) == "Closed"
    }

    fn id(self, kind: IdKind, number: u64) -> Uuid {
        self.orders.id(kind, number)
    }

    /// The id of a share of a line.
    fn share(self, kind: IdKind, number: u64, share: u64) -> Uuid {
        self.id(kind, number * SHARES + share - 1)
    }

    fn document(self, table: &'static str, id: Uuid, record: Value) -> Document {
        let mut record = record;
        record["metadata"] = self.orders.metadata(0);
        SampleOrders::document(table, id, record)
    }

    /// Of a table with optimistic locking.
    fn versioned(self, table: &'static str, id: Uuid, mut record: Value) -> Document {
        record["_version"] = json!(1);
        self.document(table, id, record)
    }

    fn year_code(self) -> String {
        format!("{SERIES}{}", self.now.to_zoned(TimeZone::UTC).year())
    }

    fn year(self) -> Document {
        let year = self.now.to_zoned(TimeZone::UTC).year();
        let record = json!({
            "name": format!("Sample year {year}"), "code": self.year_code(), "series": SERIES,
            "currency": CURRENCY, "periodStart": format!("{year}-01-01T00:00:00.000+00:00"),
            "periodEnd": format!("{year}-12-31T23:59:59.000+00:00"),
        });
        self.versioned(table::FISCAL_YEAR, self.id(IdKind::FiscalYear, 1), record)
    }

    fn ledger(self) -> Document {
        let record = json!({
            "name": "Sample ledger", "code": SERIES, "ledgerStatus": "Active",
            "fiscalYearOneId": self.id(IdKind::FiscalYear, 1),
            "restrictEncumbrance": true, "restrictExpenditures": true,
        });
        self.versioned(table::LEDGER, self.id(IdKind::Ledger, 1), record)
    }

    fn fund(self, number: u64) -> Document {
        let record = json!({
            "name": format!("Sample fund {number:02}"), "code": code(number), "fundStatus": "Active",
            "externalAccountNo": format!("S-{number:04}"), "ledgerId": self.id(IdKind::Ledger, 1),
            "restrictByLocations": false,
        });
        self.versioned(table::FUND, self.id(IdKind::Fund, number), record)
    }

    /// What is spent of each fund, by its number less one.
    fn spent(self) -> Vec<Spent> {
        let mut spent = vec![Spent::default(); FUNDS as usize];
        for number in self.orders.numbers() {
            for fund in funds_of(number) {
                let spent = &mut spent[fund as usize - 1];
                let halves = self.orders.price(number);
                match self.orders.status(number) {
                    "Open" => spent.encumbered += halves,
                    "Closed" => spent.expended += halves,
                    _ => {}
                }
            }
        }
        spent
    }

    /// Twice what is spent, in thousands.
    fn allocated(spent: Spent) -> u64 {
        (2 * (spent.encumbered + spent.expended)).next_multiple_of(2_000) + 2_000
    }

    fn budgets(self) -> Vec<Document> {
        let budget = |(number, spent): (u64, Spent)| {
            let allocated = Money::allocated(spent);
            let used = spent.encumbered + spent.expended;
            let record = json!({
                "name": format!("{}-{}", code(number), self.year_code()), "budgetStatus": "Active",
                "fundId": self.id(IdKind::Fund, number),
                "fiscalYearId": self.id(IdKind::FiscalYear, 1),
                "initialAllocation": amount(allocated), "allocationTo": 0.0, "allocationFrom": 0.0,
                "netTransfers": 0.0, "encumbered": amount(spent.encumbered),
                "awaitingPayment": 0.0, "expenditures": amount(spent.expended), "credits": 0.0,
                "allocated": amount(allocated), "totalFunding": amount(allocated),
                "unavailable": amount(used), "available": amount(allocated - used),
                "cashBalance": amount(allocated - spent.expended), "overExpended": 0.0,
                "overEncumbrance": 0.0,
            });
            self.versioned(table::BUDGET, self.id(IdKind::Budget, number), record)
        };
        (1..).zip(self.spent()).map(budget).collect()
    }

    fn transaction(self, id: Uuid, kind: &str, halves: u64, mut record: Value) -> Document {
        record["transactionType"] = json!(kind);
        record["amount"] = json!(amount(halves));
        record["currency"] = json!(CURRENCY);
        record["fiscalYearId"] = json!(self.id(IdKind::FiscalYear, 1));
        self.versioned(table::TRANSACTION, id, record)
    }

    fn allocations(self) -> Vec<Document> {
        let allocation = |(number, spent): (u64, Spent)| {
            let to = json!({"source": "User", "toFundId": self.id(IdKind::Fund, number)});
            let id = self.id(IdKind::Allocation, number);
            self.transaction(id, "Allocation", Money::allocated(spent), to)
        };
        (1..).zip(self.spent()).map(allocation).collect()
    }

    fn encumbrances(self, number: u64) -> Vec<Document> {
        if !self.is_encumbered(number) {
            return Vec::new();
        }
        let halves = self.orders.price(number);
        let (left, expended, status) = match self.is_paid(number) {
            true => (0, halves, "Released"),
            false => (halves, 0, "Unreleased"),
        };
        let shares = funds_of(number).into_iter().zip(1..);
        let encumbrance = |(fund, share): (u64, u64)| {
            let record = json!({
                "source": "PoLine", "fromFundId": self.id(IdKind::Fund, fund),
                "encumbrance": {
                    "initialAmountEncumbered": amount(halves), "amountAwaitingPayment": 0.0,
                    "amountExpended": amount(expended), "amountCredited": 0.0, "status": status,
                    "orderType": "One-Time", "orderStatus": self.orders.status(number),
                    "subscription": false, "reEncumber": true,
                    "sourcePurchaseOrderId": self.id(IdKind::Order, number),
                    "sourcePoLineId": self.id(IdKind::OrderLine, number),
                },
            });
            let id = self.share(IdKind::Encumbrance, number, share);
            self.transaction(id, "Encumbrance", left, record)
        };
        shares.map(encumbrance).collect()
    }

    fn payments(self, number: u64) -> Vec<Document> {
        let shares = funds_of(number).into_iter().zip(1..);
        let payment = |(fund, share): (u64, u64)| {
            let record = json!({
                "source": "Invoice", "fromFundId": self.id(IdKind::Fund, fund),
                "paymentEncumbranceId": self.share(IdKind::Encumbrance, number, share),
                "sourceInvoiceId": self.id(IdKind::Invoice, number),
                "sourceInvoiceLineId": self.id(IdKind::InvoiceLine, number),
            });
            let id = self.share(IdKind::Payment, number, share);
            self.transaction(id, "Payment", self.orders.price(number), record)
        };
        shares.map(payment).collect()
    }

    fn invoice(self, number: u64) -> Document {
        let total = self.orders.price(number) as f64;
        let record = json!({
            "batchGroupId": BATCH_GROUP, "currency": CURRENCY, "adjustments": [],
            "adjustmentsTotal": 0.0, "subTotal": total, "total": total, "acqUnitIds": [],
            "enclosureNeeded": false, "exportToAccounting": false, "chkSubscriptionOverlap": false,
            "folioInvoiceNo": (1_000_000 + number).to_string(), "invoiceDate": self.orders.at(number),
            "paymentDate": self.orders.at(number), "paymentMethod": "EFT", "status": "Paid",
            "source": "User", "vendorInvoiceNo": format!("S-{number}"), "manualPayment": false,
            "vendorId": self.orders.vendor_id(), "fiscalYearId": self.id(IdKind::FiscalYear, 1),
            "exchangeRate": 1.0, "poNumbers": [SampleOrders::po_number(number)],
            "nextInvoiceLineNumber": 2,
        });
        self.document(table::INVOICE, self.id(IdKind::Invoice, number), record)
    }

    fn invoice_line(self, number: u64) -> Document {
        let total = self.orders.price(number) as f64;
        let record = json!({
            "invoiceId": self.id(IdKind::Invoice, number), "invoiceLineNumber": "1",
            "description": self.orders.name(number), "invoiceLineStatus": "Paid", "quantity": 1,
            "subTotal": total, "total": total, "adjustments": [], "adjustmentsTotal": 0.0,
            "releaseEncumbrance": true, "poLineId": self.id(IdKind::OrderLine, number),
            "fundDistributions": self.distributions(number), "referenceNumbers": [],
        });
        let id = self.id(IdKind::InvoiceLine, number);
        self.document(table::INVOICE_LINE, id, record)
    }

    fn tie(self, number: u64) -> Document {
        let record = json!({"purchaseOrderId": self.id(IdKind::Order, number),
                            "invoiceId": self.id(IdKind::Invoice, number)});
        let id = self.id(IdKind::OrderInvoice, number);
        self.document(table::ORDER_INVOICE, id, record)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn budgets_have_what_transactions_move() {
        let orders = SampleOrders::new(500, 1, Timestamp::UNIX_EPOCH).with_money();
        let (mut moved, mut budgets): (HashMap<_, f64>, Vec<Value>) = (HashMap::new(), Vec::new());
        let (mut all, mut transactions) = (0, 0);
        for document in orders.documents() {
            all += 1;
            let record: Value = serde_json::from_str(&document.json).expect("it is JSON");
            if document.table == table::TRANSACTION {
                transactions += 1;
                let fund = match record["transactionType"].as_str() {
                    Some("Allocation") => &record["toFundId"],
                    _ => &record["fromFundId"],
                };
                let key = (fund.to_string(), record["transactionType"].to_string());
                *moved.entry(key).or_default() += record["amount"].as_f64().expect("a number");
            } else if document.table == table::BUDGET {
                budgets.push(record);
            }
        }
        assert_eq!(all, orders.count());
        assert_eq!(budgets.len() as u64, FUNDS);
        // Two encumbrances of eight of ten lines, two payments of three.
        assert!(
            (2 * 500..5 * 500 / 2).contains(&transactions),
            "{transactions}"
        );
        for budget in budgets {
            for (name, kind) in [
                ("initialAllocation", "\"Allocation\""),
                ("encumbered", "\"Encumbrance\""),
                ("expenditures", "\"Payment\""),
            ] {
                let key = (budget["fundId"].to_string(), kind.to_owned());
                let moved = moved.get(&key).copied().unwrap_or_default();
                assert_eq!(budget[name].as_f64(), Some(moved), "{name}");
            }
        }
    }

    #[test]
    fn the_two_funds_of_a_line_differ() {
        for number in 0..10_000 {
            let [one, other] = funds_of(number);
            assert_ne!(one, other, "{number}");
            assert!((1..=FUNDS).contains(&one) && (1..=FUNDS).contains(&other));
        }
    }
}
