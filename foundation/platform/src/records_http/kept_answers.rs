//! Answers to reads of collections that seldom change, kept in memory by every process
//! ([0048](../../../../docs/decisions/0048-answers-kept-until-a-change.md)).
//!
//! An answer belongs to the number of changes that this process had been notified of when reading
//! began. A notification raises the number, so that whatever was read before is not found again.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use moka::sync::Cache;
use octavo_records::ddl::CHANGE_CHANNEL;
use octavo_records::{Search, TENANT_CHANNEL, Tenant, Totals};
use uuid::Uuid;

use crate::background::listened_event::ListenedEvent;

/// The most bytes of all answers together, with what finding them takes.
const BYTES_MAX: u64 = 32 * 1024 * 1024;
/// A larger answer is not kept.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// A longer query is not kept: hardly anybody asks it again.
const QUERY_BYTES_MAX: usize = 1024;
/// What an entry takes beside its texts, roughly.
const ENTRY_BYTES: usize = 256;
/// An answer that nobody has asked for in this time is dropped.
const IDLE: Duration = Duration::from_secs(600);

/// The answers of this process.
pub struct KeptAnswers {
    answers: Cache<Arc<Question>, Bytes>,
    changes: RwLock<Changes>,
}

/// What this process has been notified of.
#[derive(Debug, Default)]
struct Changes {
    /// Whether notifications arrive; nothing is kept otherwise.
    listening: bool,
    /// How often everything had to be forgotten.
    of_everything: u64,
    /// The changes of each table, `schema.table`.
    of_tables: HashMap<String, u64>,
}

/// A read and the number of changes at which it was asked.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Question {
    of_everything: u64,
    of_table: u64,
    /// `schema.table`.
    table: String,
    asked: Asked,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Asked {
    Record(Uuid),
    Page {
        query: Option<String>,
        offset: i64,
        limit: i64,
        totals: Totals,
    },
}

impl fmt::Debug for KeptAnswers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptAnswers")
            .field("answers", &self.answers.entry_count())
            .finish_non_exhaustive()
    }
}

impl Default for KeptAnswers {
    fn default() -> KeptAnswers {
        let answers = Cache::builder()
            .max_capacity(BYTES_MAX)
            .weigher(|question: &Arc<Question>, answer: &Bytes| {
                let bytes = ENTRY_BYTES + question.bytes() + answer.len();
                u32::try_from(bytes).unwrap_or(u32::MAX)
            })
            .time_to_idle(IDLE)
            .build();
        KeptAnswers {
            answers,
            changes: RwLock::default(),
        }
    }
}

impl Question {
    fn bytes(&self) -> usize {
        let query = match &self.asked {
            Asked::Page { query, .. } => query.as_ref().map_or(0, String::len),
            Asked::Record(_) => 0,
        };
        self.table.len() + query
    }
}

impl KeptAnswers {
    /// The question for one record; `None` when its answer must not be kept.
    pub(super) fn of_record(
        &self,
        tenant: &Tenant,
        table: &str,
        id: Uuid,
    ) -> Option<Arc<Question>> {
        self.question(tenant, table, Asked::Record(id))
    }

    /// The question for a page; `None` when its answer must not be kept.
    pub(super) fn of_page(
        &self,
        tenant: &Tenant,
        table: &str,
        search: Search<'_>,
    ) -> Option<Arc<Question>> {
        let query = search.query;
        if query.is_some_and(|query| query.len() > QUERY_BYTES_MAX) {
            return None;
        }
        let asked = Asked::Page {
            query: query.map(str::to_owned),
            offset: search.offset,
            limit: search.limit,
            totals: search.totals,
        };
        self.question(tenant, table, asked)
    }

    /// Has to be called before anything is read for its answer.
    fn question(&self, tenant: &Tenant, table: &str, asked: Asked) -> Option<Arc<Question>> {
        let table = format!("{}.{table}", tenant.schema());
        let changes = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        changes.listening.then(|| {
            Arc::new(Question {
                of_everything: changes.of_everything,
                of_table: changes.of_tables.get(&table).copied().unwrap_or_default(),
                table,
                asked,
            })
        })
    }

    pub(super) fn answer(&self, question: &Arc<Question>) -> Option<Bytes> {
        self.answers.get(question)
    }

    pub(super) fn keep(&self, question: Arc<Question>, answer: &Bytes) {
        if answer.len() <= ANSWER_BYTES_MAX {
            self.answers.insert(question, answer.clone());
        }
    }

