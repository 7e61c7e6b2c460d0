//! The account of a billed actual cost, and its first action.

use octavo_fees::accounting::Money;
use octavo_library::{ServicePointId, wire_time};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// A bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bill {
    /// The record of the actual cost.
    pub record_id: Uuid,
    /// The amount.
    pub amount: Money,
    /// The service point.
    pub service_point_id: Option<ServicePointId>,
    /// Comments and additional information.
    pub information: Information,
}

/// Comments and additional information of an actual cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Information {
    pub for_staff: Option<String>,
    pub for_patron: Option<String>,
}

type Document = Map<String, Value>;

#[must_use]
pub fn account(record: &Document, loan: &Document, id: Uuid, amount: Money) -> Document {
    let of = |part: &str, name: &str| record.get(part).and_then(|part| part.get(name)).cloned();
    let lent = |name: &str| loan.get(name).cloned();
    let item = |name: &str| of("item", name);
    let returned = loan.get("returnDate").and_then(Value::as_str);
    let returned = returned.and_then(wire_time::parse).map(wire_time::format);
    let returned = returned.map(Value::from);
    let call_number = item("effectiveCallNumberComponents")
        .and_then(|components| components.get("callNumber").cloned());
    let parts = [
        ("id", Some(json!(id))),
        ("amount", Some(amount.json())),
        ("remaining", Some(amount.json())),
        ("status", Some(json!({"name": "Open"}))),
        ("paymentStatus", Some(json!({"name": "Outstanding"}))),
        ("feeFineId", of("feeFine", "typeId")),
        ("feeFineType", of("feeFine", "type")),
        ("ownerId", of("feeFine", "ownerId")),
        ("feeFineOwner", of("feeFine", "owner")),
        ("title", of("instance", "title")),
        ("contributors", of("instance", "contributors")),
        ("instanceId", of("instance", "id")),
        ("barcode", item("barcode")),
        ("callNumber", call_number),
        ("location", item("effectiveLocation")),
        ("materialTypeId", item("materialTypeId")),
        ("materialType", item("materialType")),
        ("itemId", item("id")),
        ("holdingsRecordId", item("holdingsRecordId")),
        ("loanId", of("loan", "id")),
        ("userId", of("user", "id")),
        ("dueDate", lent("dueDate")),
        ("returnedDate", returned),
        ("loanPolicyId", lent("loanPolicyId")),
        ("overdueFinePolicyId", lent("overdueFinePolicyId")),
        ("lostItemFeePolicyId", lent("lostItemPolicyId")),
    ];
    known(parts)
}

/// The first action of the account: its charge.
#[must_use]
pub fn action(account: &Document, bill: &Bill, source: Option<&str>, at: &str) -> Document {
    let of = |name: &str| account.get(name).cloned();
    let information = &bill.information;
    let comments = comments(&information.for_staff, &information.for_patron);
    known([
        ("dateAction", Some(json!(at))),
        ("typeAction", of("feeFineType")),
        ("comments", Some(json!(comments))),
        ("notify", Some(json!(false))),
        ("amountAction", of("amount")),
        ("balance", of("amount")),
        ("transactionInformation", Some(json!("-"))),
        ("createdAt", bill.service_point_id.map(|id| json!(id))),
        ("source", source.map(|source| json!(source))),
        ("accountId", of("id")),
        ("userId", of("userId")),
        ("id", Some(json!(Uuid::new_v4()))),
    ])
}

/// `STAFF : … \n PATRON : …`, FOLIO's form of both comments in one text.
fn comments(for_staff: &Option<String>, for_patron: &Option<String>) -> String {
    let part = |whom: &str, text: &Option<String>| {
        let text = text.as_deref().filter(|text| !text.trim().is_empty())?;
        Some(format!("{whom} : {text}"))
    };
    let parts = [part("STAFF", for_staff), part("PATRON", for_patron)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" \n ")
}

fn known<const N: usize>(parts: [(&str, Option<Value>); N]) -> Document {
    let there = parts.into_iter().filter_map(|(name, value)| {
        let value = value.filter(|value| !value.is_null())?;
        Some((name.to_owned(), value))
    });
    there.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_whom_they_are_for() {
        let (staff, patron) = (Some("seen".to_owned()), Some("thanks".to_owned()));
        assert_eq!(comments(&staff, &patron), "STAFF : seen \n PATRON : thanks");
        assert_eq!(comments(&staff, &Some(" ".to_owned())), "STAFF : seen");
        assert_eq!(comments(&None, &patron), "PATRON : thanks");
        assert_eq!(comments(&None, &None), "");
    }
}
