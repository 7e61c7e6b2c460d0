//! What a rollover of finance's does to orders, portion by portion and each in its own transaction.

use std::sync::Arc;

use octavo_finance::rollover_followers::{Follower, Last, OrdersPortion};
use octavo_finance::rules::rollover::RolledOrderType;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use uuid::Uuid;

use super::rollover::{Rollover, roll_lines};
use super::terms::{Rights, terms};
use super::{Act, Ending, Work};
use crate::refusal::Declined;
use crate::store::rollovers::{Portion, lines_of_orders, next_orders};

/// Lets orders follow rollovers.
#[derive(Debug, Clone, Copy)]
pub struct OrdersFollower;

impl OrdersFollower {
    /// The follower, as finance takes it.
    #[must_use]
    pub fn shared() -> Arc<dyn Follower> {
        Arc::new(OrdersFollower)
    }
}

impl Follower for OrdersFollower {
    fn roll_orders<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        portion: OrdersPortion<'a>,
    ) -> Last<'a> {
        Box::pin(roll(context, transaction, portion))
    }
}

async fn roll(
    context: Context<'_>,
    transaction: &Transaction,
    portion: OrdersPortion<'_>,
) -> Result<Option<Uuid>, StoreError> {
    let tables = context.tables();
    let (after, most) = (portion.after, portion.at_most);
    let next = next_orders(transaction, tables, portion.fund_ids, after, most).await?;
    let Some(Portion { orders, upto }) = next else {
        return Ok(None);
    };
    if orders.is_empty() {
        return Ok(Some(upto));
    }
    let terms = terms(transaction, &context).await?;
    let act = Act {
        work: Work {
            transaction,
            context: &context,
        },
        ending: Ending::GoesOn(transaction),
        rights: Rights::default(),
        terms: &terms,
    };
    let lines = lines_of_orders(transaction, tables, &orders, portion.fund_ids).await?;
    let wanted = portion.rollover;
    let settings = wanted.encumbrances_rollover.iter();
    let rollover = Rollover {
        ledger_id: wanted.ledger_id,
        to_fiscal_year_id: wanted.to_fiscal_year_id,
        kinds: settings
            .map(|one| name_of(one.order_type).to_owned())
            .collect(),
    };
    match roll_lines(act, &rollover, lines).await {
        Ok(()) => Ok(Some(upto)),
        Err(Declined::Store(error)) => Err(error),
        Err(Declined::Refused(refusal)) => Err(StoreError::fault(refusal.said())),
    }
}

fn name_of(kind: RolledOrderType) -> &'static str {
    match kind {
        RolledOrderType::Ongoing => "Ongoing",
        RolledOrderType::OngoingSubscription => "Ongoing-Subscription",
        RolledOrderType::OneTime => "One-time",
    }
}
