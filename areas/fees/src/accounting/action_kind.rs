//! The kinds of actions on accounts, and their FOLIO names in actions and accounts.

/// A kind of action that changes an account's balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// The patron pays.
    Pay,
    /// The debt is waived.
    Waive,
    /// The debt is transferred to another account.
    Transfer,
    /// A credit, which precedes a refund.
    Credit,
    /// A payment or transfer is refunded.
    Refund,
}

/// The status of an account that was cancelled by mistake of the charge.
pub const CANCELLED_AS_ERROR: &str = "Cancelled as error";
/// The name of an action that is only a note for staff.
pub const STAFF_INFORMATION: &str = "Staff info only";

impl ActionKind {
    /// The names of a partial and of a full action.
    #[must_use]
    pub const fn names(self) -> [&'static str; 2] {
        match self {
            ActionKind::Pay => ["Paid partially", "Paid fully"],
            ActionKind::Waive => ["Waived partially", "Waived fully"],
            ActionKind::Transfer => ["Transferred partially", "Transferred fully"],
            ActionKind::Credit => ["Credited partially", "Credited fully"],
            ActionKind::Refund => ["Refunded partially", "Refunded fully"],
        }
    }

    /// The name of a full or partial action.
    #[must_use]
    pub const fn name(self, fully: bool) -> &'static str {
        let [partially, in_full] = self.names();
        if fully { in_full } else { partially }
    }

    /// Whether an action with this name is of this kind.
    #[must_use]
    pub fn is(self, name: &str) -> bool {
        self.names().contains(&name)
    }
}
