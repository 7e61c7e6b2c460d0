//! Receives a chunk of records: it is stored raw, once, and a worker processes it later.

use octavo_library::{ChunkId, JobExecutionId, UserId};
use serde_json::{Value, json};

use super::change_job::put_status;
use super::finish::count;
use super::snapshot::set_snapshot;
use super::{Context, Refusal};
use crate::rules::tree::Tree;
use crate::store::{chunks, jobs, runs};

/// Records of one chunk.
pub(crate) const RECORDS_MAX: usize = 1_000;
/// Maximal number of queued chunks of a job, which slows down clients that send faster than they are
/// processed.
const WAITING_MAX: i64 = 1_000;

/// A client's chunk.
#[derive(Debug)]
pub(crate) struct Sent {
    pub id: ChunkId,
    /// The records with text and, optionally, position in the file.
    pub records: Vec<(String, Option<i64>)>,
    pub last: bool,
    pub counter: i64,
    pub total: Option<i64>,
    /// FOLIO's name of the records' form.
    pub format: &'static str,
    /// Whether records may set the ids of created instances.
    pub accepts_ids: bool,
}

/// Stores a chunk.
pub(crate) async fn post_chunk(
    context: &Context<'_>,
    id: JobExecutionId,
    sent: Sent,
) -> Result<(), Refusal> {
    if sent.records.len() > RECORDS_MAX {
        return Err(Refusal::LargeChunk(RECORDS_MAX));
    }
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    let job = jobs::hold(&transaction, tenant, id).await?;
    let mut job = job.ok_or(Refusal::NoJobForChunk(id))?;
    let Some(profile) = &job.profile else {
        return Err(Refusal::ProfileMissing(id));
    };
    if is_unsupported(&Tree(profile.clone())) {
        return Err(Refusal::ProfileUnsupported);
    }
    match job.text("status") {
        "ERROR" => return Err(Refusal::Failed),
        "CANCELLED" | "DISCARDED" => return Err(Refusal::Cancelled),
        _ => {}
    }
    let waiting = chunks::waiting(&transaction, tenant, id).await?;
    if waiting >= WAITING_MAX {
        return Err(Refusal::Crowded(waiting));
    }
    // Without positions, the counter gives the position of the last record.
    let placed = sent.records.iter().all(|(_, place)| place.is_some());
    let first = (sent.counter - sent.records.len() as i64).max(0);
    let records: Vec<Value> = sent
        .records
        .iter()
        .zip(first..)
        .map(|((text, place), at)| json!([text, if placed { place.unwrap_or(at) } else { at }]))
        .collect();
    let records = (!records.is_empty()).then_some(Value::Array(records));
    let (ids, format, records) = ((sent.id, id), sent.format, records.as_ref());
    let sent_by = context.stamp.user_id.map(UserId::from);
    if !chunks::insert(&transaction, tenant, ids, sent_by, format, records).await? {
        return Err(Refusal::KnownChunk(sent.id, id));
    }
    job.accepts_ids |= sent.accepts_ids;
    if sent.last {
        job.last_counter = Some(sent.counter);
    }
    let state = job.text("status").to_owned();
    let begins = !matches!(state.as_str(), "PARSING_IN_PROGRESS" | "COMMITTED");
    if begins {
        put_status(&mut job, "PARSING_IN_PROGRESS", None, context);
        let total = sent.total.unwrap_or(0);
        let progress = json!({"jobExecutionId": id, "current": 0, "total": total});
        job.document.insert("progress".to_owned(), progress);
    }
    jobs::write(&transaction, tenant, &job).await?;
    // A job that announced fewer records has ended already.
    runs::begin(&transaction, tenant, id).await?;
    if begins {
        set_snapshot(context, &transaction, id, "PARSING_IN_PROGRESS").await?;
    }
    transaction.commit().await?;
    if sent.last && sent.records.is_empty() {
        end_if_done(context, id).await?;
    }
    Ok(())
}

/// The last chunk may be empty, and arrive after all others are processed.
async fn end_if_done(context: &Context<'_>, id: JobExecutionId) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    runs::QUEUE
        .hold(&transaction, context.tenant, id.uuid())
        .await?;
    count(context, &transaction, id, 0, 0, false).await?;
    transaction.commit().await?;
    Ok(())
}

/// FOLIO refuses profiles that match an instance and then overlay its MARC record.
fn is_unsupported(tree: &Tree) -> bool {
    tree.any(&|node| {
        let detail = &node.content()["matchDetails"][0];
        node.is_match()
            && detail["incomingRecordType"] == "MARC_BIBLIOGRAPHIC"
            && detail["existingRecordType"] == "INSTANCE"
            && node
                .children()
                .find(|child| child.content_type() == "ACTION_PROFILE")
                .and_then(|action| action.mapping())
                .is_some_and(|mapping| {
                    mapping.text("incomingRecordType") == "MARC_BIBLIOGRAPHIC"
                        && mapping.text("existingRecordType") == "MARC_BIBLIOGRAPHIC"
                })
    })
}
