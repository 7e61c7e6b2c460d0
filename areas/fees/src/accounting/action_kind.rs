//! What can be done to accounts, and the names that FOLIO gives to it in actions and accounts.

/// One way in which an account's balance changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deed {
    /// The patron pays.
    Pay,
    /// The patron is let off.
    Waive,
    /// The debt goes to another account.
    Transfer,
    /// A refund is announced.
    Credit,
    /// What was paid or transferred is given back.
    Refund,
}

/// The name of an account's end that was no payment.
pub const CANCELLED_AS_ERROR: &str = "Cancelled as error";
/// The name of an action that only tells staff something.
pub const STAFF_INFORMATION: &str = "Staff info only";

impl Deed {
    /// The name when something is left, and when nothing is.
    #[must_use]
    pub const fn names(self) -> [&'static str; 2] {
        match self {
            Deed::Pay => ["Paid partially", "Paid fully"],
            Deed::Waive => ["Waived partially", "Waived fully"],
            Deed::Transfer => ["Transferred partially", "Transferred fully"],
            Deed::Credit => ["Credited partially", "Credited fully"],
            Deed::Refund => ["Refunded partially", "Refunded fully"],
        }
    }

    /// The name for something that is done in full or not.
    #[must_use]
    pub const fn name(self, fully: bool) -> &'static str {
        let [partially, in_full] = self.names();
        if fully { in_full } else { partially }
    }

    /// Whether an action of this name is one of these.
    #[must_use]
    pub fn is(self, name: &str) -> bool {
        self.names().contains(&name)
    }
}
