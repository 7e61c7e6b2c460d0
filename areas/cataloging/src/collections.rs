//! The record types of cataloging: a tenant's mapping rules, and those of jobs.

use octavo_records::{Collection, Index};

/// The mapping rules that a tenant has changed, one record for each kind of MARC record. A kind without
/// a record is mapped by the rules of the release.
#[must_use]
pub fn mapping_rules() -> Collection {
    Collection::new(
        "mapping_rules",
        "mappingRules",
        include_str!("shapes/mapping_rules.shape"),
    )
    .index(Index::unique("recordType").keep_accents())
}

/// The rules and reference lists of jobs; the id is the job's.
#[must_use]
pub fn mapping_snapshots() -> Collection {
    Collection::new(
        "mapping_snapshot",
        "mappingSnapshots",
        include_str!("shapes/mapping_snapshot.shape"),
    )
}
