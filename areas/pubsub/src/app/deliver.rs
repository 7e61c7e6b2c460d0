//! Delivers events to subscribers: one job for each, one after the other for a subscriber, tried again by the
//! policy of jobs. What a subscriber has taken is noted in the transaction that ends the job: if that fails, the
//! event is delivered once more.

use std::sync::Arc;
use std::time::Duration;

use ::http::Method;
use octavo_jobs::{GivenUp, Job, Order, Outcome, Progress, Queue, Work};
use octavo_platform::{ApiError, Platform, RemoteInterface, system_call};
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError, Tenant};
use serde_json::Value;

use crate::store::events::{PublishedEvent, State};
use crate::store::{events, registered};

/// The queue of deliveries. Slow subscribers take a place each, so there are several.
pub static QUEUE: Queue = Queue {
    name: "pubsub",
    order: Order::Oldest,
    workers: 4,
    portions: 4,
    pause: Duration::ZERO,
    ready: None,
};

/// A subscriber has so long to answer.
const ANSWER_MAX: Duration = Duration::from_secs(2);

/// The work of the queue.
#[derive(Debug, Clone)]
pub struct Delivery {
    platform: Arc<Platform>,
}

impl Delivery {
    #[must_use]
    pub fn new(platform: &Arc<Platform>) -> Arc<Delivery> {
        let platform = Arc::clone(platform);
        Arc::new(Delivery { platform })
    }
}

impl Work for Delivery {
    fn queue(&self) -> &'static Queue {
        &QUEUE
    }

    /// An event is not late because other work catches up.
    fn is_prompt(&self) -> bool {
        true
    }

    fn portion<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Outcome<'a> {
        Box::pin(portion(&self.platform, context, transaction, job))
    }

    fn give_up<'a>(
        &'a self,
        context: Context<'a>,
        _: &'a Transaction,
        job: &'a Job,
        reason: &'a GivenUp,
    ) -> Outcome<'a> {
        Box::pin(async move {
            // Each attempt is in the history.
            tracing::warn!(
                tenant = context.tenant.id(),
                delivery = %job.id,
                %reason,
                "an event was not delivered to a subscriber"
            );
            Ok(Progress::Done)
        })
    }
}

async fn portion(
    platform: &Arc<Platform>,
    context: Context<'_>,
    transaction: &Transaction,
    job: &Job,
) -> Result<Progress, StoreError> {
    let published: PublishedEvent = job.state()?;
    let tables = context.tables();
    let id = job.key.unwrap_or_default();
    let subscriber = registered::subscriber(transaction, tables, id).await?;
    // It has declared itself anew, or is gone: what was for it is over.
    let Some((module, callback)) = subscriber else {
        return Ok(Progress::Done);
    };
    let sent = tokio::time::timeout(
        ANSWER_MAX,
        send(platform, context.tenant, (&module, &callback), &published),
    );
    let failure = match sent.await {
        Ok(Ok(())) => {
            events::note(transaction, tables, &published, State::Delivered).await?;
            return Ok(Progress::Done);
        }
        Ok(Err(failure)) => failure,
        Err(_) => format!("no answer within {} s", ANSWER_MAX.as_secs()),
    };
    let message = format!("Delivery to {module} {callback} failed: {failure}");
    // Not in the transaction of the portion, which is undone.
    let database = &context.store.database;
    events::note(database, tables, &published, State::Rejected(&message)).await?;
    Err(StoreError::Contended)
}

/// Posts the payload; gives why it did not arrive.
async fn send(
    platform: &Arc<Platform>,
    tenant: &Tenant,
    (module, callback): (&str, &str),
    published: &PublishedEvent,
) -> Result<(), String> {
    let view = platform.registry.view(tenant.id()).await;
    let view = view.map_err(|error| error.to_string())?;
    let view = view.ok_or_else(|| "the tenant is gone".to_owned())?;
    let call = system_call(platform, &view);
    let enabled = view.enabled.get(module).filter(|module| !module.native);
    let remote = match enabled {
        Some(module) => Some(RemoteInterface {
            module: Arc::clone(module),
        }),
        None => call.remote_at(&Method::POST, callback),
    };
    let remote = remote.ok_or_else(|| "no remote module answers there".to_owned())?;
    let payload: Value = match published.payload.is_empty() {
        true => Value::Null,
        false => serde_json::from_str(&published.payload)
            .map_err(|_| "the payload is no JSON".to_owned())?,
    };
    let answer = remote
        .send(&call, Method::POST, callback, Some(&payload))
        .await;
    let answer = answer.map_err(|error| reason(&error))?;
    match answer.status.as_u16() {
        200 | 201 | 204 => Ok(()),
        other => Err(format!("status {other}")),
    }
}

fn reason(error: &ApiError) -> String {
    match error {
        ApiError::Text(_, message) => message.chars().take(500).collect(),
        other => format!("status {}", other.status().as_u16()),
    }
}
