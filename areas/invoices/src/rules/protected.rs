//! The properties that cannot be changed once an invoice is approved or a voucher made.

use octavo_records::instant;
use serde_json::Value;

use super::document::Document;

/// Of an invoice.
pub const OF_INVOICE: &[&str] = &[
    "adjustments",
    "approvedBy",
    "approvalDate",
    "chkSubscriptionOverlap",
    "currency",
    "exportToAccounting",
    "folioInvoiceNo",
    "invoiceDate",
    "lockTotal",
    "paymentTerms",
    "source",
    "voucherNumber",
    "paymentId",
    "poNumbers",
    "vendorId",
];

/// Of a line of an approved invoice.
pub const OF_LINE: &[&str] = &[
    "adjustments",
    "invoiceId",
    "invoiceLineNumber",
    "poLineId",
    "productId",
    "productIdType",
    "quantity",
    "subTotal",
];

/// Of a voucher, always.
pub const OF_VOUCHER: &[&str] = &[
    "id",
    "accountingCode",
    "amount",
    "batchGroupId",
    "exchangeRate",
    "exportToAccounting",
    "invoiceCurrency",
    "invoiceId",
    "status",
    "systemCurrency",
    "type",
    "voucherDate",
    "acqUnitIds",
];

/// Those of the names whose values differ between two records.
#[must_use]
pub fn changed(
    names: &'static [&'static str],
    old: &Document,
    new: &Document,
) -> Vec<&'static str> {
    let differs = |name: &&&str| !same(old.get(**name), new.get(**name));
    names.iter().filter(differs).copied().collect()
}

/// Whether two values mean the same: a list without elements is like none, numbers are compared as numbers
/// and instants as instants.
fn same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (present(one), present(other)) {
        (None, None) => true,
        (Some(Value::Number(one)), Some(Value::Number(other))) => one.as_f64() == other.as_f64(),
        (Some(Value::String(one)), Some(Value::String(other))) => {
            one == other
                || matches!((instant::parse(one), instant::parse(other)),
                                     (Some(one), Some(other)) if one == other)
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| same(Some(one), Some(other)))
        }
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let mut names = one.keys().chain(other.keys());
            names.all(|name| same(one.get(name), other.get(name)))
        }
        (one, other) => one == other,
    }
}

fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| match value {
        Value::Null => false,
        Value::Array(list) => !list.is_empty(),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_means_the_same_is_no_change() {
        let object = |value: Value| value.as_object().cloned().expect("an object");
        for (old, new, names) in [
            (json!({"lockTotal": 10}), json!({"lockTotal": 10.0}), vec![]),
            (json!({"lockTotal": 10}), json!({}), vec!["lockTotal"]),
            (json!({"adjustments": []}), json!({}), vec![]),
            (
                json!({"invoiceDate": "2026-01-01T00:00:00.000+00:00"}),
                json!({"invoiceDate": "2026-01-01T01:00:00+01:00"}),
                vec![],
            ),
            (
                json!({"adjustments": [{"value": 1, "fundDistributions": []}], "note": "a"}),
                json!({"adjustments": [{"value": 1.0}], "note": "b"}),
                vec![],
            ),
            (
                json!({"adjustments": [{"value": 1}], "vendorId": "a"}),
                json!({"adjustments": [{"value": 2}], "vendorId": "b"}),
                vec!["adjustments", "vendorId"],
            ),
        ] {
            assert_eq!(changed(OF_INVOICE, &object(old), &object(new)), names);
        }
    }
}
