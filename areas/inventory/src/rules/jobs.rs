//! The documents of jobs: creation, progress and end. Pure: the instant is an argument.

use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The kind of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// Writes events with the ids of all instances on the topic of instances.
    Reindex,
    /// Writes them on a topic that the client names.
    Iteration,
    /// Assigns an `order` to items within their holdings.
    Migration,
}

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Everything is done.
    Done,
    /// Failed.
    Failed,
    /// Cancelled.
    Cancelled,
}

/// FOLIO's name of the one migration there is.
pub const ITEM_ORDER: &str = "itemOrderMigration";
/// What it changes.
pub const ITEM_ORDER_AFFECTS: &str = "ITEM";

impl JobKind {
    /// The table that its documents lie in.
    #[must_use]
    pub fn table(self) -> &'static str {
        match self {
            JobKind::Reindex => "reindex_job",
            JobKind::Iteration => "iteration_job",
            JobKind::Migration => "async_migration_job",
        }
    }

    /// The kind whose documents lie in a table.
    #[must_use]
    pub fn of_table(table: &str) -> Option<JobKind> {
        let all = [JobKind::Reindex, JobKind::Iteration, JobKind::Migration];
        all.into_iter().find(|kind| kind.table() == table)
    }

    /// The status of a job whose cancellation was requested.
    fn pending_cancel(self) -> &'static str {
        match self {
            JobKind::Reindex | JobKind::Migration => "Pending cancel",
            JobKind::Iteration => "Cancellation pending",
        }
    }

    fn status(self, end: End) -> &'static str {
        match (self, end) {
            (JobKind::Reindex, End::Done) => "Ids published",
            (JobKind::Reindex | JobKind::Migration, End::Failed) => "Id publishing failed",
            (JobKind::Reindex, End::Cancelled) => "Id publishing cancelled",
            (JobKind::Iteration | JobKind::Migration, End::Done) => "Completed",
            (JobKind::Iteration, End::Failed) => "Failed",
            (JobKind::Iteration | JobKind::Migration, End::Cancelled) => "Cancelled",
        }
    }
}

const IN_PROGRESS: &str = "In progress";

/// A new job on all instances.
#[must_use]
pub fn reindex(id: Uuid, now: &str) -> Value {
    json!({
        "id": id, "published": 0, "jobStatus": IN_PROGRESS, "resourceName": "Instance",
        "submittedDate": now,
    })
}

/// The same for a client's topic.
#[must_use]
pub fn iteration(id: Uuid, topic: &str, event: &str, now: &str) -> Value {
    json!({
        "id": id, "messagesPublished": 0, "jobStatus": IN_PROGRESS, "submittedDate": now,
        "jobParams": {"eventType": event, "topicName": topic},
    })
}

/// A new job that numbers items.
#[must_use]
pub fn migration(id: Uuid, now: &str) -> Value {
    json!({
        "id": id, "migrations": [ITEM_ORDER], "affectedEntities": [ITEM_ORDER_AFFECTS],
        "published": [], "processed": [], "jobStatus": IN_PROGRESS, "submittedDate": now,
    })
}

/// Adds a portion to the job's counters.
pub fn count(kind: JobKind, job: &mut Map<String, Value>, records: i64) {
    let property = match kind {
        JobKind::Reindex => "published",
        JobKind::Iteration => "messagesPublished",
        JobKind::Migration => {
            for property in ["published", "processed"] {
                let before = job.get(property).and_then(|list| list[0]["count"].as_i64());
                let all = before.unwrap_or(0).saturating_add(records);
                let counted = json!([{"migrationName": ITEM_ORDER, "count": all}]);
                job.insert(property.to_owned(), counted);
            }
            return;
        }
    };
    let before = job.get(property).and_then(Value::as_i64).unwrap_or(0);
    job.insert(property.to_owned(), json!(before.saturating_add(records)));
}

pub fn end(kind: JobKind, job: &mut Map<String, Value>, end: End, now: &str) {
    set_status(job, kind.status(end));
    if kind == JobKind::Migration {
        job.insert("finishedDate".to_owned(), json!(now));
    }
}

