//! Orders of a sample library: one vendor, and as many orders as are wanted with one line each. Statuses and
//! formats have the shares of FOLIO's published measurements.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::money::Money;
use super::words;
use crate::clock::days_earlier;
use crate::document::{Document, table};
use crate::identity::{IdKind, choice, document_id, pick};

const STATUS: u64 = 51;
const FORMAT: u64 = 52;
const PRICE: u64 = 53;
/// A series of names of its own.
const AUTHORS: u64 = 3;

/// Of ten orders five are open, two pending and three closed.
const STATUSES: [&str; 10] = [
    "Open", "Open", "Open", "Open", "Open", "Pending", "Pending", "Closed", "Closed", "Closed",
];
/// Of ten lines five are printed, two electronic and three both.
const FORMATS: [&str; 10] = [
    "Physical Resource",
    "Physical Resource",
    "Physical Resource",
    "Physical Resource",
    "Physical Resource",
    "Electronic Resource",
    "Electronic Resource",
    "P/E Mix",
    "P/E Mix",
    "P/E Mix",
];
/// FOLIO's acquisition method "Purchase" and its contributor name type "Personal name".
const PURCHASE: &str = "df26d81b-9d63-4ff8-bf41-49bf75cfa70e";
const PERSONAL_NAME: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
/// Numbers of orders start after this one.
const NUMBER_OFFSET: u64 = 1_000_000;
/// Orders were made in the last two years.
const DAYS: u64 = 730;

/// Orders, described by their number and a seed.
#[derive(Clone, Copy, Debug)]
pub struct SampleOrders {
    orders: u64,
    seed: u64,
    now: Timestamp,
    with_money: bool,
}

impl SampleOrders {
    /// Describes orders without making any document.
    #[must_use]
    pub fn new(orders: u64, seed: u64, now: Timestamp) -> SampleOrders {
        SampleOrders {
            orders,
            seed,
            now,
            with_money: false,
        }
    }

    /// Gives the orders funds: with encumbrances, and closed ones with invoices that are paid.
    #[must_use]
    pub fn with_money(mut self) -> SampleOrders {
        self.with_money = true;
        self
    }

    fn money(self) -> Option<Money> {
        (self.with_money && self.orders > 0).then_some(Money {
            orders: self,
            now: self.now,
        })
    }

    /// The numbers of the orders.
    pub(super) fn numbers(self) -> RangeInclusive<u64> {
        1..=self.orders
    }

    /// The number of documents.
    #[must_use]
    pub fn count(self) -> u64 {
        let pieces = (1..=self.orders).filter(|number| self.has_piece(*number));
        match self.orders {
            0 => 0,
            orders => {
                let money = self.money().map_or(0, Money::count);
                1 + 3 * orders + pieces.count() as u64 + money
            }
        }
    }

    /// Every document, table by table in an order that satisfies foreign keys: the vendor, funds, orders, lines,
    /// titles, pieces, invoices, transactions.
    pub fn documents(self) -> impl Iterator<Item = Document> {
        let numbers = 1..=self.orders;
        (self.orders > 0)
            .then(|| self.vendor())
            .into_iter()
            .chain(self.money().into_iter().flat_map(Money::accounts))
            .chain(numbers.clone().map(move |number| self.order(number)))
            .chain(numbers.clone().map(move |number| self.line(number)))
            .chain(numbers.clone().map(move |number| self.title(number)))
            .chain(
                numbers
                    .filter(move |number| self.has_piece(*number))
                    .map(move |number| self.piece(number)),
            )
            .chain(self.money().into_iter().flat_map(Money::movements))
    }

    pub(super) fn id(self, kind: IdKind, number: u64) -> Uuid {
        document_id(self.seed, kind, number)
    }

