//! The record type of configurations. Mappings and queues are narrow tables of the migration `queues`.

use octavo_records::{Collection, Index};

/// The table of configurations.
pub const CONFIGURATIONS: &str = "remote_storage_configurations";

/// The storages, each with its way of working.
#[must_use]
pub fn configurations() -> Collection {
    Collection::new(
        CONFIGURATIONS,
        "configurations",
        include_str!("shapes/remote_storage_configuration.shape"),
    )
    .dropping_unknown()
    .located("/remote-storage/configurations/")
    .index(Index::unique("name").case_sensitive().keep_accents())
}
