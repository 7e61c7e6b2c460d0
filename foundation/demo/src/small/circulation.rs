//! The loans of the demo library, and the statuses of items that are not on their shelf.

use jiff::Timestamp;
use uuid::Uuid;

use super::copies::{Copy, Stock};
use super::patrons::DemoPatron;
use crate::clock::{at_time, days_earlier, days_later, end_of_day};
use crate::document::Document;
use crate::identity::{IdKind, choice, document_id, pick};
use crate::locations::primary_service_point;
use crate::policies::Policies;
use crate::record::{Audit, Loan};

const OPEN_LOANS: usize = 60;
const LOAN_DAYS: i64 = 28;

const START: u64 = 21;
const BORROWER: u64 = 22;
const AGE: u64 = 23;
const OFFSET: u64 = 24;
const HOUR: u64 = 25;
const RETURN: u64 = 26;

/// The statuses of a few items that are neither available nor on loan. They have no loan and no
/// request.
const ASTRAY: [&str; 20] = [
    "In transit",
    "In transit",
    "In transit",
    "In transit",
    "In transit",
    "In transit",
    "Missing",
    "Missing",
    "Missing",
    "Missing",
    "In process",
    "In process",
    "In process",
    "Long missing",
    "Withdrawn",
    "Withdrawn",
    "Unavailable",
    "Restricted",
    "Restricted",
    "Unknown",
];

/// One open loan to be made.
pub(super) struct Lent {
    id: Uuid,
    /// Index in [`Stock::items`].
    item: usize,
    /// Index in the list of patrons.
    patron: usize,
    loan_date: Timestamp,
    due_date: Timestamp,
    renewals: u64,
}

/// The state of one item.
pub(super) struct State {
    pub status: &'static str,
    /// When the status began, if that was after the item was made.
    pub since: Option<Timestamp>,
    pub in_transit_to: Option<Uuid>,
}

/// Lends items, spread over the whole stock, to active patrons: at most one loan an item.
pub(super) fn lend(seed: u64, now: Timestamp, stock: &Stock, patrons: &[DemoPatron]) -> Vec<Lent> {
    let borrowers: Vec<usize> = (0..patrons.len())
        .filter(|at| patrons[*at].active)
        .collect();
    if borrowers.is_empty() {
        return Vec::new();
    }
    let numbered = (1..).zip(spread(seed, stock, 0));
    numbered
        .map(|(number, item)| lent(seed, now, number, item, &borrowers))
        .collect()
}

fn lent(seed: u64, now: Timestamp, number: u64, item: usize, borrowers: &[usize]) -> Lent {
    let age = 1 + choice(seed, AGE, number) % 45;
    let hour = 9 + choice(seed, HOUR, number) % 9;
    let minute = choice(seed, HOUR, number) / 9 % 60;
    let loan_date = at_time(days_earlier(now, age), hour as i8, minute as i8, 0);
    // Half of the older loans have been renewed once; of the others some are overdue.
    let renewals = u64::from(age > 21 && number.is_multiple_of(2));
    let days = LOAN_DAYS * (1 + renewals as i64);
    Lent {
        id: document_id(seed, IdKind::Loan, number),
        item,
        patron: pick(borrowers, choice(seed, BORROWER, number)),
        loan_date,
        due_date: end_of_day(days_later(loan_date, days)),
        renewals,
    }
}

/// The state of every item, in the order of [`Stock::items`].
pub(super) fn states(seed: u64, now: Timestamp, stock: &Stock, loans: &[Lent]) -> Vec<State> {
    let on_shelf = stock.items.iter().map(|copy| on_shelf(seed, now, copy));
    let mut states: Vec<State> = on_shelf.collect();
    for loan in loans {
        states[loan.item] = State {
            status: "Checked out",
            since: Some(loan.loan_date),
            in_transit_to: None,
        };
    }
    for (at, (status, item)) in ASTRAY
        .iter()
        .zip(spread(seed, stock, 1).step_by(3))
        .enumerate()
    {
        let home = primary_service_point(stock.held(&stock.items[item]).location_id);
        states[item] = State {
            status,
            since: Some(days_earlier(now, 1 + at as u64 * 2)),
            in_transit_to: (*status == "In transit").then_some(home),
        };
    }
    states
}

/// An available item; a third of those that circulate were returned in the last weeks.
fn on_shelf(seed: u64, now: Timestamp, copy: &Copy) -> State {
    let bits = choice(seed, RETURN, copy.number);
    let returned = copy.circulates() && bits.is_multiple_of(3);
    let since = returned.then(|| days_earlier(now, 1 + (bits >> 8) % 50));
    State {
        status: "Available",
        since,
        in_transit_to: None,
    }
}

/// Indices of [`OPEN_LOANS`] circulating items in even steps. Another `shift` below the step gives
/// a disjoint set.
fn spread(seed: u64, stock: &Stock, shift: usize) -> impl Iterator<Item = usize> {
    let circulating: Vec<usize> = (0..stock.items.len())
        .filter(|at| stock.items[*at].circulates())
        .collect();
    let step = (circulating.len() / OPEN_LOANS).max(1);
    let start = (choice(seed, START, OFFSET) as usize % step + shift) % step;
    circulating
        .into_iter()
        .skip(start)
        .step_by(step)
        .take(OPEN_LOANS)
}

impl Lent {
    pub(super) fn document(
        &self,
        stock: &Stock,
        patrons: &[DemoPatron],
        policies: Policies,
    ) -> Document {
        let item = &stock.items[self.item];
        let patron = &patrons[self.patron];
        let location_id = stock.held(item).location_id;
        // A renewal happens a week before the first due date.
        let renewed = days_later(self.loan_date, LOAN_DAYS - 7);
        let updated = if self.renewals > 0 {
            renewed
        } else {
            self.loan_date
        };
        let loan = Loan {
            id: self.id,
            item_id: item.id,
            location_id,
            patron_id: patron.id,
            patron_group_id: patron.group_id,
            service_point_id: primary_service_point(location_id),
            loan_date: self.loan_date,
            due_date: self.due_date,
            renewals: self.renewals,
            policies,
            audit: Audit {
                created: self.loan_date,
                updated,
                by: None,
            },
        };
        loan.document()
    }
}
