//! FOLIO's codes with their messages.

/// A code of mod-invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    Generic,
    IdMismatch,
    IncompatibleFields,
    FromPaid,
    NotApproved,
    NotCancellable,
    Protected,
    ResetFiscalYear,
    MayNotChangeFiscalYear,
    MayNotApprove,
    MayNotPay,
    MayNotCancel,
    MayNotManageUnits,
    Restricted,
    UnitsNotFound,
    AdjustmentIds,
    AddAdjustment,
    DeleteAdjustment,
    VendorMissing,
    NotAVendor,
    NoAccountingCode,
    LockTotal,
    NoDistributions,
    NoAdjustmentDistributions,
    DistributionTotal,
    MixedTypes,
    BudgetOfFund,
    BudgetOfYear,
    MultipleYears,
    MultipleAdjustmentYears,
    NoCurrentYear,
    NoValidYear,
    SeveralSeries,
    ClassInactive,
    ClassNotFound,
    FundCannotBePaid,
    FundsNotFound,
    NoExternalAccount,
    VoucherPrefix,
    PendingPayment,
    PaymentFailure,
    CancelFailure,
    UnreleaseFailure,
    LineCreation,
    DeleteForbidden,
    InvoiceOfLine,
    OrderRelation,
    DocumentTooLarge,
    BatchVoucherNotFound,
}

