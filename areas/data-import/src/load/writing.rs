//! Stores a batch: records and progress in one transaction, which commits after that of the previous
//! batch.

use std::collections::BTreeSet;
use std::sync::Arc;

use octavo_cataloging::bulk::{Creating, is_refusal, reserve_hrids, write};
use octavo_library::{JobExecutionId, UserId};
use octavo_mapping::RecordKind;
use octavo_postgres::Transaction;
use octavo_records::Context;
use octavo_records::{Stamp, Store, Tenant};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::options::{LoadError, LoadProblem, Progress};
use super::reading::Batch;
use super::single::{Refused, Single, Singly};
use super::store as statements;
use crate::store::runs::match_alone;

/// The result for a batch.
#[derive(Debug)]
pub(super) struct Stored {
    /// What this batch adds to the progress.
    pub progress: Progress,
    pub problems: Vec<LoadProblem>,
}

/// A batch being stored.
pub(super) struct Writing {
    pub store: Store,
    pub tenant: Tenant,
    pub user_id: Option<UserId>,
    pub creating: Arc<Creating>,
    pub singly: Option<Arc<dyn Singly>>,
    pub job_id: JobExecutionId,
    /// Whether the load is in the list of imports.
    pub is_listed: bool,
    /// The human-readable ids of its drafts.
    pub hrids: Vec<String>,
    /// Resolves when the previous batch is stored; dropped when that failed.
    pub before: Option<oneshot::Receiver<()>>,
    /// The signal for the next batch.
    pub stored: oneshot::Sender<()>,
}

impl Writing {
    pub(super) async fn run(mut self, mut batch: Batch) -> Result<Stored, LoadError> {
        let (store, tenant) = (self.store.clone(), self.tenant.clone());
        let context = Context {
            store: &store,
            tenant: &tenant,
            stamp: Stamp::now(self.user_id.map(Uuid::from)),
        };
        let transaction = store.database.transaction().await?;
        statements::without_waiting(&transaction).await?;
        if !batch.keys.is_empty() {
            // Locked from before matching until the commit: a concurrent load or job would match nothing
            // meanwhile, and create duplicates.
            match_alone(&transaction, &tenant).await?;
        }
        let found = statements::instances_of(&transaction, &context, &batch.keys).await?;
        let mut problems = std::mem::take(&mut batch.problems);
        let mut matched = 0;
        let mut drafts = Vec::with_capacity(batch.drafts.len());
        for draft in std::mem::take(&mut batch.drafts) {
            match found.get(&draft.position()).map_or(0, BTreeSet::len) {
                0 => drafts.push(draft),
                1 => matched += 1,
                several => {
                    let reason = format!("{several} instances match it");
                    problems.push(batch.refused(draft.position(), reason));
                }
            }
        }
        if self.hrids.len() < drafts.len() {
            self.hrids = reserve_hrids(&context, &transaction, drafts.len()).await?;
        }
        let written = write(&context, &transaction, &self.creating, drafts, &self.hrids).await?;
        for problem in written.problems {
            problems.push(batch.refused(problem.position, problem.reason));
        }
        let mut updated = 0;
        for mut single in std::mem::take(&mut batch.singles) {
            let position = single.position;
            if single.kind == RecordKind::Bib {
                // Unmatched and ambiguous ones were handled above.
                let Some(id) = found.get(&position).filter(|ids| ids.len() == 1) else {
                    continue;
                };
                single.changes = id.first().map(|id| id.uuid());
                matched -= 1;
            }
            match self.store_single(&context, &transaction, single).await? {
                None => updated += 1,
                Some(reason) => problems.push(batch.refused(position, reason)),
            }
        }
        problems.sort_by_key(|problem| problem.position);
        let progress = Progress {
            job_id: self.job_id,
            position: batch.until,
            bytes: batch.bytes,
            created: written.created.len() as u64,
            updated,
            matched,
            holdings: written.holdings,
            items: written.items,
            problems: problems.len() as u64,
        };
        if let Some(before) = self.before.take()
            && before.await.is_err()
        {
            return Err(LoadError::Task("the batch before failed".to_owned()));
        }
        if !statements::advance(&transaction, &tenant, batch.after, &progress, &problems).await? {
            return Err(LoadError::Elsewhere);
        }
        if self.is_listed {
            let reached = batch.until;
            statements::write_progress(&transaction, &tenant, self.job_id, reached).await?;
        }
        transaction.commit().await?;
        // The last batch has no successor.
        let _ = self.stored.send(());
        Ok(Stored { progress, problems })
    }

    /// Stores a single record; returns the reason when it was refused and rolled back.
    async fn store_single(
        &self,
        context: &Context<'_>,
        transaction: &Transaction,
        single: Single,
    ) -> Result<Option<String>, LoadError> {
        let Some(singly) = &self.singly else {
            return Ok(Some("records of this kind are not stored here".to_owned()));
        };
        transaction.savepoint(SINGLE).await?;
        let reason = match singly.store(context, transaction, single).await {
            Ok(()) => {
                transaction.release(SINGLE).await?;
                return Ok(None);
            }
            Err(Refused::Record(reason)) => reason,
            Err(Refused::Store(error)) if is_refusal(&error) => error.to_string(),
            Err(Refused::Store(error)) => return Err(LoadError::Store(error)),
        };
        transaction.rollback_to(SINGLE).await?;
        transaction.release(SINGLE).await?;
        Ok(Some(reason))
    }
}

const SINGLE: &str = "single";
