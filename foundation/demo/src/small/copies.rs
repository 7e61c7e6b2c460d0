//! Decides the holdings and copies of each title, and their locations.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use uuid::Uuid;

use super::catalogue::Title;
use super::circulation::State;
use super::descriptions::cataloged;
use super::shelf::Shelf;
use crate::clock::{days_earlier, utc};
use crate::document::Document;
use crate::identity::{IdKind, choice, document_id};
use crate::locations::primary_service_point;
use crate::record::{Audit, CallNumber, Holdings, Item, Medium};
use crate::reference::{DAMAGED, STATISTICAL_BOOKS, loan_type, location};

/// Demo barcodes carry this number after the first digit, as a library's own code.
const BARCODE_SERIES: u64 = 118_400_000_000;

const COPIES: u64 = 1;
const CONDITION: u64 = 3;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec",
];

/// All holdings and items.
pub(super) struct Stock {
    pub holdings: Vec<SampleHoldings>,
    pub items: Vec<Copy>,
}

/// One holdings record to be made.
pub(super) struct SampleHoldings {
    id: Uuid,
    number: u64,
    instance_id: Uuid,
    shelf: Shelf,
    pub location_id: Uuid,
    call_number: String,
    statement: Option<String>,
}

/// One item to be made.
pub(super) struct Copy {
    pub id: Uuid,
    pub number: u64,
    /// Index of its holdings record in [`Stock::holdings`].
    holdings: usize,
    copy_number: Option<String>,
    chronology: Option<String>,
    pub loan_type_id: Uuid,
    damaged: bool,
    cataloged: Timestamp,
}

/// Decides the number of copies and their locations.
pub(super) fn stock(seed: u64, now: Timestamp, titles: &[Title]) -> Stock {
    let mut shelving = Shelving {
        seed,
        now,
        holdings: Vec::new(),
        items: Vec::new(),
    };
    for (number, title) in (1..).zip(titles) {
        let (fewest, more) = title.shelf.copies();
        let copies = fewest + choice(seed, COPIES, number) % (more + 1);
        let here = if title.shelf == Shelf::Journals {
            copies
        } else {
            copies - copies / 4
        };
        shelving.put(title, number, title.shelf.location(), 1..=here);
        if here < copies {
            shelving.put(title, number, location::ANNEX, here + 1..=copies);
        }
    }
    Stock {
        holdings: shelving.holdings,
        items: shelving.items,
    }
}

/// Stock that is being collected.
struct Shelving {
    seed: u64,
    now: Timestamp,
    holdings: Vec<SampleHoldings>,
    items: Vec<Copy>,
}

impl Shelving {
    /// One holdings record with the copies of these numbers.
    fn put(
        &mut self,
        title: &Title,
        title_number: u64,
        location_id: Uuid,
        copies: RangeInclusive<u64>,
    ) {
        let number = self.holdings.len() as u64 + 1;
        let journal = title.shelf == Shelf::Journals;
        let holdings = self.holdings.len();
        self.holdings.push(SampleHoldings {
            id: document_id(self.seed, IdKind::Holdings, number),
            number,
            instance_id: document_id(self.seed, IdKind::Instance, title_number),
            shelf: title.shelf,
            location_id,
            call_number: title.shelf.call_number(title.dewey, &title.spine_letters()),
            statement: journal.then(|| format!("{}-, last six months kept", title.year)),
        });
        let last = *copies.end();
        for copy in copies {
            let number = self.items.len() as u64 + 1;
            self.items.push(Copy {
                id: document_id(self.seed, IdKind::Item, number),
                number,
                holdings,
                copy_number: (!journal).then(|| copy.to_string()),
                chronology: journal.then(|| month_before(self.now, last - copy)),
                loan_type_id: title.shelf.loan_type(title.is_textbook()),
                damaged: choice(self.seed, CONDITION, number).is_multiple_of(90),
                cataloged: cataloged(self.seed, self.now, title_number),
            });
        }
    }
}

impl Stock {
    /// The holdings record that a copy belongs to.
    pub(super) fn held(&self, copy: &Copy) -> &SampleHoldings {
        &self.holdings[copy.holdings]
    }
}

impl SampleHoldings {
    pub(super) fn document(&self, now: Timestamp, cataloguer: Option<Uuid>) -> Document {
        let created = days_earlier(now, 60);
        let holdings = Holdings {
            id: self.id,
            number: self.number,
            instance_id: self.instance_id,
            medium: self.shelf.medium(),
            location_id: self.location_id,
            call_number: self.call_number(),
            statement: self.statement.as_deref(),
            audit: Audit {
                created,
                updated: created,
                by: cataloguer,
            },
        };
        holdings.document()
    }

    fn call_number(&self) -> CallNumber<'_> {
        CallNumber {
            prefix: self.shelf.prefix(),
            number: &self.call_number,
            type_id: self.shelf.call_number_type(),
        }
    }
}

impl Copy {
    /// Whether a patron may take it home.
    pub(super) fn circulates(&self) -> bool {
        self.loan_type_id == loan_type::CAN_CIRCULATE
    }

    pub(super) fn document(
        &self,
        stock: &Stock,
        state: &State,
        cataloguer: Option<Uuid>,
    ) -> Document {
        let held = stock.held(self);
        let medium = held.shelf.medium();
        let book = medium == Medium::Book;
        let disc = medium == Medium::Dvd || medium == Medium::Cd;
        let barcode = crate::item_barcode(barcode_serial(self.number));
        let home = primary_service_point(held.location_id);
        let returned = state.since.filter(|_| state.status == "Available");
        let last_check_in = returned
            .zip(cataloguer)
            .map(|(when, staff)| (when, home, staff));
        let item = Item {
            id: self.id,
            number: self.number,
            holdings_id: held.id,
            barcode: &barcode,
            call_number: held.call_number(),
            chronology: self.chronology.as_deref(),
            copy_number: self.copy_number.as_deref(),
            pieces: Some("1"),
            material_type_id: medium.material_type(),
            loan_type_id: self.loan_type_id,
            location_id: held.location_id,
            status: state.status,
            status_date: state.since.unwrap_or(self.cataloged),
            in_transit_to: state.in_transit_to,
            damaged_status_id: self.damaged.then_some(DAMAGED),
            note: self
                .damaged
                .then_some("Water stains on the cover; complete."),
            check_in_note: disc.then_some("Make sure the disc is in its case."),
            statistical_code_ids: if book { &[STATISTICAL_BOOKS] } else { &[] },
            last_check_in,
            audit: Audit {
                created: self.cataloged,
                updated: state.since.unwrap_or(self.cataloged),
                by: cataloguer,
            },
        };
        item.document()
    }
}

/// The serial behind a patron's or an item's demo barcode.
pub(super) fn barcode_serial(number: u64) -> u64 {
    BARCODE_SERIES + number
}

/// The month so many months before now, as a journal prints it on its cover.
fn month_before(now: Timestamp, months: u64) -> String {
    let today = utc(now).date();
    let months = i64::try_from(months).unwrap_or(0);
    let count = i64::from(today.year()) * 12 + i64::from(today.month()) - 1 - months;
    format!(
        "{} {}",
        MONTHS[count.rem_euclid(12) as usize],
        count.div_euclid(12)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_count_back_over_the_new_year() {
        let now = "2026-02-11T08:00:00Z".parse().unwrap();
        assert_eq!(month_before(now, 0), "Feb 2026");
        assert_eq!(month_before(now, 2), "Dec 2025");
        assert_eq!(month_before(now, 14), "Dec 2024");
    }
}
