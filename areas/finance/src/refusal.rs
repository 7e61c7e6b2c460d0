//! Why finance refuses an operation.

use octavo_records::{OperationError, Refusal as Refused};
use uuid::Uuid;

use crate::rules::batch::BatchRefusal;
use crate::rules::finance_data::RowFault;

/// Why an operation failed.
pub type Declined = OperationError<Refusal>;

/// Why an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The transactions of the operation are refused.
    Batch(BatchRefusal),
    /// The ids of path and body differ.
    IdMismatch,
    FiscalYearInvalidPeriod,
    FiscalYearInvalidCode,
    /// A ledger's totals were asked for an unknown fiscal year.
    FiscalYearNotFound,
    /// The fund's ledger has no current fiscal year, and groups need one.
    FiscalYearsNotFound,
    GroupsNotFound(Vec<Uuid>),
    CurrentFiscalYearNotFound,
    CurrentBudgetNotFound,
    MissingFiscalYear,
    NegativeAllocation,
    /// The first allocation of a new budget failed.
    AllocationFailed,
    /// The allowances of a budget are below what is used already.
    Allowances {
        encumbrance: bool,
        expenditure: bool,
    },
    BudgetHasTransactions,
    BudgetHasExpenseClasses,
    ExpenseClassHasTransactions,
    /// The encumbrance to release is another type of transaction.
    InvalidTransactionType,
    DeleteConnectedToInvoice(Uuid),
    MissingFund,
    AllocationIdsMismatch,
    /// Acquisitions units that do not exist, or are deleted.
    UnitsNotFound(Vec<Uuid>),
    NoPermission,
    /// The ledger was rolled over from this year already.
    RolledOver,
    RolloverInProgress,
    NoRate {
        from: String,
        to: String,
    },
    NoCurrency(String),
    /// A value of a record type is taken; the type's name and the field's.
    Taken(&'static str, &'static str),
    /// Rows of bulk data are wrong: each with its key, value, message and code.
    Rows(Vec<RowFault>),
    FundsNotUpdated,
    BudgetsNotUpdated,
    AllocationsNotCreated,
}

impl Refused for Refusal {}

impl From<BatchRefusal> for Refusal {
    fn from(refusal: BatchRefusal) -> Refusal {
        Refusal::Batch(refusal)
    }
}

/// The same failure in the terms of the whole area.
#[must_use]
pub fn of_batch(declined: OperationError<BatchRefusal>) -> Declined {
    match declined {
        OperationError::Refused(refusal) => Refusal::Batch(refusal).into(),
        OperationError::Store(error) => OperationError::Store(error),
    }
}
