//! What finance answers when it refuses: FOLIO's statuses, codes and messages.

use http::StatusCode;
use octavo_platform::{Answer, ApiError};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::refusal::Refusal;
use crate::rules::batch::BatchRefusal;

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        refusal.answer()
    }
}

type Parameters = Vec<(String, String)>;

fn error(message: &str, code: &str, parameters: &Parameters) -> Value {
    let parameters: Vec<Value> = parameters
        .iter()
        .map(|(key, value)| json!({"key": key, "value": value}))
        .collect();
    json!({"message": message, "code": code, "parameters": parameters})
}

/// The errors body of the business interfaces.
#[must_use]
pub fn listed(status: StatusCode, errors: &[Value]) -> ApiError {
    ApiError::Json(
        status,
        json!({"errors": errors, "total_records": errors.len()}),
    )
}

fn single(status: StatusCode, code: &str, message: &str, parameters: &Parameters) -> ApiError {
    listed(status, &[error(message, code, parameters)])
}

impl Answer for BatchRefusal {
    fn answer(self) -> ApiError {
        let status = StatusCode::from_u16(self.status());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        match self.code() {
            Some(code) => single(status, code, &self.message(), &self.parameters()),
            None => ApiError::text(status, self.message()),
        }
    }
}

fn ids(ids: &[Uuid]) -> String {
    let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    ids.join(", ")
}

