//! The rules of this area that are more than a shape. Knows no HTTP and no database.

pub mod block_rules;
