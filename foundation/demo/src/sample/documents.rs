//! The documents of the large sample, each computed from its number alone.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::words::{self, Topic};
use super::{HRID_OFFSET, ITEMS_PER_PAIR, SampleLibrary};
use crate::clock::{days_earlier, days_later, end_of_day, utc};
use crate::document::Document;
use crate::identity::{IdKind, choice, document_id, pick};
use crate::record::{
    Address, Audit, CallNumber, Contributor, Holdings, Identifier, Instance, Item, Loan, Medium,
    Patron, Role, Snapshot, SourceRecord, Subject, SubjectKind,
};
use crate::reference::{call_number_type, loan_type, location, service_point};

const INSTANCE: u64 = 41;
const ITEM: u64 = 42;
const LOAN: u64 = 43;

/// Series of names, so that authors and patrons are not the same people.
const AUTHORS: u64 = 1;
const PATRONS: u64 = 2;

/// The newest title was catalogued at least so many days ago.
const NEWEST_TITLE_DAYS: u64 = 40;
/// The span of days before that in which titles were catalogued.
const CATALOGUING_DAYS: u64 = 3_000;

const LOAN_DAYS: i64 = 28;
/// Loans are up to this many days old, so that one in fifteen is overdue.
const OLDEST_LOAN_DAYS: u64 = 30;

/// Locations served by one service point, so that items are checked out and returned at the same
/// one.
const LOCATIONS: [Uuid; 4] = [
    location::MAIN_LIBRARY,
    location::SECOND_FLOOR,
    location::MAIN_LIBRARY,
    location::POPULAR_READING,
];

const NOTES: [&str; 4] = [
    "Rebound in library buckram; original covers kept at the back.",
    "Pencil marks in the margins of the first chapters, text complete.",
    "Spine label renewed after the last inventory of the open shelves.",
    "Loose map in the pocket inside the back cover, check when returned.",
];

/// What an instance, its holdings and its items have in common.
struct Work {
    topic: Topic,
    medium: Medium,
    call_number: String,
    location_id: Uuid,
    bits: u64,
    created: Timestamp,
}

impl SampleLibrary {
    /// The `number`-th patron.
    pub fn patron(&self, number: u64) -> Document {
        let (given_name, family_name) = words::person(self.seed, PATRONS, number);
        let username = format!("patron{number:09}");
        let created = days_earlier(self.now, 30 + number % 2_000);
        let patron = Patron {
            id: self.patron_id(number),
            username: &username,
            external_id: &format!("sample-{number:09}"),
            barcode: &crate::patron_barcode(number),
            active: true,
            group_id: self.patron_group_id(number),
            given_name,
            family_name,
            email: &format!("{username}@patrons.example.org"),
            phone: None,
            address: Some(Address {
                id: document_id(self.seed, IdKind::Address, number),
                line: &format!("Library Road {}", number % 900 + 1),
                city: "Sampleton",
                postal_code: &format!("{:05}", number % 100_000),
                country: "DK",
            }),
            enrolled: created,
            expires: end_of_day(days_later(self.now, 730 + (number % 365) as i64)),
            audit: self.audit(created),
        };
        patron.document()
    }

    /// The `number`-th instance.
    pub fn instance(&self, number: u64) -> Document {
        self.described(number, |instance| instance.document())
    }

    /// The snapshot that all source records belong to.
    pub fn snapshot(&self) -> Document {
        let snapshot = Snapshot {
            id: self.snapshot_id(),
            audit: self.audit(days_earlier(self.now, NEWEST_TITLE_DAYS + CATALOGUING_DAYS)),
        };
        snapshot.document()
    }

    /// The source record of the `number`-th instance: about 3,500 bytes.
    pub fn source_record(&self, number: u64) -> Document {
        self.described(number, |instance| {
            let record = SourceRecord {
                id: self.source_record_id(number),
                snapshot_id: self.snapshot_id(),
                instance,
            };
            record.document()
        })
    }

