//! The import, in three parts: what it brings along, the users batch by batch, and those who did not
//! come. Each batch is a transaction; what was stored before a fault stays.

mod bring;
mod deactivate;
mod refusal;
mod write_batch;

pub use refusal::Fault;

use std::collections::HashSet;

use octavo_boxed::boxed;
use octavo_records::retried;
use octavo_users::app::UserContext;
use serde_json::{Map, Value};

use crate::rules::known::ReferenceNames;
use crate::rules::mapping::{Failed, Mapped, external_id, map};
use crate::store;

/// Users that one transaction stores.
pub const BATCH_MAX: usize = 100;

/// How an import is meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Which system the users come from; a prefix of their ids there.
    pub source_type: Option<String>,
    /// Whether active users of the same source who do not come become inactive.
    pub deactivate_missing: bool,
    /// Whether what does not come of a user stays.
    pub only_present: bool,
}

/// What an import brings along beside users.
#[derive(Debug, Clone, Default)]
pub struct Included {
    /// Departments, to be made or renamed.
    pub departments: Vec<Map<String, Value>>,
    /// What changes of custom fields.
    pub custom_fields: Vec<Map<String, Value>>,
}

/// What became of some users.
#[derive(Debug, Default)]
pub struct BatchOutcome {
    /// Users who are new.
    pub created: usize,
    /// Users who were there.
    pub updated: usize,
    /// Users who could not be stored, and why.
    pub failed: Vec<Failed>,
}

/// What became of those who did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Nobody is missing.
    None,
    /// So many were made inactive.
    Deactivated(usize),
}

/// An import under way.
#[derive(Debug)]
pub struct Import<'a> {
    context: UserContext<'a>,
    options: Options,
    known: ReferenceNames,
    came: HashSet<String>,
}

impl<'a> Import<'a> {
    /// Begins: makes what is brought along, and reads what the library has set up.
    ///
    /// # Errors
    /// FOLIO's message when something that is brought along cannot be made, or a fault.
    #[boxed]
    pub async fn begin(
        context: UserContext<'a>,
        options: Options,
        included: &Included,
        username: Option<&str>,
    ) -> Result<Import<'a>, Fault> {
        bring::departments(&context, &included.departments).await?;
        bring::custom_fields(&context, &included.custom_fields, username).await?;
        let database = &context.store.database;
        let known = store::known(database, context.tables()).await?;
        Ok(Import {
            context,
            options,
            known,
            came: HashSet::new(),
        })
    }

    /// Stores users whose documents have been checked, in their order.
    ///
    /// # Errors
    /// A fault; what was stored before stays.
    #[boxed]
    pub async fn add(&mut self, users: Vec<Map<String, Value>>) -> Result<BatchOutcome, Fault> {
        let mut done = BatchOutcome::default();
        let mut batch: Vec<Mapped> = Vec::with_capacity(users.len().min(BATCH_MAX));
        for user in users {
            if self.options.deactivate_missing {
                let given = user["externalSystemId"].as_str().unwrap_or_default();
                let source = self.options.source_type.as_deref();
                self.came.insert(external_id(source, given));
            }
            match map(user, self.options.source_type.as_deref(), &self.known) {
                Ok(mapped) => {
                    // One who comes twice is new the first time, and there the second.
                    let twice = batch
                        .iter()
                        .any(|one| one.external_id == mapped.external_id);
                    if twice || batch.len() == BATCH_MAX {
                        self.write(std::mem::take(&mut batch), &mut done).await?;
                    }
                    batch.push(mapped);
                }
                Err(failed) => done.failed.push(failed),
            }
        }
        self.write(batch, &mut done).await?;
        Ok(done)
    }

    async fn write(&self, batch: Vec<Mapped>, done: &mut BatchOutcome) -> Result<(), Fault> {
        if batch.is_empty() {
            return Ok(());
        }
        let attempt = || {
            write_batch::write(
                &self.context,
                &self.known,
                self.options.only_present,
                &batch,
            )
        };
        let stored = Box::pin(retried(attempt)).await?;
        done.created += stored.created;
        done.updated += stored.updated;
        done.failed.extend(stored.failed);
        Ok(())
    }

    /// Whether anybody of the source did not come.
    #[boxed]
    pub async fn is_anybody_missing(&self) -> Result<bool, Fault> {
        let (prefix, came) = self.source();
        let database = &self.context.store.database;
        let missing = store::missing(database, self.context.tables(), &prefix, &came).await?;
        Ok(missing.any)
    }

    /// Ends: those of the source who did not come become inactive, where that is wanted.
    #[boxed]
    pub async fn deactivate_missing(&self) -> Result<Missing, Fault> {
        let (prefix, came) = self.source();
        deactivate::deactivate(&self.context, &prefix, &came).await
    }

    /// How ids of the source begin, and those who came.
    fn source(&self) -> (String, Vec<&str>) {
        let prefix = external_id(self.options.source_type.as_deref(), "");
        (prefix, self.came.iter().map(String::as_str).collect())
    }
}
