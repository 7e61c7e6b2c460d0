//! The hook by which circulation, an area to the right, reacts to changes of accounts in the same
//! transaction.

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

/// Reactions to actions on accounts. An error rolls the action back.
pub trait Follower: Debug + Send + Sync {
    /// Actions were written. The reaction must be one statement, sent at once: the commit is pipelined
    /// right after it.
    fn acted<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        acts: &'a [Acted<'a>],
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
