//! Waits until every process has handled a change.
//!
//! PostgreSQL delivers notifications to each listener in the order of commits. A process that sends
//! a question after its own commit and gets every process's answer knows that all of them have
//! received the notifications of that commit. The processes are known from their listening
//! connections, which end with them.

mod store;

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError, Listener};
use tokio::sync::oneshot;
use uuid::Uuid;

/// The channel of questions and answers: `ask:QUESTION` and `heard:QUESTION:PROCESS`.
pub const CHANNEL: &str = "octavo_settle";
/// The prefix of the `application_name` of a listening connection; the process's id follows.
const NAME: &str = "octavo ";
/// A process that has not answered by then hangs or is cut off, and is no longer waited for.
const WAIT_MAX: Duration = Duration::from_secs(2);

/// The questions of this process, and whether it listens.
pub struct InvalidationBarrier {
    database: Database,
    inner: Mutex<Inner>,
}

impl std::fmt::Debug for InvalidationBarrier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InvalidationBarrier")
    }
}

#[derive(Debug, Default)]
struct Inner {
    /// This process's id, if it listens.
    process: Option<String>,
    questions: HashMap<String, Question>,
}

#[derive(Debug)]
struct Question {
    answered: HashSet<String>,
    awaited: Option<HashSet<String>>,
    done: Option<oneshot::Sender<()>>,
}

impl Question {
    fn complete_if_answered(&mut self) {
        let all = self
            .awaited
            .as_ref()
            .is_some_and(|awaited| awaited.is_subset(&self.answered));
        if all && let Some(done) = self.done.take() {
            let _ = done.send(());
        }
    }
}

impl InvalidationBarrier {
    pub(crate) fn new(database: Database) -> InvalidationBarrier {
        InvalidationBarrier {
            database,
            inner: Mutex::default(),
        }
    }

    /// Waits until every process of the installation acts on what was committed before: changed
    /// permissions, deactivated users, revoked tokens, enabled modules. Call it after the commit
    /// and before the response, so that the next request to any process sees the change.
    #[boxed]
    pub async fn settle(&self) {
        if let Err(error) = self.ask().await {
            tracing::debug!(%error, "processes could not be asked to confirm a change");
        }
    }

    /// Starts the listener, under a name that identifies this process to others.
    pub(crate) async fn listen(&self, channels: &[&str]) -> Result<Listener, DatabaseError> {
        let process = Uuid::new_v4().simple().to_string();
        let mut config = self.database.config().clone();
        config.application_name(format!("{NAME}{process}"));
        let listener = Listener::start(config, channels).await?;
        self.lock().process = Some(process);
        Ok(listener)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a question of another process, or takes an answer to one of its own.
    pub(crate) async fn handle(&self, payload: &str) {
        let mut words = payload.split(':');
        let (verb, question) = (words.next(), words.next().unwrap_or_default());
        match verb {
            Some("ask") => {
                let process = self.lock().process.clone().unwrap_or_default();
                // This process's own question is answered without a notification.
                if self.take(question, &process) {
                    return;
                }
                let answered = format!("heard:{question}:{process}");
                if let Err(error) = store::notify(&self.database, &answered).await {
                    tracing::debug!(%error, "a question of the invalidation barrier could not be answered");
                }
            }
            Some("heard") => {
                self.take(question, words.next().unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Records the answer of a process; returns whether the question is this process's own.
    fn take(&self, question: &str, process: &str) -> bool {
        let mut inner = self.lock();
        let Some(question) = inner.questions.get_mut(question) else {
            return false;
        };
        question.answered.insert(process.to_owned());
        question.complete_if_answered();
        true
    }

    async fn ask(&self) -> Result<(), DatabaseError> {
        let id = Uuid::new_v4().simple().to_string();
        let (done, answered) = oneshot::channel();
        {
            let mut inner = self.lock();
            if inner.process.is_none() {
                // A process without listener has no cache to invalidate, and the others are
                // notified by the change itself.
                return Ok(());
            }
            let question = Question {
                answered: HashSet::new(),
                awaited: None,
                done: Some(done),
            };
            // Before the question is sent: answers may arrive before it is known who has to answer.
            inner.questions.insert(id.clone(), question);
        }
        let asked = store::ask(&self.database, &format!("ask:{id}"), NAME).await;
        let outcome = match asked {
            Err(error) => Err(error),
            Ok(processes) => {
                if let Some(question) = self.lock().questions.get_mut(&id) {
                    question.awaited = Some(processes.into_iter().collect());
                    question.complete_if_answered();
                }
                if tokio::time::timeout(WAIT_MAX, answered).await.is_err() {
                    tracing::warn!(
                        "a process has not confirmed a change within {} s; it may act on the old state",
                        WAIT_MAX.as_secs()
                    );
                }
                Ok(())
            }
        };
        self.lock().questions.remove(&id);
        outcome
    }
}
