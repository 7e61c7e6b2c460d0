//! The record types of MARC source records. FOLIO keeps them in relational tables; here a record
//! is one document, with its raw and its parsed form inside.

use octavo_records::{Collection, Index};

/// Where it stands whether a record's thing is hidden from discovery.
pub const SUPPRESSED: &str = "additionalInfo.suppressDiscovery";

/// A record's place in the file it came from, as a number.
pub const ORDER: &str = "(jsonb->>'order')::bigint";

/// The runs that brought records in. `id` and `jobExecutionId` are the same.
#[must_use]
pub fn snapshots() -> Collection {
    Collection::new(
        "snapshot",
        "snapshots",
        include_str!("shapes/snapshot.shape"),
    )
    .plain_conflicts()
    .index(Index::plain("status").keep_accents())
}

/// The records. All generations of one record share `matchedId`.
#[must_use]
pub fn records() -> Collection {
    Collection::new(
        "source_record",
        "records",
        include_str!("shapes/source_record.shape"),
    )
    .plain_conflicts()
    // A run's records are listed as they came. The place is in the index that finds them, which costs a
    // load nothing where it gives none: all entries of a run are then alike, and packed.
    .reference_in_order("snapshotId", "snapshot", ORDER)
    .index(
        Index::unique("matchedId")
            .keep_accents()
            .with(&["generation"]),
    )
    .index(Index::plain("externalIdsHolder.instanceId").keep_accents())
    .index(Index::plain("externalIdsHolder.instanceHrid").keep_accents())
    .index(Index::plain("externalIdsHolder.holdingsId").keep_accents())
    .index(Index::plain("externalIdsHolder.holdingsHrid").keep_accents())
    .index(Index::plain("externalIdsHolder.authorityId").keep_accents())
    .index(Index::plain("externalIdsHolder.authorityHrid").keep_accents())
    .index(Index::plain("state").keep_accents())
    .index(Index::plain("recordType").keep_accents())
    .index(Index::plain("leaderRecordStatus").keep_accents())
    .index(
        Index::plain("metadata.updatedDate")
            .case_sensitive()
            .keep_accents(),
    )
    .index(suppressed())
}

/// The records whose things are hidden from discovery, in the order of their ids. They are few, and
/// all others pay for a look at the condition only.
#[must_use]
pub fn suppressed() -> Index {
    Index::plain(SUPPRESSED)
        .keep_accents()
        .few(&["true"])
        .with(&["id"])
        .when("lower(jsonb->'additionalInfo'->>'suppressDiscovery') COLLATE \"C\" = 'true'")
}

/// The jobs that make again what searches in MARC read.
#[must_use]
pub fn migration_jobs() -> Collection {
    Collection::new(
        "marc_migration_job",
        "migrationJobs",
        include_str!("shapes/migration_job.shape"),
    )
}
