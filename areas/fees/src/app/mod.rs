//! The rules of this area that are more than a shape, and the making of charges. Knows no HTTP and no
//! SQL.

pub mod block_rules;
pub mod charge;
