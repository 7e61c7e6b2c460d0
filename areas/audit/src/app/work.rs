//! The job that adds to histories in the background. There is one for each tenant while the outbox has events that
//! are in no history.

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_jobs::{GivenUp, Job, NewJob, Order, Outcome, PortionSize, Progress, Queue, Work};
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::keep_history;

/// The queue. A portion is short and rests are for others (docs/decisions/0041).
pub static QUEUE: Queue = Queue {
    name: "history",
    order: Order::Oldest,
    workers: 1,
    portions: 1,
    pause: Duration::ZERO,
    ready: None,
};

/// The id of each tenant's job: there is no second one.
const ONLY: Uuid = Uuid::from_u128(0x6869_7374_6f72_7900_8000_0000_0000_0001);

/// Events of a portion.
const PORTION: i64 = 500;

/// What the job keeps.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
struct State {
    /// The events of the next portion beside requests.
    events: Option<i64>,
}

/// The work of the queue.
#[derive(Debug, Clone, Copy, Default)]
pub struct Histories;

impl Histories {
    #[must_use]
    pub fn shared() -> Arc<Histories> {
        Arc::new(Histories)
    }
}

/// Adds the tenant's job unless it is there. After that begin the work.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn enqueue(context: &Context<'_>) -> Result<(), StoreError> {
    let job = NewJob {
        id: ONLY,
        key: None,
        progress: json!({}),
    };
    let (database, tenant) = (&context.store.database, context.tenant);
    QUEUE.add(database, tenant, job).await?;
    Ok(())
}

impl Work for Histories {
    fn queue(&self) -> &'static Queue {
        &QUEUE
    }

    fn portion<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Outcome<'a> {
        Box::pin(async move {
            let state: State = job.state()?;
            let mut size = PortionSize::at_most(PORTION).going_on(state.events);
            let usual = match job.is_beside_requests() {
                true => size.next(),
                false => PORTION,
            };
            let began = Instant::now();
            let events = job.at_most(usual);
            let more = keep_history::go_on(&context, transaction, events).await?;
            size.took(usize::try_from(events).unwrap_or_default(), began.elapsed());
            let events = Some(size.next());
            Ok(match more {
                true => Progress::More(serde_json::to_value(State { events })?),
                false => Progress::Done,
            })
        })
    }

    fn give_up<'a>(
        &'a self,
        context: Context<'a>,
        _: &'a Transaction,
        _: &'a Job,
        reason: &'a GivenUp,
    ) -> Outcome<'a> {
        Box::pin(async move {
            // No event is lost: the timer adds the job again, and the outbox keeps what was not read.
            tracing::error!(tenant = context.tenant.id(), %reason, "histories of records are behind");
            Ok(Progress::Done)
        })
    }
}
