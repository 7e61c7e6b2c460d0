//! The operations of invoices, one a file. They know records and rules, and nothing of HTTP.

pub mod approve;
pub mod cancel;
pub mod change_invoice;
pub mod change_voucher;
pub mod classes;
pub mod create_invoice;
pub mod credentials;
pub mod exports;
pub mod fiscal_year;
pub mod guard;
pub mod import_invoice;
pub mod keep;
pub mod lines;
pub mod links;
pub mod order_lines;
pub mod pay;
pub mod remove_invoice;
pub mod rerate;
pub mod stored_documents;
pub mod stored_invoices;
pub mod terms;
pub mod upload;
pub mod usable_years;
pub mod voucher;

use octavo_records::{Context, StoreError, Violation};
use serde_json::Value;

use crate::rules::document::Document;

/// A document checked against its record type.
///
/// # Errors
/// Every violated rule.
pub fn checked(
    context: &Context<'_>,
    table: &str,
    mut document: Value,
) -> Result<Document, StoreError> {
    let shape = &context.collection(table).shape;
    shape.check(&mut document).map_err(StoreError::Invalid)?;
    match document {
        Value::Object(document) => Ok(document),
        _ => Err(StoreError::fault("a checked document is no object")),
    }
}

/// Checks the number of a voucher.
///
/// # Errors
/// When it has other characters than letters and digits.
pub fn voucher_number_form(voucher: &Value) -> Result<(), StoreError> {
    match voucher["voucherNumber"].as_str() {
        Some(number) if !number.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            Err(pattern("voucherNumber", "^[a-zA-Z0-9]*$", number))
        }
        _ => Ok(()),
    }
}

/// Checks the time of day of a configuration's exports.
///
/// # Errors
/// When it is none.
pub fn exported_time(configuration: &Value) -> Result<(), StoreError> {
    let Some(time) = configuration["startTime"].as_str() else {
        return Ok(());
    };
    let is_time = time.split_once(':').is_some_and(|(hour, minute)| {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let in_range = |text: &str, most: u32| text.parse().is_ok_and(|number: u32| number < most);
        matches!(hour.len(), 1 | 2)
            && minute.len() == 2
            && digits(hour)
            && digits(minute)
            && in_range(hour, 24)
            && in_range(minute, 60)
    });
    match is_time {
        true => Ok(()),
        false => Err(pattern(
            "startTime",
            "^([0-9]|0[0-9]|1[0-9]|2[0-3])[:][0-5][0-9]$",
            time,
        )),
    }
}

/// An invoice checked against its record type; the numbers of its orders have a pattern.
///
/// # Errors
/// Every violated rule.
pub fn checked_invoice(context: &Context<'_>, sent: Value) -> Result<Document, StoreError> {
    let invoice = checked(context, keep::INVOICES, sent)?;
    let numbers = invoice.get("poNumbers").and_then(Value::as_array);
    for (at, number) in numbers.into_iter().flatten().enumerate() {
        let number = number.as_str().unwrap_or_default();
        let fits = (1..=22).contains(&number.len())
            && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !fits {
            let path = format!("poNumbers[{at}]");
            return Err(pattern(&path, "^[a-zA-Z0-9]{1,22}$", number));
        }
    }
    Ok(invoice)
}

/// 422 with one violated pattern.
fn pattern(path: &str, pattern: &str, value: &str) -> StoreError {
    StoreError::Invalid(vec![Violation {
        message: format!("must match \"{pattern}\""),
        code: "jakarta.validation.constraints.Pattern.message",
        path: path.to_owned(),
        value: value.to_owned(),
    }])
}
