//! A sink in memory, for tests: it can be away, refuse what is too large, and fail at random.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::message::Message;
use crate::sink::{NewTopic, Outcome, Sink};

/// What was sent to it.
#[derive(Debug, Default)]
pub struct Memory {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    messages: Vec<Message>,
    topics: BTreeMap<String, NewTopic>,
    removed: BTreeSet<String>,
    away: bool,
    bytes_max: Option<usize>,
    failing: usize,
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything that was taken, in order.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.lock().messages.clone()
    }

    /// The topics that there are.
    #[must_use]
    pub fn topics(&self) -> BTreeMap<String, NewTopic> {
        self.lock().topics.clone()
    }

    /// The topics that were removed.
    #[must_use]
    pub fn removed(&self) -> BTreeSet<String> {
        self.lock().removed.clone()
    }

    /// Has it answer nobody, or everybody again.
    pub fn set_away(&self, away: bool) {
        self.lock().away = away;
    }

    /// Has it refuse larger messages.
    pub fn set_bytes_max(&self, bytes: usize) {
        self.lock().bytes_max = Some(bytes);
    }

    /// Has it not take every third of the next messages.
    pub fn fail(&self, messages: usize) {
        self.lock().failing = messages;
    }

    fn take(&self, messages: &[Message]) -> Vec<Outcome> {
        let mut inner = self.lock();
        let outcomes = messages.iter().map(|message| {
            if inner
                .bytes_max
                .is_some_and(|most| message.value.len() > most)
            {
                return Outcome::Refused("too large".to_owned());
            }
            inner.failing = inner.failing.saturating_sub(1);
            if inner.failing % 3 == 1 {
                return Outcome::Failed("not now".to_owned());
            }
            inner.messages.push(message.clone());
            Outcome::Sent
        });
        outcomes.collect()
    }
}

impl Sink for Memory {
    fn send<'a>(&'a self, messages: &'a [Message]) -> BoxFuture<'a, Vec<Outcome>> {
        async move {
            while self.lock().away {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            self.take(messages)
        }
        .boxed()
    }

    fn make<'a>(&'a self, topics: &'a [NewTopic]) -> BoxFuture<'a, Result<(), String>> {
        async move {
            let mut inner = self.lock();
            if inner.away {
                return Err("away".to_owned());
            }
            for topic in topics {
                inner
                    .topics
                    .entry(topic.name.clone())
                    .or_insert(topic.clone());
            }
            Ok(())
        }
        .boxed()
    }

    fn remove<'a>(&'a self, names: &'a [String]) -> BoxFuture<'a, Result<(), String>> {
        async move {
            let mut inner = self.lock();
            if inner.away {
                return Err("away".to_owned());
            }
            for name in names {
                inner.topics.remove(name);
                inner.removed.insert(name.clone());
            }
            Ok(())
        }
        .boxed()
    }
}