    fn described<T>(&self, number: u64, render: impl FnOnce(&Instance<'_>) -> T) -> T {
        let work = self.work(number);
        let (given_name, family_name) = words::person(self.seed, AUTHORS, number / 3);
        let name = format!("{family_name}, {given_name}");
        let role = if work.medium == Medium::Dvd {
            Role::FilmDirector
        } else {
            Role::Author
        };
        let (place, publisher) = words::publisher(work.bits >> 24);
        let newest = u64::from(utc(work.created).year().unsigned_abs());
        let year = newest.saturating_sub((work.bits >> 40) % 60);
        let instance = Instance {
            id: self.instance_id(number),
            number: HRID_OFFSET + number,
            medium: work.medium,
            title: &work.topic.title,
            contributors: &[Contributor { name: &name, role }],
            identifier: Some(Identifier::SystemControlNumber(&format!(
                "(sample){number:09}"
            ))),
            subjects: &[
                Subject {
                    kind: SubjectKind::Topic,
                    heading: &work.topic.subject,
                },
                Subject {
                    kind: SubjectKind::Place,
                    heading: work.topic.place,
                },
            ],
            dewey: work.topic.class,
            place,
            publisher,
            year: &format!("{year:04}"),
            language: "eng",
            cataloged: work.created,
            audit: self.audit(work.created),
        };
        render(&instance)
    }

    /// The `number`-th holdings record, that of the `number`-th instance.
    pub fn holdings(&self, number: u64) -> Document {
        let work = self.work(number);
        let holdings = Holdings {
            id: self.holdings_id(number),
            number: HRID_OFFSET + number,
            instance_id: self.instance_id(number),
            medium: work.medium,
            location_id: work.location_id,
            call_number: work.call_number(),
            statement: None,
            audit: self.audit(work.created),
        };
        holdings.document()
    }

    /// The `number`-th item: about 1,000 bytes as PostgreSQL prints its JSON.
    pub fn item(&self, number: u64) -> Document {
        let instance = self.instance_of_item(number);
        let work = self.work(instance);
        let bits = choice(self.seed, ITEM, number);
        let copy = match self.one_item_each {
            true => 1,
            false => (number.saturating_sub(1) % ITEMS_PER_PAIR).max(1),
        };
        let loan_date = self.loan_of_item(number).map(|loan| self.loan_date(loan));
        let status = if loan_date.is_some() {
            "Checked out"
        } else {
            "Available"
        };
        let item = Item {
            id: self.item_id(number),
            number: HRID_OFFSET + number,
            holdings_id: self.holdings_id(instance),
            barcode: &crate::item_barcode(number),
            call_number: work.call_number(),
            chronology: None,
            copy_number: Some(if copy == 1 { "1" } else { "2" }),
            pieces: None,
            material_type_id: work.medium.material_type(),
            loan_type_id: loan_type::CAN_CIRCULATE,
            location_id: work.location_id,
            status,
            status_date: loan_date.unwrap_or(work.created),
            in_transit_to: None,
            damaged_status_id: None,
            note: bits.is_multiple_of(8).then(|| pick(&NOTES, bits >> 8)),
            check_in_note: None,
            statistical_code_ids: &[],
            last_check_in: None,
            audit: Audit {
                updated: loan_date.unwrap_or(work.created),
                ..self.audit(work.created)
            },
        };
        item.document()
    }

    /// The `number`-th open loan.
    pub fn loan(&self, number: u64) -> Document {
        let item = self.item_of_loan(number);
        let patron = self.patron_of_loan(number);
        let loan_date = self.loan_date(number);
        let loan = Loan {
            id: self.loan_id(number),
            item_id: self.item_id(item),
            location_id: self.work(self.instance_of_item(item)).location_id,
            patron_id: self.patron_id(patron),
            patron_group_id: self.patron_group_id(patron),
            service_point_id: service_point::CIRC_DESK_1,
            loan_date,
            due_date: end_of_day(days_later(loan_date, LOAN_DAYS)),
            renewals: 0,
            policies: self.policies,
            audit: Audit::once(loan_date),
        };
        loan.document()
    }

    fn work(&self, instance: u64) -> Work {
        let bits = choice(self.seed, INSTANCE, instance);
        let topic = words::topic(self.seed, instance);
        let (_, family_name) = words::person(self.seed, AUTHORS, instance / 3);
        let letters: String = family_name
            .chars()
            .take(3)
            .flat_map(char::to_uppercase)
            .collect();
        let point = if topic.class.contains('.') { "" } else { "." };
        Work {
            medium: if bits.is_multiple_of(20) {
                Medium::Dvd
            } else {
                Medium::Book
            },
            call_number: format!("{}{point}{} {letters}", topic.class, 10 + (bits >> 8) % 90),
            topic,
            location_id: pick(&LOCATIONS, bits >> 16),
            bits,
            created: days_earlier(
                self.now,
                NEWEST_TITLE_DAYS + (bits >> 32) % CATALOGUING_DAYS,
            ),
        }
    }

    /// When a loan was made: some minutes and up to [`OLDEST_LOAN_DAYS`] ago.
    fn loan_date(&self, loan: u64) -> Timestamp {
        let bits = choice(self.seed, LOAN, loan);
        let minutes = 1 + (bits >> 32) % (24 * 60 - 1);
        let day = days_earlier(self.now, bits % OLDEST_LOAN_DAYS);
        day.checked_sub(SignedDuration::from_mins(minutes as i64))
            .unwrap_or(day)
    }

    /// The metadata of a record: created by the first patron, who is staff.
    fn audit(&self, created: Timestamp) -> Audit {
        let by = (self.size.patrons > 0).then(|| self.patron_id(1));
        Audit {
            created,
            updated: created,
            by,
        }
    }
}

impl Work {
    fn call_number(&self) -> CallNumber<'_> {
        CallNumber {
            prefix: None,
            number: &self.call_number,
            type_id: call_number_type::DEWEY,
        }
    }
}
