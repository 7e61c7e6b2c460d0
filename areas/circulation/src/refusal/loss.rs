//! Refusals of operations on lost and claimed returned items.

use octavo_library::{ItemId, LoanId, LocationId};
use serde_json::Value;

/// Why such an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LossRefusal {
    /// The loan has ended.
    LoanClosed { loan_id: LoanId },
    /// The declaration names no service point.
    DeclaredLostWithoutServicePoint {
        /// What it names instead.
        value: Option<String>,
    },
    /// The declaration's date is invalid.
    DeclaredLostDateNotUnderstood {
        /// What was given.
        value: String,
    },
    /// The item is declared lost already.
    AlreadyDeclaredLost { item_id: ItemId },
    /// There is no fee owner: no owner serves the item's permanent location.
    NoFeeFineOwner { location_id: Option<LocationId> },
    /// An automatic fee type that is to be charged has no record.
    NoFeeType { name: &'static str },
    /// A lost item was returned that was never lent.
    NoLoanOfLostItem { item_id: ItemId },
    /// A lost item was returned whose last loan was not lost.
    LastLoanNotLost { loan_id: LoanId },
    /// The claim gives no date.
    ClaimWithoutDate {
        /// What it gives instead.
        value: Option<String>,
    },
    /// The comment on a missing item is absent.
    MissingWithoutComment,
    /// Nobody claims to have returned the item.
    NotClaimedReturned { item_id: ItemId },
    /// There is no type for the note that staff leave on the borrower.
    NoGeneralNoteType,
}

impl LossRefusal {
    /// FOLIO's message.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::LoanClosed { .. } => "Loan is closed",
            Self::DeclaredLostWithoutServicePoint { .. } => {
                "A service point is required for item to be declared lost"
            }
            Self::DeclaredLostDateNotUnderstood { value } => {
                return format!("Text '{value}' could not be parsed as a date and time");
            }
            Self::AlreadyDeclaredLost { .. } => "The item is already declared lost",
            Self::NoFeeFineOwner { .. } => "No fee/fine owner found for item's permanent location",
            Self::NoFeeType { name } => return format!("Expected automated fee of type {name}"),
            Self::NoLoanOfLostItem { .. } => {
                "Item is lost however there is no aged to lost nor declared lost loan found"
            }
            Self::LastLoanNotLost { .. } => {
                "Last loan for lost item is neither aged to lost nor declared lost"
            }
            Self::ClaimWithoutDate { .. } => "Item claimed returned date is a required field",
            Self::MissingWithoutComment => "Comment is a required field",
            Self::NotClaimedReturned { .. } => "Item is not Claimed returned",
            Self::NoGeneralNoteType => "No General note type found",
        }
        .to_owned()
    }

    /// The one parameter that each has.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, Value)> {
        let text = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
        vec![match self {
            Self::LoanClosed { loan_id } | Self::LastLoanNotLost { loan_id } => {
                ("loanId", (*loan_id).into())
            }
            Self::NoFeeType { name } => ("feeFineType", (*name).into()),
            Self::NoLoanOfLostItem { item_id } => ("itemId", (*item_id).into()),
            Self::DeclaredLostWithoutServicePoint { value } => ("servicePointId", text(value)),
            Self::DeclaredLostDateNotUnderstood { value } => {
                ("declaredLostDateTime", value.as_str().into())
            }
            Self::AlreadyDeclaredLost { item_id } | Self::NotClaimedReturned { item_id } => {
                ("itemId", (*item_id).into())
            }
            Self::NoFeeFineOwner { location_id } => {
                ("locationId", location_id.map_or(Value::Null, Value::from))
            }
            Self::ClaimWithoutDate { value } => ("itemClaimedReturnedDateTime", text(value)),
            Self::MissingWithoutComment => ("comment", Value::Null),
            Self::NoGeneralNoteType => ("noteTypes", Value::Null),
        }]
    }
}
