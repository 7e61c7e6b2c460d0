//! The vouchers of a batch group and period as they are exported, in JSON and XML, and the name of the file.

use std::fmt::Write;

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::amount::{json as number, percent};
use super::document::{self, Document};

/// A voucher with what its batch says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    pub voucher: Document,
    pub lines: Vec<Document>,
    pub invoice: Document,
    /// The lines of the invoice.
    pub invoice_lines: Vec<Document>,
    pub vendor_name: String,
    pub vendor_address: Option<Value>,
}

/// The voucher as it stands in its batch.
#[must_use]
pub fn batched(exported: &Exported) -> Value {
    let mut batched = Map::new();
    let mut copy = |from: &Document, pairs: &[(&str, &str)]| {
        for (name, to) in pairs {
            if let Some(value) = from.get(*name) {
                batched.insert((*to).to_owned(), value.clone());
            }
        }
    };
    copy(
        &exported.voucher,
        &[
            ("accountingCode", "accountingCode"),
            ("accountNo", "accountNo"),
            ("amount", "amount"),
            ("disbursementNumber", "disbursementNumber"),
            ("disbursementDate", "disbursementDate"),
            ("disbursementAmount", "disbursementAmount"),
            ("enclosureNeeded", "enclosureNeeded"),
            ("exchangeRate", "exchangeRate"),
            ("invoiceCurrency", "invoiceCurrency"),
            ("status", "status"),
            ("systemCurrency", "systemCurrency"),
            ("type", "type"),
            ("voucherDate", "voucherDate"),
            ("voucherNumber", "voucherNumber"),
        ],
    );
    copy(
        &exported.invoice,
        &[
            ("folioInvoiceNo", "folioInvoiceNo"),
            ("invoiceDate", "invoiceDate"),
            ("paymentTerms", "invoiceTerms"),
            ("note", "invoiceNote"),
            ("vendorInvoiceNo", "vendorInvoiceNo"),
        ],
    );
    batched.entry("accountingCode").or_insert_with(|| json!(""));
    batched.insert("vendorName".to_owned(), json!(exported.vendor_name));
    let lines: Vec<Value> = exported.lines.iter().map(line).collect();
    batched.insert("batchedVoucherLines".to_owned(), Value::Array(lines));
    batched.insert(
        "adjustments".to_owned(),
        Value::Array(adjustments(exported)),
    );
    if let Some(address) = &exported.vendor_address {
        batched.insert("vendorAddress".to_owned(), address.clone());
    }
    Value::Object(batched)
}

