//! A cache of the responses to reads of collections that seldom change, one in each process
//! ([0048](../../../../docs/decisions/0048-cached-reads-of-settings.md)).
//!
//! The key of a response contains the number of changes that this process had been notified of when reading
//! began. A notification raises the number, so that no later request finds what was read before it.

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

/// The most bytes of all responses together, with their keys.
const BYTES_MAX: u64 = 32 * 1024 * 1024;
/// A larger response is not cached.
const RESPONSE_BYTES_MAX: usize = 256 * 1024;
/// A longer query is not cached: it is hardly ever repeated.
const QUERY_BYTES_MAX: usize = 1024;
/// The size of an entry beside its texts, roughly.
const ENTRY_BYTES: usize = 256;
/// A response that was not requested for this time is dropped.
const IDLE: Duration = Duration::from_secs(600);

/// The cached responses of this process.
pub struct ResponseCache {
    responses: Cache<Arc<CacheKey>, Bytes>,
    changes: RwLock<Changes>,
}

/// The changes that this process has been notified of.
#[derive(Debug, Default)]
struct Changes {
    /// Whether notifications arrive; nothing is cached otherwise.
    listening: bool,
    /// How often the whole cache was invalidated.
    of_all: u64,
    /// The changes of each table, `schema.table`.
    of_tables: HashMap<String, u64>,
}

/// A read, with the numbers of changes before it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct CacheKey {
    of_all: u64,
    of_table: u64,
    /// `schema.table`.
    table: String,
    read: CachedRead,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum CachedRead {
    Record(Uuid),
    Page {
        query: Option<String>,
        offset: i64,
        limit: i64,
        totals: Totals,
    },
}

impl fmt::Debug for ResponseCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseCache")
            .field("responses", &self.responses.entry_count())
            .finish_non_exhaustive()
    }
}

impl Default for ResponseCache {
    fn default() -> ResponseCache {
        let responses = Cache::builder()
            .max_capacity(BYTES_MAX)
            .weigher(|key: &Arc<CacheKey>, response: &Bytes| {
                let bytes = ENTRY_BYTES + key.bytes() + response.len();
                u32::try_from(bytes).unwrap_or(u32::MAX)
            })
            .time_to_idle(IDLE)
            .build();
        ResponseCache {
            responses,
            changes: RwLock::default(),
        }
    }
}

impl CacheKey {
    fn bytes(&self) -> usize {
        let query = match &self.read {
            CachedRead::Page { query, .. } => query.as_ref().map_or(0, String::len),
            CachedRead::Record(_) => 0,
        };
        self.table.len() + query
    }
}

impl ResponseCache {
    /// The key of a record; `None` where it must not be cached.
    pub(super) fn record_key(
        &self,
        tenant: &Tenant,
        table: &str,
        id: Uuid,
    ) -> Option<Arc<CacheKey>> {
        self.key(tenant, table, CachedRead::Record(id))
    }

    /// The key of a page; `None` where it must not be cached.
    pub(super) fn page_key(
        &self,
        tenant: &Tenant,
        table: &str,
        search: Search<'_>,
    ) -> Option<Arc<CacheKey>> {
        let query = search.query;
        if query.is_some_and(|query| query.len() > QUERY_BYTES_MAX) {
            return None;
        }
        let read = CachedRead::Page {
            query: query.map(str::to_owned),
            offset: search.offset,
            limit: search.limit,
            totals: search.totals,
        };
        self.key(tenant, table, read)
    }

    /// To be called before anything is read from the database.
    fn key(&self, tenant: &Tenant, table: &str, read: CachedRead) -> Option<Arc<CacheKey>> {
        let table = format!("{}.{table}", tenant.schema());
        let changes = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        changes.listening.then(|| {
            Arc::new(CacheKey {
                of_all: changes.of_all,
                of_table: changes.of_tables.get(&table).copied().unwrap_or_default(),
                table,
                read,
            })
        })
    }

    pub(super) fn get(&self, key: &Arc<CacheKey>) -> Option<Bytes> {
        self.responses.get(key)
    }

