//! Inventory's own named queries. Values are always bound; tables are named with their schema.

pub mod changed;
pub mod hierarchy;
pub mod hrid_settings;
pub mod instance_links;
pub mod instance_view;
pub mod inventory_view;
pub mod item_view;
pub mod items;
pub mod job_runs;
#[cfg(test)]
mod limits;
pub mod named;
pub mod oai_pmh;
pub mod reindex;
pub mod summary;
pub mod unnumbered;
pub mod view;
