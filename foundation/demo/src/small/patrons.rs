//! The demo library's patrons. Their names are invented and come from many languages.

use jiff::Timestamp;
use uuid::Uuid;

use super::copies::barcode_serial;
use crate::clock::{days_earlier, days_later, end_of_day};
use crate::document::Document;
use crate::identity::{IdKind, choice, document_id, pick};
use crate::record::{Address, Audit, Patron};
use crate::reference::patron_group;

const NAMES: &str = include_str!("../../data/patrons.txt");

const EXPIRY: u64 = 11;
const ENROLMENT: u64 = 12;
const HOME: u64 = 13;

/// The groups of every eight patrons, in turn. The first patron is staff: the cataloguer.
const GROUPS: [Uuid; 8] = [
    patron_group::STAFF,
    patron_group::UNDERGRADUATE,
    patron_group::GRADUATE,
    patron_group::UNDERGRADUATE,
    patron_group::FACULTY,
    patron_group::UNDERGRADUATE,
    patron_group::GRADUATE,
    patron_group::UNDERGRADUATE,
];

/// Street, city, postal code, country.
const HOMES: [(&str, &str, &str, &str); 6] = [
    ("Birkevej", "København", "2100", "DK"),
    ("Harbour Street", "Galway", "H91 AB12", "IE"),
    ("Lindenallee", "Leipzig", "04103", "DE"),
    ("Rue des Tilleuls", "Lyon", "69003", "FR"),
    ("Calle del Olmo", "Sevilla", "41003", "ES"),
    ("Maple Avenue", "Ithaca", "14850", "US"),
];

/// A patron: what loans need of it, and the rest of the record.
pub(super) struct DemoPatron {
    pub id: Uuid,
    pub group_id: Uuid,
    pub active: bool,
    seed: u64,
    number: u64,
    given_name: &'static str,
    family_name: &'static str,
    username: &'static str,
    enrolled: Timestamp,
    expires: Timestamp,
}

/// All patrons, in the order of the data file.
pub(super) fn patrons(seed: u64, now: Timestamp) -> Vec<DemoPatron> {
    let lines = NAMES.lines().filter(|line| !line.starts_with('#'));
    let named = lines.filter_map(|line| {
        let mut columns = line.split('|').map(str::trim);
        Some((columns.next()?, columns.next()?, columns.next()?))
    });
    (1..)
        .zip(named)
        .map(|(number, names)| patron(seed, now, number, names))
        .collect()
}

fn patron(
    seed: u64,
    now: Timestamp,
    number: u64,
    (given_name, family_name, username): (&'static str, &'static str, &'static str),
) -> DemoPatron {
    let days = choice(seed, EXPIRY, number);
    // A handful have an expired card, and a few were deactivated by hand.
    let expired = number % 20 == 7;
    let switched_off = number % 40 == 14;
    let expires = if expired {
        days_earlier(now, 1 + days % 200)
    } else {
        days_later(now, 90 + (days % 900) as i64)
    };
    DemoPatron {
        id: document_id(seed, IdKind::Patron, number),
        group_id: pick(&GROUPS, number - 1),
        active: !(expired || switched_off),
        seed,
        number,
        given_name,
        family_name,
        username,
        enrolled: days_earlier(now, 220 + choice(seed, ENROLMENT, number) % 1_500),
        expires: end_of_day(expires),
    }
}

impl DemoPatron {
    pub(super) fn document(&self) -> Document {
        let domain = match self.group_id {
            patron_group::STAFF => "library",
            patron_group::FACULTY => "faculty",
            _ => "students",
        };
        let home = choice(self.seed, HOME, self.number);
        let (street, city, postal_code, country) = pick(&HOMES, home);
        let line = format!("{street} {}", 1 + home / 8 % 140);
        let phone = format!("555-01{:02}", self.number % 100);
        let address = Address {
            id: document_id(self.seed, IdKind::Address, self.number),
            line: &line,
            city,
            postal_code,
            country,
        };
        let patron = Patron {
            id: self.id,
            username: self.username,
            external_id: &format!("demo-{:04}", self.number),
            barcode: &crate::patron_barcode(barcode_serial(self.number)),
            active: self.active,
            group_id: self.group_id,
            given_name: self.given_name,
            family_name: self.family_name,
            email: &format!("{}@{domain}.example.org", self.username),
            phone: home.is_multiple_of(3).then_some(&phone),
            address: home.is_multiple_of(4).then_some(address),
            enrolled: self.enrolled,
            expires: self.expires,
            audit: Audit::once(self.enrolled),
        };
        patron.document()
    }
}
