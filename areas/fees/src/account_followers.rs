//! The hook by which circulation, an area to the right, reacts to changes of accounts and manual blocks
//! in the same transaction.

use std::fmt::Debug;

use futures_util::future::BoxFuture;
use octavo_library::{FeeFineActionId, LoanId};
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use serde_json::{Map, Value};

/// An action and its account as both are stored.
#[derive(Debug, Clone, Copy)]
pub struct Acted<'a> {
    pub action: &'a Map<String, Value>,
    pub account: &'a Map<String, Value>,
}

/// What staff do with a manual block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockAct {
    Created,
    Modified,
    Deleted,
}

/// Reactions to actions on accounts and on manual blocks. An error rolls the action back.
pub trait Follower: Debug + Send + Sync {
    /// Actions were written. The reaction must be one statement, sent at once: the commit is pipelined
    /// right after it.
    fn acted<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        acts: &'a [Acted<'a>],
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// A block was written, or deleted: `block` is as it is from now on, or as it was. Of a deleted one the
    /// metadata name who has deleted it.
    fn blocked<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        act: BlockAct,
        block: Value,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Patrons are to be notified of these actions.
    fn notify_patrons<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        action_ids: &'a [FeeFineActionId],
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// An account about this loan was closed with nothing remaining. The loan's item is locked if it is
    /// lost.
    fn fee_closed<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        loan_id: LoanId,
    ) -> BoxFuture<'a, Result<(), StoreError>>;
}