/// Calls a job off; false when it has ended already.
#[must_use]
pub fn call_off(kind: JobKind, job: &mut Map<String, Value>) -> bool {
    let status = job.get("jobStatus").and_then(Value::as_str);
    if status != Some(IN_PROGRESS) && status != Some(kind.pending_cancel()) {
        return false;
    }
    set_status(job, kind.pending_cancel());
    true
}

/// Whether a job has ended because it was called off.
#[must_use]
pub fn is_cancelled(kind: JobKind, job: &Map<String, Value>) -> bool {
    job.get("jobStatus").and_then(Value::as_str) == Some(kind.status(End::Cancelled))
}

fn set_status(job: &mut Map<String, Value>, status: &str) {
    job.insert("jobStatus".to_owned(), json!(status));
}

/// Characters of a topic's name.
const TOPIC_CHARS_MAX: usize = 200;
/// The kinds of events that FOLIO's modules know.
pub const EVENTS: [&str; 7] = [
    "UPDATE",
    "DELETE",
    "CREATE",
    "DELETE_ALL",
    "REINDEX",
    "ITERATE",
    "MIGRATION",
];

/// Whether a text is a valid topic name: letters, digits, dot, underscore and hyphen.
#[must_use]
pub fn is_topic(name: &str) -> bool {
    let is_char = |one: u8| one.is_ascii_alphanumeric() || b"._-".contains(&one);
    (1..=TOPIC_CHARS_MAX).contains(&name.len()) && name.bytes().all(is_char)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-01-02T03:04:05.678+00:00";

    fn started(kind: JobKind) -> Map<String, Value> {
        let id = Uuid::from_u128(7);
        let job = match kind {
            JobKind::Reindex => reindex(id, NOW),
            JobKind::Iteration => iteration(id, "a.topic", "ITERATE", NOW),
            JobKind::Migration => migration(id, NOW),
        };
        job.as_object().expect("an object").clone()
    }

    #[test]
    fn a_job_counts_and_ends_in_the_words_of_its_kind() {
        for (kind, pending, done, failed, cancelled) in [
            (
                JobKind::Reindex,
                "Pending cancel",
                "Ids published",
                "Id publishing failed",
                "Id publishing cancelled",
            ),
            (
                JobKind::Iteration,
                "Cancellation pending",
                "Completed",
                "Failed",
                "Cancelled",
            ),
            (
                JobKind::Migration,
                "Pending cancel",
                "Completed",
                "Id publishing failed",
                "Cancelled",
            ),
        ] {
            assert_eq!(JobKind::of_table(kind.table()), Some(kind));
            for (ended, word) in [
                (End::Done, done),
                (End::Failed, failed),
                (End::Cancelled, cancelled),
            ] {
                let mut job = started(kind);
                assert!(call_off(kind, &mut job) && call_off(kind, &mut job));
                assert_eq!(job["jobStatus"], pending);
                end(kind, &mut job, ended, NOW);
                assert_eq!(job["jobStatus"], word);
                assert!(!call_off(kind, &mut job), "{word} is an end");
            }
        }
    }

    #[test]
    fn portions_add_up() {
        let mut job = started(JobKind::Reindex);
        count(JobKind::Reindex, &mut job, 1_000);
        count(JobKind::Reindex, &mut job, 7);
        assert_eq!(job["published"], 1_007);
        let mut job = started(JobKind::Migration);
        count(JobKind::Migration, &mut job, 3);
        count(JobKind::Migration, &mut job, 4);
        let counted = json!([{"migrationName": ITEM_ORDER, "count": 7}]);
        assert_eq!((&job["published"], &job["processed"]), (&counted, &counted));
    }

    #[test]
    fn a_topic_has_a_plain_name() {
        assert!(is_topic("inventory.instance-contribution_1"));
        for name in ["", "a b", "a/b", "é", &"a".repeat(201)] {
            assert!(!is_topic(name), "{name}");
        }
    }
}
