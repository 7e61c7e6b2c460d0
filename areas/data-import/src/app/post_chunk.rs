//! Taking a chunk of records: it is kept as it came, once, and a worker does it later.

use serde_json::{Value, json};
use uuid::Uuid;

use super::change_job::put_status;
use super::finish::count;
use super::snapshot::set_snapshot;
use super::{Context, Refusal};
use crate::rules::tree::Tree;
use crate::store::{chunks, jobs, runs};

/// Records of one chunk.
pub(crate) const RECORDS_MAX: usize = 1_000;
/// Chunks of one job that wait. A client that sends faster than is worked on waits then.
const WAITING_MAX: i64 = 1_000;

/// A chunk as a client sent it.
#[derive(Debug)]
pub(crate) struct Sent {
    pub id: Uuid,
    /// Each with its text and, perhaps, its place in the file.
    pub records: Vec<(String, Option<i64>)>,
    pub last: bool,
    pub counter: i64,
    pub total: Option<i64>,
    /// FOLIO's name of the records' form.
    pub format: &'static str,
    /// Whether the records may name the instances that they make.
    pub accepts_ids: bool,
}

/// Keeps a chunk.
pub(crate) async fn post_chunk(context: &Context<'_>, id: Uuid, sent: Sent) -> Result<(), Refusal> {
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
    // Without places, the counter says where the last of them is.
    let placed = sent.records.iter().all(|(_, place)| place.is_some());
    let first = (sent.counter - sent.records.len() as i64).max(0);
    let records: Vec<Value> = sent
        .records
        .iter()
        .zip(first..)
        .map(|((text, place), at)| json!([text, if placed { place.unwrap_or(at) } else { at }]))
        .collect();
    let records = (!records.is_empty()).then_some(Value::Array(records));
    let format = sent.format;
    if !chunks::insert(&transaction, tenant, sent.id, id, format, records.as_ref()).await? {
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
    // A job that was told to have fewer records is over already.
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

/// The last chunk may be empty, and come when all others are done.
async fn end_if_done(context: &Context<'_>, id: Uuid) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    runs::QUEUE.hold(&transaction, context.tenant, id).await?;
    count(context, &transaction, id, 0, 0, false).await?;
    transaction.commit().await?;
    Ok(())
}

/// FOLIO takes no profile that finds an instance and then overlays its MARC record.
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
