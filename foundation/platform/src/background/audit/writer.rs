//! The one task that writes the audit log, in batches: identical events within a moment become one
//! entry with a count.

use std::collections::HashMap;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use octavo_postgres::Database;
use octavo_records::Tenant;
use tokio::sync::{mpsc, oneshot};

use super::store::{self, Entry};
use super::{Event, Message};

/// How long a batch collects further events.
const PORTION_TIME: Duration = Duration::from_millis(200);
/// The most entries of a batch.
const PORTION_MAX: usize = 500;

/// Events that differ only in their time: the first, and their number.
#[derive(Default)]
struct Portion {
    order: Vec<(Tenant, Entry)>,
    known: HashMap<(String, Event), usize>,
    waiting: Vec<oneshot::Sender<()>>,
}

impl Portion {
    fn take(&mut self, message: Message) {
        match message {
            Message::Flush(done) => self.waiting.push(done),
            Message::Event(tenant, event, at) => self.add(tenant, event, at),
        }
    }

    fn add(&mut self, tenant: Tenant, event: Event, at: Timestamp) {
        let key = (tenant.id().to_owned(), event);
        if let Some((_, entry)) = self.known.get(&key).and_then(|at| self.order.get_mut(*at)) {
            entry.times = entry.times.saturating_add(1);
            return;
        }
        let entry = Entry::of(&key.1, at);
        self.known.insert(key, self.order.len());
        self.order.push((tenant, entry));
    }

    fn is_full(&self) -> bool {
        !self.waiting.is_empty() || self.order.len() >= PORTION_MAX
    }
}

/// Writes until nobody can record any more.
pub(super) async fn run(
    database: Database,
    file: Option<PathBuf>,
    mut coming: mpsc::Receiver<Message>,
) {
    while let Some(message) = coming.recv().await {
        let mut portion = Portion::default();
        portion.take(message);
        let until = tokio::time::Instant::now() + PORTION_TIME;
        while !portion.is_full() {
            match tokio::time::timeout_at(until, coming.recv()).await {
                Ok(Some(message)) => portion.take(message),
                Ok(None) | Err(_) => break,
            }
        }
        write(&database, file.as_deref(), portion).await;
    }
}

async fn write(database: &Database, file: Option<&Path>, portion: Portion) {
    let mut by_tenant: HashMap<String, (Tenant, Vec<&Entry>)> = HashMap::new();
    for (tenant, entry) in &portion.order {
        let entries = by_tenant.entry(tenant.id().to_owned());
        let (_, entries) = entries.or_insert_with(|| (tenant.clone(), Vec::new()));
        entries.push(entry);
    }
    for (tenant, entries) in by_tenant.values() {
        // A failure ends neither the log of other tenants nor the file.
        if let Err(error) = store::add(database, tenant, entries).await {
            let (tenant, lines) = (tenant.id(), entries.len());
            tracing::warn!(tenant, lines, %error, "audit log entries could not be stored");
        }
    }
    if let Some(path) = file {
        let lines = lines(&portion.order);
        let path = path.to_owned();
        let written = tokio::task::spawn_blocking(move || append(&path, &lines)).await;
        match written {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::error!(%error, "the audit log file could not be written");
            }
            Err(_) => tracing::error!("the audit log file could not be written"),
        }
    }
    for done in portion.waiting {
        let _ = done.send(());
    }
}

fn lines(portion: &[(Tenant, Entry)]) -> Vec<u8> {
    let mut lines = Vec::new();
    for (tenant, entry) in portion {
        let mut line = entry.json();
        line["tenant"] = tenant.id().into();
        lines.extend_from_slice(line.to_string().as_bytes());
        lines.push(b'\n');
    }
    lines
}

/// The file is opened for each batch, so that it may be rotated.
fn append(path: &Path, lines: &[u8]) -> std::io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.append(true).create(true).mode(0o600).open(path)?;
    file.write_all(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::AuditEvent;

    #[test]
    fn what_is_the_same_is_one_line() {
        let mut portion = Portion::default();
        let tenant = Tenant::new("diku").expect("an id");
        for detail in ["a", "b", "a", "a"] {
            let mut event = Event::new(AuditEvent::Refused);
            event.detail = Some(detail.to_owned());
            portion.take(Message::Event(tenant.clone(), event, Timestamp::UNIX_EPOCH));
        }
        let text = String::from_utf8(lines(&portion.order)).expect("JSON");
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0]["detail"], "a");
        assert_eq!(lines[0]["times"], 3);
        assert_eq!(lines[0]["tenant"], "diku");
        assert_eq!(lines[0]["at"], "1970-01-01T00:00:00.000+00:00");
    }
}
