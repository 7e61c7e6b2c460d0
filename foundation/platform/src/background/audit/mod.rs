//! The audit log of a tenant: log-ins, refusals, changes of permissions, bulk reads of patron data.
//! Recording does not wait: one task writes entries in the background, into the tenant's table and,
//! if configured, as lines of JSON into a file. Entries hold no password, token, name or value of a
//! record: users are their ids.

pub mod store;
mod writer;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::Method;
use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_postgres::Database;
use octavo_records::Tenant;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

pub use store::{Entry, KEPT_MAX};

/// The permission to read the log.
pub const PERMISSION: &str = "octavo.audit.collection.get";
/// The most entries waiting to be written; further ones are counted and dropped.
const WAITING_MAX: usize = 8_192;
/// The longest text in an entry, in characters.
const TEXT_CHARS_MAX: usize = 500;
/// A request for more patron records than this is a bulk read, which is logged.
const MANY: i64 = 1_000;
/// The longest wait for pending entries, before the log is read or the process ends.
const FLUSH_WAIT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditEvent {
    /// A successful log-in.
    LogIn,
    /// A failed log-in.
    LogInFailed,
    /// A request was refused for lack of a permission.
    Refused,
    /// A user's permissions or a permission set changed.
    Permissions,
    /// A password was set or changed.
    Password,
    /// A bulk read of patron records.
    PatronData,
}

impl AuditEvent {
    /// The event's name in the log.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            AuditEvent::LogIn => "log-in",
            AuditEvent::LogInFailed => "log-in-failed",
            AuditEvent::Refused => "refused",
            AuditEvent::Permissions => "permissions",
            AuditEvent::Password => "password",
            AuditEvent::PatronData => "patron-data",
        }
    }
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Event {
    pub kind: AuditEvent,
    /// The user who caused it, if known.
    pub user_id: Option<Uuid>,
    /// The client's address.
    pub address: Option<IpAddr>,
    /// The route's pattern.
    pub route: Option<String>,
    /// The id of the record concerned.
    pub target: Option<String>,
    /// Details or the reason.
    pub detail: Option<String>,
}

impl Event {
    /// An event with only its kind set.
    #[must_use]
    pub fn new(kind: AuditEvent) -> Event {
        Event {
            kind,
            user_id: None,
            address: None,
            route: None,
            target: None,
            detail: None,
        }
    }

    fn shortened(mut self) -> Event {
        for text in [&mut self.route, &mut self.target, &mut self.detail] {
            if let Some(text) = text
                && let Some((end, _)) = text.char_indices().nth(TEXT_CHARS_MAX)
            {
                text.truncate(end);
            }
        }
        self
    }
}

enum Message {
    Event(Tenant, Event, Timestamp),
    Flush(oneshot::Sender<()>),
}

/// Where code records events.
#[derive(Debug, Default)]
pub struct Audit {
    queue: OnceLock<mpsc::Sender<Message>>,
    file: OnceLock<PathBuf>,
    lost: AtomicU64,
}

impl Audit {
    /// Also writes entries as lines of JSON to a file; only the first call has an effect.
    pub fn set_file(&self, path: PathBuf) {
        let _ = self.file.set(path);
    }

    /// Records an event; it is written a moment later.
    pub fn note(&self, database: &Database, tenant: &Tenant, event: Event) {
        let message = Message::Event(tenant.clone(), event.shortened(), Timestamp::now());
        let queue = self.queue.get_or_init(|| {
            let (queue, coming) = mpsc::channel(WAITING_MAX);
            let file = self.file.get().cloned();
            tokio::spawn(writer::run(database.clone(), file, coming));
            queue
        });
        if queue.try_send(message).is_err() {
            let lost = self.lost.fetch_add(1, Ordering::Relaxed) + 1;
            if lost.is_power_of_two() {
                tracing::error!(lost, "audit log entries were lost: too many events at once");
            }
        }
    }

    /// Waits until all events recorded before are written.
    #[boxed]
    pub async fn flush(&self) {
        let Some(queue) = self.queue.get() else {
            return;
        };
        let (done, written) = oneshot::channel();
        let flushing = async {
            if queue.send(Message::Flush(done)).await.is_ok() {
                let _ = written.await;
            }
        };
        let _ = tokio::time::timeout(FLUSH_WAIT, flushing).await;
    }
}

/// Path prefixes of patron data.
const PATRONS: &[&str] = &[
    "/accounts",
    "/audit-data/circulation/logs",
    "/bl-users",
    "/circulation/loans",
    "/circulation/requests",
    "/feefineactions",
    "/loan-storage/loan-history",
    "/loan-storage/loans",
    "/manualblocks",
    "/notes",
    "/patron-notice-sessions-storage/patron-action-sessions",
    "/proxiesfor",
    "/request-storage/requests",
    "/users",
];

/// Reports on patrons' fees and loans always count as bulk reads.
const REPORTS: &str = "/feefine-reports/";

/// Whether a route returns patron records.
#[must_use]
pub(crate) fn is_of_patrons(method: &Method, pattern: &str) -> bool {
    pattern.starts_with(REPORTS) || (*method == Method::GET && PATRONS.contains(&pattern))
}

/// Whether a query requests many records.
#[must_use]
pub(crate) fn asks_for_many(pattern: &str, query: &str) -> bool {
    let limit = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("limit="));
    let limit = limit.and_then(|limit| limit.parse::<i64>().ok());
    pattern.starts_with(REPORTS) || limit.is_some_and(|limit| limit > MANY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patrons_data_is_taken_away_in_quantity() {
        assert!(is_of_patrons(&Method::GET, "/users") && !is_of_patrons(&Method::POST, "/users"));
        assert!(is_of_patrons(&Method::POST, "/feefine-reports/refund"));
        assert!(!is_of_patrons(&Method::GET, "/users/{id}"));
        for (query, many) in [
            ("limit=1001", true),
            ("query=a&limit=2147483647", true),
            ("limit=1000", false),
            ("xlimit=5000", false),
            ("", false),
        ] {
            assert_eq!(asks_for_many("/users", query), many, "{query}");
        }
        assert!(asks_for_many("/feefine-reports/refund", ""));
    }

    #[test]
    fn texts_have_an_end() {
        let mut event = Event::new(AuditEvent::Refused);
        event.detail = Some("é".repeat(2_000));
        let detail = event.shortened().detail.expect("a detail");
        assert_eq!(detail.chars().count(), TEXT_CHARS_MAX);
    }
}
