//! Processes one chunk: its records are parsed, executed, recorded in the journal and counted, in one
//! transaction.

use std::collections::HashSet;

use octavo_cataloging::bulk::raw;
use octavo_library::JobExecutionId;
use octavo_postgres::Transaction;
use octavo_records::{StoreError, instant};
use octavo_source_records::app::keep_terms::freshen;
use serde_json::Value;
use uuid::Uuid;

use super::Context;
use super::act::RecordState;
use super::finish::count;
use super::job_context::{JobContext, job_context};
use super::profile_runner::walk;
use crate::apply::{self, Writing};
use crate::rules::log::{EDIFACT, Entry};
use crate::rules::parse::{self, Format, MarcRecordKind};
use crate::rules::tree::Tree;
use crate::store::chunks::{self, Chunk};
use crate::store::incoming::{self, Incoming};
use crate::store::jobs::Job;
use crate::store::{journal, runs};

/// An incoming record.
#[derive(Debug)]
pub(crate) struct Read {
    /// The raw bytes.
    pub bytes: Vec<u8>,
    pub position: i64,
}

/// Does a chunk that a client sent, or as many of its records as it may be at most; says whether the job is over.
pub(crate) async fn do_chunk(
    context: &Context<'_>,
    transaction: &Transaction,
    job: &Job,
    chunk: Chunk,
    most: usize,
) -> Result<bool, StoreError> {
    let format = Format::named(&chunk.format).unwrap_or(Format::Raw);
    let mut records = match chunk.records {
        Value::Array(records) => records,
        _ => Vec::new(),
    };
    let rest = records.split_off(records.len().min(most));
    let records = records
        .into_iter()
        .map(|mut one| Read {
            position: one[1].as_i64().unwrap_or(0),
            bytes: match one[0].take() {
                Value::String(text) => text.into_bytes(),
                _ => Vec::new(),
            },
        })
        .collect();
    let (succeeded, failed) = do_records(context, transaction, job, format, records).await?;
    let tenant = context.tenant;
    match rest.is_empty() {
        true => chunks::done(transaction, tenant, chunk.id).await?,
        false => chunks::leave(transaction, tenant, chunk.id, &Value::Array(rest)).await?,
    }
    count(context, transaction, job.id, succeeded, failed, false).await
}

/// Processes records; returns how many succeeded and how many were refused.
pub(crate) async fn do_records(
    context: &Context<'_>,
    transaction: &Transaction,
    job: &Job,
    format: Format,
    records: Vec<Read>,
) -> Result<(i64, i64), StoreError> {
    if records.is_empty() {
        return Ok((0, 0));
    }
    let tree = Tree(job.profile.clone().unwrap_or_default());
    if tree.matches() {
        // Updates search terms, so that few records must be matched without them.
        freshen(context.store, context.tenant).await?;
        runs::match_alone(transaction, context.tenant).await?;
    }
    let kit = job_context(context, tree, job).await?;
    let records = records.into_iter();
    let mut doings: Vec<RecordState> = records.map(|it| begun(&kit, job, format, it)).collect();
    keep(context, transaction, job.id, &mut doings).await?;
    if is_bulk(&kit.tree) && !kit.accepts_ids {
        create_all(context, transaction, &kit, job.id, &mut doings).await?;
    }
    for doing in &mut doings {
        if !doing.failed && !doing.done {
            walk(context, transaction, &kit, doing).await?;
        }
    }
    let failed = doings.iter().filter(|doing| doing.failed).count() as i64;
    let succeeded = doings.len() as i64 - failed;
    let entries: Vec<Entry> = doings.into_iter().flat_map(|doing| doing.entries).collect();
    let now = instant::format(context.stamp.at);
    journal::insert(transaction, context.tenant, job.id, &entries, &now).await?;
    Ok((succeeded, failed))
}

/// Stores the raw records. One that the database refuses does not affect others.
async fn keep(
    context: &Context<'_>,
    transaction: &Transaction,
    job: JobExecutionId,
    doings: &mut [RecordState],
) -> Result<(), StoreError> {
    let all: Vec<Incoming> = doings.iter().map(incoming_of).collect();
    if try_keep(context, transaction, job, &all).await?.is_none() {
        return Ok(());
    }
    drop(all);
    for doing in doings {
        let mut one = incoming_of(doing);
        let refused = try_keep(context, transaction, job, std::slice::from_ref(&one)).await?;
        if let Some(reason) = refused {
            doing.fail_source(&reason);
            one.parsed = None;
            incoming::insert(transaction, context.tenant, job, &[one]).await?;
        }
    }
    Ok(())
}

fn incoming_of(doing: &RecordState) -> Incoming {
    Incoming {
        id: doing.id,
        record_type: match doing.is_message {
            true => Some(EDIFACT),
            false => doing.kind.map(MarcRecordKind::record_type),
        },
        position: doing.position,
        raw: doing.raw.clone(),
        parsed: match &doing.message {
            Some(message) => Some(message.to_json()),
            None => doing.is_read.then(|| doing.record.to_json()),
        },
    }
}

