//! Patron blocks: manual ones, and the limits of automated ones.

use octavo_records::{Collection, Index};

use super::settings::handwritten_list;

/// The manual blocks of patrons.
#[must_use]
pub fn manual_blocks() -> Collection {
    handwritten_list(
        Collection::new(
            "manualblocks",
            "manualblocks",
            include_str!("../shapes/manualblocks.shape"),
        ),
        "ManualblockObject does not exist",
    )
    .index(Index::plain("userId").keep_accents())
}

/// Templates of manual blocks.
#[must_use]
pub fn block_templates() -> Collection {
    Collection::new(
        "manual_block_templates",
        "manualBlockTemplates",
        include_str!("../shapes/manual_block_templates.shape"),
    )
}

/// The conditions of automated blocks. They are fixed: none is added or deleted.
#[must_use]
pub fn block_conditions() -> Collection {
    Collection::new(
        "patron_block_conditions",
        "patronBlockConditions",
        include_str!("../shapes/patron_block_conditions.shape"),
    )
    .keeping_unknown()
    .listed_conflicts()
}

/// The limits of patron groups.
#[must_use]
pub fn block_limits() -> Collection {
    Collection::new(
        "patron_block_limits",
        "patronBlockLimits",
        include_str!("../shapes/patron_block_limits.shape"),
    )
    .keeping_unknown()
    .listed_conflicts()
    .reference("conditionId", "patron_block_conditions")
    .index(Index::plain("patronGroupId").keep_accents())
}

/// The synchronization jobs.
#[must_use]
pub fn synchronization_jobs() -> Collection {
    Collection::new(
        "synchronization_jobs",
        "synchronizationJobs",
        include_str!("../shapes/synchronization_job.shape"),
    )
    .index(Index::plain("status"))
}
