//! The import in three parts: included records, the users in batches, and missing users. Each batch is a
//! transaction; earlier batches stay stored after a fault.

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

/// The options of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The source system; a prefix of the users' external ids.
    pub source_type: Option<String>,
    /// Whether active users of the same source who are not in the import are deactivated.
    pub deactivate_missing: bool,
    /// Whether omitted properties of a user stay as they are.
    pub only_present: bool,
}

/// Other records included in an import.
#[derive(Debug, Clone, Default)]
pub struct Included {
    /// Departments to create or rename.
    pub departments: Vec<Map<String, Value>>,
    /// Changes of custom fields.
    pub custom_fields: Vec<Map<String, Value>>,
}

/// The result for a batch of users.
#[derive(Debug, Default)]
pub struct BatchOutcome {
    /// Created users.
    pub created: usize,
    /// Updated users.
    pub updated: usize,
    /// Users who could not be stored, and why.
    pub failed: Vec<Failed>,
}

/// The result for missing users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Nobody is missing.
    None,
    /// This number was deactivated.
    Deactivated(usize),
}

/// A running import.
#[derive(Debug)]
pub struct Import<'a> {
    context: UserContext<'a>,
    options: Options,
    known: ReferenceNames,
    came: HashSet<String>,
}

impl<'a> Import<'a> {
    /// Begins: stores the included records, and reads the library's reference data.
    ///
    /// # Errors
    /// FOLIO's message when an included record is refused, or a fault.
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
                    // A user who is listed twice is created first and then updated, so the batch is
                    // divided between them.
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

    /// Whether the import lacks users of the source.
    #[boxed]
    pub async fn is_anybody_missing(&self) -> Result<bool, Fault> {
        let (prefix, came) = self.source();
        let database = &self.context.store.database;
        let missing = store::missing(database, self.context.tables(), &prefix, &came).await?;
        Ok(missing.any)
    }

    /// Ends: deactivates missing users, if that option is set.
    #[boxed]
    pub async fn deactivate_missing(&self) -> Result<Missing, Fault> {
        let (prefix, came) = self.source();
        deactivate::deactivate(&self.context, &prefix, &came).await
    }

    /// The prefix of the source's ids, and the imported ids.
    fn source(&self) -> (String, Vec<&str>) {
        let prefix = external_id(self.options.source_type.as_deref(), "");
        (prefix, self.came.iter().map(String::as_str).collect())
    }
}
