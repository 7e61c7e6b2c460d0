//! The blocks of a check-out and their overrides. A block that staff override is not looked at to
//! refuse the loan; the override itself may be refused for want of a permission, a comment or a
//! due date. What it lifted is told in the plan.

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
    /// Whether an override took part, though it may have had nothing to lift.
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

    /// What the operator lacks to override a block, for refusals that tell it.
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
        // The due date is checked with whichever override comes first.
        let not_loanable = self.blocks.item_not_loanable_block.as_ref()?;
        let Some(due_date) = not_loanable.due_date else {
            return Some(Refusal::OverrideDueDateRequired);
        };
        let late_enough = due_date > self.loan_date;
        (!late_enough).then_some(Refusal::OverrideDueDateNotAfterLoanDate { due_date })
    }
}
