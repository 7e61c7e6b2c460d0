//! Why a batch of transactions is refused, with FOLIO's words.

use uuid::Uuid;

use crate::money::Amount;
use crate::records::Kind;

/// A restriction of a ledger that a budget would break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    pub fund_code: String,
    pub budget_id: Uuid,
    /// What would remain: below zero.
    pub remaining: Amount,
    pub allocated: Amount,
    pub net_transfers: Amount,
    /// The allowed part of the total funding, 1 for all of it.
    pub allowable: Amount,
    pub encumbered: Amount,
    pub awaiting_payment: Amount,
    pub credited: Amount,
    pub expended: Amount,
}

/// Why a batch is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchRefusal {
    /// A transaction to update has no metadata.
    WithoutMetadata(String),
    /// There is nothing to do.
    Empty,
    /// A transaction has no id; the name of its list.
    IdMissing(&'static str),
    /// An encumbrance names no order.
    OrderMissing(Uuid),
    /// A pending payment, payment or credit names no invoice.
    InvoiceMissing(Uuid),
    /// Ids that stand twice in a list.
    Twice(&'static str, Vec<Uuid>),
    AllocationNotPositive,
    /// An allocation has neither fund.
    FundMissing,
    /// A transfer has no target.
    TransferWithoutTarget(Uuid),
    NegativePayment(Uuid),
    /// A transaction to delete does not exist.
    DeleteUnknown,
    AlreadyExists(Uuid),
    UpdateUnknown(Uuid),
    EncumbrancesNotFound(Vec<Uuid>),
    /// Funds without a budget in the fiscal year of their transactions.
    NoBudget(Vec<Uuid>),
    /// A budget takes no transactions; the fund's code.
    BudgetNotActive(String),
    /// An allocation or transfer was to be changed.
    UpdateOf(Kind),
    /// Patches were sent.
    Patches,
    ExpenditureRestricted(Box<Limit>),
    EncumbranceRestricted(Box<Limit>),
}

fn listed(ids: &[Uuid]) -> String {
    let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    format!("[{}]", ids.join(", "))
}

impl BatchRefusal {
    /// FOLIO's code, for those that have one.
    #[must_use]
    pub fn code(&self) -> Option<&'static str> {
        match self {
            BatchRefusal::IdMissing(_) => Some("idIsRequiredInTransactions"),
            BatchRefusal::AllocationNotPositive => Some("allocationMustBePositive"),
            BatchRefusal::FundMissing => Some("missingFundId"),
            BatchRefusal::NegativePayment(_) => Some("paymentOrCreditHasNegativeAmount"),
            BatchRefusal::EncumbrancesNotFound(_) => Some("linkedEncumbrancesNotFound"),
            BatchRefusal::NoBudget(_) => Some("genericError"),
            BatchRefusal::BudgetNotActive(_) => Some("budgetIsNotActiveOrPlanned"),
            BatchRefusal::ExpenditureRestricted(_) => Some("budgetRestrictedExpendituresError"),
            BatchRefusal::EncumbranceRestricted(_) => Some("budgetRestrictedEncumbranceError"),
            BatchRefusal::WithoutMetadata(_)
            | BatchRefusal::Empty
            | BatchRefusal::OrderMissing(_)
            | BatchRefusal::InvoiceMissing(_)
            | BatchRefusal::Twice(..)
            | BatchRefusal::TransferWithoutTarget(_)
            | BatchRefusal::DeleteUnknown
            | BatchRefusal::AlreadyExists(_)
            | BatchRefusal::UpdateUnknown(_)
            | BatchRefusal::UpdateOf(_)
            | BatchRefusal::Patches => None,
        }
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            BatchRefusal::WithoutMetadata(_)
            | BatchRefusal::NoBudget(_)
            | BatchRefusal::Patches => 500,
            BatchRefusal::NegativePayment(_)
            | BatchRefusal::ExpenditureRestricted(_)
            | BatchRefusal::EncumbranceRestricted(_) => 422,
            BatchRefusal::Empty
            | BatchRefusal::IdMissing(_)
            | BatchRefusal::OrderMissing(_)
            | BatchRefusal::InvoiceMissing(_)
            | BatchRefusal::Twice(..)
            | BatchRefusal::AllocationNotPositive
            | BatchRefusal::FundMissing
            | BatchRefusal::TransferWithoutTarget(_)
            | BatchRefusal::DeleteUnknown
            | BatchRefusal::AlreadyExists(_)
            | BatchRefusal::UpdateUnknown(_)
            | BatchRefusal::EncumbrancesNotFound(_)
            | BatchRefusal::BudgetNotActive(_)
            | BatchRefusal::UpdateOf(_) => 400,
        }
    }

    /// FOLIO's message.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            BatchRefusal::WithoutMetadata(id) => {
                format!("At least one transaction to update does not have metadata, id={id}")
            }
            BatchRefusal::Empty => {
                "At least one of the batch operations needs to be used.".to_owned()
            }
            BatchRefusal::IdMissing(list) => format!("Id is required in transactions to {list}."),
            BatchRefusal::OrderMissing(id) => format!("Missing order id in encumbrance {id}"),
            BatchRefusal::InvoiceMissing(id) => format!("Missing invoice id in transaction {id}"),
            BatchRefusal::Twice(list, ids) => format!(
                "At least one transaction is present twice in transactions to {list}, duplicates: \
                 {}",
                listed(ids)
            ),
            BatchRefusal::AllocationNotPositive => {
                "Allocation amount must be greater than zero".to_owned()
            }
            BatchRefusal::FundMissing => {
                "One of the fields toFundId or fromFundId must be specified".to_owned()
            }
            BatchRefusal::TransferWithoutTarget(id) => {
                format!("A transfer with id {id} has a null toFundId")
            }
            BatchRefusal::NegativePayment(_) => {
                "A payment or credit has a negative amount".to_owned()
            }
            BatchRefusal::DeleteUnknown => {
                "One or more transaction to delete was not found".to_owned()
            }
            BatchRefusal::AlreadyExists(id) => {
                format!("A transaction to create already exists: {id}")
            }
            BatchRefusal::UpdateUnknown(id) => {
                format!("A transaction to update does not exist: {id}")
            }
            BatchRefusal::EncumbrancesNotFound(_) => {
                "Could not find some linked encumbrances in the database".to_owned()
            }
            BatchRefusal::NoBudget(funds) => format!(
                "Could not find some budgets in the database, fund ids={}",
                listed(funds)
            ),
            BatchRefusal::BudgetNotActive(_) => {
                "Cannot process transactions because a budget is not active or planned".to_owned()
            }
            BatchRefusal::UpdateOf(kind) => {
                format!("{} updates are not implemented.", kind.name())
            }
            BatchRefusal::Patches => "transactionPatches: not implemented".to_owned(),
            BatchRefusal::ExpenditureRestricted(_) => {
                "Expenditure restriction does not allow this operation".to_owned()
            }
            BatchRefusal::EncumbranceRestricted(_) => {
                "Encumbrance restriction does not allow this operation".to_owned()
            }
        }
    }

    /// FOLIO's parameters.
    #[must_use]
    pub fn parameters(&self) -> Vec<(String, String)> {
        let one = |key: &str, value: String| vec![(key.to_owned(), value)];
        match self {
            BatchRefusal::AllocationNotPositive => one("fieldName", "amount".to_owned()),
            BatchRefusal::NegativePayment(id) => one("id", id.to_string()),
            BatchRefusal::EncumbrancesNotFound(ids) => one("ids", listed(ids)),
            BatchRefusal::BudgetNotActive(code) => one("fundCode", code.clone()),
            BatchRefusal::ExpenditureRestricted(limit) => limit.parameters(false),
            BatchRefusal::EncumbranceRestricted(limit) => limit.parameters(true),
            _ => Vec::new(),
        }
    }
}

impl Limit {
    fn parameters(&self, of_encumbrance: bool) -> Vec<(String, String)> {
        let allowable = match of_encumbrance {
            true => "allowableEncumbered",
            false => "allowableExpenditure",
        };
        let mut parameters = vec![
            ("fundCode", self.fund_code.clone()),
            ("budgetId", self.budget_id.to_string()),
            ("remaining", self.remaining.to_string()),
            ("allocated", self.allocated.to_string()),
            ("netTransfers", self.net_transfers.to_string()),
            (allowable, self.allowable.to_string()),
        ];
        if of_encumbrance {
            parameters.push(("encumbered", self.encumbered.to_string()));
        }
        parameters.extend([
            ("awaitingPayment", self.awaiting_payment.to_string()),
            ("credited", self.credited.to_string()),
            ("expended", self.expended.to_string()),
        ]);
        let owned = |(key, value): (&str, String)| (key.to_owned(), value);
        parameters.into_iter().map(owned).collect()
    }
}
