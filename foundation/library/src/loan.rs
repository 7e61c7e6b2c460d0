//! Loans: their statuses, their actions, and a view of the stored record. The view ignores unknown
//! properties; code that changes a loan changes the document.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::closed_set::closed_set;
use crate::{
    ItemId, ItemStatus, LoanId, LoanPolicyId, LostItemPolicyId, OverdueFinePolicyId, PatronGroupId,
    ServicePointId, UserId, lenient, wire_time,
};

closed_set! {
    /// A loan's `status.name`.
    pub enum LoanStatus {
        /// The loan has not ended; the item may be lost.
        Open = "Open",
        Closed = "Closed",
    }
}

impl LoanStatus {
    /// The status of a loan's document, ignoring case.
    #[must_use]
    pub fn of(loan: &Map<String, Value>) -> Option<LoanStatus> {
        LoanStatus::named_in_any_case(loan.get("status")?.get("name")?.as_str()?)
    }

    /// The status as it stands in a loan's document: `{"name": "Open"}`.
    #[must_use]
    pub fn document(self) -> Value {
        json!({ "name": self })
    }

    /// Serde: writes the form of [`LoanStatus::document`].
    pub fn serialize_document<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document().serialize(serializer)
    }
}

closed_set! {
    /// The last action on a loan, by the name that its history uses.
    pub enum LoanAction {
        CheckedOut = "checkedout",
        /// Lent although a policy or a block forbade it.
        CheckedOutThroughOverride = "checkedOutThroughOverride",
        CheckedIn = "checkedin",
        /// Handed in by a patron who had claimed to have returned it.
        CheckedInReturnedByPatron = "checkedInReturnedByPatron",
        /// Found by the library after the patron had claimed to have returned it.
        CheckedInFoundByLibrary = "checkedInFoundByLibrary",
        Renewed = "renewed",
        /// Renewed although a policy or a block forbade it.
        RenewedThroughOverride = "renewedThroughOverride",
        /// Staff changed the due date.
        DueDateChanged = "dueDateChanged",
        /// Recalled for another patron.
        RecallRequested = "recallrequested",
        /// Staff left a note for the patron.
        PatronInfoAdded = "patronInfoAdded",
        /// Staff left a note for staff.
        StaffInfoAdded = "staffInfoAdded",
        /// A reminder was sent, and a fee charged for it.
        ReminderFee = "reminderFee",
        /// Used at the location, and held for the patron between two uses.
        HeldForUseAtLocation = "heldForUseAtLocation",
        /// Picked up again for use at the location.
        PickedUpForUseAtLocation = "pickedUpForUseAtLocation",
        /// Lost, as reported by the patron or staff.
        DeclaredLost = "declaredLost",
        /// Overdue for so long that a timer declared the item lost.
        ItemAgedToLost = "itemAgedToLost",
        /// The patron claims to have returned it.
        ClaimedReturned = "claimedReturned",
        /// Claimed returned, and not found.
        MarkedMissing = "markedMissing",
        /// Closed because the fees for the lost item are settled.
        ClosedLoan = "closedLoan",
    }
}

/// A stored loan.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Loan {
    pub id: LoanId,
    /// The borrower; absent once the loan is anonymized.
    pub user_id: Option<UserId>,
    /// The proxy who acted for the borrower.
    pub proxy_user_id: Option<UserId>,
    pub item_id: ItemId,
    #[serde(default, deserialize_with = "status")]
    pub status: Option<LoanStatus>,
    #[serde(with = "wire_time")]
    pub loan_date: Timestamp,
    #[serde(default, with = "wire_time::optional")]
    pub due_date: Option<Timestamp>,
    /// When it was returned.
    #[serde(default, with = "wire_time::optional")]
    pub return_date: Option<Timestamp>,
    /// The last action; clients may store any other text, which is read as `None`.
    #[serde(default, deserialize_with = "lenient::name")]
    pub action: Option<LoanAction>,
    /// The item's status as stored in the loan.
    #[serde(default, deserialize_with = "item_status")]
    pub item_status: Option<ItemStatus>,
    #[serde(default)]
    pub renewal_count: Option<u32>,
    pub loan_policy_id: Option<LoanPolicyId>,
    pub overdue_fine_policy_id: Option<OverdueFinePolicyId>,
    pub lost_item_policy_id: Option<LostItemPolicyId>,
    /// The service point of the check-out.
    pub checkout_service_point_id: Option<ServicePointId>,
    /// The borrower's patron group at check-out.
    pub patron_group_id_at_checkout: Option<PatronGroupId>,
    /// Whether a recall has shortened the loan.
    #[serde(default)]
    pub due_date_changed_by_recall: Option<bool>,
    #[serde(default, with = "wire_time::optional")]
    pub declared_lost_date: Option<Timestamp>,
    /// When the patron claimed to have returned it.
    #[serde(default, with = "wire_time::optional")]
    pub claimed_returned_date: Option<Timestamp>,
    /// The dates of a loan that aged to lost, kept by the timers.
    #[serde(default)]
    pub aged_to_lost_delayed_billing: Option<AgedToLost>,
}

/// When a loan aged to lost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgedToLost {
    #[serde(default, with = "wire_time::optional")]
    pub aged_to_lost_date: Option<Timestamp>,
}

fn status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<LoanStatus>, D::Error> {
    #[derive(Default, Deserialize)]
    struct Named {
        name: Option<String>,
    }
    let name = Named::deserialize(deserializer)?.name;
    Ok(name.as_deref().and_then(LoanStatus::named_in_any_case))
}

/// Clients may store any text here; an unknown status is read as `Unknown`.
fn item_status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ItemStatus>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    Ok(name.map(|name| ItemStatus::or_unknown(Some(&name))))
}

impl Loan {
    /// Whether the loan has not ended; the item may be lost.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.status == Some(LoanStatus::Open)
    }

    /// Whether a recall has already shortened the loan.
    #[must_use]
    pub fn was_recalled(&self) -> bool {
        self.due_date_changed_by_recall == Some(true)
    }

    /// When the item was lost: declared or aged, whichever was later.
    #[must_use]
    pub fn lost_date(&self) -> Option<Timestamp> {
        let aged = self.aged_to_lost_delayed_billing.as_ref();
        let aged = aged.and_then(|aged| aged.aged_to_lost_date);
        self.declared_lost_date.max(aged)
    }
}
