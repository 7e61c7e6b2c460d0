//! A large library generated from a seed: any number of items, patrons and open loans.
//!
//! Every document is a function of (seed, record type, number), so nothing is remembered between
//! documents, memory stays constant, and a load generator can compute ids and barcodes by itself.

mod documents;
mod money;
mod orders;
mod size;
mod words;

use jiff::Timestamp;
use uuid::Uuid;

pub use orders::SampleOrders;
pub use size::{SampleError, SampleSize};

use crate::document::Document;
use crate::identity::{IdKind, document_id};
use crate::policies::Policies;
use crate::reference::patron_group;

/// Three items belong to two instances: the first to one, the second and third to the other.
const ITEMS_PER_PAIR: u64 = 3;

/// Hrids start after this number, so that a sample fits beside the small library.
const HRID_OFFSET: u64 = 1_000_000;

/// A sample library, described by a few numbers. Records are numbered from 1 within their type.
///
/// - item barcode: [`crate::item_barcode`] of the item's number, `3`, 12 digits, check digit;
/// - patron barcode: [`crate::patron_barcode`] of the patron's number, `2`, 12 digits, check digit;
/// - username: `patron` and the patron's number in 9 digits;
/// - hrids: `in`, `ho`, `it` and the record's number plus 1,000,000 in 11 digits;
/// - ids: version 4 UUIDs by [`SampleLibrary::item_id`] and its like.
///
/// Item n belongs to holdings and instance [`SampleLibrary::instance_of_item`]; each instance has
/// one source record (unless they are left out) and one holdings record with the same number. Loan l is on item [`SampleLibrary::item_of_loan`] and
/// held by patron [`SampleLibrary::patron_of_loan`]. Patrons are active and stay so for years; all
/// items can circulate and stand at locations served by "Circ Desk 1".
#[derive(Clone, Copy, Debug)]
pub struct SampleLibrary {
    size: SampleSize,
    seed: u64,
    now: Timestamp,
    policies: Policies,
    one_item_each: bool,
    without_marc: bool,
}

/// All documents of a sample library; short for [`SampleLibrary::documents`].
///
/// # Errors
/// When the sizes do not fit together, see [`SampleError`].
pub fn sample_library(
    size: SampleSize,
    seed: u64,
    now: Timestamp,
    policies: Policies,
) -> Result<impl Iterator<Item = Document>, SampleError> {
    Ok(SampleLibrary::new(size, seed, now, policies)?.documents())
}

impl SampleLibrary {
    /// Describes a library without making any document.
    ///
    /// # Errors
    /// When the sizes do not fit together, see [`SampleError`].
    pub fn new(
        size: SampleSize,
        seed: u64,
        now: Timestamp,
        policies: Policies,
    ) -> Result<Self, SampleError> {
        size.check()?;
        Ok(Self {
            size,
            seed,
            now,
            policies,
            one_item_each: false,
            without_marc: false,
        })
    }

    /// Gives each instance one item, instead of three items to two instances.
    #[must_use]
    pub fn one_item_each(mut self) -> Self {
        self.one_item_each = true;
        self
    }

    /// Leaves out the instances' MARC records and their snapshot, a third of the bytes.
    #[must_use]
    pub fn without_marc(mut self) -> Self {
        self.without_marc = true;
        self
    }

    /// Every document, table by table in an order that satisfies foreign keys: locations, users,
    /// instances, the snapshot and the source records, holdings, items, loans.
    pub fn documents(self) -> impl Iterator<Item = Document> {
        let source_records = self.source_records();
        crate::locations(self.now)
            .chain((1..=self.size.patrons).map(move |number| self.patron(number)))
            .chain((1..=self.instances()).map(move |number| self.instance(number)))
            .chain((!self.without_marc).then(|| self.snapshot()))
            .chain((1..=source_records).map(move |number| self.source_record(number)))
            .chain((1..=self.instances()).map(move |number| self.holdings(number)))
            .chain((1..=self.size.items).map(move |number| self.item(number)))
            .chain((1..=self.size.open_loans).map(move |number| self.loan(number)))
    }

    pub fn size(&self) -> SampleSize {
        self.size
    }

