//! Invoices of imported EDIFACT messages. A line that is refused spoils neither the invoice nor other lines.

use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_edifact::Segment;
use octavo_finance::app::lookups::funds;
use octavo_import_profiles::makers::{
    InvoiceMaker, InvoiceMakers, MadeInvoice, MadeInvoiceLine, Making, Unmade,
};
use octavo_platform::Grants;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use super::create_invoice::create_within as create_invoice;
use super::guard::Rights;
use super::keep::{INVOICES, LINES, Work};
use super::lines::create_within as create_line;
use crate::refusal::Declined;
use crate::rules::document::{self, Document};
use crate::rules::edifact::{self, Mapped, OrderedLine};
use crate::store::orders::{open_by_numbers, open_by_references};

/// Lets imports make invoices.
#[derive(Debug, Clone, Copy)]
pub struct MessageMaker;

impl MessageMaker {
    /// The maker, as imports take it.
    #[must_use]
    pub fn shared() -> InvoiceMakers {
        InvoiceMakers(Arc::new(MessageMaker))
    }
}

impl InvoiceMaker for MessageMaker {
    fn make<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        grants: &'a Grants,
        segments: &'a [Segment],
        profile: &'a Value,
    ) -> Making<'a, MadeInvoice> {
        Box::pin(async move {
            let work = Work {
                transaction,
                context: &context,
            };
            make(work, rights(grants), segments, profile).await
        })
    }
}

/// The savepoint to which a refused line returns.
const LINE: &str = "invoice_line";

#[boxed]
async fn make(
    work: Work<'_>,
    rights: Rights,
    segments: &[Segment],
    profile: &Value,
) -> Result<MadeInvoice, Unmade> {
    let transaction = work.transaction;
    let ordered = ordered(work, segments, profile).await?;
    let mapped = edifact::map(profile, segments, &ordered);
    let Mapped { mut invoice, lines } = mapped.map_err(Unmade::Refused)?;
    invoice.insert("source".to_owned(), json!("EDI"));
    let vendor_number = document::text(&invoice, "vendorInvoiceNo");
    let vendor_number = vendor_number.unwrap_or("0").to_owned();
    let sent = read(work, INVOICES, invoice);
    let (id, stored) = create_invoice(work, rights, sent).await.map_err(unmade)?;
    let stored: Value = serde_json::from_slice(&stored).map_err(StoreError::from)?;
    let mut made = MadeInvoice {
        id,
        number: stored["folioInvoiceNo"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        vendor_number,
        lines: Vec::with_capacity(lines.len()),
    };
    for (at, line) in lines.into_iter().enumerate() {
        let line = completed(work, id, line, ordered.get(at).and_then(Option::as_ref)).await?;
        let description = document::text(&line, "description").unwrap_or_default();
        let mut outcome = MadeInvoiceLine {
            id: None,
            number: (at + 1).to_string(),
            description: description.to_owned(),
            error: None,
        };
        transaction
            .savepoint(LINE)
            .await
            .map_err(StoreError::from)?;
        let sent = read(work, LINES, line);
        match create_line(work, rights, sent).await {
            Ok((id, stored)) => {
                let stored: Value = serde_json::from_slice(&stored).map_err(StoreError::from)?;
                let number = stored["invoiceLineNumber"].as_str();
                outcome.number = number.map_or(outcome.number, str::to_owned);
                outcome.id = Some(id);
            }
            Err(declined) => match unmade(declined) {
                Unmade::Refused(reason) => {
                    transaction
                        .rollback_to(LINE)
                        .await
                        .map_err(StoreError::from)?;
                    outcome.error = Some(reason);
                }
                fault @ Unmade::Store(_) => return Err(fault),
            },
        }
        transaction.release(LINE).await.map_err(StoreError::from)?;
        made.lines.push(outcome);
    }
    Ok(made)
}

/// The open order line that each line of the message is about: by its number, else by the vendor's reference
/// numbers where exactly one has any of them.
async fn ordered(
    work: Work<'_>,
    segments: &[Segment],
    profile: &Value,
) -> Result<Vec<Option<OrderedLine>>, StoreError> {
    let (executor, tables) = (work.transaction, work.context.tables());
    let groups = edifact::groups(segments);
    let path = edifact::number_path(profile);
    let numbers: Vec<String> = groups
        .iter()
        .map(|group| {
            path.as_ref()
                .map_or_else(String::new, |path| path.values(group).concat())
        })
        .collect();
    let wanted: Vec<&str> = numbers
        .iter()
        .map(String::as_str)
        .filter(|number| !number.is_empty())
        .collect();
    let known = open_by_numbers(executor, tables, &wanted).await?;
    let paths = edifact::reference_paths(profile);
    let mut found = Vec::with_capacity(groups.len());
    for (group, number) in groups.iter().zip(&numbers) {
        let by_number = known.iter().find(|(known, _)| known == number);
        if let Some((_, line)) = by_number {
            found.push(Some(line.clone()));
            continue;
        }
        let mut references: Vec<String> = paths
            .iter()
            .map(|path| path.values(group).concat())
            .filter(|reference| !reference.is_empty())
            .collect();
        references.sort_unstable();
        references.dedup();
        let mut lines = match references.is_empty() {
            true => Vec::new(),
            false => open_by_references(executor, tables, &references).await?,
        };
        found.push(lines.pop().filter(|_| lines.is_empty()));
    }
    Ok(found)
}

/// What these permissions allow with invoices.
fn rights(grants: &Grants) -> Rights {
    Rights::of(|permission| grants.has(permission))
}

/// A mapped line with its invoice, its order line and the codes of its funds.
async fn completed(
    work: Work<'_>,
    invoice: Uuid,
    mut line: Document,
    ordered: Option<&OrderedLine>,
) -> Result<Document, StoreError> {
    line.insert("invoiceId".to_owned(), json!(invoice));
    line.insert("invoiceLineStatus".to_owned(), json!("Open"));
    let po_line = ordered.map(|ordered| json!(ordered.id));
    document::set(&mut line, "poLineId", po_line);
    let Some(Value::Array(rows)) = line.get_mut("fundDistributions") else {
        return Ok(line);
    };
    let fund_of = |row: &Value| Uuid::try_parse(row["fundId"].as_str()?).ok();
    let ids: Vec<Uuid> = rows.iter().filter_map(fund_of).collect();
    let known = funds(work.transaction, work.context.tables(), &ids).await?;
    for row in rows {
        let fund = fund_of(row).and_then(|id| known.get(&id));
        if let (Some(fund), None) = (fund, row["code"].as_str()) {
            row["code"] = json!(fund.code);
        }
    }
    Ok(line)
}

/// A mapped document with numbers and flags in place of texts.
fn read(work: Work<'_>, table: &str, document: Document) -> Value {
    let mut document = Value::Object(document);
    let shape = &work.context.collection(table).shape;
    shape.read_texts(&mut document);
    document
}

fn unmade(declined: Declined) -> Unmade {
    match declined {
        Declined::Refused(refusal) => Unmade::Refused(refusal.message),
        Declined::Store(error) => Unmade::of_write(error),
    }
}
