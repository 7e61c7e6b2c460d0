//! Synchronization jobs, by which FOLIO's clients have patrons' counters recomputed. The counters change
//! in the same transactions as the records, so a job corrects only manual changes of the database.

use octavo_boxed::boxed;
use octavo_jobs::{GivenUp, Job, NewJob, Outcome, Progress, Queue, Work};
use octavo_library::UserId;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, insert, replace};
use octavo_records::{Context, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::store::patron_counters::{patrons, take_up};

/// The queue of jobs.
pub static QUEUE: Queue = Queue {
    portions: 1,
    ..Queue::named("patron-counters")
};

/// The table of their documents.
pub const JOBS: &str = "synchronization_jobs";
/// Patrons that one transaction holds the loans and accounts of.
const PORTION: i64 = 200;

/// How far a job is.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct State {
    /// The last patron who is done.
    after: UserId,
    loans: i64,
    debts: i64,
}

/// Stores a job and lines it up; gives its id.
///
/// # Errors
/// When the job does not fit its record type.
#[boxed]
pub async fn submit(
    context: &Context<'_>,
    document: Map<String, Value>,
) -> Result<Uuid, StoreError> {
    let transaction = context.store.database.transaction().await?;
    let (tenant, jobs) = (context.tenant, context.collection(JOBS));
    let (id, _) = insert(&transaction, tenant, jobs, document, &context.stamp).await?;
    let job = NewJob {
        id,
        key: None,
        progress: json!({}),
    };
    QUEUE.add(&transaction, tenant, job).await?;
    transaction.commit().await?;
    Ok(id)
}

/// What is done of jobs.
#[derive(Debug, Clone, Copy)]
pub struct Synchronization;

impl Work for Synchronization {
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
            if let Some(mut document) = document(&context, transaction, job.id).await? {
                document.insert("status".to_owned(), json!("failed"));
                document.insert("errors".to_owned(), json!([reason.to_string()]));
                save(&context, transaction, job.id, &document).await?;
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
    let mut state: State = job.state()?;
    let Some(mut document) = document(&context, transaction, job.id).await? else {
        return Ok(Progress::Done);
    };
    let tables = context.tables();
    let most = job.at_most(PORTION);
    let one = document.get("userId").and_then(Value::as_str);
    let (next, is_last) = match one.and_then(UserId::parse) {
        Some(patron) => (vec![patron], true),
        None => {
            let next = patrons(transaction, tables, state.after, most).await?;
            let is_last = (next.len() as i64) < most;
            (next, is_last)
        }
    };
    let done = take_up(transaction, tables, &next).await?;
    state.loans += done.loans;
    state.debts += done.debts;
    state.after = next.last().copied().unwrap_or(state.after);
    let mut set = |name: &str, value: Value| document.insert(name.to_owned(), value);
    if !is_last {
        set("status", json!("in-progress"));
        save(&context, transaction, job.id, &document).await?;
        return Ok(Progress::More(serde_json::to_value(&state)?));
    }
    for name in ["totalNumberOfLoans", "numberOfProcessedLoans"] {
        set(name, json!(state.loans));
    }
    for name in ["totalNumberOfFeesFines", "numberOfProcessedFeesFines"] {
        set(name, json!(state.debts));
    }
    set("status", json!("done"));
    save(&context, transaction, job.id, &document).await?;
    Ok(Progress::Done)
}

async fn document(
    context: &Context<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<Option<Map<String, Value>>, StoreError> {
    let jobs = context.collection(JOBS);
    let document = fetch_locked(transaction, context.tenant, jobs, id).await?;
    Ok(document.and_then(|document| match document {
        Value::Object(document) => Some(document),
        _ => None,
    }))
}

async fn save(
    context: &Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    document: &Map<String, Value>,
) -> Result<(), StoreError> {
    let (tenant, jobs) = (context.tenant, context.collection(JOBS));
    replace(transaction, tenant, jobs, id, document, &context.stamp).await?;
    Ok(())
}
