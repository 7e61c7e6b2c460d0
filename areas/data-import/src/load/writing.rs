//! Storing a batch: its records, and how far the load has come, in one transaction that ends behind
//! the one of the batch before.

use std::sync::Arc;

use octavo_cataloging::bulk::{Creating, write};
use octavo_records::{Stamp, Store, Tenant};
use octavo_source_records::app::Context;
use tokio::sync::oneshot;
use uuid::Uuid;

use super::options::{LoadError, LoadProblem, Progress};
use super::reading::Batch;
use super::store;

/// What became of a batch.
#[derive(Debug)]
pub(super) struct Stored {
    /// What this batch adds, and where it ends.
    pub progress: Progress,
    pub problems: Vec<LoadProblem>,
}

/// A batch on its way into the database.
pub(super) struct Writing {
    pub store: Store,
    pub tenant: Tenant,
    pub user_id: Option<Uuid>,
    pub creating: Arc<Creating>,
    pub job_id: Uuid,
    /// The human-readable ids of its drafts.
    pub hrids: Vec<String>,
    /// Comes when the batch before is stored; does not come when that failed.
    pub before: Option<oneshot::Receiver<()>>,
    /// For the batch behind.
    pub stored: oneshot::Sender<()>,
}

impl Writing {
    pub(super) async fn run(self, mut batch: Batch) -> Result<Stored, LoadError> {
        let context = Context {
            store: &self.store,
            tenant: &self.tenant,
            stamp: Stamp::now(self.user_id),
        };
        let transaction = self.store.database.transaction().await?;
        store::without_waiting(&transaction).await?;
        let drafts = std::mem::take(&mut batch.drafts);
        let written = write(&context, &transaction, &self.creating, drafts, &self.hrids).await?;
        let mut problems = std::mem::take(&mut batch.problems);
        for problem in written.problems {
            problems.push(batch.refused(problem.position, problem.reason));
        }
        problems.sort_by_key(|problem| problem.position);
        let progress = Progress {
            job_id: self.job_id,
            position: batch.until,
            bytes: batch.bytes,
            created: written.created.len() as u64,
            holdings: written.holdings,
            items: written.items,
            problems: problems.len() as u64,
        };
        if let Some(before) = self.before
            && before.await.is_err()
        {
            return Err(LoadError::Task("the batch before failed".to_owned()));
        }
        let (tenant, after) = (&self.tenant, batch.after);
        if !store::advance(&transaction, tenant, after, &progress, &problems).await? {
            return Err(LoadError::Elsewhere);
        }
        transaction.commit().await?;
        // Nobody waits behind the last batch.
        let _ = self.stored.send(());
        Ok(Stored { progress, problems })
    }
}