fn line(line: &Document) -> Value {
    let mut codes: Vec<&str> = Vec::new();
    for code in document::objects(line, "fundDistributions")
        .filter_map(|distribution| document::text(distribution, "code"))
    {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    json!({
        "amount": line.get("amount"), "fundCodes": codes,
        "externalAccountNumber": line.get("externalAccountNumber"),
    })
}

/// The adjustments that go to accounting: those of the invoice, and those of its lines that are no shares of
/// them. Their amount is converted and not rounded.
fn adjustments(exported: &Exported) -> Vec<Value> {
    let rate = document::given(&exported.voucher, "exchangeRate").unwrap_or(Decimal::ONE);
    let of = |owner: &Document| {
        let sub_total = document::number(owner, "subTotal");
        document::objects(owner, "adjustments")
            .filter(|one| {
                document::flag(one, "exportToAccounting") && !one.contains_key("adjustmentId")
            })
            .map(|one| {
                let value = document::number(one, "value");
                let own = match document::text(one, "type") {
                    Some("Percentage") => percent(sub_total, value),
                    _ => value,
                };
                let mut one = one.clone();
                one.insert("totalAmount".to_owned(), number(own.saturating_mul(rate)));
                Value::Object(one)
            })
            .collect::<Vec<_>>()
    };
    let owners = exported.invoice_lines.iter().chain([&exported.invoice]);
    owners.flat_map(of).collect()
}

/// The name of the file: the end of the batch voucher's id, the group, and the period.
#[must_use]
pub fn file_name(id: &str, group: &str, start: &str, end: &str, is_xml: bool) -> String {
    let last = id.rsplit('-').next().unwrap_or_default();
    let day = |at: &str| at.chars().take(10).collect::<String>();
    // A group may have any name; a file may not.
    let group: String = group
        .chars()
        .map(|one| {
            if one == '/' || one.is_control() {
                '_'
            } else {
                one
            }
        })
        .collect();
    let kind = if is_xml { "xml" } else { "json" };
    format!("bv_{last}_{group}_{}_{}.{kind}", day(start), day(end))
}

/// Elements of lists that have a name of their own in XML.
const ELEMENTS: [(&str, &str); 4] = [
    ("batchedVouchers", "batchedVoucher"),
    ("batchedVoucherLines", "batchedVoucherLine"),
    ("adjustments", "adjustment"),
    ("fundCodes", "fundCode"),
];

/// A batch voucher as XML.
#[must_use]
pub fn xml(batch_voucher: &Value) -> String {
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n".to_owned();
    element("batchVoucher", batch_voucher, &mut out);
    out.push('\n');
    out
}

fn element(name: &str, value: &Value, out: &mut String) {
    // Writing to a String does not fail.
    match value {
        Value::Null => {}
        Value::Object(properties) => {
            let _ = write!(out, "<{name}>");
            for (name, value) in properties {
                element(name, value, out);
            }
            let _ = write!(out, "</{name}>");
        }
        Value::Array(list) => {
            let of = ELEMENTS.iter().find(|(list, _)| *list == name);
            let _ = write!(out, "<{name}>");
            for one in list {
                element(of.map_or("item", |(_, one)| one), one, out);
            }
            let _ = write!(out, "</{name}>");
        }
        Value::String(text) => {
            let _ = write!(out, "<{name}>{}</{name}>", escaped(text));
        }
        other => {
            let _ = write!(out, "<{name}>{other}</{name}>");
        }
    }
}

/// A text in XML: what XML 1.0 cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' | '\n' | '\r' => out.push(one),
            _ if one.is_control() || matches!(one, '\u{fffe}' | '\u{ffff}') => {}
            _ => out.push(one),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Document {
        value.as_object().cloned().expect("an object")
    }

    fn exported() -> Exported {
        Exported {
            voucher: object(json!({"amount": 12.5, "exchangeRate": 2, "voucherNumber": "7"})),
            lines: vec![object(
                json!({"amount": 12.5, "externalAccountNumber": "5000",
                "fundDistributions": [{"code": "A"}, {"code": "B"}, {"code": "A"}]}),
            )],
            invoice: object(json!({"subTotal": 200, "note": "a<b", "adjustments": [
                {"type": "Percentage", "value": 2.5, "exportToAccounting": true},
                {"type": "Amount", "value": 9, "exportToAccounting": false}]})),
            invoice_lines: vec![object(json!({"subTotal": 10, "adjustments": [
                {"type": "Amount", "value": 3, "exportToAccounting": true},
                {"type": "Amount", "value": 1, "exportToAccounting": true,
                 "adjustmentId": "x"}]}))],
            vendor_name: "Otter & Sons".to_owned(),
            vendor_address: None,
        }
    }

    #[test]
    fn a_voucher_has_codes_and_adjustments_for_accounting() {
        let batched = batched(&exported());
        assert_eq!(
            batched["batchedVoucherLines"][0]["fundCodes"],
            json!(["A", "B"])
        );
        let amounts: Vec<&Value> = batched["adjustments"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| &one["totalAmount"])
            .collect();
        assert_eq!(amounts, [&json!(6.0), &json!(10.0)]);
        assert_eq!(batched["invoiceNote"], "a<b");
    }

    #[test]
    fn xml_names_what_lists_hold() {
        let batch = json!({"batchGroup": "Law & Co", "batchedVouchers": [batched(&exported())]});
        let text = xml(&batch);
        for part in [
            "<batchVoucher><batchGroup>Law &amp; Co</batchGroup>",
            "<batchedVouchers><batchedVoucher>",
            "<fundCodes><fundCode>A</fundCode><fundCode>B</fundCode></fundCodes>",
            "<invoiceNote>a&lt;b</invoiceNote>",
            "<vendorName>Otter &amp; Sons</vendorName>",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(escaped("a\u{0}\u{b}b"), "ab");
    }

    #[test]
    fn files_are_named_after_group_and_period() {
        let id = "35657479-83b9-4760-9c39-b58dcd02ee14";
        let (start, end) = (
            "2026-03-01T00:00:00.000+00:00",
            "2026-03-31T23:59:59.000+00:00",
        );
        let name = file_name(id, "Law/A", start, end, false);
        assert_eq!(name, "bv_b58dcd02ee14_Law_A_2026-03-01_2026-03-31.json");
    }
}
