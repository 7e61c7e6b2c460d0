//! Properties that must not change once an order is not Pending any more.

use serde_json::{Value, json};

use super::doc::{Doc, at, flag};
use super::statuses::Workflow;
use crate::refusal::{Code, Refusal, Wrong};

const OF_ORDER: [&str; 6] = [
    "poNumber",
    "manualPo",
    "approved",
    "orderType",
    "reEncumber",
    "template",
];
const OF_LINE: [&str; 19] = [
    "acquisitionMethod",
    "checkinItems",
    "collection",
    "contributors",
    "donor",
    "details.productIds",
    "details.subscriptionInterval",
    "orderFormat",
    "rush",
    "selector",
    "vendorDetail.instructions",
    "eresource.createInventory",
    "eresource.trial",
    "eresource.license",
    "eresource.materialType",
    "eresource.userLimit",
    "physical.createInventory",
    "physical.volumes",
    "physical.materialType",
];

/// The protected properties of an order that another version of it changes.
#[must_use]
pub fn of_order(old: &Doc, new: &Doc) -> Vec<&'static str> {
    let status = Workflow::of(old);
    if status == Workflow::Pending {
        return Vec::new();
    }
    let mut changed = changed(old, new, &OF_ORDER);
    let was_and_stays_closed = status == Workflow::Closed && Workflow::of(new) == Workflow::Closed;
    if was_and_stays_closed && differ(old, new, "closeReason") {
        changed.push("closeReason");
    }
    changed
}

/// The protected properties of a line that another version of it changes, while its order is not Pending.
#[must_use]
pub fn of_line(old: &Doc, new: &Doc) -> Vec<&'static str> {
    changed(old, new, &OF_LINE)
}

/// Refuses changes of protected properties.
///
/// # Errors
/// Names all of them.
pub fn refuse(changed: &[&str]) -> Result<(), Refusal> {
    if changed.is_empty() {
        return Ok(());
    }
    let wrong = Wrong::of(Code::ProtectedFieldChanging)
        .with_property("protectedAndModifiedFields", json!(changed));
    Err(Refusal::bad(wrong))
}

/// Refuses changes of what an ongoing order must not change any more.
///
/// # Errors
/// When it does.
pub fn refuse_ongoing(old: &Doc, new: &Doc) -> Result<(), Refusal> {
    if Workflow::of(old) == Workflow::Pending {
        return Ok(());
    }
    let (names, code): (&[&str], Code) = match flag(new, "ongoing.isSubscription") {
        true => (
            &["ongoing.reviewDate", "ongoing.manualRenewal"],
            Code::WrongOngoingSubscriptionFieldsChanged,
        ),
        false => (
            &[
                "ongoing.interval",
                "ongoing.renewalDate",
                "ongoing.reviewPeriod",
                "ongoing.manualRenewal",
            ],
            Code::WrongOngoingNotSubscriptionFieldsChanged,
        ),
    };
    match names.iter().any(|name| differ(old, new, name)) {
        true => Err(Refusal::bad(code)),
        false => Ok(()),
    }
}

fn changed(old: &Doc, new: &Doc, paths: &[&'static str]) -> Vec<&'static str> {
    let paths = paths.iter().copied();
    paths.filter(|path| differ(old, new, path)).collect()
}

/// Whether a value differs; nothing, false, an empty list and an empty object are alike, since FOLIO's
/// records have these where nothing is said.
fn differ(old: &Doc, new: &Doc, path: &str) -> bool {
    let said = |doc| at(doc, path).filter(|value| !is_nothing(value));
    said(old) != said(new)
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.values().all(is_nothing),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    #[test]
    fn an_open_order_keeps_its_number_and_type() {
        let order = |status: &str, number: &str, reason: Value| {
            object(
                json!({"workflowStatus": status, "poNumber": number, "orderType": "One-Time",
                          "closeReason": reason}),
            )
        };
        let none = json!(null);
        for (old, new, wanted) in [
            (
                order("Pending", "1", none.clone()),
                order("Open", "2", none.clone()),
                vec![],
            ),
            (
                order("Open", "1", none.clone()),
                order("Open", "2", none.clone()),
                vec!["poNumber"],
            ),
            (
                order("Open", "1", none.clone()),
                order("Closed", "1", json!({"reason": "x"})),
                vec![],
            ),
            (
                order("Closed", "1", json!({"reason": "x"})),
                order("Closed", "1", json!({"reason": "y"})),
                vec!["closeReason"],
            ),
            (
                order("Closed", "1", json!({"reason": "x"})),
                order("Open", "1", none),
                vec![],
            ),
        ] {
            assert_eq!(of_order(&old, &new), wanted);
        }
    }

    #[test]
    fn nothing_and_false_are_alike() {
        let old = object(json!({"rush": false, "physical": {"volumes": []}, "donor": "a"}));
        let new = object(json!({"donor": "b"}));
        assert_eq!(of_line(&old, &new), ["donor"]);
        assert_eq!(of_line(&old, &old), Vec::<&str>::new());
    }

    #[test]
    fn an_ongoing_order_keeps_its_dates() {
        let order = |subscription: bool, changes: Value| {
            let mut ongoing = object(json!({"isSubscription": subscription, "interval": 12}));
            ongoing.extend(object(changes));
            object(json!({"workflowStatus": "Open", "ongoing": ongoing}))
        };
        let refused =
            |old: &Doc, new: &Doc| refuse_ongoing(old, new).err().and_then(|one| one.code());
        let old = order(true, json!({}));
        assert_eq!(refused(&old, &order(true, json!({"interval": 6}))), None);
        assert_eq!(
            refused(&old, &order(true, json!({"manualRenewal": true}))),
            Some(Code::WrongOngoingSubscriptionFieldsChanged)
        );
        let old = order(false, json!({}));
        assert_eq!(
            refused(&old, &order(false, json!({"interval": 6}))),
            Some(Code::WrongOngoingNotSubscriptionFieldsChanged)
        );
        assert_eq!(
            refused(&old, &order(false, json!({"reviewDate": "x"}))),
            None
        );
    }
}
