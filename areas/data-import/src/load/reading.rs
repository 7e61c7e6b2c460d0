//! Reads input into batches of mapped records, on a separate thread: reading and mapping are CPU-bound
//! and run in parallel with storing.

use std::collections::HashMap;

use octavo_cataloging::bulk::{Creating, Draft, Incoming, draft};
use octavo_mapping::RecordKind;
use octavo_marc::{Malformed, Record};
use tokio::sync::mpsc::Sender;

use super::input::InputRecord;
use super::match_key::{Key, Match};
use super::options::{LoadError, LoadProblem};
use super::single::{Single, kind_of};

/// A batch ends with the record that makes its input longer than this, however few they are.
const BATCH_BYTES: usize = 8 << 20;

/// A message of the reading thread.
#[derive(Debug)]
pub(super) enum Message {
    /// A record set aside before the interruption.
    Earlier(LoadProblem),
    /// The next records.
    Batch(Batch),
    /// The input failed.
    Failed(LoadError),
}

/// Records that are stored in one transaction.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The number of the record before the first.
    pub after: u64,
    /// The number of the last.
    pub until: u64,
    /// The bytes of the input up to there.
    pub bytes: u64,
    pub drafts: Vec<Draft>,
    /// Match keys by record number.
    pub keys: HashMap<u64, Vec<Key>>,
    /// Records stored one by one, if they match.
    pub singles: Vec<Single>,
    /// Those that cannot be stored.
    pub problems: Vec<LoadProblem>,
    /// Positions of the drafts in the input by number, for later refusals.
    pub places: HashMap<u64, RecordPosition>,
}

/// The position of a record.
#[derive(Debug)]
pub(super) struct RecordPosition {
    pub byte_offset: u64,
    pub control_number: String,
    pub bytes: Vec<u8>,
}

impl Batch {
    /// A record of this batch that the database refused.
    pub(super) fn refused(&mut self, position: u64, reason: String) -> LoadProblem {
        let place = self.places.remove(&position);
        let (byte_offset, control_number, bytes) = place.map_or_else(Default::default, |place| {
            (place.byte_offset, place.control_number, place.bytes)
        });
        LoadProblem {
            position,
            byte_offset,
            control_number,
            reason,
            bytes,
        }
    }
}

/// The reader.
pub(super) struct Reading {
    pub creating: Creating,
    pub batch_records: usize,
    pub with_bytes: bool,
    pub matching: Option<Match>,
    pub update: bool,
    pub kind: Option<RecordKind>,
    /// Whether holdings and authorities can be stored.
    pub takes_singles: bool,
    /// Processed records.
    pub done: u64,
    /// Problems among them, with reasons.
    pub earlier: HashMap<u64, String>,
}

impl Reading {
    /// Reads to the end of the input, or until the receiver is dropped.
    pub(super) fn run(mut self, input: impl Iterator<Item = InputRecord>, out: &Sender<Message>) {
        let mut batch = Batch::default();
        let mut position = 0;
        let mut batch_bytes = 0;
        for taken in input {
            position += 1;
            if let Err(error) = &taken.record
                && matches!(error.reason, Malformed::Io(_))
            {
                let Err(error) = taken.record else { return };
                let Malformed::Io(error) = error.reason else {
                    return;
                };
                let _ = out.blocking_send(Message::Failed(LoadError::Input(error)));
                return;
            }
            if position <= self.done {
                let Some(reason) = self.earlier.remove(&position) else {
                    continue;
                };
                let problem = self.problem(position, taken, Some(reason));
                if out.blocking_send(Message::Earlier(problem)).is_err() {
                    return;
                }
                continue;
            }
            // Records with a common key must not share a batch: the second must match the first.
            if batch.until > 0 && self.meets(&taken, &batch) {
                let full = std::mem::take(&mut batch);
                batch_bytes = 0;
                if out.blocking_send(Message::Batch(full)).is_err() {
                    return;
                }
            }
            if batch.until == 0 {
                batch.after = position - 1;
            }
            batch.until = position;
            batch.bytes = taken.byte_offset + taken.bytes.len() as u64;
            batch_bytes += taken.bytes.len();
            self.take(position, taken, &mut batch);
            let taken_in = batch.until - batch.after;
            if taken_in >= self.batch_records as u64 || batch_bytes >= BATCH_BYTES {
                let full = std::mem::take(&mut batch);
                batch_bytes = 0;
                if out.blocking_send(Message::Batch(full)).is_err() {
                    return;
                }
            }
        }
        if batch.until > 0 {
            let _ = out.blocking_send(Message::Batch(batch));
        }
    }

    fn take(&self, position: u64, taken: InputRecord, batch: &mut Batch) {
        let Ok(record) = &taken.record else {
            batch.problems.push(self.problem(position, taken, None));
            return;
        };
        let place = RecordPosition {
            byte_offset: taken.byte_offset,
            control_number: control_number(record),
            bytes: self.kept(&taken.bytes),
        };
        batch.places.insert(position, place);
        let Ok(record) = taken.record else { return };
        let kind = kind_of(&record);
        if let Some(wanted) = self.kind
            && wanted != kind
        {
            let reason = format!(
                "a {} record, and {} was asked for",
                kind.name(),
                wanted.name()
            );
            let problem = batch.refused(position, reason);
            batch.problems.push(problem);
            return;
        }
        let single = |bytes: &[u8], record: &Record| Single {
            position,
            kind,
            bytes: bytes.to_vec(),
            record: record.clone(),
            changes: None,
            snapshot_id: self.creating.snapshot_id,
        };
        if kind != RecordKind::Bib && self.takes_singles {
            batch.singles.push(single(&taken.bytes, &record));
            return;
        }
        let keys = self.keys(&record);
        if !keys.is_empty() {
            batch.keys.insert(position, keys);
            if self.update {
                batch.singles.push(single(&taken.bytes, &record));
            }
        }
        let incoming = Incoming {
            position,
            bytes: taken.bytes,
            record,
        };
        match draft(&self.creating, incoming) {
            Ok(draft) => batch.drafts.push(draft),
            Err(problem) => {
                let problem = batch.refused(position, problem.reason);
                batch.problems.push(problem);
            }
        }
    }

    fn keys(&self, record: &Record) -> Vec<Key> {
        let matching = self.matching.as_ref();
        matching.map_or_else(Vec::new, |by| by.keys(&self.creating, record))
    }

    /// Whether a record has a key of one in the batch.
    fn meets(&self, taken: &InputRecord, batch: &Batch) -> bool {
        let Ok(record) = &taken.record else {
            return false;
        };
        let keys = self.keys(record);
        let known = |key: &Key| batch.keys.values().any(|keys| keys.contains(key));
        keys.iter().any(known)
    }

    fn problem(&self, position: u64, taken: InputRecord, reason: Option<String>) -> LoadProblem {
        let (control_number, found) = match &taken.record {
            Ok(record) => (control_number(record), String::new()),
            Err(error) => (String::new(), error.reason.to_string()),
        };
        LoadProblem {
            position,
            byte_offset: taken.byte_offset,
            control_number,
            reason: reason.unwrap_or(found),
            bytes: self.kept(&taken.bytes),
        }
    }

    fn kept(&self, bytes: &[u8]) -> Vec<u8> {
        if self.with_bytes {
            bytes.to_vec()
        } else {
            Vec::new()
        }
    }
}

/// Control numbers are reported and stored up to this length.
const CONTROL_NUMBER_CHARS: usize = 100;

fn control_number(record: &Record) -> String {
    let number = record.control("001").unwrap_or_default();
    number.trim().chars().take(CONTROL_NUMBER_CHARS).collect()
}