impl Code {
    /// FOLIO's code.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Code::Generic => "genericError",
            Code::IdMismatch => "idMismatch",
            Code::IncompatibleFields => "incompatibleInvoiceFields",
            Code::FromPaid => "invalidInvoiceStatusTransitionOnPaidStatus",
            Code::NotApproved => "cannotPayInvoiceWithoutApproval",
            Code::NotCancellable => "cannotCancelInvoice",
            Code::Protected => "protectedFieldChanging",
            Code::ResetFiscalYear => "cannotResetInvoiceFiscalYear",
            Code::MayNotChangeFiscalYear => "userHasNoFiscalYearUpdatePermission",
            Code::MayNotApprove => "userHasNoInvoiceApprovePermission",
            Code::MayNotPay => "userHasNoInvoicePayPermission",
            Code::MayNotCancel => "userHasNoInvoiceCancelPermission",
            Code::MayNotManageUnits => "userHasNoAcqUnitsPermission",
            Code::Restricted => "userHasNoPermission",
            Code::UnitsNotFound => "acqUnitsNotFound",
            Code::AdjustmentIds => "adjustmentIdsNotUnique",
            Code::AddAdjustment => "cannotAddAdjustment",
            Code::DeleteAdjustment => "cannotDeleteAdjustment",
            Code::VendorMissing => "organizationIsNotExist",
            Code::NotAVendor => "organizationIsNotVendor",
            Code::NoAccountingCode => "accountingCodeNotPresent",
            Code::LockTotal => "lockCalculatedTotalsMismatch",
            Code::NoDistributions => "fundDistributionsNotPresent",
            Code::NoAdjustmentDistributions => "adjustmentFundDistributionsNotPresent",
            Code::DistributionTotal => "incorrectFundDistributionTotal",
            Code::MixedTypes => "cannotMixTypesForZeroPrice",
            Code::BudgetOfFund => "budgetNotFoundByFundId",
            Code::BudgetOfYear => "budgetNotFoundByFundIdAndFiscalYearId",
            Code::MultipleYears => "multipleFiscalYears",
            Code::MultipleAdjustmentYears => "multipleAdjustmentsFiscalYears",
            Code::NoCurrentYear => "currentFYearNotFound",
            Code::NoValidYear => "couldNotFindValidFiscalYear",
            Code::SeveralSeries => "moreThanOneFiscalYearSeries",
            Code::ClassInactive => "inactiveExpenseClass",
            Code::ClassNotFound => "budgetExpenseClassNotFound",
            Code::FundCannotBePaid => "fundCannotBePaid",
            Code::FundsNotFound => "fundsNotFound",
            Code::NoExternalAccount => "externalAccountNoIsMissing",
            Code::VoucherPrefix => "voucherNumberPrefixNotAlpha",
            Code::PendingPayment => "pendingPaymentError",
            Code::PaymentFailure => "invoicePaymentFailure",
            Code::CancelFailure => "cancelTransactionsError",
            Code::UnreleaseFailure => "errorUnreleasingEncumbrances",
            Code::LineCreation => "prohibitedInvoiceLineCreation",
            Code::DeleteForbidden => "approvedOrPaidInvoiceDeleteForbiddenError",
            Code::InvoiceOfLine => "cannotDeleteInvoiceLine",
            Code::OrderRelation => "orderInvoiceRelationCreateFailed",
            Code::DocumentTooLarge => "documentIsTooLarge",
            Code::BatchVoucherNotFound => "batchVoucherNotFound",
        }
    }

    /// FOLIO's message; `%s` stands for a value.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Code::Generic => "Generic error",
            Code::IdMismatch => "Mismatch between id in path and request body",
            Code::IncompatibleFields => "Incompatible invoice fields on status transition",
            Code::FromPaid => {
                "Cannot transition invoice to any other statuses when it is in Paid status"
            }
            Code::NotApproved => "Cannot pay an invoice without approval",
            Code::NotCancellable => "Only approved and paid invoices can be cancelled",
            Code::Protected => "Field can't be modified",
            Code::ResetFiscalYear => {
                "Invoice fiscal year cannot be set to null if it was previously defined"
            }
            Code::MayNotChangeFiscalYear => {
                "User does not have permissions to update fiscal year - operation is restricted"
            }
            Code::MayNotApprove => {
                "User does not have permissions to approve this invoice - operation is restricted"
            }
            Code::MayNotPay => {
                "User does not have permissions to pay this invoice - operation is restricted"
            }
            Code::MayNotCancel => {
                "User does not have permissions to cancel this invoice - operation is restricted"
            }
            Code::MayNotManageUnits => {
                "User does not have permissions to manage acquisition units assignments - operation \
                 is restricted"
            }
            Code::Restricted => "User does not have permissions - operation is restricted",
            Code::UnitsNotFound => "Acquisitions units assigned to the record not found",
            Code::AdjustmentIds => "Adjustment ids must be unique",
            Code::AddAdjustment => {
                "Prorated adjustment cannot be adde because it is not present on invoice level"
            }
            Code::DeleteAdjustment => {
                "Prorated adjustment cannot be deleted because it is present on invoice level"
            }
            Code::VendorMissing => "Organization is not exist",
            Code::NotAVendor => "Organization is not vendor",
            Code::NoAccountingCode => {
                "Invoice can not be approved, because it requires an accounting code to be export to \
                 accounting"
            }
            Code::LockTotal => "Lock total and calculated total mismatch",
            Code::NoDistributions => {
                "At least one fund distribution should present for every associated invoice line"
            }
            Code::NoAdjustmentDistributions => {
                "At least one fund distribution should present for every non-prorated adjustment"
            }
            Code::DistributionTotal => "Fund distribution total must add to 100% or totalPrice",
            Code::MixedTypes => "Fund distribution types cannot be mixed for a price of 0",
            Code::BudgetOfFund => "Budget not found by fundId",
            Code::BudgetOfYear => "Active budget not found by fund id and fiscal year id",
            Code::MultipleYears => "Multiple fiscal years are used with the funds %s and %s.",
            Code::MultipleAdjustmentYears => "Multiple fiscal years are used in the adjustments",
            Code::NoCurrentYear => "Current fiscal year not found for ledger",
            Code::NoValidYear => {
                "Could not find any valid fiscal year with a budget for all funds in the invoice"
            }
            Code::SeveralSeries => {
                "Fund distributions cannot reference more than one fiscal year series. Please edit \
                 fund distributions so they all come from the same fiscal year series."
            }
            Code::ClassInactive => "Expense class is Inactive",
            Code::ClassNotFound => "Given expense class not assigned to the budget",
            Code::FundCannotBePaid => "Fund cannot be paid due to restrictions",
            Code::FundsNotFound => "Fund records are not found",
            Code::NoExternalAccount => "Fund record does not contain an externalAccountNo.",
            Code::VoucherPrefix => "Voucher number prefix must contains only Unicode letters",
            Code::PendingPayment => "Failed to create pending payments",
            Code::PaymentFailure => "Invoice payment failure",
            Code::CancelFailure => "Failed to cancel transactions",
            Code::UnreleaseFailure => "Error unreleasing encumbrances after cancelling the invoice",
            Code::LineCreation => {
                "It is not allowed to add invoice line to the invoice that has been approved"
            }
            Code::DeleteForbidden => "Approved or paid invoice can not be deleted",
            Code::InvoiceOfLine => {
                "Cannot delete invoice-line because invoice record associated with invoice-line not \
                 found"
            }
            Code::OrderRelation => "Create of order invoice relation has been failed",
            Code::DocumentTooLarge => "Document size is too large",
            Code::BatchVoucherNotFound => "Batch voucher was not found",
        }
    }
}
