//! MARC documents of instances, and settings.

use octavo_records::{Collection, Index};

/// Both, after the instances that documents belong to.
#[must_use]
pub fn all() -> Vec<Collection> {
    vec![instance_source_marc(), inventory_setting()]
}

/// Its id is that of the instance, and it is deleted with the instance: a migration adds the foreign
/// key, since a declared one would need a column of its own.
fn instance_source_marc() -> Collection {
    Collection::new(
        "instance_source_marc",
        "instanceSourceMarcs",
        include_str!("../shapes/instance_source_marc.shape"),
    )
    .upsert()
}

fn inventory_setting() -> Collection {
    Collection::new(
        "inventory_setting",
        "settings",
        include_str!("../shapes/inventory_setting.shape"),
    )
    .index(Index::unique("key").keep_accents())
}
