//! Inventory's own named queries. Values are always bound; tables are named with their schema.

pub mod bound_with;
pub mod changed;
pub mod cross_module_updates;
pub mod dereferenced;
pub mod hierarchy;
pub mod hrid_settings;
pub mod instance_links;
pub mod instance_view;
pub mod inventory_view;
pub mod item_view;
pub mod items;
#[cfg(test)]
mod limits;
pub mod named;
pub mod oai_pmh;
pub mod places;
pub mod references;
pub mod reindex;
pub mod settings;
pub mod summary;
pub mod unnumbered;
pub mod view;