    /// The number of instances, which is also that of holdings records: two for three items, or one
    /// for each item.
    pub fn instances(&self) -> u64 {
        if self.one_item_each {
            return self.size.items;
        }
        let rest = self.size.items % ITEMS_PER_PAIR;
        self.size.items / ITEMS_PER_PAIR * 2 + rest
    }

    /// The number of source records: one for each instance, unless they are left out.
    fn source_records(&self) -> u64 {
        if self.without_marc {
            0
        } else {
            self.instances()
        }
    }

    /// The number of documents apart from the locations, which a tenant may have already.
    pub fn documents_beside_places(&self) -> u64 {
        let SampleSize {
            items,
            patrons,
            open_loans,
        } = self.size;
        let snapshot = u64::from(!self.without_marc);
        items + patrons + open_loans + 2 * self.instances() + self.source_records() + snapshot
    }

    /// The highest numbers used in the HRIDs of instances and holdings, and of items: the tenant's
    /// sequences have to continue after them.
    pub fn highest_hrid_numbers(&self) -> (u64, u64) {
        (
            HRID_OFFSET + self.instances(),
            HRID_OFFSET + self.size.items,
        )
    }

    /// Id of the `number`-th instance.
    pub fn instance_id(&self, number: u64) -> Uuid {
        document_id(self.seed, IdKind::Instance, number)
    }

    /// Id of the source record of the `number`-th instance.
    pub fn source_record_id(&self, number: u64) -> Uuid {
        document_id(self.seed, IdKind::SourceRecord, number)
    }

    /// Id of the snapshot that all source records belong to.
    pub fn snapshot_id(&self) -> Uuid {
        document_id(self.seed, IdKind::Snapshot, 1)
    }

    /// Id of the `number`-th holdings record, which belongs to the `number`-th instance.
    pub fn holdings_id(&self, number: u64) -> Uuid {
        document_id(self.seed, IdKind::Holdings, number)
    }

    /// Id of the `number`-th item.
    pub fn item_id(&self, number: u64) -> Uuid {
        document_id(self.seed, IdKind::Item, number)
    }

    /// Id of the `number`-th patron.
    pub fn patron_id(&self, number: u64) -> Uuid {
        document_id(self.seed, IdKind::Patron, number)
    }

    /// Id of the `number`-th loan.
    pub fn loan_id(&self, number: u64) -> Uuid {
        document_id(self.seed, IdKind::Loan, number)
    }

    /// Patron group of the `number`-th patron, by its last digit.
    pub fn patron_group_id(&self, number: u64) -> Uuid {
        match number % 10 {
            1 => patron_group::STAFF,
            2 => patron_group::FACULTY,
            3..=5 => patron_group::GRADUATE,
            _ => patron_group::UNDERGRADUATE,
        }
    }

    /// Number of the instance (and of the holdings record) that an item belongs to.
    pub fn instance_of_item(&self, item: u64) -> u64 {
        if self.one_item_each {
            return item;
        }
        let index = item.saturating_sub(1);
        index / ITEMS_PER_PAIR * 2 + 1 + u64::from(!index.is_multiple_of(ITEMS_PER_PAIR))
    }

    /// Number of the item that a loan is on. Loans are spread evenly over the items, and no two
    /// are on the same one.
    pub fn item_of_loan(&self, loan: u64) -> u64 {
        let index = u128::from(loan.saturating_sub(1));
        let loans = u128::from(self.size.open_loans.max(1));
        (index * u128::from(self.size.items) / loans) as u64 + 1
    }

    /// Number of the loan that an item is on, if it is on one.
    pub fn loan_of_item(&self, item: u64) -> Option<u64> {
        let loans = u128::from(self.size.open_loans);
        let index = u128::from(item.saturating_sub(1));
        let loan = (index * loans).div_ceil(u128::from(self.size.items.max(1))) as u64 + 1;
        (loan <= self.size.open_loans && self.item_of_loan(loan) == item).then_some(loan)
    }

    /// Number of the patron who has a loan: patrons take turns.
    pub fn patron_of_loan(&self, loan: u64) -> u64 {
        loan.saturating_sub(1) % self.size.patrons.max(1) + 1
    }
}
