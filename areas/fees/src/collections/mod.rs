//! The record types of fees, fines and patron blocks. Tables, indexes and shapes only: no routes
//! and no decisions.

mod accounts;
mod blocks;
mod policies;
mod settings;

pub use accounts::{accounts, actions};
pub use blocks::{
    block_conditions, block_limits, block_templates, manual_blocks, synchronization_jobs,
};
pub use policies::{lost_item_fee_policies, overdue_fine_policies};
pub use settings::{
    comments, fee_fine_types, owners, payments, refunds, transfer_criteria, transfers, waives,
};
