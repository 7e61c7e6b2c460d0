//! Loans: their two statuses, the acts on them, and a view of the stored record. The view passes over
//! what it does not know; who changes a loan changes the document.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::closed_set::closed_set;
use crate::{
    ItemId, ItemStatus, LoanId, LoanPolicyId, LostItemPolicyId, OverdueFinePolicyId, PatronGroupId,
    ServicePointId, UserId, lenient, wire_time,
};

closed_set! {
    /// Whether a loan has ended, by its `status.name`.
    pub enum LoanStatus {
        /// The item has not come back, whatever became of it.
        Open = "Open",
        /// The loan has ended.
        Closed = "Closed",
    }
}

impl LoanStatus {
    /// The status of a loan's document, in any case of letters.
    #[must_use]
    pub fn of(loan: &Map<String, Value>) -> Option<LoanStatus> {
        LoanStatus::named_in_any_case(loan.get("status")?.get("name")?.as_str()?)
    }

    /// As a loan's document has it: `{"name": "Open"}`.
    #[must_use]
    pub fn document(self) -> Value {
        json!({ "name": self })
    }

    /// Serde: writes it so.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize_document<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document().serialize(serializer)
    }
}

closed_set! {
    /// The last act on a loan, as its history names it.
    pub enum LoanAction {
        /// Lent.
        CheckedOut = "checkedout",
        /// Lent although something stood against it.
        CheckedOutThroughOverride = "checkedOutThroughOverride",
        /// Handed in.
        CheckedIn = "checkedin",
        /// Handed in by a patron who had claimed to have returned it.
        CheckedInReturnedByPatron = "checkedInReturnedByPatron",
        /// Found by the library after the patron had claimed to have returned it.
        CheckedInFoundByLibrary = "checkedInFoundByLibrary",
        /// Renewed.
        Renewed = "renewed",
        /// Renewed although something stood against it.
        RenewedThroughOverride = "renewedThroughOverride",
        /// Staff changed the due date.
        DueDateChanged = "dueDateChanged",
        /// Recalled for somebody else.
        RecallRequested = "recallrequested",
        /// Staff left a note for the patron.
        PatronInfoAdded = "patronInfoAdded",
        /// Staff left a note for staff.
        StaffInfoAdded = "staffInfoAdded",
        /// A reminder was sent, and a fee charged for it.
        ReminderFee = "reminderFee",
        /// Used at the location, and held for the patron between two uses.
        HeldForUseAtLocation = "heldForUseAtLocation",
        /// Taken up again for use at the location.
        PickedUpForUseAtLocation = "pickedUpForUseAtLocation",
        /// Lost, as the patron or staff say.
        DeclaredLost = "declaredLost",
        /// Overdue for so long that a timer took the item for lost.
        ItemAgedToLost = "itemAgedToLost",
        /// The patron claims to have returned it.
        ClaimedReturned = "claimedReturned",
        /// Claimed returned, and not found.
        MarkedMissing = "markedMissing",
        /// Ended because its loss is settled.
        ClosedLoan = "closedLoan",
    }
}

/// A stored loan.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Loan {
    /// The loan's id.
    pub id: LoanId,
    /// The borrower; gone when the loan is anonymous.
    pub user_id: Option<UserId>,
    /// Who acted for the borrower.
    pub proxy_user_id: Option<UserId>,
    /// The item.
    pub item_id: ItemId,
    /// Open or closed.
    #[serde(default, deserialize_with = "status")]
    pub status: Option<LoanStatus>,
    /// When the item was lent.
    #[serde(with = "wire_time")]
    pub loan_date: Timestamp,
    /// When it is due.
    #[serde(default, with = "wire_time::optional")]
    pub due_date: Option<Timestamp>,
    /// When it came back.
    #[serde(default, with = "wire_time::optional")]
    pub return_date: Option<Timestamp>,
    /// The last act; clients may store any other text.
    #[serde(default, deserialize_with = "lenient::name")]
    pub action: Option<LoanAction>,
    /// The item's status as the loan has it.
    #[serde(default, deserialize_with = "item_status")]
    pub item_status: Option<ItemStatus>,
    /// How often it was renewed.
    #[serde(default)]
    pub renewal_count: Option<u32>,
    /// The loan policy.
    pub loan_policy_id: Option<LoanPolicyId>,
    /// The overdue fine policy.
    pub overdue_fine_policy_id: Option<OverdueFinePolicyId>,
    /// The lost item fee policy.
    pub lost_item_policy_id: Option<LostItemPolicyId>,
    /// Where it was lent.
    pub checkout_service_point_id: Option<ServicePointId>,
    /// The borrower's group when it was lent.
    pub patron_group_id_at_checkout: Option<PatronGroupId>,
    /// A recall has brought the due date forward.
    #[serde(default)]
    pub due_date_changed_by_recall: Option<bool>,
    /// When it was declared lost.
    #[serde(default, with = "wire_time::optional")]
    pub declared_lost_date: Option<Timestamp>,
    /// When the borrower claimed to have returned it.
    #[serde(default, with = "wire_time::optional")]
    pub claimed_returned_date: Option<Timestamp>,
    /// What the timers keep of a loan that aged to lost.
    #[serde(default)]
    pub aged_to_lost_delayed_billing: Option<AgedToLost>,
}

/// When a loan aged to lost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgedToLost {
    /// The instant.
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

/// Clients may store any text here: what is no status says that nobody knows it.
fn item_status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ItemStatus>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    Ok(name.map(|name| ItemStatus::or_unknown(Some(&name))))
}

impl Loan {
    /// Whether the item has not come back, whatever became of it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.status == Some(LoanStatus::Open)
    }

    /// Whether a recall has already brought the due date forward.
    #[must_use]
    pub fn was_recalled(&self) -> bool {
        self.due_date_changed_by_recall == Some(true)
    }

    /// When the item was lost: declared so or aged, whatever was last.
    #[must_use]
    pub fn lost_date(&self) -> Option<Timestamp> {
        let aged = self.aged_to_lost_delayed_billing.as_ref();
        let aged = aged.and_then(|aged| aged.aged_to_lost_date);
        self.declared_lost_date.max(aged)
    }
}