    pub(super) fn status(self, number: u64) -> &'static str {
        pick(&STATUSES, choice(self.seed, STATUS, number))
    }

    fn format(self, number: u64) -> &'static str {
        pick(&FORMATS, choice(self.seed, FORMAT, number))
    }

    /// The printed and the electronic copies of a line.
    fn copies(self, number: u64) -> (u64, u64) {
        match self.format(number) {
            "Physical Resource" => (1, 0),
            "Electronic Resource" => (0, 1),
            _ => (1, 1),
        }
    }

    fn price_of_copy(self, number: u64) -> u64 {
        5 + choice(self.seed, PRICE, number) % 95
    }

    /// What a line costs.
    pub(super) fn price(self, number: u64) -> u64 {
        let (printed, electronic) = self.copies(number);
        self.price_of_copy(number) * (printed + electronic)
    }

    /// Whether a piece is expected.
    fn has_piece(self, number: u64) -> bool {
        self.status(number) == "Open" && self.format(number) != "Electronic Resource"
    }

    pub(super) fn po_number(number: u64) -> String {
        (NUMBER_OFFSET + number).to_string()
    }

    pub(super) fn name(self, number: u64) -> String {
        let (given, family) = words::person(self.seed, AUTHORS, number);
        format!(
            "The collected letters of {given} {family}, volume {}",
            number % 9 + 1
        )
    }

    /// When an order was made, in the stored notation.
    pub(super) fn at(self, number: u64) -> String {
        let at = days_earlier(self.now, number % DAYS);
        at.strftime("%Y-%m-%dT%H:%M:%S%.3f+00:00").to_string()
    }

    pub(super) fn metadata(self, number: u64) -> Value {
        let at = self.at(number);
        json!({"createdDate": at, "updatedDate": at})
    }

    pub(super) fn document(table: &'static str, id: Uuid, mut record: Value) -> Document {
        record["id"] = json!(id);
        Document {
            table,
            id,
            json: record.to_string(),
        }
    }

    pub(super) fn vendor_id(self) -> Uuid {
        self.id(IdKind::Organization, 1)
    }

    fn vendor(self) -> Document {
        let vendor = json!({
            "name": "Sample Books", "code": "SAMPLE-BOOKS", "status": "Active", "isVendor": true,
            "exportToAccounting": false, "isDonor": false, "metadata": self.metadata(0),
        });
        SampleOrders::document(table::ORGANIZATION, self.vendor_id(), vendor)
    }

    /// The `number`-th order.
    #[must_use]
    pub fn order(self, number: u64) -> Document {
        let status = self.status(number);
        let mut order = json!({
            "approved": status != "Pending", "notes": [], "acqUnitIds": [],
            "poNumber": SampleOrders::po_number(number), "orderType": "One-Time",
            "reEncumber": self.with_money, "vendor": self.vendor_id(), "workflowStatus": status,
            "nextPolNumber": 2, "metadata": self.metadata(number),
        });
        if status != "Pending" {
            order["dateOrdered"] = json!(self.at(number));
        }
        if status == "Closed" {
            order["closeReason"] = json!({"reason": "Complete"});
        }
        SampleOrders::document(table::ORDER, self.id(IdKind::Order, number), order)
    }

    /// The `number`-th line, of the order with that number.
    #[must_use]
    pub fn line(self, number: u64) -> Document {
        let (payment, receipt) = match self.status(number) {
            "Open" => ("Awaiting Payment", "Awaiting Receipt"),
            "Closed" => ("Fully Paid", "Fully Received"),
            _ => ("Pending", "Pending"),
        };
        let format = self.format(number);
        let (printed, electronic) = self.copies(number);
        let price = self.price_of_copy(number);
        let distributions = match self.money() {
            Some(money) => money.distributions(number),
            None => json!([]),
        };
        let mut cost = json!({
            "currency": "USD", "discountType": "percentage",
            "poLineEstimatedPrice": self.price(number),
        });
        let mut line = json!({
            "acquisitionMethod": PURCHASE, "automaticExport": false, "alerts": [], "claims": [],
            "checkinItems": false, "claimingActive": false, "collection": false,
            "contributors": self.contributors(number),
            "details": {"isAcknowledged": false, "isBinderyActive": false, "productIds": []},
            "donorOrganizationIds": [], "fundDistribution": distributions, "isPackage": false,
            "locations": [], "orderFormat": format, "paymentStatus": payment,
            "poLineNumber": format!("{}-1", SampleOrders::po_number(number)),
            "purchaseOrderId": self.id(IdKind::Order, number), "receiptStatus": receipt,
            "reportingCodes": [], "rush": false, "searchLocationIds": [], "source": "User",
            "titleOrPackage": self.name(number), "metadata": self.metadata(number),
        });
        if printed > 0 {
            cost["quantityPhysical"] = json!(printed);
            cost["listUnitPrice"] = json!(price);
            line["physical"] = json!({"createInventory": "None", "volumes": []});
        }
        if electronic > 0 {
            cost["quantityElectronic"] = json!(electronic);
            cost["listUnitPriceElectronic"] = json!(price);
            line["eresource"] = json!({"createInventory": "None", "activated": false,
                                       "trial": false});
        }
        line["cost"] = cost;
        SampleOrders::document(table::ORDER_LINE, self.id(IdKind::OrderLine, number), line)
    }

    /// Of a line, and of its title, which follows it.
    fn contributors(self, number: u64) -> Value {
        let (given, family) = words::person(self.seed, AUTHORS, number);
        json!([{"contributor": format!("{family}, {given}"), "contributorNameTypeId": PERSONAL_NAME}])
    }

    fn title(self, number: u64) -> Document {
        let title = json!({
            "title": self.name(number), "poLineId": self.id(IdKind::OrderLine, number),
            "poLineNumber": format!("{}-1", SampleOrders::po_number(number)), "productIds": [],
            "contributors": self.contributors(number), "claimingActive": false,
            "isAcknowledged": false, "bindItemIds": [], "acqUnitIds": [], "metadata": self.metadata(number),
        });
        SampleOrders::document(
            table::ORDER_TITLE,
            self.id(IdKind::OrderTitle, number),
            title,
        )
    }

    fn piece(self, number: u64) -> Document {
        let piece = json!({
            "format": "Physical", "poLineId": self.id(IdKind::OrderLine, number),
            "titleId": self.id(IdKind::OrderTitle, number), "receivingStatus": "Expected",
            "displayOnHolding": false, "displayToPublic": false, "isBound": false,
            "metadata": self.metadata(number),
        });
        SampleOrders::document(table::PIECE, self.id(IdKind::Piece, number), piece)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn orders_have_the_measured_shares() {
        let orders = SampleOrders::new(5_000, 1, Timestamp::UNIX_EPOCH);
        let mut seen: HashMap<String, u64> = HashMap::new();
        let mut all = 0;
        for document in orders.documents() {
            all += 1;
            let record: Value = serde_json::from_str(&document.json).expect("it is JSON");
            assert_eq!(record["id"], json!(document.id));
            for name in ["workflowStatus", "orderFormat"] {
                if let Some(value) = record[name].as_str() {
                    *seen.entry(value.to_owned()).or_default() += 1;
                }
            }
        }
        assert_eq!(all, orders.count());
        for (value, share) in [
            ("Open", 50),
            ("Pending", 20),
            ("Closed", 30),
            ("Physical Resource", 50),
            ("Electronic Resource", 20),
            ("P/E Mix", 30),
        ] {
            let per_cent = (seen[value] * 100).div_ceil(5_000);
            assert!(per_cent.abs_diff(share) <= 3, "{value}: {per_cent} %");
        }
        assert_eq!(SampleOrders::new(0, 1, Timestamp::UNIX_EPOCH).count(), 0);
    }
}
