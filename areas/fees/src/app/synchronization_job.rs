//! Synchronization jobs, by which FOLIO's clients have patrons' counters recomputed. The counters change
//! in the same transactions as the records, so a job corrects only manual changes of the database.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_records::store::{Locking, replace_many};
use octavo_records::{Context, StoreError, retried};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::store::patron_counters::{TakenUp, patrons, take_up};
use crate::store::summary::jobs_to_do;

/// Patrons whose loans and accounts one transaction locks.
const PORTION: i64 = 200;

/// Runs the waiting jobs one after the other.
///
/// # Errors
/// On a database error; the next run starts the job again.
#[boxed]
pub async fn run_synchronization_jobs(context: Context<'_>) -> Result<(), StoreError> {
    for (id, mut job) in jobs_to_do(&context.store.database, context.tables()).await? {
        job.insert("status".to_owned(), json!("in-progress"));
        save(context, id, &job).await?;
        let patron = job.get("userId").and_then(Value::as_str);
        let done = match patron.and_then(UserId::parse) {
            Some(patron) => portion(context, &[patron]).await?,
            None => everybody(context).await?,
        };
        for name in ["totalNumberOfLoans", "numberOfProcessedLoans"] {
            job.insert(name.to_owned(), json!(done.loans));
        }
        for name in ["totalNumberOfFeesFines", "numberOfProcessedFeesFines"] {
            job.insert(name.to_owned(), json!(done.debts));
        }
        job.insert("status".to_owned(), json!("done"));
        save(context, id, &job).await?;
    }
    Ok(())
}

async fn everybody(context: Context<'_>) -> Result<TakenUp, StoreError> {
    let (mut all, mut after) = (TakenUp::default(), UserId::default());
    loop {
        let next = patrons(&context.store.database, context.tables(), after, PORTION).await?;
        let Some(last) = next.last() else {
            return Ok(all);
        };
        after = *last;
        let done = portion(context, &next).await?;
        all.loans += done.loans;
        all.debts += done.debts;
    }
}

async fn portion(context: Context<'_>, patrons: &[UserId]) -> Result<TakenUp, StoreError> {
    retried(|| async {
        let transaction = context.store.database.transaction().await?;
        let done = take_up(&transaction, context.tables(), patrons).await?;
        transaction.commit().await?;
        Ok::<_, StoreError>(done)
    })
    .await
}

async fn save(context: Context<'_>, id: Uuid, job: &Map<String, Value>) -> Result<(), StoreError> {
    let jobs = context.collection("synchronization_jobs");
    let changed = [(id, job.clone())];
    let (database, stamp) = (&context.store.database, &context.stamp);
    replace_many(
        database,
        context.tenant,
        jobs,
        &changed,
        stamp,
        Locking::Declared,
    )
    .await?;
    Ok(())
}
