//! Circulation's reactions to actions on accounts: log lines, notices, and closing loans whose lost
//! items are settled, in the transaction of the action. And the events of manual blocks.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use octavo_fees::account_followers::{Acted, BlockAct, Follower};
use octavo_library::{FeeFineActionId, LoanId, id_at};
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError, instant};
use serde_json::Value;
use uuid::Uuid;

use super::Desk;
use super::account_notices;
use super::settle_loss::settle_loss;
use crate::circulation_log::{block_record, fee_line};
use crate::config_cache::ConfigCache;
use crate::store::fee_lines;

/// Circulation's hook into the area of fees.
#[derive(Debug, Default)]
pub struct FeeFollower {
    // For locations and names in notices; closing loans does not need it.
    cache: ConfigCache,
}

impl FeeFollower {
    /// An instance for the area of fees.
    #[must_use]
    pub fn shared() -> Arc<dyn Follower> {
        Arc::new(FeeFollower::default())
    }

    fn desk<'a>(&'a self, context: Context<'a>) -> Desk<'a> {
        Desk {
            context,
            cache: &self.cache,
        }
    }
}

impl Follower for FeeFollower {
    fn acted<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        acts: &'a [Acted<'a>],
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let date = instant::format(context.stamp.at);
        let lines: Vec<Value> = acts
            .iter()
            .filter_map(|act| fee_line(act.action, act.account, &date))
            .collect();
        async move { fee_lines::add(transaction, context.tables(), &lines).await }.boxed()
    }

    fn blocked<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        act: BlockAct,
        block: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let key: Uuid = id_at(&block["id"]).unwrap_or_default();
        let record = block_record(act, block);
        async move { fee_lines::publish(transaction, context.tables(), key, &record).await }.boxed()
    }

    fn notify_patrons<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        action_ids: &'a [FeeFineActionId],
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        account_notices::acted(self.desk(context), transaction, action_ids).boxed()
    }

    fn fee_closed<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        loan_id: LoanId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let desk = self.desk(context);
        async move {
            settle_loss(desk, transaction, loan_id).await?;
            Ok(())
        }
        .boxed()
    }
}
