//! What an area implements: the work of a queue, one portion at a time.

use std::fmt;

use futures_util::future::BoxFuture;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::queue::Queue;

/// The future of a portion.
pub type Outcome<'a> = BoxFuture<'a, Result<Progress, StoreError>>;

/// The future of what ends a job.
pub type Ended<'a> = BoxFuture<'a, Result<(), StoreError>>;

/// The work of a queue.
pub trait Work: fmt::Debug + Send + Sync + 'static {
    /// The queue.
    fn queue(&self) -> &'static Queue;

    /// Whether its portions are short and somebody waits for each: they then take no turns with those of other
    /// queues, and no rests ([`Room`](crate::Room)).
    fn is_prompt(&self) -> bool {
        false
    }

    /// Does some of a job in this transaction, which the worker commits with the job's progress. `context` has
    /// no user.
    ///
    /// # Errors
    /// What may pass is tried again ([`StoreError::is_transient`]), everything else ends the job.
    fn portion<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Outcome<'a>;

    /// Marks a job as failed, in this transaction, for whoever asked for it; `Progress::Done` ends it. A job
    /// that can leave out what failed gives where it goes on.
    ///
    /// # Errors
    /// It is called again after a while.
    fn give_up<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
        reason: &'a GivenUp,
    ) -> Outcome<'a>;

    /// Marks a job as cancelled that [`Queue::cancel`] was asked for; the job ends.
    ///
    /// # Errors
    /// As [`Work::portion`].
    fn cancelled<'a>(
        &'a self,
        _context: Context<'a>,
        _transaction: &'a Transaction,
        _job: &'a Job,
    ) -> Ended<'a> {
        Box::pin(async { Ok(()) })
    }
}

/// A job whose turn it is.
#[derive(Debug, Clone)]
pub struct Job {
    /// Its id.
    pub id: Uuid,
    /// Its key, if it has one.
    pub key: Option<Uuid>,
    /// How far it is.
    pub progress: Value,
    /// How many times smaller than usual this portion is.
    pub(crate) divisor: i32,
    /// Whether clients wait for answers beside it.
    pub(crate) is_beside_requests: bool,
}

impl Job {
    /// The records of this portion, of which there are usually so many: fewer after portions that failed,
    /// and one at least.
    #[must_use]
    pub fn at_most(&self, usual: i64) -> i64 {
        (usual / i64::from(self.divisor)).max(1)
    }

    /// Whether this process answers requests meanwhile: a portion of many records is then made smaller
    /// ([`PortionSize`](crate::PortionSize)).
    #[must_use]
    pub fn is_beside_requests(&self) -> bool {
        self.is_beside_requests
    }

    /// How far it is, as the area's own type.
    ///
    /// # Errors
    /// When it was written by something else.
    pub fn state<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        T::deserialize(&self.progress).map_err(|error| StoreError::json(error))
    }
}

/// How far a job is after a portion.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// There is more to do.
    More(Value),
    /// It is done: its row goes.
    Done,
}

/// Why a job is given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenUp {
    /// What failed would fail again.
    Fault(String),
    /// A portion was begun so often and never finished.
    Exhausted {
        /// How often.
        attempts: i32,
        /// Why it was not the last time.
        last: String,
    },
}

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GivenUp::Fault(reason) => f.write_str(reason),
            GivenUp::Exhausted { attempts, last } => write!(
                f,
                "The job was given up: its next portion was begun {attempts} times and never \
                 finished; the last time because {last}"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_portion_has_one_record_at_least() {
        let job = |divisor| Job {
            id: Uuid::nil(),
            key: None,
            progress: Value::Null,
            divisor,
            is_beside_requests: false,
        };
        let sizes = |usual| [1, 10, 100, 1_000].map(|divisor| job(divisor).at_most(usual));
        assert_eq!(sizes(1_000), [1_000, 100, 10, 1]);
        assert_eq!(sizes(20), [20, 2, 1, 1]);
    }
}
