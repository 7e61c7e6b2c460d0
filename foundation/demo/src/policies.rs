//! The policies that a loan refers to.

use uuid::{Uuid, uuid};

/// The policies written into every loan; by default those of FOLIO's reference data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policies {
    /// Decides due dates and renewals.
    pub loan_policy_id: Uuid,
    /// Decides fines for late returns.
    pub overdue_fine_policy_id: Uuid,
    /// Decides what a lost item costs.
    pub lost_item_policy_id: Uuid,
}

impl Default for Policies {
    fn default() -> Self {
        Self {
            loan_policy_id: uuid!("d9cd0bed-1b49-4b5e-a7bd-064b8d177231"),
            overdue_fine_policy_id: uuid!("cd3f6cac-fa17-4079-9fae-2fb28e521412"),
            lost_item_policy_id: uuid!("ed892c0e-52e0-4cd9-8133-c0ef07b4a709"),
        }
    }
}
