//! The record types of MARC source records. FOLIO uses relational tables; here a record is one document
//! with its raw and parsed form.

use octavo_records::{Collection, Index};

/// The property of suppression from discovery.
pub const SUPPRESSED: &str = "additionalInfo.suppressDiscovery";

/// A record's position in its file, as a number.
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
    // A run's records are listed in the order of the file, so the position is in the index that finds
    // them. Loads without positions pay nothing: all entries of a run are then equal and deduplicated.
    .reference_in_order("snapshotId", "snapshot", ORDER)
    .index(
        Index::unique("matchedId")
            .keep_accents()
            .with(&["generation"]),
    )
    .index(Index::plain("externalIdsHolder.instanceId").keep_accents())
    .index(Index::plain("externalIdsHolder.instanceHrid").keep_accents())
    // Most records are of instances and have none of these.
    .index(
        Index::plain("externalIdsHolder.holdingsId")
            .keep_accents()
            .present(),
    )
    .index(
        Index::plain("externalIdsHolder.holdingsHrid")
            .keep_accents()
            .present(),
    )
    .index(
        Index::plain("externalIdsHolder.authorityId")
            .keep_accents()
            .present(),
    )
    .index(
        Index::plain("externalIdsHolder.authorityHrid")
            .keep_accents()
            .present(),
    )
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

/// Suppressed records by id. Partial: they are few, and other records only pay for evaluating the
/// condition.
#[must_use]
pub fn suppressed() -> Index {
    Index::plain(SUPPRESSED)
        .keep_accents()
        .few(&["true"])
        .with(&["id"])
        .when("lower(jsonb->'additionalInfo'->>'suppressDiscovery') COLLATE \"C\" = 'true'")
}

/// The jobs that rebuild search terms.
#[must_use]
pub fn migration_jobs() -> Collection {
    Collection::new(
        "marc_migration_job",
        "migrationJobs",
        include_str!("shapes/migration_job.shape"),
    )
}
