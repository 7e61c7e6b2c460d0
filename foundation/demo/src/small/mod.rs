//! The small library of the demo tenant: well-known titles, their copies, patrons and loans.
//!
//! Titles and names come from the text files in `data/`; the seed decides the numbers of copies,
//! the loans and their dates, and which few items are missing or in transit.

mod catalogue;
mod circulation;
mod copies;
mod descriptions;
mod patrons;
mod shelf;

use jiff::Timestamp;

use crate::document::Document;
use crate::policies::Policies;

/// Keeps ids apart from those of a large sample made with the same seed in the same tenant.
const APART_FROM_SAMPLES: u64 = 0x6465_6D6F_0000_0000;

/// The demo library: about 350 titles, 1,200 items, 120 patrons and 60 open loans.
///
/// Documents come in an order that satisfies foreign keys, table by table: locations, users,
/// instances, their MARC source records after the one snapshot that these belong to, holdings,
/// items, loans. Loan and due dates lie around `now`, some overdue.
/// Barcodes are [`crate::item_barcode`] and [`crate::patron_barcode`] of 118400000001 and up;
/// hrids count from 1.
pub fn small_library(
    seed: u64,
    now: Timestamp,
    policies: Policies,
) -> impl Iterator<Item = Document> {
    let seed = seed ^ APART_FROM_SAMPLES;
    let titles = catalogue::titles();
    let patrons = patrons::patrons(seed, now);
    let stock = copies::stock(seed, now, &titles);
    let loans = circulation::lend(seed, now, &stock, &patrons);
    let cataloguer = patrons.first().map(|patron| patron.id);

    let mut documents: Vec<Document> = crate::locations(now).collect();
    documents.extend(patrons.iter().map(patrons::DemoPatron::document));
    let descriptions = descriptions::Descriptions {
        seed,
        now,
        titles: &titles,
        cataloguer,
    };
    documents.extend(descriptions.instances());
    documents.extend(descriptions.source_records());
    documents.extend(
        stock
            .holdings
            .iter()
            .map(|held| held.document(now, cataloguer)),
    );
    let states = circulation::states(seed, now, &stock, &loans);
    let items = stock.items.iter().zip(&states);
    documents.extend(items.map(|(copy, state)| copy.document(&stock, state, cataloguer)));
    documents.extend(
        loans
            .iter()
            .map(|loan| loan.document(&stock, &patrons, policies)),
    );
    documents.into_iter()
}
