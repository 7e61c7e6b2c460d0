//! Loading bibliographic records: each becomes an instance and its source record, and holdings and
//! items where that is wanted.
//!
//! Records are taken as new. Without a match profile FOLIO does not recognize what it has already,
//! and neither does this: a file loaded twice makes every instance twice, except where items are
//! made, for a barcode that is taken keeps its record out.

mod build;
mod options;
mod settings;
mod write;

use std::sync::Arc;

use octavo_marc::{Record, RecordError};
use octavo_records::{Stamp, Store, StoreError, Tenant};
use serde_json::json;
use tokio::task::JoinHandle;
use uuid::Uuid;

pub use options::{
    HoldingsOptions, ItemOptions, LoadError, LoadEvent, LoadOptions, LoadProblem, LoadSummary,
};

use super::snapshots::{create_snapshot, replace_snapshot};
use super::{Context, Refusal};
use build::Draft;
use settings::Settings;

/// Loads records in batches, each of which is stored whole in one transaction. A record that
/// cannot be loaded is told to `on_event` and costs no other; so is how far the load has come.
///
/// One batch is stored while the next is read and mapped, so memory holds two of them.
///
/// # Errors
/// When an option names what does not exist, or the database fails. What was stored until then
/// stays; the snapshot says `ERROR`.
pub async fn load_marc<I>(
    context: &Context<'_>,
    records: I,
    options: &LoadOptions,
    on_event: &mut (dyn FnMut(LoadEvent) + Send),
) -> Result<LoadSummary, LoadError>
where
    I: IntoIterator<Item = Result<Record, RecordError>>,
{
    let snapshot_id = Uuid::new_v4();
    let settings = Arc::new(Settings::read(context, options, snapshot_id).await?);
    create_snapshot(context, snapshot(snapshot_id, "PARSING_IN_PROGRESS"))
        .await
        .map_err(of_snapshot)?;
    let mut load = Load {
        store: context.store.clone(),
        tenant: context.tenant.clone(),
        stamp: context.stamp,
        settings,
        summary: LoadSummary {
            snapshot_id,
            ..LoadSummary::default()
        },
        writing: None,
        on_event,
    };
    let outcome = load
        .run(records.into_iter(), options.batch_records.max(1))
        .await;
    let status = if outcome.is_ok() {
        "COMMITTED"
    } else {
        "ERROR"
    };
    let closed = replace_snapshot(context, snapshot_id, snapshot(snapshot_id, status)).await;
    outcome?;
    closed.map_err(of_snapshot)?;
    Ok(load.summary)
}

struct Load<'a> {
    store: Store,
    tenant: Tenant,
    stamp: Stamp,
    settings: Arc<Settings>,
    summary: LoadSummary,
    writing: Option<JoinHandle<Result<write::Written, StoreError>>>,
    on_event: &'a mut (dyn FnMut(LoadEvent) + Send),
}

impl Load<'_> {
    async fn run(
        &mut self,
        mut records: impl Iterator<Item = Result<Record, RecordError>>,
        batch_records: usize,
    ) -> Result<(), LoadError> {
        loop {
            let (batch, ended) = self.read(&mut records, batch_records);
            self.finish_writing().await?;
            if !batch.is_empty() {
                let (store, tenant, stamp) = (self.store.clone(), self.tenant.clone(), self.stamp);
                let settings = Arc::clone(&self.settings);
                self.writing = Some(tokio::spawn(async move {
                    let context = Context {
                        store: &store,
                        tenant: &tenant,
                        stamp,
                    };
                    write::write(&context, &settings, batch).await
                }));
            }
            if ended {
                return self.finish_writing().await;
            }
        }
    }

    /// Reads and maps a batch; says whether the input has ended.
    fn read(
        &mut self,
        records: &mut impl Iterator<Item = Result<Record, RecordError>>,
        most: usize,
    ) -> (Vec<Draft>, bool) {
        let mut batch = Vec::with_capacity(most);
        while batch.len() < most {
            let Some(record) = records.next() else {
                return (batch, true);
            };
            self.summary.read += 1;
            let position = self.summary.read;
            let draft = match record {
                Ok(record) => build::draft(position, record),
                Err(error) => Err(error.reason.to_string()),
            };
            match draft {
                Ok(draft) => batch.push(draft),
                Err(reason) => self.problem(LoadProblem { position, reason }),
            }
        }
        (batch, false)
    }

    async fn finish_writing(&mut self) -> Result<(), LoadError> {
        let Some(writing) = self.writing.take() else {
            return Ok(());
        };
        let written = writing
            .await
            .map_err(|error| LoadError::Task(error.to_string()))??;
        self.summary.instances += written.instances;
        self.summary.holdings += written.holdings;
        self.summary.items += written.items;
        for problem in written.problems {
            self.problem(problem);
        }
        (self.on_event)(LoadEvent::Progress(self.summary));
        Ok(())
    }

    fn problem(&mut self, problem: LoadProblem) {
        self.summary.problems += 1;
        (self.on_event)(LoadEvent::Problem(problem));
    }
}

fn snapshot(id: Uuid, status: &str) -> serde_json::Value {
    json!({"jobExecutionId": id, "status": status})
}

fn of_snapshot(refusal: Refusal) -> LoadError {
    match refusal {
        Refusal::Store(error) => LoadError::Store(error),
        other => LoadError::Task(other.to_string()),
    }
}