/// Stores all, or none and returns the reason.
async fn try_keep(
    context: &Context<'_>,
    transaction: &Transaction,
    job: JobExecutionId,
    records: &[Incoming],
) -> Result<Option<String>, StoreError> {
    transaction.savepoint(KEPT).await?;
    let refused = match incoming::insert(transaction, context.tenant, job, records).await {
        Ok(()) => None,
        Err(error @ (StoreError::Query(_) | StoreError::TooLarge(_))) => {
            transaction.rollback_to(KEPT).await?;
            Some(error.to_string())
        }
        Err(error) => return Err(error),
    };
    transaction.release(KEPT).await?;
    Ok(refused)
}

/// The savepoint before storing the records of a portion.
const KEPT: &str = "kept";

/// Parses a record, and refuses those that the job's profile is not for.
fn begun(kit: &JobContext, job: &Job, format: Format, read: Read) -> RecordState {
    let mut doing = RecordState::new(Uuid::new_v4().into(), job.id, read.position);
    if format == Format::Edifact {
        begin_message(kit, job, &mut doing, &read.bytes);
        return doing;
    }
    let refused = match parse::read(format, &read.bytes) {
        Err(error) => {
            doing.raw = storable(&read.bytes);
            Some(error)
        }
        Ok(record) => {
            doing.is_read = true;
            (doing.raw, doing.bytes) = raw(read.bytes, &record);
            let kind = MarcRecordKind::of(&record);
            doing.title = parse::title(kind, &record);
            doing.kind = Some(kind);
            doing.record = record;
            if kit.accepts_ids {
                None
            } else {
                parse::refuse_marked(&kit.tree, &doing.record)
            }
        }
    };
    let refused = refused.map(|error| error.to_string());
    doing.note_read(refused.as_deref());
    if let Some(error) = refused {
        doing.fail_source(&error);
        return doing;
    }
    let name = job.document["jobProfileInfo"]["name"]
        .as_str()
        .unwrap_or_default();
    if kit.tree.root().children().next().is_none() {
        doing.fail_source(&unlinked(name));
    } else if let Some(kind) = doing.kind.filter(|kind| !kit.tree.is_for(*kind)) {
        let kind = kind.record_type();
        doing.fail_source(&format!(
            "Chosen job profile '{name}' does not support '{kind}' record type"
        ));
    }
    doing
}

/// Parses a message, and refuses those that the job's profile is not for.
fn begin_message(kit: &JobContext, job: &Job, doing: &mut RecordState, bytes: &[u8]) {
    doing.is_message = true;
    doing.raw = storable(bytes);
    let refused = match parse::read_message(bytes) {
        Err(error) => Some(error.to_string()),
        Ok(message) => {
            let refused = match message.kind() {
                "INVOIC" => None,
                kind => Some(format!("messages of the type {kind} are not imported")),
            };
            doing.message = Some(message);
            refused
        }
    };
    doing.note_read(refused.as_deref());
    let name = job.document["jobProfileInfo"]["name"].as_str();
    let name = name.unwrap_or_default();
    if let Some(error) = refused {
        doing.fail_source(&error);
    } else if kit.tree.root().children().next().is_none() {
        doing.fail_source(&unlinked(name));
    } else if !kit.tree.is_for_messages() {
        doing.fail_source(&format!(
            "Chosen job profile '{name}' does not support '{EDIFACT}' record type"
        ));
    }
}

/// The refusal of a job profile without profiles below it.
fn unlinked(name: &str) -> String {
    format!("The '{name}' job profile does not have any linked action or matching profiles")
}

/// Whether the profile only creates instances by the mapping rules.
fn is_bulk(tree: &Tree) -> bool {
    let mut children = tree.root().children();
    match (children.next(), children.next()) {
        (Some(only), None) => {
            let fields = only
                .mapping()
                .map(|mapping| &mapping.content()["mappingDetails"]["mappingFields"]);
            let plain = fields.and_then(Value::as_array).is_none_or(|fields| {
                fields.iter().all(|field| {
                    field["value"].as_str().is_none_or(str::is_empty)
                        && field["subfields"].as_array().is_none_or(Vec::is_empty)
                        && field["booleanFieldAction"].is_null()
                })
            });
            only.is_action("CREATE", "INSTANCE") && plain
        }
        _ => false,
    }
}

/// Creates all in bulk; refused ones are set aside.
async fn create_all(
    context: &Context<'_>,
    transaction: &Transaction,
    kit: &JobContext,
    job: JobExecutionId,
    doings: &mut [RecordState],
) -> Result<(), StoreError> {
    let ready = |doing: &RecordState| !doing.failed && doing.kind == Some(MarcRecordKind::Bib);
    let writings = doings
        .iter()
        .filter(|doing| ready(doing))
        .map(|doing| doing.writing(kit));
    let writings: Vec<Writing> = writings.collect();
    let places: HashSet<i64> = writings.iter().map(|one| one.order).collect();
    if places.len() != writings.len() || places.iter().any(|place| *place < 0) {
        // Records without distinct positions cannot be assigned to the results.
        return Ok(());
    }
    let mut made = apply::create_many(context, transaction, kit, job.into(), writings).await?;
    for doing in doings.iter_mut().filter(|doing| ready(doing)) {
        match made.remove(&doing.position) {
            Some(Ok(written)) => doing.note_written("CREATE", &written),
            Some(Err(reason)) => doing.fail("CREATE", "INSTANCE", &reason),
            None => continue,
        }
        doing.done = true;
    }
    Ok(())
}

/// An unreadable record as text that the database accepts.
fn storable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', " ")
}
