//! The record types of inventory, each with its table, indexes and references as FOLIO declares
//! them. Nothing here reads or writes a record.

pub mod gaps;
pub mod instance;
pub mod item;
pub mod jobs;
pub mod lists;
pub mod location;
mod wire;

use octavo_records::Collection;

/// Every record type of inventory, each after those it refers to.
#[must_use]
pub fn all() -> Vec<Collection> {
    let mut collections = lists::all();
    collections.extend(location::all());
    collections.extend(instance::all());
    collections.extend(item::all());
    collections.extend(gaps::all());
    collections.extend(jobs::all());
    collections.into_iter().map(wire::on_the_wire).collect()
}
