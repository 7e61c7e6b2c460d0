//! Blocks that staff may override, each with its name on the wire and its permission.

use std::collections::HashSet;

/// A block that can be overridden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OverridableBlock {
    /// The patron is blocked, by staff or by a limit.
    Patron,
    /// The patron has reached an item limit.
    ItemLimit,
    /// The policy forbids loans.
    ItemNotLoanable,
    /// The loan cannot be renewed.
    Renewal,
    /// The loan cannot be renewed without a due date given by hand.
    RenewalDueDateRequired,
}

impl OverridableBlock {
    /// The name within `overrideBlocks` and `overridableBlock`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Patron => "patronBlock",
            Self::ItemLimit => "itemLimitBlock",
            Self::ItemNotLoanable => "itemNotLoanableBlock",
            Self::Renewal => "renewalBlock",
            Self::RenewalDueDateRequired => "renewalDueDateRequiredBlock",
        }
    }

    /// The permission an override needs.
    pub fn permission(self) -> &'static str {
        match self {
            Self::Patron => "circulation.override-patron-block.post",
            Self::ItemLimit => "circulation.override-item-limit-block.post",
            Self::ItemNotLoanable => "circulation.override-item-not-loanable-block.post",
            Self::Renewal | Self::RenewalDueDateRequired => {
                "circulation.override-renewal-block.post"
            }
        }
    }

    /// What someone with these permissions lacks to override.
    pub fn missing_permissions(self, held: &HashSet<String>) -> Vec<&'static str> {
        let permission = self.permission();
        if held.contains(permission) {
            Vec::new()
        } else {
            vec![permission]
        }
    }
}
