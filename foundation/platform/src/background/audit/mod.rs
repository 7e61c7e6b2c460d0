//! The audit log of a tenant: log-ins, refusals, changes of permissions, patrons' data taken away in
//! quantity. Whoever notes something does not wait: a task writes it down behind, into the tenant's
//! table and, where one is named, as a line of JSON into a file. No password, token, name or value of
//! a record stands in it: users are their ids.

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

/// What it takes to read the log.
pub const PERMISSION: &str = "octavo.audit.collection.get";
/// What waits to be written at most; more is counted and lost.
const WAITING_MAX: usize = 8_192;
/// Characters of a text in a line.
const TEXT_CHARS_MAX: usize = 500;
/// Who asks for more records of patrons at once takes them away.
const MANY: i64 = 1_000;
/// The log is waited for so long before it is read or the process ends.
const FLUSH_WAIT: Duration = Duration::from_secs(5);

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditEvent {
    /// Somebody logged in.
    LogIn,
    /// Somebody did not.
    LogInFailed,
    /// A request was refused for lack of a permission.
    Refused,
    /// Somebody's permissions, or a set of the library's, were changed.
    Permissions,
    /// A password was set or changed.
    Password,
    /// Records of patrons were asked for in quantity.
    PatronData,
}

impl AuditEvent {
    /// The word for it.
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

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Event {
    /// What.
    pub kind: AuditEvent,
    /// Who did it, as far as that is known.
    pub user_id: Option<Uuid>,
    /// From where.
    pub address: Option<IpAddr>,
    /// By which route.
    pub route: Option<String>,
    /// To what: an id.
    pub target: Option<String>,
    /// How, or why.
    pub detail: Option<String>,
}

impl Event {
    /// Nothing but a kind yet.
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

/// The way into the log.
#[derive(Debug, Default)]
pub struct Audit {
    queue: OnceLock<mpsc::Sender<Message>>,
    file: OnceLock<PathBuf>,
    lost: AtomicU64,
}

impl Audit {
    /// Writes lines of JSON into a file, too; the first who says so is heard.
    pub fn set_file(&self, path: PathBuf) {
        let _ = self.file.set(path);
    }

    /// Notes something. It is written a moment later.
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
                tracing::error!(
                    lost,
                    "lines of the audit log are lost: too many came at once"
                );
            }
        }
    }

    /// Waits until all is written that was noted before.
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

/// Lists of what belongs to patrons.
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

/// Reports of what patrons owe and did are always taken away.
const REPORTS: &str = "/feefine-reports/";

/// Whether a route gives records of patrons.
#[must_use]
pub(crate) fn is_of_patrons(method: &Method, pattern: &str) -> bool {
    pattern.starts_with(REPORTS) || (*method == Method::GET && PATRONS.contains(&pattern))
}

/// Whether a query asks for many records.
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
