//! What later areas make of imported records, where an action profile says so: order lines of bibliographic
//! records, invoices of EDIFACT messages. A later area provides [`OrderMakers`] or [`InvoiceMakers`]; without it
//! the action is refused.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use octavo_edifact::Segment;
use octavo_platform::Grants;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

/// Why nothing was made.
#[derive(Debug)]
pub enum Unmade {
    /// The record is refused, without effect on others.
    Refused(String),
    Store(StoreError),
}

impl Unmade {
    /// What a failed write means: invalid, duplicate or dangling records are refused, all else is a fault.
    #[must_use]
    pub fn of_write(error: StoreError) -> Unmade {
        match error {
            StoreError::Invalid(wrong) => {
                let said = wrong
                    .iter()
                    .map(|one| format!("{}: {}", one.path, one.message));
                Unmade::Refused(said.collect::<Vec<_>>().join("; "))
            }
            StoreError::Duplicate { .. }
            | StoreError::MissingReference { .. }
            | StoreError::NotFound => Unmade::Refused(error.to_string()),
            other => Unmade::Store(other),
        }
    }
}

impl From<StoreError> for Unmade {
    fn from(error: StoreError) -> Unmade {
        Unmade::Store(error)
    }
}

/// The outcome of making something.
pub type Making<'a, T> = BoxFuture<'a, Result<T, Unmade>>;

/// The place of a record's order line among those of its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineTerms {
    pub job: Uuid,
    /// The record's position in the job, from 0.
    pub position: i64,
    /// The number of records of the job, if it is known.
    pub total: Option<i64>,
    /// Lines of one order at most, where the profile says it.
    pub lines_of_order: Option<i64>,
    /// Whether the order is opened when its lines are processed.
    pub opens: bool,
}

/// What the other actions of a profile make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inventory {
    pub instance: bool,
    pub holdings: bool,
    pub items: bool,
}

/// An order line that is mapped from a record, with the order that it may be the first of. Values are texts.
#[derive(Debug, Clone, PartialEq)]
pub struct MappedLine {
    pub order: Map<String, Value>,
    pub line: Map<String, Value>,
    /// The record's instance, if there is one already.
    pub instance: Option<Uuid>,
    pub inventory: Inventory,
}

/// An order line that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeLine {
    pub id: Uuid,
    pub number: String,
    pub order_id: Uuid,
}

/// Makes order lines, with the permissions of who sent the records.
pub trait OrderMaker: fmt::Debug + Send + Sync + 'static {
    /// Adds a line to its order, which is made with its first line.
    fn add<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        grants: &'a Grants,
        terms: LineTerms,
        mapped: MappedLine,
    ) -> Making<'a, MadeLine>;

    /// Is called when all actions of a record are done, with its line, unless that was refused, and its
    /// instance. Opens the order with its last line.
    fn settle<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        grants: &'a Grants,
        terms: LineTerms,
        line: Option<Uuid>,
        instance: Option<Uuid>,
    ) -> Making<'a, ()>;
}

/// The order maker that a later area provides.
#[derive(Debug, Clone)]
pub struct OrderMakers(pub Arc<dyn OrderMaker>);

/// An invoice that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeInvoice {
    pub id: Uuid,
    /// The library's number of it.
    pub number: String,
    /// The vendor's.
    pub vendor_number: String,
    pub lines: Vec<MadeInvoiceLine>,
}

/// A line of it, made or refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeInvoiceLine {
    pub id: Option<Uuid>,
    pub number: String,
    pub description: String,
    pub error: Option<String>,
}

/// Makes invoices, with the permissions of who sent the records.
pub trait InvoiceMaker: fmt::Debug + Send + Sync + 'static {
    /// Makes an invoice of a message by a mapping profile. A refused line spoils no other.
    fn make<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        grants: &'a Grants,
        segments: &'a [Segment],
        profile: &'a Value,
    ) -> Making<'a, MadeInvoice>;
}

/// The invoice maker that a later area provides.
#[derive(Debug, Clone)]
pub struct InvoiceMakers(pub Arc<dyn InvoiceMaker>);
