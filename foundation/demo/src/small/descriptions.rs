//! The instance of each title and its MARC source record.

use jiff::Timestamp;
use uuid::Uuid;

use super::catalogue::Title;
use crate::clock::days_earlier;
use crate::document::Document;
use crate::identity::{IdKind, choice, document_id};
use crate::record::{Audit, Instance, Snapshot, SourceRecord};

const CATALOGED: u64 = 2;

/// The newest title was catalogued so many days ago; the span before that follows.
const NEWEST_DAYS: u64 = 61;
const CATALOGUING_DAYS: u64 = 1_800;

/// The titles, as described by one cataloguer.
pub(super) struct Descriptions<'a> {
    pub seed: u64,
    pub now: Timestamp,
    pub titles: &'a [Title],
    pub cataloguer: Option<Uuid>,
}

impl Descriptions<'_> {
    /// Instances, numbered in the order of the titles.
    pub(super) fn instances(&self) -> impl Iterator<Item = Document> {
        self.all().map(|instance| instance.document())
    }

    /// The snapshot, then the source records in the order of the titles.
    pub(super) fn source_records(&self) -> impl Iterator<Item = Document> {
        let snapshot = Snapshot {
            id: document_id(self.seed, IdKind::Snapshot, 1),
            audit: Audit {
                by: self.cataloguer,
                ..Audit::once(days_earlier(self.now, NEWEST_DAYS + CATALOGUING_DAYS))
            },
        };
        let records = self.all().map(move |instance| {
            let record = SourceRecord {
                id: document_id(self.seed, IdKind::SourceRecord, instance.number),
                snapshot_id: snapshot.id,
                instance: &instance,
            };
            record.document()
        });
        std::iter::once(snapshot.document()).chain(records)
    }

    fn all(&self) -> impl Iterator<Item = Instance<'_>> {
        (1..)
            .zip(self.titles)
            .map(|(number, title)| self.instance(number, title))
    }

    fn instance<'a>(&self, number: u64, title: &'a Title) -> Instance<'a> {
        let cataloged = cataloged(self.seed, self.now, number);
        Instance {
            id: document_id(self.seed, IdKind::Instance, number),
            number,
            medium: title.shelf.medium(),
            title: title.title,
            contributors: &title.contributors,
            identifier: title.identifier,
            subjects: &title.subjects,
            dewey: title.dewey,
            place: title.place,
            publisher: title.publisher,
            year: title.year,
            language: title.language,
            cataloged,
            audit: Audit {
                by: self.cataloguer,
                ..Audit::once(cataloged)
            },
        }
    }
}

/// When a title was catalogued: within the last five years, never later than two months ago.
pub(super) fn cataloged(seed: u64, now: Timestamp, title_number: u64) -> Timestamp {
    days_earlier(
        now,
        NEWEST_DAYS + choice(seed, CATALOGED, title_number) % CATALOGUING_DAYS,
    )
}
