//! The blocks of a check-out and their overrides. An overridden block does not refuse the loan; the
//! override itself may be refused for a missing permission, comment or due date. The plan lists the
//! lifted refusals.

use std::collections::HashSet;

use jiff::Timestamp;

use super::request::OverrideBlocks;
use crate::refusal::{OverridableBlock, Refusal};

/// Collects refusals in FOLIO's order, each once.
pub(super) struct Ledger<'a> {
    blocks: &'a OverrideBlocks,
    permissions: &'a HashSet<String>,
    loan_date: Timestamp,
    pub refusals: Vec<Refusal>,
    pub lifted: Vec<Refusal>,
    /// Whether an override was requested, even if it lifted nothing.
    pub overridden: bool,
}

impl<'a> Ledger<'a> {
    pub fn new(
        blocks: &'a OverrideBlocks,
        permissions: &'a HashSet<String>,
        loan_date: Timestamp,
    ) -> Self {
        Self {
            blocks,
            permissions,
            loan_date,
            refusals: Vec::new(),
            lifted: Vec::new(),
            overridden: false,
        }
    }

    pub fn refuse(&mut self, refusal: Refusal) {
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    /// Refuses, or lifts by an override. Overrides are checked even if they have nothing to lift.
    pub fn block(&mut self, block: OverridableBlock, found: Vec<Refusal>) {
        if !self.blocks.requests(block) {
            found.into_iter().for_each(|refusal| self.refuse(refusal));
            return;
        }
        match self.check_override(block) {
            Some(refusal) => self.refuse(refusal),
            None => {
                self.overridden = true;
                self.lifted.extend(found);
            }
        }
    }

    /// The permissions that the operator lacks to override a block.
    pub fn missing(&self, block: OverridableBlock) -> Vec<&'static str> {
        block.missing_permissions(self.permissions)
    }

    fn check_override(&self, block: OverridableBlock) -> Option<Refusal> {
        let missing_permissions = self.missing(block);
        if !missing_permissions.is_empty() {
            return Some(Refusal::InsufficientOverridePermissions {
                block,
                missing_permissions,
            });
        }
        if self.blocks.comment.is_none() {
            return Some(Refusal::OverrideCommentRequired);
        }
        // FOLIO checks the due date with the first override.
        let not_loanable = self.blocks.item_not_loanable_block.as_ref()?;
        let Some(due_date) = not_loanable.due_date else {
            return Some(Refusal::OverrideDueDateRequired);
        };
        let late_enough = due_date > self.loan_date;
        (!late_enough).then_some(Refusal::OverrideDueDateNotAfterLoanDate { due_date })
    }
}
