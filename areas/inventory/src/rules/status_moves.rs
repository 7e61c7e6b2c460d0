//! Which item may be marked as what: the statuses that staff give to items by hand, and those that
//! an item may have before. Everything else becomes of an item at the desk.

/// A status that staff give to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Being prepared for the shelf.
    InProcess,
    /// The same, and not to be requested meanwhile.
    InProcessNonRequestable,
    /// A description without a volume of its own.
    IntellectualItem,
    /// Not found for so long that nobody searches any more.
    LongMissing,
    /// Not found.
    Missing,
    /// Not for everybody.
    Restricted,
    /// Not to be had for now.
    Unavailable,
    /// Nobody knows.
    Unknown,
    /// Taken from the collection.
    Withdrawn,
}

impl Mark {
    /// All of them.
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

    /// The name of the status.
    #[must_use]
    pub fn status(self) -> &'static str {
        match self {
            Mark::InProcess => "In process",
            Mark::InProcessNonRequestable => "In process (non-requestable)",
            Mark::IntellectualItem => "Intellectual item",
            Mark::LongMissing => "Long missing",
            Mark::Missing => "Missing",
            Mark::Restricted => "Restricted",
            Mark::Unavailable => "Unavailable",
            Mark::Unknown => "Unknown",
            Mark::Withdrawn => "Withdrawn",
        }
    }

    /// Whether an item that has this status may be marked so.
    #[must_use]
    pub fn takes(self, status: &str) -> bool {
        if status == self.status() || !super::status::is_known(status) {
            return false;
        }
        match self {
            Mark::InProcess => true,
            // What is in process is finished or given up first.
            Mark::InProcessNonRequestable
            | Mark::IntellectualItem
            | Mark::LongMissing
            | Mark::Restricted
            | Mark::Unavailable
            | Mark::Unknown => status != Mark::InProcess.status(),
            Mark::Missing => IN_HOUSE.contains(&status) || status == Mark::Withdrawn.status(),
            Mark::Withdrawn => IN_HOUSE.contains(&status) || ONCE_LOST.contains(&status),
        }
    }
}

/// Statuses of items that no patron has or owes.
const IN_HOUSE: [&str; 12] = [
    "Available",
    "Awaiting delivery",
    "Awaiting pickup",
    "In process",
    "In process (non-requestable)",
    "In transit",
    "Intellectual item",
    "Long missing",
    "Paged",
    "Restricted",
    "Unavailable",
    "Unknown",
];

/// Statuses of items whose loss is settled or nobody's.
const ONCE_LOST: [&str; 2] = ["Lost and paid", "Missing"];

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
            let status = status.trim();
            let columns: Vec<&str> = columns.split_whitespace().collect();
            assert_eq!(columns.len(), Mark::ALL.len(), "{line}");
            for (mark, column) in Mark::ALL.iter().zip(columns) {
                assert_eq!(mark.takes(status), column == "+", "{status} to {mark:?}");
            }
            assert!(super::super::status::is_known(status), "{status}");
            seen.push(status);
        }
        seen.dedup();
        assert_eq!(seen.len(), 21);
    }

    #[test]
    fn what_is_no_status_becomes_nothing() {
        for mark in Mark::ALL {
            assert!(super::super::status::is_known(mark.status()));
            for status in ["", "available", "Lost in space"] {
                assert!(!mark.takes(status), "{status:?} to {mark:?}");
            }
        }
    }
}
