//! The operations of calendars, one a file.

pub mod delete;
pub mod save;

use std::sync::Arc;

use octavo_records::{Collection, Stamp, Store, StoreError, Tables, Tenant};
use uuid::Uuid;

use crate::collections::TABLE;
use crate::rules::Problem;

/// Where an operation takes place and who carries it out.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The record store.
    pub store: &'a Store,
    /// The tenant.
    pub tenant: &'a Tenant,
    /// The user and the time.
    pub stamp: Stamp,
}

impl<'a> Context<'a> {
    /// The tables of the tenant.
    #[must_use]
    pub fn tables(&self) -> Tables<'a> {
        Tables {
            tenant: self.tenant,
            catalog: &self.store.catalog,
        }
    }

    fn collection(&self) -> &'a Arc<Collection> {
        let collection = self.store.catalog.get(TABLE);
        collection.expect("invariant: this area declares its own table")
    }
}

/// Why an operation did not take place.
#[derive(Debug, thiserror::Error)]
pub enum Declined {
    /// The calendar is not as it must be.
    #[error("refused")]
    Refused(Vec<Problem>),
    /// There are no calendars of these ids.
    #[error("not found")]
    NotFound(Vec<Uuid>),
    /// The records stand against it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<octavo_postgres::DatabaseError> for Declined {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Declined {
        Declined::Store(error.into())
    }
}
