//! Loans written as records: created (open or closed), changed, closed. FOLIO stops at the first error.

use jiff::Timestamp;
use octavo_library::{
    ItemStatus, Loan, LoanAction, LoanStatus, Patron, RequestStatus, RequestType, ServicePointId,
    id_in, wire_time,
};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::due_date::keeps_due_date;
use crate::facts::{Item, RequestQueue};
use crate::refusal::{LoanRefusal, Refusal};

/// Properties of a loan's view that are not stored.
const SHOWN_ONLY: [&str; 11] = [
    "item",
    "borrower",
    "loanPolicy",
    "overdueFinePolicy",
    "lostItemPolicy",
    "checkinServicePoint",
    "checkoutServicePoint",
    "patronGroupAtCheckout",
    "feesAndFines",
    "dueDateChangedByHold",
    "dueDateChangedByNearExpireUser",
];
/// Stored properties that views lack: kept when a client sends a view back.
const KEPT: [&str; 3] = [
    "agedToLostDelayedBilling",
    "patronGroupIdAtCheckout",
    "itemStatus",
];

/// A loan as it was sent, checked against the shape of loans.
#[derive(Debug, Clone, PartialEq)]
pub struct LoanRecord {
    /// The document to store.
    pub document: Map<String, Value>,
}

/// The facts for a written loan.
#[derive(Debug, Clone)]
pub struct RecordFacts {
    /// Its item.
    pub item: Option<Item>,
    /// Its borrower.
    pub patron: Option<Patron>,
    /// Whether its proxy acts for the borrower.
    pub proxy_is_valid: bool,
    /// Its existing service points.
    pub service_points: Vec<ServicePointId>,
    /// The open requests for the item.
    pub queue: RequestQueue,
}

/// The changes.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordPlan {
    /// The loan to store.
    pub document: Map<String, Value>,
    /// The item is lent.
    pub lends: bool,
    /// The loan is closed: the item serves the next request.
    pub ends: bool,
}

impl LoanRecord {
    /// Removes properties of views from a body; without a status the loan is open and checked out.
    #[must_use]
    pub fn stripped(mut body: Value) -> Value {
        if let Value::Object(map) = &mut body {
            for name in SHOWN_ONLY {
                map.shift_remove(name);
            }
            if let Some(Value::Object(reminders)) = map.get_mut("reminders") {
                reminders.shift_remove("renewalBlocked");
            }
            if !map.contains_key("status") {
                map.insert("status".into(), LoanStatus::Open.document());
                map.entry("action")
                    .or_insert_with(|| LoanAction::CheckedOut.into());
            }
        }
        body
    }

    #[must_use]
    pub fn id<I: From<Uuid>>(&self, property: &str) -> Option<I> {
        id_in(&self.document, property)
    }

    #[must_use]
    pub fn instant(&self, property: &str) -> Option<Timestamp> {
        wire_time::parse(self.text(property)?)
    }

    fn text(&self, property: &str) -> Option<&str> {
        self.document.get(property).and_then(Value::as_str)
    }

    /// Whether the loan is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        LoanStatus::of(&self.document) == Some(LoanStatus::Open)
    }

    fn check(&self, facts: &RecordFacts, closing_point: bool) -> Result<(), Refusal> {
        if LoanStatus::of(&self.document).is_none() {
            let status = self.document.get("status");
            let status = status.and_then(|status| status["name"].as_str());
            let status = status.map(str::to_owned);
            return Err(LoanRefusal::StatusNotRecognised { status }.into());
        }
        if self.is_open() && self.text("userId").is_none() {
            return Err(LoanRefusal::OpenWithoutUser.into());
        }
        let unknown = |property: &str| {
            let known = self.id(property);
            let known = known.is_some_and(|id| facts.service_points.contains(&id));
            self.text(property).filter(|_| !known).map(str::to_owned)
        };
        if let Some(id) = unknown("checkinServicePointId") {
            return Err(LoanRefusal::CheckInServicePointNotFound { id }.into());
        }
        if let Some(id) = unknown("checkoutServicePointId") {
            return Err(LoanRefusal::CheckOutServicePointNotFound { id }.into());
        }
        if closing_point && !self.is_open() && self.text("checkinServicePointId").is_none() {
            return Err(LoanRefusal::ClosedWithoutServicePoint.into());
        }
        Ok(())
    }

    fn item<'f>(&self, facts: &'f RecordFacts) -> Result<&'f Item, Refusal> {
        facts.item.as_ref().ok_or_else(|| {
            let id = self.text("itemId").unwrap_or("null").to_owned();
            LoanRefusal::ItemNotFound { id }.into()
        })
    }

    fn check_proxy(&self, facts: &RecordFacts) -> Result<(), Refusal> {
        let Some(proxy_user_id) = self.id("proxyUserId") else {
            return Ok(());
        };
        if self.id("userId") == Some(proxy_user_id) {
            return Err(Refusal::ProxyForThemselves { proxy_user_id });
        }
        if facts.proxy_is_valid {
            Ok(())
        } else {
            Err(LoanRefusal::ProxyNotValid { proxy_user_id }.into())
        }
    }
}

