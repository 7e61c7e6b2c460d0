//! Inventory's own named queries. Values are always bound; tables are named with their schema.

pub mod bound_with;
pub mod dereferenced;
pub mod hrid_settings;
pub mod instance_links;
pub mod instance_view;
pub mod item_view;
pub mod items;
pub mod neighbours;
pub mod order;
pub mod places;
pub mod references;
pub mod settings;
pub mod view;
