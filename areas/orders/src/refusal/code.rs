//! The codes of refusals with FOLIO's messages.

/// Declares the codes: variant, FOLIO's code and message.
macro_rules! codes {
    ($($variant:ident $code:literal $message:literal;)+) => {
        /// Why something is refused.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Code {
            $(#[doc = $message] $variant,)+
        }

        impl Code {
            /// FOLIO's code.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self {
                    $(Code::$variant => $code,)+
                }
            }

            /// FOLIO's message; some have a place for a value, `%s`.
            #[must_use]
            pub fn message(self) -> &'static str {
                match self {
                    $(Code::$variant => $message,)+
                }
            }
        }
    };
}

codes! {
    GenericError "genericError" "Generic error";
    PoNumberNotUnique "poNumberNotUnique" "PO Number already exists";
    PoNumberRequired "poNumberRequired" "PO Number is missing";
    PoNumberPrefixRequired "poNumberPrefixRequired" "PO Number must start with Prefix";
    PoNumberSuffixRequired "poNumberSuffixRequired" "PO Number must ends with Suffix";
    OrderIdRequired "orderIdRequired" "Purchase order id is missing in PoLine object";
    OrderNotFound "orderNotFound" "The order cannot be found by provided order id";
    IdMismatch "idMismatch" "Mismatch between id in path and request body";
    CompositeOrderMissingPoLines "compositeOrderMissingPoLines"
        "Composite order is missing poLines for Open operations";
    OrderIdMismatch "orderIdMismatch" "Mismatch between order id in the request and storage";
    PolLimitExceeded "polLimitExceeded"
        "Your FOLIO system is configured to limit the number of PO Lines on each order";
    MaterialTypeRequired "materialTypeRequired"
        "The Material Type is required but not available in PO line";
    PiecePolMismatch "piecePolMismatch" "The piece does not correspond to PO line";
    PieceAlreadyReceived "pieceAlreadyReceived" "The piece record is already received";
    PieceNotFound "pieceNotFound" "The piece record is not found";
    PieceNotRetrieved "pieceNotRetrieved" "The piece record is not retrieved";
    PieceUpdateFailed "pieceUpdateFailed" "The piece record failed to be updated";
    ItemCreationFailed "itemCreationFailed" "The item record failed to be created";
    ItemUpdateFailed "itemUpdateFailed" "The item record failed to be updated";
    ItemNotRetrieved "itemNotRetrieved" "The item record is not retrieved";
    ZeroCostQtyPhysical "zeroCostQtyPhysical" "Physical cost quantity must be specified";
    ZeroCostQtyElectronic "zeroCostQtyElectronic" "Electronic cost quantity must be specified";
    ZeroLocQty "zeroLocQty" "Physical or electronic location quantity must be specified";
    NonZeroCostQtyPhysical "nonZeroCostQtyPhysical" "Physical cost quantity must not be specified";
    NonZeroCostQtyElectronic "nonZeroCostQtyElectronic"
        "Electronic cost quantity must not be specified";
    PhysicalLocCostQtyMismatch "physicalLocCostQtyMismatch"
        "PO Line physical quantity and Locations physical quantity do not match";
    ElectronicLocCostQtyMismatch "electronicLocCostQtyMismatch"
        "PO Line electronic quantity and Locations electronic quantity do not match";
    VendorIsInactive "vendorIsInactive" "Order cannot be open as the associated vendor is inactive";
    AccessProviderIsInactive "accessProviderIsInactive"
        "Order cannot be open as the associated access provider is inactive";
    VendorNotFound "vendorNotFound" "Order cannot be open as the associated vendor not found";
    OrderOpen "orderOpen" "Order cannot be modified in Open status";
    OrderClosed "orderClosed" "Order cannot be modified in Closed status";
    AccessProviderNotFound "accessProviderNotFound"
        "Order cannot be open as the associated access provider not found";
    CostUnitPriceInvalid "costUnitPriceInvalid" "Cost's list unit price is invalid";
    CostUnitPriceElectronicInvalid "costUnitPriceElectronicInvalid"
        "Cost's list unit price for Electronic resource(s) is invalid";
    CostAdditionalCostInvalid "costAdditionalCostInvalid"
        "Cost's additional cost must be positive number";
    CostDiscountInvalid "costDiscountInvalid" "Cost's discount is invalid";
    LocNotProvided "locNotProvided" "Location not provided";
    OrganizationNotAVendor "organizationNotAVendor"
        "Order cannot be opened as the associated vendorId belongs to non-vendor organization";
    MissingInstanceType "missingInstanceType"
        "Instance-type is a required field for creating an Instance in Inventory";
    MissingInstanceStatus "missingInstanceStatus"
        "Instance-status is a required field for creating an Instance in Inventory";
    MissingContributorNameType "missingContributorNameType"
        "The specified contributor-name-types were not found in inventory-storage";
    MissingLoanType "missingLoanType"
        "Loan-type is a required field for creating an Item in Inventory";
    MissingHoldingsSourceId "missingHoldingsSourceId"
        "Holdings source id were not found in inventory-storage";
    ProtectedFieldChanging "protectedFieldChanging" "Protected fields can't be modified";
    OrderAcqUnitsNotFound "orderAcqUnitsNotFound"
        "Acquisitions units assigned to order cannot be found";
    UserHasNoPermission "userHasNoPermission"
        "User does not have permissions - operation is restricted";
    UserNotAMemberOfTheAcq "userNotAMemberOfTheAcq"
        "User is not a member of the specified acquisitions group - operation is restricted";
    UserHasNoAcqUnitsPermission "userHasNoAcqUnitsPermission"
        "User does not have permissions to manage acquisition units assignments - operation is restricted";
    UserHasNoApprovalPermission "userHasNoApprovalPermission"
        "User does not have permissions to approve order - operation is restricted";
    UserHasNoOrderUnopenPermission "userHasNoOrderUnopenPermission"
        "User does not have permissions to move order from open to pending - operation is restricted";
    UserHasNoOrderReopenPermission "userHasNoOrderReopenPermission"
        "User does not have permissions to move order from closed to open - operation is restricted";
    OrderApprovalRequired "orderApprovalRequired" "Approval is required to open order";
    FundsNotFound "fundsNotFound" "The fund records are not found";
    MultipleFiscalYears "multipleFiscalYears"
        "Order line fund distributions have active budgets in multiple fiscal years.";
    CurrentFYearNotFound "currentFYearNotFound" "Current fiscal year not found for ledger";
    CurrentFYearIdNotFound "currentFYearIdNotFound" "Current fiscal year id not found for POLine";
    TitleNotFound "titleNotFound" "Associated title not found for PO Line";
    MultipleNonPackageTitles "multipleNonPackageTitles"
        "Non package PO Line must contain only one title.";
    BudgetNotFoundForTransaction "budgetNotFoundForTransaction" "Budget not found for transaction";
    LedgerNotFoundForTransaction "ledgerNotFoundForTransaction" "Ledger not found for transaction";
    BudgetIsInactive "budgetIsInactive" "Cannot create encumbrance from the not active budget";
    FundCannotBePaid "fundCannotBePaid" "Fund cannot be paid due to restrictions";
    MissingOngoing "missingOngoing" "Ongoing field must be present for Ongoing order";
    WrongOngoingSubscriptionFieldsChanged "wrongOngoingSubscriptionFieldsChanged"
        "Fields [reviewDate, manualRenewal] could not be changed when ongoing subscription = true";
    WrongOngoingNotSubscriptionFieldsChanged "wrongOngoingNotSubscriptionFieldsChanged"
        "Fields [interval, renewalDate, reviewPeriod, manualRenewal] could not be changed when ongoing subscription = false";
    OngoingNotAllowed "ongoingNotAllowed" "Ongoing field must be absent for One-time order";
    CannotMixTypesForZeroPrice "cannotMixTypesForZeroPrice"
        "Fund distribution types cannot be mixed for a price of 0";
    IncorrectFundDistributionTotal "incorrectFundDistributionTotal"
        "Fund distribution total must add to 100% or totalPrice";
    InstanceIdNotAllowedForPackagePoLine "InstanceIdNotAllowedForPackagePoLine"
        "Instance id not allowed for package poline";
    PrefixIsUsed "prefixIsUsed" "The prefix cannot be deleted as it is used by one or more orders";
    PrefixNotFound "prefixNotFound" "The prefix is not available";
    SuffixIsUsed "suffixIsUsed" "The suffix cannot be deleted as it is used by one or more orders";
    SuffixNotFound "suffixNotFound" "The suffix is not available";
    PiecesNeedToBeDeleted "piecesNeedToBeDeleted" "Pieces need to be deleted";
    PiecesNeedToBeCreated "piecesNeedToBeCreated" "Pieces need to be created";
    LocationCannotBeModifiedAfterOpen "locationCannotBeModifiedAfterOpen"
        "Please use the receiving App to update pieces and locations";
    ThereAreRequestsOnItem "thereAreRequestsOnItem" "There are requests on item";
    RequestsActionRequired "requestsActionRequired"
        "There are circulation requests on items and requestsAction should be populated";
    PiecesHaveDifferentReceivingTenantIds "piecesHaveDifferentReceivingTenantIds"
        "All pieces do not have the same receivingTenantId";
    PiecesMustHaveReceivedStatus "piecesMustHaveReceivedStatus"
        "All pieces must have received status in order to be bound";
    BudgetExpenseClassNotFound "budgetExpenseClassNotFound" "Budget expense class not found";
    InactiveExpenseClass "inactiveExpenseClass" "Expense class is Inactive";
    HoldingsByInstanceAndLocationNotFoundError "holdingsByInstanceAndLocationNotFoundError"
        "Holdings by instance id %s and location id %s not found";
    OrderRelatesToInvoice "orderRelatesToInvoice"
        "This order or order line is linked to Invoice number(s) and can not be deleted";
    RolloverNotCompleted "rolloverNotCompleted"
        "Rollover has not been completed for some ledgers related to this order";
    HoldingsByIdNotFoundError "holdingsByIdNotFoundError" "Holdings with id %s not found";
    LocationIdAndHoldingIdAbsentError "locationIdAndHoldingIdAbsentError"
        "Reference on holding or location must present";
    MayBeLinkToEitherHoldingOrLocationError "mayBeLinkToEitherHoldingOrLocationError"
        "There may be a link to either the holding or the location";
    PoLineNotFound "poLineNotFound" "The purchase order line record is not found";
    ReceivingProcessEncumbrancesError "receivingProcessEncumbrancesError"
        "Pieces can not be added to or deleted from this Title until all the Fund distributions on the related purchase order line are converted from amounts to percentages.";
    HoldingReferenceIsNotAllowed "holdingReferenceIsNotAllowed"
        "Holding reference is not allowed in the Piece for Pending order. Please set location reference";
    PgException "pgException" "PostgreSQL exception";
    PieceFormatIsNotValid "pieceFormatIsNotValid"
        "Piece format %s is not compatible with purchase line %s";
    PieceDisplayOnHoldingsIsNotConsistent "pieceDisplayOnHoldingsIsNotConsistent"
        "Display On Holdings could not be set to false when Display To Public is true";
    PieceRelatedOrderDataIsNotValid "pieceRelatedOrderDataIsNotValid"
        "Adding piece for pending order with synchronized workflow is not allowed";
    CreatePiecePendingOrderError "createPiecePendingOrderError"
        "Creating piece for pending order is not possible. Please open order.";
    CreateItemForPieceIsNotAllowedError "createItemForPieceIsNotAllowedError"
        "Create item for piece format %s is not allowed. Please check inventory option in the purchase order line %s";
    NotFound "notFound" "Not Found";
    ForbiddenDeleteSystemValues "forbiddenDeleteSystemValues"
        "It is forbidden to delete system values";
    ForbiddenDeleteUsedValue "forbiddenDeleteUsedValue" "Deleting the value used is prohibited";
    ErrorRemovingInvoiceLineEncumbrances "errorRemovingInvoiceLineEncumbrances"
        "Error removing invoice line encumbrance links after deleting the encumbrances: %s";
    PoLineHasRelatedApprovedInvoice "poLineHasRelatedApprovedInvoice"
        "A related invoice has the APPROVED status, invoice line ids: %s";
    InstanceInvalidProductIdError "instanceInvalidProductIdError"
        "Instance connection could not be changed, the chosen instance contains an invalid Product ID.";
    FundLocationRestrictionViolation "fundLocationRestrictionViolation"
        "One of the locations is restricted to be used by all funds.";
    EncumbrancesForReEncumberNotFound "encumbrancesForReEncumberNotFound"
        "The encumbrances were correctly created during the rollover or have already been updated.";
    ClaimingConfigInvalid "claimingConfigInvalid"
        "Claiming interval should be set and greater than 0 if claiming is active";
    TemplateNameNotUnique "templateNameNotUnique" "Template name already exists";
    BarcodeIsNotUnique "barcodeIsNotUnique"
        "The barcode already exists. The barcode must be unique";
    DeleteWithExpendedAmount "deleteWithExpendedAmount"
        "Cannot delete an encumbrance with an expended amount";
    InvalidRoutingListForPoLineFormat "invalidRoutingListForPoLineFormat"
        "Cannot create routing list for POL without 'Physical' or 'P/E Mix' order format";
    RoutingListLimitReachedForPoLine "routingListLimitReachedForPoLine"
        "Cannot create routing list for POL as the associated lists' amount is not less than Physical copies";
    PoLineNotFoundForRoutingList "poLineNotFoundForRoutingList"
        "Cannot find a corresponding PO Line with the provided id";
    RoutingListUniqueNameViolation "routingListUniqueNameViolation"
        "Routing list with the same name already exists";
    OrderFormatIncorrectForBindaryActive "orderFormatIncorrectForBindaryActive"
        "When PoLine is bindery active, its format must be 'P/E Mix' or 'Physical Resource'";
    CreateInventoryIncorrectForBindaryActive "createInventoryIncorrectForBindaryActive"
        "When PoLine is bindery active, Create Inventory must be 'Instance, Holding, Item'";
    ReceivingWorkflowIncorrectForBindaryActive "receivingWorkflowIncorrectForBindaryActive"
        "When PoLine is bindery active, its receiving workflow must be set to 'Independent order and receipt quantity'";
    BindItemMustIncludeEitherHoldingIdOrLocationId "bindItemMustIncludeEitherHoldingIdOrLocationId"
        "During binding pieces, the bindItem object must have either holdingId or locationId field populated";
    BudgetNotFoundForFiscalYear "budgetNotFoundForFiscalYear"
        "Could not find an active budget for a fund with the current fiscal year of another fund in the fund distribution";
    LastPiece "lastPiece"
        "The piece cannot be deleted because it is the last piece for the poLine with Receiving Workflow 'Synchronized order and receipt quantity' and cost quantity '1'";
    CannotSendClaimsPieceIdsAreEmpty "cannotSendClaimsPieceIdsAreEmpty"
        "Cannot send claims, piece ids are empty";
    CannotFindPiecesWithLatestStatusToProcess "cannotFindPiecesWithLatestStatusToProcess"
        "Cannot find pieces with LATE status to process";
    CannotRetrieveConfigEntries "cannotRetrieveConfigEntries" "Cannot retrieve config entries";
    CannotGroupPiecesByVendorMessage "cannotGroupPiecesByVendorMessage"
        "Cannot group pieces by vendor";
    CannotFindPieceById "cannotFindPieceById" "Cannot find a piece by '%s' id";
    UnableToGenerateClaimsForOrgNoIntegrationDetails "unableToGenerateClaimsForOrgNoIntegrationDetails"
        "Unable to generate claims for %s because no claim integrations exist";
    AllPiecesMustHaveTheSamePoLineIdAndTitleId "allPiecesMustHaveTheSamePoLineIdAndTitleId"
        "All pieces in the batch should have the same titleId and poLineId";
    TitleExist "titleExist" "The title for poLine already exist";
}