    pub(super) fn insert(&self, key: Arc<CacheKey>, response: &Bytes) {
        if response.len() <= RESPONSE_BYTES_MAX {
            self.responses.insert(key, response.clone());
        }
    }

    /// Begins to cache. To be called once notifications arrive.
    pub(crate) fn begin(&self) {
        self.invalidate_all(Some(true));
    }

    pub(crate) fn handle(&self, event: &ListenedEvent) {
        match event {
            ListenedEvent::Notice { channel, payload } if channel == CHANGE_CHANNEL => {
                let mut changes = self.changes.write().unwrap_or_else(PoisonError::into_inner);
                *changes.of_tables.entry(payload.clone()).or_default() += 1;
            }
            // A tenant that is made anew may have the tables of one that was deleted.
            ListenedEvent::Notice { channel, .. } if channel == TENANT_CHANNEL => {
                self.invalidate_all(None)
            }
            ListenedEvent::Notice { .. } => {}
            ListenedEvent::Missed => self.invalidate_all(None),
            ListenedEvent::Restored => self.invalidate_all(Some(true)),
            ListenedEvent::Lost | ListenedEvent::Closed => self.invalidate_all(Some(false)),
        }
    }

    fn invalidate_all(&self, listening: Option<bool>) {
        let mut changes = self.changes.write().unwrap_or_else(PoisonError::into_inner);
        changes.of_all += 1;
        changes.of_tables.clear();
        changes.listening = listening.unwrap_or(changes.listening);
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
    fn a_response_is_found_until_its_table_changes() {
        let cache = ResponseCache::default();
        let (one, other) = (tenant("one"), tenant("other"));
        cache.begin();
        let key = || {
            cache
                .page_key(&one, "library", page("name==a"))
                .expect("a key")
        };
        cache.insert(key(), &Bytes::from_static(b"a"));
        assert_eq!(cache.get(&key()).as_deref(), Some(&b"a"[..]));
        let others = [
            cache.page_key(&one, "library", page("name==b")),
            cache.page_key(&one, "campus", page("name==a")),
            cache.page_key(&other, "library", page("name==a")),
            cache.record_key(&one, "library", Uuid::nil()),
        ];
        for other in others.into_iter().flatten() {
            assert_eq!(cache.get(&other), None, "{other:?}");
        }
        cache.handle(&notice(
            CHANGE_CHANNEL,
            &format!("{}.library", other.schema()),
        ));
        assert!(cache.get(&key()).is_some());
        // What was read before the change, and arrives after it, is not found later.
        let early = key();
        cache.handle(&notice(
            CHANGE_CHANNEL,
            &format!("{}.library", one.schema()),
        ));
        cache.insert(early, &Bytes::from_static(b"old"));
        assert_eq!(cache.get(&key()), None);
    }

    #[test]
    fn nothing_is_cached_while_notifications_may_be_missed() {
        let cache = ResponseCache::default();
        let one = tenant("one");
        let key = || cache.record_key(&one, "library", Uuid::nil());
        assert!(key().is_none());
        cache.begin();
        for event in [
            notice(TENANT_CHANNEL, "one"),
            ListenedEvent::Missed,
            ListenedEvent::Restored,
        ] {
            cache.insert(key().expect("a key"), &Bytes::from_static(b"a"));
            cache.handle(&event);
            assert_eq!(cache.get(&key().expect("a key")), None, "{event:?}");
        }
        cache.handle(&ListenedEvent::Lost);
        assert!(key().is_none());
        cache.handle(&ListenedEvent::Restored);
        assert!(key().is_some());
        cache.handle(&ListenedEvent::Closed);
        assert!(key().is_none());
    }

    #[test]
    fn what_is_large_is_not_cached() {
        let cache = ResponseCache::default();
        let one = tenant("one");
        cache.begin();
        assert!(
            cache
                .page_key(&one, "library", page(&"a".repeat(1025)))
                .is_none()
        );
        let large = cache
            .record_key(&one, "library", Uuid::nil())
            .expect("a key");
        cache.insert(
            Arc::clone(&large),
            &Bytes::from(vec![b' '; RESPONSE_BYTES_MAX + 1]),
        );
        assert_eq!(cache.get(&large), None);
    }
}
