//! The operations of orders, one a file. They know records and rules, and nothing of HTTP.

pub mod bind_pieces;
pub mod change_instance;
pub mod change_order;
pub mod claim_late;
pub mod claim_pieces;
pub mod close_order;
pub mod composite;
pub mod config_lists;
pub mod create_order;
pub mod custom_fields;
pub mod delete_order;
pub mod encumber;
pub mod follow_inventory;
pub mod follow_rollover;
pub mod guard;
pub mod import_lines;
pub mod inventory;
pub mod items;
pub mod keep_line;
pub mod keep_order;
pub mod keep_piece;
pub mod keep_title;
pub mod lines;
pub mod look_up;
pub mod make_inventory;
pub mod new_lines;
pub mod open_order;
pub mod payment_status;
pub mod pieces;
pub mod rates;
pub mod re_encumber;
pub mod read_order;
pub mod read_receiving;
pub mod receive;
pub mod replace_instance;
pub mod rollover;
pub mod settle;
pub mod terms;
pub mod titles;
pub mod unopen_order;
pub mod validate;

use octavo_postgres::Transaction;
use octavo_records::{Context, Executor, Last, Rows, StoreError, Values, Violation};
use serde_json::Value;

use crate::rules::doc::{Doc, object};

/// A document checked against its record type.
///
/// # Errors
/// Every violated rule.
pub fn checked(context: &Context<'_>, table: &str, document: Value) -> Result<Doc, StoreError> {
    checked_with(context, table, document, |_| Vec::new())
}

/// The same, with rules that no shape can say.
///
/// # Errors
/// Every violated rule.
pub fn checked_with(
    context: &Context<'_>,
    table: &str,
    mut document: Value,
    more: fn(&Doc) -> Vec<Violation>,
) -> Result<Doc, StoreError> {
    let shape = &context.collection(table).shape;
    let mut violations = shape.check(&mut document).err().unwrap_or_default();
    let document = object(document);
    violations.extend(more(&document));
    match violations.is_empty() {
        true => Ok(document),
        false => Err(StoreError::Invalid(violations)),
    }
}

/// The transaction that an operation works in, and its context.
#[derive(Debug, Clone, Copy)]
pub struct Work<'w> {
    pub transaction: &'w Transaction,
    pub context: &'w Context<'w>,
}

/// Where the last statement of an act is run.
#[derive(Debug, Clone, Copy)]
pub enum Ending<'a> {
    /// The act is all of its transaction: its last statement commits in the same round trip.
    Commits(Last<'a>),
    /// Something follows it.
    GoesOn(&'a Transaction),
}

impl Executor for Ending<'_> {
    fn rows<'a>(&'a self, sql: &'a str, values: Values<'a>) -> Rows<'a> {
        match self {
            Ending::Commits(last) => last.rows(sql, values),
            Ending::GoesOn(transaction) => transaction.rows(sql, values),
        }
    }
}

/// An act of a user on orders: where it is done, what the user may do, and what the tenant has set.
#[derive(Debug, Clone, Copy)]
pub struct Act<'a> {
    pub work: Work<'a>,
    pub ending: Ending<'a>,
    pub rights: terms::Rights,
    pub terms: &'a terms::Terms,
}

impl Act<'_> {
    /// The instant of the act in the stored notation.
    #[must_use]
    pub fn now(&self) -> String {
        self.work.context.now()
    }
}
