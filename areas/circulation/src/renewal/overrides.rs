//! Collects the refusals of a renewal in FOLIO's order, without duplicates.

use std::collections::HashSet;

use crate::loan_policy::LoanPolicy;
use crate::refusal::{
    OverridableBlock, PolicyObstacle, PolicyReference, Refusal, RenewalReason, RenewalRefusal,
};

/// Gathers refusals.
pub(super) struct Ledger<'a> {
    permissions: &'a HashSet<String>,
    pub refusals: Vec<Refusal>,
}

impl<'a> Ledger<'a> {
    pub fn new(permissions: &'a HashSet<String>) -> Self {
        Self {
            permissions,
            refusals: Vec::new(),
        }
    }

    pub fn refuse(&mut self, refusal: impl Into<Refusal>) {
        let refusal = refusal.into();
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    /// Refuses for a reason that staff may override.
    pub fn block(&mut self, block: OverridableBlock, reason: RenewalReason) {
        let missing = self.missing(block);
        self.refuse(RenewalRefusal {
            reason,
            block: Some((block, missing)),
        });
    }

    /// Refuses an override that the operator may not make.
    pub fn permit(&mut self, block: OverridableBlock) {
        let missing_permissions = self.missing(block);
        if !missing_permissions.is_empty() {
            self.refuse(Refusal::InsufficientOverridePermissions {
                block,
                missing_permissions,
            });
        }
    }

    pub fn missing(&self, block: OverridableBlock) -> Vec<&'static str> {
        block.missing_permissions(self.permissions)
    }
}

/// A refusal in the name of a policy.
pub(super) fn by_policy(policy: &LoanPolicy, obstacle: PolicyObstacle) -> RenewalReason {
    RenewalReason::Policy {
        obstacle,
        policy: PolicyReference {
            id: policy.id,
            name: policy.name.clone(),
        },
    }
}
