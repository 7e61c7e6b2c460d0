//! What later areas do when a ledger is rolled over: orders link their lines to the new encumbrances, in
//! portions and in the transaction of each.

use std::fmt;

use futures_util::future::BoxFuture;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use uuid::Uuid;

use crate::rules::rollover::Rollover;

/// A portion of orders.
#[derive(Debug, Clone, Copy)]
pub struct OrdersPortion<'a> {
    pub rollover: &'a Rollover,
    /// The funds of the ledger.
    pub fund_ids: &'a [Uuid],
    /// The last order of the portion before.
    pub after: Option<Uuid>,
    /// Orders to take at most.
    pub at_most: i64,
}

/// The last order of the portion; `None` when no more follow.
pub type Last<'a> = BoxFuture<'a, Result<Option<Uuid>, StoreError>>;

/// Is called after the books of a rollover are written, until it has no more orders.
pub trait Follower: fmt::Debug + Send + Sync + 'static {
    /// Adapts some orders that have distributions on the funds, in the order of their ids.
    fn roll_orders<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        portion: OrdersPortion<'a>,
    ) -> Last<'a>;
}

/// For a product without orders.
#[derive(Debug, Clone, Copy)]
pub struct NoOrders;

impl Follower for NoOrders {
    fn roll_orders<'a>(
        &'a self,
        _: Context<'a>,
        _: &'a Transaction,
        _: OrdersPortion<'a>,
    ) -> Last<'a> {
        Box::pin(async { Ok(None) })
    }
}
