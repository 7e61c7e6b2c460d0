//! What later areas do when items or holdings move: orders' pieces and lines follow them, in the same
//! transaction. A later area provides one [`Followers`]; without it nobody follows.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use serde_json::Value;
use uuid::Uuid;

/// Holdings that lie at another place, or belong to another instance.
#[derive(Debug, Clone, Copy)]
pub struct Moved<'a> {
    pub id: Uuid,
    pub old: &'a Value,
    pub new: &'a Value,
}

/// The outcome of following.
pub type Following<'a> = BoxFuture<'a, Result<(), StoreError>>;

/// Follows items and holdings.
pub trait Follower: fmt::Debug + Send + Sync + 'static {
    /// Locks what will follow items or holdings that may move, before these are locked themselves: acts of
    /// the later area lock their records first, too.
    fn hold<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        ids: Movable<'a>,
    ) -> Following<'a>;

    /// Follows items that lie in other holdings, given as they are now.
    fn items<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        items: &'a [Value],
    ) -> Following<'a>;

    /// Follows holdings.
    fn holdings<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        moved: &'a [Moved<'a>],
    ) -> Following<'a>;
}

/// What may move.
#[derive(Debug, Clone, Copy)]
pub enum Movable<'a> {
    Items(&'a [Uuid]),
    Holdings(&'a [Uuid]),
}

/// The follower that a later area provides.
#[derive(Debug, Clone)]
pub struct Followers(pub Arc<dyn Follower>);
