//! Who hears of accounts: what lies to the right follows them in the transaction that changes them.

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

/// What follows from acts on accounts elsewhere. Whatever fails here undoes the act.
pub trait Follower: Debug + Send + Sync {
    /// Actions were written. What follows is one statement, sent at once: the transaction ends after it.
    fn acted<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        acts: &'a [Acted<'a>],
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Patrons are to be told of these actions, which were written with their accounts.
    fn to_be_told<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        action_ids: &'a [FeeFineActionId],
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// An account about this loan was closed, and nothing of it remains. The loan's item is held if
    /// it is lost.
    fn fee_closed<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        loan_id: LoanId,
    ) -> BoxFuture<'a, Result<(), StoreError>>;
}
