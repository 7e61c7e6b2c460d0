//! The size of a sample library, and which sizes are refused.

/// Digits in barcodes, usernames and hrids allow this many records of a type.
const MOST_RECORDS: u64 = 500_000_000;

/// Numbers of records to make; instances and holdings follow from the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSize {
    /// Items, at most 500 million.
    pub items: u64,
    /// Patrons, at most 500 million.
    pub patrons: u64,
    /// Open loans, at most as many as there are items.
    pub open_loans: u64,
}

/// Why a size is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// Barcodes and HRIDs would run out of digits.
    #[error("{asked} {records} asked for, {MOST_RECORDS} are possible")]
    TooMany {
        /// The record type: "items" or "patrons".
        records: &'static str,
        /// The number requested.
        asked: u64,
    },
    /// An item can have only one open loan.
    #[error("{open_loans} open loans asked for, but only {items} items to lend")]
    MoreLoansThanItems { open_loans: u64, items: u64 },
    /// Loans need at least one patron.
    #[error("open loans asked for, but no patrons")]
    LoansWithoutPatrons,
}

impl SampleSize {
    pub(super) fn check(self) -> Result<(), SampleError> {
        for (records, asked) in [("items", self.items), ("patrons", self.patrons)] {
            if asked > MOST_RECORDS {
                return Err(SampleError::TooMany { records, asked });
            }
        }
        if self.open_loans > self.items {
            let Self {
                open_loans, items, ..
            } = self;
            return Err(SampleError::MoreLoansThanItems { open_loans, items });
        }
        if self.open_loans > 0 && self.patrons == 0 {
            return Err(SampleError::LoansWithoutPatrons);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_do_not_fit_together_are_refused() {
        let size = |items, patrons, open_loans| SampleSize {
            items,
            patrons,
            open_loans,
        };
        assert_eq!(size(0, 0, 0).check(), Ok(()));
        assert_eq!(size(10, 1, 10).check(), Ok(()));
        assert_eq!(
            size(10, 0, 1).check(),
            Err(SampleError::LoansWithoutPatrons)
        );
        let error = size(10, 1, 11).check().unwrap_err();
        assert_eq!(
            error.to_string(),
            "11 open loans asked for, but only 10 items to lend"
        );
        assert!(size(u64::MAX, 1, 1).check().is_err());
        assert!(size(1, u64::MAX, 1).check().is_err());
    }
}
