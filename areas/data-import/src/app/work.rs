//! Portions of imports, for the worker of `octavo_jobs`: a chunk that a client sent, or some
//! records of a file.

use octavo_jobs::{GivenUp, Job as QueuedJob, Outcome, Progress, Queue, Work};
use octavo_library::{JobExecutionId, UserId};
use octavo_postgres::Transaction;
use octavo_records::{Stamp, StoreError, instant};
use uuid::Uuid;

use super::chunk::do_chunk;
use super::read_file::{self, read_some};
use super::{Context, Refusal, post_chunk};
use crate::app::change_job::set_status_within;
use crate::rules::log::Entry;
use crate::rules::parse::MarcRecordKind;
use crate::rules::status;
use crate::rules::tree::Tree;
use crate::store::jobs::{self, Job};
use crate::store::runs::{QUEUE, Run};
use crate::store::{chunks, journal, runs};

/// What is done of jobs.
#[derive(Debug, Clone, Copy)]
pub struct Imports;

impl Work for Imports {
    fn queue(&self) -> &'static Queue {
        &QUEUE
    }

    fn portion<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a QueuedJob,
    ) -> Outcome<'a> {
        Box::pin(portion(context, transaction, job))
    }

    fn give_up<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a QueuedJob,
        reason: &'a GivenUp,
    ) -> Outcome<'a> {
        Box::pin(async move {
            give_up(&context, transaction, job.id.into(), &worded(reason)).await?;
            Ok(Progress::Done)
        })
    }
}

async fn portion(
    context: Context<'_>,
    transaction: &Transaction,
    queued: &QueuedJob,
) -> Result<Progress, StoreError> {
    let tenant = context.tenant;
    let job = jobs::find(transaction, tenant, queued.id.into()).await?;
    let Some(job) = job.filter(|job| !is_given_up(job.text("status"))) else {
        runs::end(transaction, tenant, queued.id.into()).await?;
        return Ok(Progress::Done);
    };
    // Not the job's `userId`, which its client may write at will.
    let by = |user: Option<UserId>| Context {
        stamp: Stamp::now(user.map(Uuid::from)),
        ..context
    };
    let mut run: Run = queued.state()?;
    let most = |usual: usize| {
        let most = queued.at_most(i64::try_from(usual).unwrap_or(i64::MAX));
        usize::try_from(most).unwrap_or(usual)
    };
    let is_over = if run.file.is_some() {
        let most = most(read_file::RECORDS);
        read_some(&by(run.asked_by), transaction, &job, &mut run, most).await?
    } else if let Some(chunk) = chunks::oldest(transaction, tenant, queued.id.into()).await? {
        let most = most(post_chunk::RECORDS_MAX);
        do_chunk(&by(chunk.sent_by), transaction, &job, chunk, most).await?
    } else {
        false
    };
    match is_over {
        true => Ok(Progress::Done),
        false => Ok(Progress::More(serde_json::to_value(&run)?)),
    }
}

/// What the log says of a job that was given up.
fn worded(reason: &GivenUp) -> String {
    match reason {
        GivenUp::Fault(reason) => reason.clone(),
        GivenUp::Exhausted { attempts, last } => format!(
            "The job was given up: its next records were begun {attempts} times and never finished; the \
             last time because {last}. Import them again without the first of them, and inform the \
             operator of the server"
        ),
    }
}

fn is_given_up(state: &str) -> bool {
    status::is_over(state) && state != "COMMITTED"
}

/// Ends a job that cannot be continued, with the reason in its log.
async fn give_up(
    context: &Context<'_>,
    transaction: &Transaction,
    id: JobExecutionId,
    reason: &str,
) -> Result<(), StoreError> {
    let tenant = context.tenant;
    runs::end(transaction, tenant, id).await?;
    let job = jobs::hold(transaction, tenant, id).await?;
    let Some(job) = job.filter(|job| !status::is_over(job.text("status"))) else {
        return Ok(());
    };
    let error = Some("FILE_PROCESSING_ERROR");
    match set_status_within(context, transaction, id, "ERROR", error).await {
        Ok(_) => {}
        Err(Refusal::Store(error)) => return Err(error),
        Err(other) => return Err(StoreError::fault(other)),
    }
    let entries = [unfinished(&job, reason)];
    let now = instant::format(context.stamp.at);
    journal::insert(transaction, tenant, id, &entries, &now).await
}

/// The log entry of the record at which a job ended.
fn unfinished(job: &Job, reason: &str) -> Entry {
    let tree = Tree(job.profile.clone().unwrap_or_default());
    let kinds = [
        MarcRecordKind::Bib,
        MarcRecordKind::Authority,
        MarcRecordKind::Holdings,
    ];
    let kind = kinds.into_iter().find(|kind| tree.is_for(*kind));
    Entry {
        source: Uuid::new_v4().into(),
        position: job.succeeded + job.failed,
        entity_type: Some(kind.unwrap_or(MarcRecordKind::Bib).entity().to_owned()),
        action: "CREATE".to_owned(),
        status: "ERROR".to_owned(),
        error: reason.to_owned(),
        ..Entry::default()
    }
}
