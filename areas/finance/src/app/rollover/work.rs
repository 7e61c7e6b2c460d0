//! The job of a rollover: first the books, whole or not at all, then orders in portions.

use std::sync::Arc;
use std::time::Instant;

use octavo_jobs::{GivenUp, Job, Outcome, PortionSize, Progress, Queue, Work};
use octavo_postgres::Transaction;
use octavo_records::{Context, Stamp, StoreError};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::books::write_books;
use super::mail::queue_mail;
use super::report::{advance, report_failure};
use crate::rollover_followers::{Follower, OrdersPortion};
use crate::rules::rollover::Rollover;
use crate::store::rollovers;

/// The queue of rollovers; those of one ledger are done one after the other.
pub static QUEUE: Queue = Queue {
    portions: 1,
    ..Queue::named("finance-rollovers")
};

/// Orders that one transaction adapts.
const ORDERS: i64 = 200;

/// How far a rollover is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct State {
    /// Who asked for it.
    user: Option<Uuid>,
    /// Whether the books are done, or have failed.
    booked: bool,
    /// The last order that is done.
    after: Option<Uuid>,
    /// The orders of the next portion beside requests.
    orders: Option<i64>,
}

/// What is done of rollovers.
#[derive(Debug, Clone)]
pub struct Rollovers {
    pub follower: Arc<dyn Follower>,
}

impl Work for Rollovers {
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
            let context = of_user(context, &state);
            let Some(rollover) = rollovers::read(transaction, context.tables(), job.id).await?
            else {
                return Ok(Progress::Done);
            };
            match state.booked {
                false => book(context, transaction, &rollover, state).await,
                true => {
                    self.orders(context, transaction, &rollover, state, job)
                        .await
                }
            }
        })
    }

    fn give_up<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
        reason: &'a GivenUp,
    ) -> Outcome<'a> {
        Box::pin(async move {
            let mut state: State = job.state()?;
            let context = of_user(context, &state);
            let reason = reason.to_string();
            if state.booked {
                let part = ("Order rollover", "Overall order rollover");
                report_failure(context, transaction, job.id, part, &reason).await?;
                let failed = [
                    ("ordersRolloverStatus", "Error"),
                    ("overallRolloverStatus", "Error"),
                ];
                advance(context, transaction, job.id, &failed).await?;
                return Ok(Progress::Done);
            }
            // The books are as they were; orders are adapted all the same.
            let part = ("Other", "Overall financial rollover");
            report_failure(context, transaction, job.id, part, &reason).await?;
            let failed = [
                ("financialRolloverStatus", "Error"),
                ("ordersRolloverStatus", "In Progress"),
            ];
            advance(context, transaction, job.id, &failed).await?;
            state.booked = true;
            Ok(Progress::More(serde_json::to_value(&state)?))
        })
    }
}

fn of_user<'a>(context: Context<'a>, state: &State) -> Context<'a> {
    Context {
        stamp: Stamp {
            user_id: state.user,
            ..context.stamp
        },
        ..context
    }
}

async fn book(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: &Rollover,
    mut state: State,
) -> Result<Progress, StoreError> {
    let is_whole = write_books(context, transaction, rollover).await?;
    let financial = if is_whole { "Success" } else { "Error" };
    let mut statuses = vec![("financialRolloverStatus", financial)];
    if rollover.is_preview() {
        statuses.extend([
            ("ordersRolloverStatus", "Success"),
            ("overallRolloverStatus", financial),
        ]);
        advance(context, transaction, rollover.id, &statuses).await?;
        queue_mail(context, transaction, rollover).await?;
        return Ok(Progress::Done);
    }
    statuses.push(("ordersRolloverStatus", "In Progress"));
    advance(context, transaction, rollover.id, &statuses).await?;
    state.booked = true;
    Ok(Progress::More(serde_json::to_value(&state)?))
}

impl Rollovers {
    async fn orders(
        &self,
        context: Context<'_>,
        transaction: &Transaction,
        rollover: &Rollover,
        mut state: State,
        job: &Job,
    ) -> Result<Progress, StoreError> {
        let tables = context.tables();
        let funds = rollovers::funds(transaction, tables, rollover.ledger_id).await?;
        let fund_ids: Vec<Uuid> = funds.iter().map(|fund| fund.id).collect();
        let mut size = PortionSize::at_most(ORDERS).going_on(state.orders);
        let usual = match job.is_beside_requests() {
            true => size.next(),
            false => ORDERS,
        };
        let portion = OrdersPortion {
            rollover,
            fund_ids: &fund_ids,
            after: state.after,
            at_most: job.at_most(usual),
        };
        let began = Instant::now();
        let last = self
            .follower
            .roll_orders(context, transaction, portion)
            .await?;
        if last.is_some() {
            size.took(usize::try_from(usual).unwrap_or_default(), began.elapsed());
            state.orders = Some(size.next());
            state.after = last;
            return Ok(Progress::More(serde_json::to_value(&state)?));
        }
        let has_errors = rollovers::has_errors(transaction, tables, rollover.id).await?;
        let overall = if has_errors { "Error" } else { "Success" };
        let statuses = [
            ("ordersRolloverStatus", "Success"),
            ("overallRolloverStatus", overall),
        ];
        advance(context, transaction, rollover.id, &statuses).await?;
        queue_mail(context, transaction, rollover).await?;
        Ok(Progress::Done)
    }
}