impl Answer for Refusal {
    fn answer(self) -> ApiError {
        use StatusCode as S;
        const UNPROCESSABLE: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;
        let bare = |status, code: &str, message: &str| single(status, code, message, &Vec::new());
        match self {
            Refusal::Batch(refusal) => refusal.answer(),
            Refusal::IdMismatch => bare(
                UNPROCESSABLE,
                "idMismatch",
                "Mismatch between id in path and request body",
            ),
            Refusal::FiscalYearInvalidPeriod => bare(
                UNPROCESSABLE,
                "fiscalYearInvalidPeriod",
                "Fiscal year period end date is earlier than start date",
            ),
            Refusal::FiscalYearInvalidCode => bare(
                UNPROCESSABLE,
                "invalidFiscalYearCode",
                "Fiscal year code must be in proper format",
            ),
            Refusal::FiscalYearNotFound => bare(
                S::BAD_REQUEST,
                "fiscalYearNotFound",
                "Fiscal year not found for the specified fiscalYearId",
            ),
            Refusal::FiscalYearsNotFound => bare(
                UNPROCESSABLE,
                "fiscalYearsNotFound",
                "Cannot find current fiscal year for specified ledger",
            ),
            Refusal::GroupsNotFound(groups) => single(
                UNPROCESSABLE,
                "groupNotFound",
                "Cannot find group",
                &vec![("groupIds".to_owned(), ids(&groups))],
            ),
            Refusal::CurrentFiscalYearNotFound => bare(
                S::NOT_FOUND,
                "currentFiscalYearNotFound",
                "Current fiscal year doesn't exist",
            ),
            Refusal::CurrentBudgetNotFound => bare(
                S::NOT_FOUND,
                "currentBudgetNotFound",
                "Current budget doesn't exist",
            ),
            Refusal::MissingFiscalYear => bare(
                S::BAD_REQUEST,
                "missingFiscalYearId",
                "fiscalYearId must not be null",
            ),
            Refusal::NegativeAllocation => bare(
                UNPROCESSABLE,
                "negativeBudgetAllocation",
                "A negative budget allocation is not allowed",
            ),
            Refusal::AllocationFailed => bare(
                S::INTERNAL_SERVER_ERROR,
                "failedAllocationTransaction",
                "Failed to create allocation transaction for a budget",
            ),
            Refusal::Allowances {
                encumbrance,
                expenditure,
            } => {
                let of_encumbrance = encumbrance.then(|| {
                    error(
                        "Allowable encumbrance limit exceeded",
                        "allowableEncumbranceLimitExceeded",
                        &Vec::new(),
                    )
                });
                let of_expenditure = expenditure.then(|| {
                    error(
                        "Allowable expenditures limit exceeded",
                        "allowableExpenditureLimitExceeded",
                        &Vec::new(),
                    )
                });
                let errors: Vec<Value> = of_encumbrance.into_iter().chain(of_expenditure).collect();
                listed(UNPROCESSABLE, &errors)
            }
            Refusal::BudgetHasTransactions => bare(
                S::BAD_REQUEST,
                "transactionIsPresentBudgetDeleteError",
                "Budget related transactions found. Deletion of the budget is forbidden.",
            ),
            Refusal::BudgetHasExpenseClasses => bare(
                S::BAD_REQUEST,
                "budgetExpenseClassReferenceError",
                "Can't delete budget that referenced with expense class",
            ),
            Refusal::ExpenseClassHasTransactions => bare(
                S::BAD_REQUEST,
                "transactionIsPresentBudgetExpenseClassDeleteError",
                "Budget expense class related transactions found. Deletion of the budget expense \
                 class is forbidden.",
            ),
            Refusal::InvalidTransactionType => bare(
                UNPROCESSABLE,
                "invalidTransactionType",
                "Invalid transaction type",
            ),
            Refusal::DeleteConnectedToInvoice(id) => single(
                UNPROCESSABLE,
                "deleteConnectedToInvoice",
                "Cannot delete an encumbrance connected to an invoice",
                &vec![("id".to_owned(), id.to_string())],
            ),
            Refusal::MissingFund => bare(UNPROCESSABLE, "missingFundId", "Missing to/from fund id"),
            Refusal::AllocationIdsMismatch => bare(
                UNPROCESSABLE,
                "allowableAllocationIdsMismatch",
                "Allowable allocation ids mismatch",
            ),
            Refusal::UnitsNotFound(units) => single(
                UNPROCESSABLE,
                "fundAcqUnitsNotFound",
                "Acquisitions units assigned to fund cannot be found",
                &vec![("acqUnitIds".to_owned(), ids(&units))],
            ),
            Refusal::NoPermission => bare(
                S::FORBIDDEN,
                "userHasNoPermission",
                "User does not have permissions - operation is restricted",
            ),
            Refusal::RolledOver => {
                ApiError::text(S::CONFLICT, "Not unique pair ledgerId and fromFiscalYearId")
            }
            Refusal::RolloverInProgress => {
                ApiError::text(UNPROCESSABLE, "Can't delete in progress rollover")
            }
            Refusal::NoRate { from, to } => single(
                S::NOT_FOUND,
                "genericError",
                "No exchange rate is known for these currencies",
                &vec![("from".to_owned(), from), ("to".to_owned(), to)],
            ),
            Refusal::NoCurrency(code) => single(
                S::BAD_REQUEST,
                "genericError",
                "A currency is three capital letters",
                &vec![("currency".to_owned(), code)],
            ),
            Refusal::Taken(name, field) => {
                let mut capital = field.to_owned();
                if let Some(first) = capital.get_mut(..1) {
                    first.make_ascii_uppercase();
                }
                single(
                    S::BAD_REQUEST,
                    &format!("uniqueField{name}{capital}Error"),
                    &format!("Field {field} must be unique"),
                    &Vec::new(),
                )
            }
            Refusal::Rows(faults) => {
                let errors: Vec<Value> = faults
                    .into_iter()
                    .map(|one| {
                        let parameters = json!([{"key": one.key, "value": one.value}]);
                        match one.code {
                            Some(code) => json!({"message": one.message, "code": code,
                                "parameters": parameters}),
                            None => json!({"message": one.message, "parameters": parameters}),
                        }
                    })
                    .collect();
                listed(UNPROCESSABLE, &errors)
            }
            Refusal::FundsNotUpdated => bare(
                S::INTERNAL_SERVER_ERROR,
                "failedToUpdateFunds",
                "Failed to update funds",
            ),
            Refusal::BudgetsNotUpdated => bare(
                S::INTERNAL_SERVER_ERROR,
                "failedToUpdateBudgets",
                "Failed to update budgets",
            ),
            Refusal::AllocationsNotCreated => bare(
                S::INTERNAL_SERVER_ERROR,
                "failedToCreateAllocations",
                "Failed to create allocations",
            ),
        }
    }
}
