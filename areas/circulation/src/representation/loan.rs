//! The view of a loan with names resolved from its ids.

use octavo_library::{LostItemPolicyId, id_in};
use serde_json::{Map, Value, json};

use super::item::{named, set};
use super::{object, only};
use crate::circulation_config::CirculationConfig;

/// The properties of a service point in the view.
const POINT: [&str; 7] = [
    "id",
    "name",
    "code",
    "discoveryDisplayName",
    "description",
    "shelvingLagTime",
    "pickupLocation",
];

/// Stored properties that the view lacks.
const UNTOLD: [&str; 3] = [
    "itemStatus",
    "agedToLostDelayedBilling",
    "patronGroupIdAtCheckout",
];

/// The related records of a loan.
#[derive(Debug, Clone, Copy)]
pub struct LoanWith<'a> {
    /// The borrower's record.
    pub borrower: Option<&'a Value>,
    /// The remaining amount.
    pub remaining: &'a Value,
    /// The tenant's configuration.
    pub config: &'a CirculationConfig,
}

/// The loan as FOLIO shows it.
#[must_use]
pub fn loan(document: &Map<String, Value>, item: Value, with: LoanWith<'_>) -> Value {
    let LoanWith {
        borrower,
        remaining,
        config,
    } = with;
    let mut shown = document.clone();
    shown.retain(|name, _| !UNTOLD.contains(&name.as_str()));
    shown.insert("item".to_owned(), item);
    let overdue =
        id_in(document, "overdueFinePolicyId").and_then(|id| config.overdue_policies.get(&id));
    if let Some(policy) = overdue {
        add_renewal_reminders(&mut shown, policy);
    }
    if let Some(borrower) = borrower {
        shown.insert("borrower".to_owned(), person(borrower));
    }
    for (name, point) in [
        ("checkoutServicePoint", "checkoutServicePointId"),
        ("checkinServicePoint", "checkinServicePointId"),
    ] {
        if let Some(point) = id_in(document, point).and_then(|id| config.service_points.get(&id)) {
            shown.insert(name.to_owned(), Value::Object(only(point, &POINT)));
        }
    }
    if let Some(group) =
        id_in(document, "patronGroupIdAtCheckout").and_then(|id| config.groups.get(&id))
    {
        let group = object([("id", &group["id"]), ("name", &group["group"])]);
        set(&mut shown, "patronGroupAtCheckout", Value::Object(group));
    }
    let policy = id_in(document, "loanPolicyId").and_then(|id| config.loan_policies.get(&id));
    set(
        &mut shown,
        "loanPolicy",
        named(policy.map(|policy| policy.name.as_str())),
    );
    let overdue = overdue.and_then(|policy| policy["name"].as_str());
    set(&mut shown, "overdueFinePolicy", named(overdue));
    let lost = config.name(id_in::<LostItemPolicyId>(document, "lostItemPolicyId"));
    set(&mut shown, "lostItemPolicy", named(lost));
    shown.insert(
        "feesAndFines".to_owned(),
        json!({ "amountRemainingToPay": remaining }),
    );
    Value::Object(shown)
}

fn person(borrower: &Value) -> Value {
    let personal = &borrower["personal"];
    let mut person = only(
        personal,
        &["firstName", "lastName", "middleName", "preferredFirstName"],
    );
    person.extend(only(borrower, &["barcode", "patronGroup"]));
    Value::Object(person)
}

/// Adds whether billed reminders prevent a renewal.
fn add_renewal_reminders(shown: &mut Map<String, Value>, policy: &Value) {
    let fees = &policy["reminderFeesPolicy"];
    let scheduled = !fees["reminderSchedule"].is_null();
    let Some(reminders) = shown.get_mut("reminders").and_then(Value::as_object_mut) else {
        return;
    };
    let billed = reminders
        .get("lastFeeBilled")
        .is_some_and(|last| !last["number"].is_null());
    if billed && scheduled {
        let allowed = fees["allowRenewalOfItemsWithReminderFees"] == true;
        reminders.insert("renewalBlocked".to_owned(), json!(!allowed));
    }
}
