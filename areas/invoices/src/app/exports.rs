//! Exports of vouchers, in the background: first the batch voucher is made, then it is uploaded.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_finance::store::years;
use octavo_jobs::{GivenUp, Job, NewJob, Outcome, Progress, Queue, Work};
use octavo_organizations::app::look_up::organizations;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch, fetch_locked, insert, replace};
use octavo_records::{Context, StoreError, instant};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::checked;
use super::upload::{self, Uploaded};
use crate::rules::batch_voucher::{Exported, batched, file_name, xml};
use crate::rules::document::{self, Document};
use crate::rules::schedule::due;
use crate::store::exports::{Part, belonging, configuration_of, scheduled, vouchers_of};
use crate::transfer::File;

/// The queue of exports.
pub static QUEUE: Queue = Queue::named("batch-voucher-exports");

const TABLE: &str = "batch_voucher_exports";
const NO_VOUCHERS: &str = "Vouchers for batch voucher export were not found";
const GENERATED: &str = "Batch voucher was generated";

/// How far an export is.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct State {
    /// The batch voucher is made, and is to be uploaded.
    uploads: bool,
}

/// Stores an export and queues it; returns its id and document.
///
/// # Errors
/// When it does not fit, or its batch group does not exist.
#[boxed]
pub async fn submit(context: &Context<'_>, sent: Value) -> Result<(Uuid, Value), StoreError> {
    let mut export = checked(context, TABLE, sent)?;
    export.insert("status".to_owned(), json!("Pending"));
    let transaction = context.store.database.transaction().await?;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let collection = context.collection(TABLE);
    let (id, stored) = insert(&transaction, tenant, collection, export, stamp).await?;
    enqueue(context, &transaction, id, &State::default()).await?;
    transaction.commit().await?;
    Ok((id, serde_json::from_slice(&stored)?))
}

/// Queues the upload of an export once more.
///
/// # Errors
/// When there is no such export.
#[boxed]
pub async fn upload_again(context: &Context<'_>, id: Uuid) -> Result<Value, StoreError> {
    let transaction = context.store.database.transaction().await?;
    let collection = context.collection(TABLE);
    let export = fetch_locked(&transaction, context.tenant, collection, id).await?;
    let export = export.ok_or(StoreError::NotFound)?;
    let uploads = export.get("batchVoucherId").is_some();
    enqueue(context, &transaction, id, &State { uploads }).await?;
    transaction.commit().await?;
    Ok(export)
}

/// Queues the exports that are due by the clock; returns their number.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn submit_due(context: &Context<'_>) -> Result<usize, StoreError> {
    let database = &context.store.database;
    let locale = years::settings(database, context.tables()).await?;
    let zone = jiff::tz::TimeZone::get(&locale.timezone).unwrap_or(jiff::tz::TimeZone::UTC);
    let mut made = 0;
    for (configuration, last) in scheduled(database, context.tables()).await? {
        let last = last.as_deref().and_then(instant::parse);
        let Some((from, to)) = due(&configuration, last, context.stamp.at, &zone) else {
            continue;
        };
        let export = json!({"batchGroupId": configuration.get("batchGroupId"),
                            "start": instant::format(from), "end": instant::format(to)});
        submit(context, export).await?;
        made += 1;
    }
    Ok(made)
}

async fn enqueue(
    context: &Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    state: &State,
) -> Result<(), StoreError> {
    let job = NewJob {
        id,
        key: None,
        progress: serde_json::to_value(state)?,
    };
    QUEUE.add(transaction, context.tenant, job).await?;
    Ok(())
}

/// What is done of exports.
#[derive(Debug, Clone, Copy)]
pub struct Exports;

impl Work for Exports {
    fn queue(&self) -> &'static Queue {
        &QUEUE
    }

    fn portion<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Outcome<'a> {
        Box::pin(portion(context, transaction, job))
    }

    fn give_up<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
        reason: &'a GivenUp,
    ) -> Outcome<'a> {
        Box::pin(async move {
            if let Some(mut export) = held(&context, transaction, job.id).await? {
                set_result(&mut export, "Error", &reason.to_string());
                save(&context, transaction, job.id, &export).await?;
            }
            Ok(Progress::Done)
        })
    }
}

async fn portion(
    context: Context<'_>,
    transaction: &Transaction,
    job: &Job,
) -> Result<Progress, StoreError> {
    let state: State = job.state()?;
    let Some(mut export) = held(&context, transaction, job.id).await? else {
        return Ok(Progress::Done);
    };
    if state.uploads {
        upload(&context, transaction, &mut export).await?;
        save(&context, transaction, job.id, &export).await?;
        return Ok(Progress::Done);
    }
    let made = generate(&context, transaction, &export).await?;
    match made {
        None => set_result(&mut export, "Error", NO_VOUCHERS),
        Some(id) => {
            set_result(&mut export, "Generated", GENERATED);
            export.insert("batchVoucherId".to_owned(), json!(id));
        }
    }
    save(&context, transaction, job.id, &export).await?;
    Ok(match made {
        None => Progress::Done,
        Some(_) => Progress::More(serde_json::to_value(State { uploads: true })?),
    })
}

fn set_result(export: &mut Document, status: &str, message: &str) {
    export.insert("status".to_owned(), json!(status));
    export.insert("message".to_owned(), json!(message));
}

