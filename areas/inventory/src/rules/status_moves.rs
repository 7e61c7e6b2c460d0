//! Item statuses that staff set by hand, and the statuses from which they may be set. All other statuses
//! are set by circulation.

use octavo_library::ItemStatus;

/// A status set by staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Being prepared for the shelf.
    InProcess,
    /// The same, not requestable.
    InProcessNonRequestable,
    /// A description without a volume of its own.
    IntellectualItem,
    /// Missing for long.
    LongMissing,
    /// Not found.
    Missing,
    /// Not for everybody.
    Restricted,
    /// Temporarily unavailable.
    Unavailable,
    /// Unknown.
    Unknown,
    /// Taken from the collection.
    Withdrawn,
}

impl Mark {
    pub const ALL: [Mark; 9] = [
        Mark::InProcess,
        Mark::InProcessNonRequestable,
        Mark::IntellectualItem,
        Mark::LongMissing,
        Mark::Missing,
        Mark::Restricted,
        Mark::Unavailable,
        Mark::Unknown,
        Mark::Withdrawn,
    ];

    #[must_use]
    pub fn status(self) -> ItemStatus {
        match self {
            Mark::InProcess => ItemStatus::InProcess,
            Mark::InProcessNonRequestable => ItemStatus::InProcessNonRequestable,
            Mark::IntellectualItem => ItemStatus::IntellectualItem,
            Mark::LongMissing => ItemStatus::LongMissing,
            Mark::Missing => ItemStatus::Missing,
            Mark::Restricted => ItemStatus::Restricted,
            Mark::Unavailable => ItemStatus::Unavailable,
            Mark::Unknown => ItemStatus::Unknown,
            Mark::Withdrawn => ItemStatus::Withdrawn,
        }
    }

    /// Whether an item with this status may be marked so.
    #[must_use]
    pub fn takes(self, status: ItemStatus) -> bool {
        if status == self.status() {
            return false;
        }
        match self {
            Mark::InProcess => true,
            // An item in process must be finished or given up first.
            Mark::InProcessNonRequestable
            | Mark::IntellectualItem
            | Mark::LongMissing
            | Mark::Restricted
            | Mark::Unavailable
            | Mark::Unknown => status != ItemStatus::InProcess,
            Mark::Missing => is_in_house(status) || status == ItemStatus::Withdrawn,
            Mark::Withdrawn => {
                // A settled loss, or one without a borrower.
                let once_lost = matches!(status, ItemStatus::LostAndPaid | ItemStatus::Missing);
                is_in_house(status) || once_lost
            }
        }
    }
}

/// Whether no patron has or owes an item of this status.
fn is_in_house(status: ItemStatus) -> bool {
    match status {
        ItemStatus::Available
        | ItemStatus::AwaitingDelivery
        | ItemStatus::AwaitingPickup
        | ItemStatus::InProcess
        | ItemStatus::InProcessNonRequestable
        | ItemStatus::InTransit
        | ItemStatus::IntellectualItem
        | ItemStatus::LongMissing
        | ItemStatus::Paged
        | ItemStatus::Restricted
        | ItemStatus::Unavailable
        | ItemStatus::Unknown => true,
        ItemStatus::AgedToLost
        | ItemStatus::CheckedOut
        | ItemStatus::ClaimedReturned
        | ItemStatus::DeclaredLost
        | ItemStatus::LostAndPaid
        | ItemStatus::Missing
        | ItemStatus::OnOrder
        | ItemStatus::OrderClosed
        | ItemStatus::Withdrawn => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line for each status an item may have, a column for each mark, in the order of
    /// [`Mark::ALL`]: `+` where it is allowed.
    const TABLE: &str = "
        Aged to lost                 + + + + - + + + -
        Available                    + + + + + + + + +
        Awaiting delivery            + + + + + + + + +
        Awaiting pickup              + + + + + + + + +
        Checked out                  + + + + - + + + -
        Claimed returned             + + + + - + + + -
        Declared lost                + + + + - + + + -
        In process                   - - - - + - - - +
        In process (non-requestable) + - + + + + + + +
        In transit                   + + + + + + + + +
        Intellectual item            + + - + + + + + +
        Long missing                 + + + - + + + + +
        Lost and paid                + + + + - + + + +
        Missing                      + + + + - + + + +
        On order                     + + + + - + + + -
        Order closed                 + + + + - + + + -
        Paged                        + + + + + + + + +
        Restricted                   + + + + + - + + +
        Unavailable                  + + + + + + - + +
        Unknown                      + + + + + + + - +
        Withdrawn                    + + + + + + + + -
    ";

    #[test]
    fn every_status_may_become_what_the_table_says() {
        let mut seen = Vec::new();
        for line in TABLE.lines().map(str::trim).filter(|it| !it.is_empty()) {
            let (status, columns) = line.split_at(29);
            let status = ItemStatus::named(status.trim()).expect(line);
            let columns: Vec<&str> = columns.split_whitespace().collect();
            assert_eq!(columns.len(), Mark::ALL.len(), "{line}");
            for (mark, column) in Mark::ALL.iter().zip(columns) {
                assert_eq!(mark.takes(status), column == "+", "{status} to {mark:?}");
            }
            seen.push(status);
        }
        seen.dedup();
        assert_eq!(seen.len(), 21);
    }
}