/// Decides on a new loan.
///
/// # Errors
/// The first thing that prevents it.
pub fn decide_creation(record: &LoanRecord, facts: &RecordFacts) -> Result<RecordPlan, Refusal> {
    record.check(facts, false)?;
    let item = record.item(facts)?;
    if item.is(ItemStatus::CheckedOut) {
        return Err(LoanRefusal::AlreadyCheckedOut { item_id: item.id }.into());
    }
    if item.is(ItemStatus::Missing) || item.is(ItemStatus::DeclaredLost) {
        return Err(LoanRefusal::ItemStatusForbidsLoan {
            item: item.reference(),
            status: item.status.name,
            item_id: item.id,
        }
        .into());
    }
    record.check_proxy(facts)?;
    let Some(patron) = &facts.patron else {
        let id = record.text("userId").map(str::to_owned);
        return Err(LoanRefusal::UserNotFound { id }.into());
    };
    let first = facts.queue.first_for_check_out(item);
    if first.is_some_and(|first| first.requester_id != patron.id) {
        return Err(LoanRefusal::RequestedByAnotherPatron {
            item: item.reference(),
            user_name: patron.display_name(),
            user_id: patron.id,
        }
        .into());
    }
    let mut document = record.document.clone();
    // Loans of consortial borrowing (DCB) are created by other modules.
    document.entry("isDcb").or_insert(Value::Bool(false));
    let lends = record.is_open();
    if lends {
        document.insert("itemStatus".into(), ItemStatus::CheckedOut.into());
        if let Some(group) = patron.patron_group {
            document
                .entry("patronGroupIdAtCheckout")
                .or_insert_with(|| group.to_string().into());
        }
    } else {
        document.insert("itemStatus".into(), item.status.name.into());
    }
    Ok(RecordPlan {
        document,
        lends,
        ends: false,
    })
}

/// Decides on a changed loan.
///
/// # Errors
/// The first thing that prevents it.
pub fn decide_replacement(
    record: &LoanRecord,
    before: &Loan,
    stored: &Map<String, Value>,
    facts: &RecordFacts,
) -> Result<RecordPlan, Refusal> {
    record.check(facts, true)?;
    let item = record.item(facts)?;
    let due_date = record.instant("dueDate");
    let due_date_changes =
        due_date.map(Timestamp::as_millisecond) != before.due_date.map(Timestamp::as_millisecond);
    if due_date_changes && keeps_due_date(item) {
        return Err(LoanRefusal::ItemStatus {
            status: item.status.name,
            item_id: item.id,
        }
        .into());
    }
    record.check_proxy(facts)?;
    let mut document = record.document.clone();
    for name in KEPT {
        if let (false, Some(value)) = (document.contains_key(name), stored.get(name)) {
            document.insert(name.into(), value.clone());
        }
    }
    let marked = document.get("dueDateChangedByRecall") == Some(&Value::Bool(true));
    let recall_waits = facts.queue.requests().iter().any(|request| {
        request.request_type == RequestType::Recall && request.status == RequestStatus::NotYetFilled
    });
    if due_date_changes && marked && !recall_waits {
        document.insert("dueDateChangedByRecall".into(), false.into());
    }
    Ok(RecordPlan {
        document,
        // Lost and claimed returned items keep their status.
        lends: record.is_open() && !keeps_due_date(item),
        // A closed loan is not closed again: the item may be on another loan by now.
        ends: !record.is_open() && before.is_open(),
    })
}

/// Whether a loan that is sent again equals the stored one.
#[must_use]
pub fn is_same(sent: &Map<String, Value>, stored: &Map<String, Value>) -> bool {
    let at = |value: &Value| value.as_str().and_then(wire_time::parse);
    sent.iter().all(|(name, value)| match stored.get(name) {
        _ if name == "metadata" => true,
        Some(kept) if kept == value => true,
        Some(kept) => at(value).is_some() && at(value) == at(kept),
        None => false,
    })
}
