//! Vouchers: made when an invoice is approved, rewritten when its rate changes, and paid or cancelled with it.

use octavo_boxed::boxed;
use octavo_organizations::app::look_up::Organization;
use octavo_records::StoreError;
use octavo_records::store::{insert, insert_many, replace};
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::keep::Work;
use super::terms::Payers;
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::amount::{digits, json as number};
use crate::rules::document::{self, Document};
use crate::rules::parts::Whole;
use crate::rules::share::on_voucher;
use crate::rules::voucher_lines::{Part, VoucherLine, amount, group};
use crate::store::finance::{ExpenseClass, expense_classes};
use crate::store::numbers::{self, Sequence};
use crate::store::{settings, vouchers};

const TABLE: &str = "vouchers";
const LINES: &str = "voucher_lines";

/// Makes the voucher of an invoice, or rewrites the one that it has: its number stays. The invoice gets the
/// number.
///
/// # Errors
/// When a fund has no external account, or the prefix of numbers is no word.
#[boxed]
pub async fn make(
    work: Work<'_>,
    invoice_id: Uuid,
    invoice: &mut Document,
    parts: &[Whole],
    payers: &Payers,
    rate: Decimal,
    vendor: &Organization,
) -> Result<(), Declined> {
    let lines = lines(work, parts, payers, rate).await?;
    let (transaction, context) = (work.transaction, work.context);
    let tables = context.tables();
    let held = vouchers::of_invoice(transaction, tables, invoice_id).await?;
    let (id, mut voucher) = match held {
        Some((id, held)) => (Some(id), held),
        None => (None, new(work, invoice_id).await?),
    };
    fill(&mut voucher, invoice, payers, rate, amount(&lines));
    document::set(&mut voucher, "vendorAddress", address(vendor));
    let written = document::text(&voucher, "voucherNumber").map(str::to_owned);
    document::set(invoice, "voucherNumber", written.map(Value::String));
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let collection = context.collection(TABLE);
    let id = match id {
        Some(id) => {
            replace(transaction, tenant, collection, id, &voucher, stamp).await?;
            vouchers::delete_lines(transaction, tables, id).await?;
            id
        }
        None => {
            insert(transaction, tenant, collection, voucher, stamp)
                .await?
                .0
        }
    };
    let places = digits(&payers.year.currency);
    let documents: Vec<Map<String, Value>> = lines
        .iter()
        .filter_map(|line| match line.document(id, places) {
            Value::Object(document) => Some(document),
            _ => None,
        })
        .collect();
    let collection = context.collection(LINES);
    insert_many(transaction, tenant, collection, documents, stamp).await?;
    Ok(())
}

/// What a new voucher has from the beginning.
async fn new(work: Work<'_>, invoice_id: Uuid) -> Result<Document, Declined> {
    let (transaction, tables) = (work.transaction, work.context.tables());
    let prefix = settings::voucher_prefix(transaction, tables).await?;
    if !prefix.chars().all(char::is_alphabetic) {
        return Err(Refusal::bad(Code::VoucherPrefix).into());
    }
    let next = numbers::next(transaction, tables, Sequence::Vouchers).await?;
    let voucher = json!({
        "invoiceId": invoice_id, "voucherNumber": format!("{prefix}{next}"), "type": "Voucher",
        "voucherDate": work.context.now(), "exportToAccounting": false,
    });
    match voucher {
        Value::Object(voucher) => Ok(voucher),
        _ => Err(StoreError::fault("a voucher is no object").into()),
    }
}

fn fill(
    voucher: &mut Document,
    invoice: &Document,
    payers: &Payers,
    rate: Decimal,
    amount: Decimal,
) {
    for name in [
        "accountingCode",
        "accountNo",
        "batchGroupId",
        "vendorId",
        "acqUnitIds",
    ] {
        document::set(voucher, name, invoice.get(name).cloned());
    }
    for name in ["enclosureNeeded", "exportToAccounting"] {
        voucher.insert(name.to_owned(), json!(document::flag(invoice, name)));
    }
    let currency = document::text(invoice, "currency").unwrap_or_default();
    voucher.insert("invoiceCurrency".to_owned(), json!(currency));
    voucher.insert("systemCurrency".to_owned(), json!(payers.year.currency));
    voucher.insert("exchangeRate".to_owned(), number(rate));
    voucher.insert("amount".to_owned(), number(amount));
    voucher.insert("status".to_owned(), json!("Awaiting payment"));
}

/// The parts of an address that vouchers have.
pub(super) fn address(vendor: &Organization) -> Option<Value> {
    const NAMES: [&str; 6] = [
        "addressLine1",
        "addressLine2",
        "city",
        "stateRegion",
        "zipCode",
        "country",
    ];
    let address = vendor.address()?;
    let parts: Map<String, Value> = NAMES
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), address.get(*name)?.clone())))
        .collect();
    Some(Value::Object(parts))
}

async fn lines(
    work: Work<'_>,
    wholes: &[Whole],
    payers: &Payers,
    rate: Decimal,
) -> Result<Vec<VoucherLine>, Declined> {
    let distributions = || wholes.iter().flat_map(|whole| &whole.distributions);
    let ids: Vec<Uuid> = distributions()
        .filter_map(|one| one.expense_class_id)
        .collect();
    let classes = expense_classes(work.transaction, work.context.tables(), &ids).await?;
    let places = digits(&payers.year.currency);
    let mut parts = Vec::new();
    for whole in wholes {
        let amounts = on_voucher(whole.total, rate, places, &whole.distributions);
        for (distribution, amount) in whole.distributions.iter().zip(amounts) {
            let fund = payers.funds.get(&distribution.fund_id);
            let fund = fund.ok_or_else(|| Refusal::missing(Code::FundsNotFound))?;
            let number = fund.external_account_no.as_deref();
            let Some(number) = number.filter(|number| !number.is_empty()) else {
                return Err(Refusal::failed(Code::NoExternalAccount)
                    .with("fundCode", &fund.code)
                    .into());
            };
            let class = distribution
                .expense_class_id
                .and_then(|id| classes.get(&id));
            parts.push(Part {
                account: account(number, class),
                code: match class {
                    Some(class) => format!("{}-{}", fund.code, class.code),
                    None => fund.code.clone(),
                },
                invoice_line_id: whole.line_id,
                distribution: distribution.clone(),
                amount,
            });
        }
    }
    Ok(group(parts, places))
}

fn account(number: &str, class: Option<&ExpenseClass>) -> String {
    let extension = class.and_then(|class| class.extension.as_deref());
    match extension.filter(|extension| !extension.is_empty()) {
        Some(extension) => format!("{number}-{extension}"),
        None => number.to_owned(),
    }
}

/// Sets the status of an invoice's voucher, if it has one.
///
/// # Errors
/// When the database does not answer.
pub async fn set_status(work: Work<'_>, invoice_id: Uuid, status: &str) -> Result<(), StoreError> {
    let (transaction, context) = (work.transaction, work.context);
    let held = vouchers::of_invoice(transaction, context.tables(), invoice_id).await?;
    let Some((id, mut voucher)) = held else {
        return Ok(());
    };
    voucher.insert("status".to_owned(), json!(status));
    let collection = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(transaction, tenant, collection, id, &voucher, stamp).await?;
    Ok(())
}