    /// Begins to keep answers. To be called once notifications arrive.
    pub(crate) fn begin(&self) {
        self.forget(Some(true));
    }

    pub(crate) fn handle(&self, event: &ListenedEvent) {
        match event {
            ListenedEvent::Notice { channel, payload } if channel == CHANGE_CHANNEL => {
                let mut changes = self.changes.write().unwrap_or_else(PoisonError::into_inner);
                *changes.of_tables.entry(payload.clone()).or_default() += 1;
            }
            // A tenant that is made anew may have the tables of one that was deleted.
            ListenedEvent::Notice { channel, .. } if channel == TENANT_CHANNEL => self.forget(None),
            ListenedEvent::Notice { .. } => {}
            ListenedEvent::Missed => self.forget(None),
            ListenedEvent::Restored => self.forget(Some(true)),
            ListenedEvent::Lost | ListenedEvent::Closed => self.forget(Some(false)),
        }
    }

    fn forget(&self, listening: Option<bool>) {
        let mut changes = self.changes.write().unwrap_or_else(PoisonError::into_inner);
        changes.of_everything += 1;
        changes.of_tables.clear();
        changes.listening = listening.unwrap_or(changes.listening);
        drop(changes);
        self.answers.invalidate_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(query: &str) -> Search<'_> {
        Search {
            query: Some(query),
            offset: 0,
            limit: 10,
            totals: Totals::Auto,
        }
    }

    fn tenant(id: &str) -> Tenant {
        Tenant::new(id).expect("a tenant's id")
    }

    fn notice(channel: &str, payload: &str) -> ListenedEvent {
        ListenedEvent::Notice {
            channel: channel.to_owned(),
            payload: payload.to_owned(),
        }
    }

    #[test]
    fn an_answer_is_found_until_its_table_changes() {
        let kept = KeptAnswers::default();
        let (one, other) = (tenant("one"), tenant("other"));
        kept.begin();
        let asked = || {
            kept.of_page(&one, "library", page("name==a"))
                .expect("kept")
        };
        kept.keep(asked(), &Bytes::from_static(b"a"));
        assert_eq!(kept.answer(&asked()).as_deref(), Some(&b"a"[..]));
        let others = [
            kept.of_page(&one, "library", page("name==b")),
            kept.of_page(&one, "campus", page("name==a")),
            kept.of_page(&other, "library", page("name==a")),
            kept.of_record(&one, "library", Uuid::nil()),
        ];
        for question in others.into_iter().flatten() {
            assert_eq!(kept.answer(&question), None, "{question:?}");
        }
        kept.handle(&notice(
            CHANGE_CHANNEL,
            &format!("{}.library", other.schema()),
        ));
        assert!(kept.answer(&asked()).is_some());
        // What was read before the change, and arrives after it, is not kept for later questions.
        let early = asked();
        kept.handle(&notice(
            CHANGE_CHANNEL,
            &format!("{}.library", one.schema()),
        ));
        kept.keep(early, &Bytes::from_static(b"old"));
        assert_eq!(kept.answer(&asked()), None);
    }

    #[test]
    fn nothing_is_kept_while_notifications_may_be_missed() {
        let kept = KeptAnswers::default();
        let one = tenant("one");
        let asked = || kept.of_record(&one, "library", Uuid::nil());
        assert!(asked().is_none());
        kept.begin();
        for event in [
            notice(TENANT_CHANNEL, "one"),
            ListenedEvent::Missed,
            ListenedEvent::Restored,
        ] {
            kept.keep(asked().expect("kept"), &Bytes::from_static(b"a"));
            kept.handle(&event);
            assert_eq!(kept.answer(&asked().expect("kept")), None, "{event:?}");
        }
        kept.handle(&ListenedEvent::Lost);
        assert!(asked().is_none());
        kept.handle(&ListenedEvent::Restored);
        assert!(asked().is_some());
        kept.handle(&ListenedEvent::Closed);
        assert!(asked().is_none());
    }

    #[test]
    fn what_is_large_is_not_kept() {
        let kept = KeptAnswers::default();
        let one = tenant("one");
        kept.begin();
        assert!(
            kept.of_page(&one, "library", page(&"a".repeat(1025)))
                .is_none()
        );
        let question = kept.of_record(&one, "library", Uuid::nil()).expect("kept");
        kept.keep(
            Arc::clone(&question),
            &Bytes::from(vec![b' '; ANSWER_BYTES_MAX + 1]),
        );
        assert_eq!(kept.answer(&question), None);
    }
}