async fn held(
    context: &Context<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<Option<Document>, StoreError> {
    let collection = context.collection(TABLE);
    let found = fetch_locked(transaction, context.tenant, collection, id).await?;
    Ok(found.and_then(|export| match export {
        Value::Object(export) => Some(export),
        _ => None,
    }))
}

async fn save(
    context: &Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    export: &Document,
) -> Result<(), StoreError> {
    let (tenant, collection) = (context.tenant, context.collection(TABLE));
    replace(transaction, tenant, collection, id, export, &context.stamp).await?;
    Ok(())
}

async fn group_name(
    context: &Context<'_>,
    transaction: &Transaction,
    export: &Document,
) -> Result<String, StoreError> {
    let group = document::id(export, "batchGroupId").unwrap_or_default();
    let collection = context.collection("batch_groups");
    let found = fetch(transaction, context.tenant, collection, group).await?;
    let name = found.and_then(|group| group["name"].as_str().map(str::to_owned));
    Ok(name.unwrap_or_default())
}

/// Makes the batch voucher of an export; `None` without vouchers.
async fn generate(
    context: &Context<'_>,
    transaction: &Transaction,
    export: &Document,
) -> Result<Option<Uuid>, StoreError> {
    let tables = context.tables();
    let group = document::id(export, "batchGroupId").unwrap_or_default();
    let text = |name: &str| document::text(export, name).unwrap_or_default();
    let (start, end) = (text("start"), text("end"));
    let vouchers = vouchers_of(transaction, tables, group, start, end).await?;
    if vouchers.is_empty() {
        return Ok(None);
    }
    let batched = gather(context, transaction, vouchers).await?;
    let batch = json!({
        "batchGroup": group_name(context, transaction, export).await?,
        // FOLIO fills the end with the start.
        "start": start, "end": start, "created": context.now(),
        "totalRecords": batched.len(), "batchedVouchers": batched,
    });
    let Value::Object(batch) = batch else {
        return Err(StoreError::fault("a batch voucher is no object"));
    };
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let collection = context.collection("batch_vouchers");
    let (id, _) = insert(transaction, tenant, collection, batch, stamp).await?;
    Ok(Some(id))
}

async fn gather(
    context: &Context<'_>,
    transaction: &Transaction,
    vouchers: Vec<(Uuid, Document)>,
) -> Result<Vec<Value>, StoreError> {
    let tables = context.tables();
    let ids: Vec<Uuid> = vouchers.iter().map(|(id, _)| *id).collect();
    let invoices: Vec<Uuid> = vouchers
        .iter()
        .filter_map(|(_, voucher)| document::id(voucher, "invoiceId"))
        .collect();
    let lines = belonging(transaction, tables, Part::VoucherLines, &ids).await?;
    let invoice_lines = belonging(transaction, tables, Part::InvoiceLines, &invoices).await?;
    let invoices = belonging(transaction, tables, Part::Invoices, &invoices).await?;
    let invoices: HashMap<Uuid, Document> = invoices.into_iter().collect();
    let vendor_of = |invoice: &Document| document::id(invoice, "vendorId").unwrap_or_default();
    let vendors: Vec<Uuid> = invoices.values().map(vendor_of).collect();
    let vendors = organizations(transaction, tables, &vendors).await?;
    let of = |list: &[(Uuid, Document)], owner: Uuid| {
        let own = list.iter().filter(|(of, _)| *of == owner);
        own.map(|(_, one)| one.clone()).collect::<Vec<_>>()
    };
    let mut all = Vec::with_capacity(vouchers.len());
    for (id, voucher) in vouchers {
        let invoice_id = document::id(&voucher, "invoiceId").unwrap_or_default();
        let invoice = invoices.get(&invoice_id).cloned().unwrap_or_default();
        let vendor = vendors.get(&vendor_of(&invoice));
        all.push(batched(&Exported {
            lines: of(&lines, id),
            invoice_lines: of(&invoice_lines, invoice_id),
            vendor_name: vendor.map_or_else(String::new, |vendor| vendor.name.clone()),
            vendor_address: vendor.and_then(super::voucher::address),
            voucher,
            invoice,
        }));
    }
    Ok(all)
}

/// Uploads the batch voucher, or says why not.
async fn upload(
    context: &Context<'_>,
    transaction: &Transaction,
    export: &mut Document,
) -> Result<(), StoreError> {
    let tables = context.tables();
    let group = document::id(export, "batchGroupId").unwrap_or_default();
    let Some((id, configuration)) = configuration_of(transaction, tables, group).await? else {
        set_result(export, "Error", "Batch export configuration was not found");
        return Ok(());
    };
    let batch_id = document::id(export, "batchVoucherId").unwrap_or_default();
    let batches = context.collection("batch_vouchers");
    let batch = fetch(transaction, context.tenant, batches, batch_id).await?;
    let Some(batch) = batch else {
        set_result(export, "Error", "Batch voucher was not found");
        return Ok(());
    };
    let is_xml = document::text(&configuration, "format") == Some("Application/xml");
    let text = |name: &str| document::text(export, name).unwrap_or_default();
    let name = file_name(
        text("batchVoucherId"),
        &group_name(context, transaction, export).await?,
        text("start"),
        text("end"),
        is_xml,
    );
    let content = match is_xml {
        true => xml(&batch),
        false => serde_json::to_string(&batch)?,
    };
    let file = File {
        name: &name,
        content: content.as_bytes(),
    };
    match upload::upload(context, transaction, (id, &configuration), file).await? {
        Uploaded::Yes => set_result(export, "Uploaded", &name),
        Uploaded::Incomplete(message) => set_result(export, "Generated", message),
        Uploaded::Failed(message) => set_result(export, "Error", &message),
    }
    Ok(())
}
