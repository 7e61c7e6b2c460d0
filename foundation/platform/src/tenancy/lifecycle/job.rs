//! An install job: carries out all steps and stores their progress for clients that poll it.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_postgres::Database;
use octavo_records::Tenant;
use serde_json::json;
use uuid::Uuid;

use super::{InstallOptions, LifecycleRefusal, ModulesLock};
use crate::registry::resolve::{Stage, Step};
use crate::registry::store;

pub struct Job {
    pub id: String,
    /// The tenant whose modules it changes.
    pub tenant: String,
    database: Database,
    started: Timestamp,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl Job {
    /// A new job.
    #[must_use]
    pub fn new(database: Database, tenant: &Tenant) -> Job {
        Job {
            id: Uuid::new_v4().to_string(),
            tenant: tenant.id().to_owned(),
            database,
            started: Timestamp::now(),
        }
    }

    /// Carries out all steps and updates the progress of each. Stops at the first failure unless
    /// failures are ignored.
    ///
    /// # Errors
    /// The failure.
    #[boxed]
    pub async fn run(
        &self,
        turn: &ModulesLock,
        steps: &mut [Step],
        options: &InstallOptions,
    ) -> Result<(), LifecycleRefusal> {
        for step in steps.iter_mut() {
            step.stage = Some(Stage::Pending);
        }
        self.note(steps, false).await;
        let outcome = self.steps(turn, steps, options).await;
        self.note(steps, true).await;
        outcome
    }

    async fn steps(
        &self,
        turn: &ModulesLock,
        steps: &mut [Step],
        options: &InstallOptions,
    ) -> Result<(), LifecycleRefusal> {
        turn.announce_together(steps).await?;
        for at in 0..steps.len() {
            steps[at].stage = Some(Stage::Invoke);
            self.note(steps, false).await;
            let Err(error) = turn.carry_out(&steps[at], options).await else {
                steps[at].stage = Some(Stage::Done);
                continue;
            };
            steps[at].message = Some(error.to_string());
            if !options.ignore_errors {
                return Err(error);
            }
            tracing::warn!(module = steps[at].id, %error, "a failing step is ignored");
        }
        turn.clear_up(options).await?;
        if options.parameter("loadSample") {
            turn.load_samples(steps).await?;
        }
        Ok(())
    }

    /// Stores the progress.
    #[boxed]
    pub async fn note(&self, steps: &[Step], complete: bool) {
        let mut document = json!({
            "id": self.id,
            "complete": complete,
            "startDate": self.started.to_string(),
            "modules": steps,
        });
        if complete {
            document["endDate"] = json!(Timestamp::now().to_string());
        }
        let written = store::write_job(&self.database, &self.tenant, &self.id, &document).await;
        if let Err(error) = written {
            tracing::warn!(tenant = self.tenant, %error, "an install job could not be stored");
        }
    }
}
