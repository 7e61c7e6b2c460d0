//! Converts a portion of records to bytes, as many at a time as fit into memory with their holdings and
//! items.
//!
//! Most records need only what was read with the portion. The others get a second pass with their JSON
//! or inventory document.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use octavo_marc::Field;
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use super::export::{ExportedPortion, Exporter};
use super::{Failure, Reason};
use crate::marc::{Form, Format, Leaving, Now, Shaping, StoredRecord, shape, write};
use crate::rules::{Work, fields_of, record_of};
use crate::store::documents::Fitting;
use crate::store::parts::{By, Size};
use crate::store::records::{BYTES_MAX, ExportedKind, Portion};

/// Maximal number of holdings and items exported with one record.
const PARTS_MAX: i64 = 10_000;
/// Maximal size of these in bytes.
const PARTS_BYTES_MAX: i64 = 32 << 20;

/// A portion being converted.
#[derive(Debug)]
pub struct Making {
    exporter: Exporter,
    portion: Arc<Portion>,
    /// How many records are done.
    done: usize,
    /// The sizes of holdings and items of the portion's instances, once known.
    sizes: Option<HashMap<Uuid, Size>>,
}

/// Data read besides source records.
#[derive(Debug, Default)]
struct Beside {
    parsed: HashMap<Uuid, String>,
    documents: HashMap<Uuid, String>,
    holdings: HashMap<Uuid, Vec<Vec<u8>>>,
    /// Records with too many holdings and items.
    overfull: HashMap<Uuid, Size>,
}

/// The intermediate result of a record.
#[derive(Debug)]
enum Outcome {
    Written(Range<usize>),
    WrittenApart(Vec<u8>),
    NeedsJson(Uuid),
    NeedsDocument,
    Failed(Reason),
}

impl Making {
    pub(super) fn of(exporter: Exporter, portion: Portion) -> Making {
        Making {
            exporter,
            portion: Arc::new(portion),
            done: 0,
            sizes: None,
        }
    }

    /// Whether the portion is complete and the last one.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.portion.is_last && self.done == self.portion.wanted.len()
    }

    /// The next records; `None` when the portion is complete.
    pub async fn next(&mut self) -> Result<Option<ExportedPortion>, StoreError> {
        if self.done == self.portion.wanted.len() {
            return Ok(None);
        }
        let (mut beside, mut range) = self.with_parts().await?;
        let (exporter, portion, all) = (
            self.exporter.clone(),
            Arc::clone(&self.portion),
            range.clone(),
        );
        // On the CPU pool, in parallel with reading the next portion and other requests.
        let first = move || {
            let (bytes, outcomes) = exporter.pass(&portion, &beside, all);
            (beside, bytes, outcomes)
        };
        let (bytes, mut outcomes);
        (beside, bytes, outcomes) = apart(first).await?;
        if outcomes.iter().any(Outcome::needs_more) {
            let fitting = self.read_more(&outcomes, &mut beside).await?;
            outcomes.truncate(fitting);
            range.end = range.start + fitting;
            let (exporter, portion, all) = (
                self.exporter.clone(),
                Arc::clone(&self.portion),
                range.clone(),
            );
            let second = move || exporter.second_pass(&portion, &beside, all, outcomes);
            outcomes = apart(second).await?;
        }
        let made = self.made(range.clone(), bytes, outcomes);
        self.done = range.end;
        Ok(Some(made))
    }

    /// The next records that fit into memory with their holdings and items, and these.
    async fn with_parts(&mut self) -> Result<(Beside, Range<usize>), StoreError> {
        let (takes, kind) = (
            self.exporter.wanted.profile.takes,
            self.exporter.wanted.kind,
        );
        let all = self.done..self.portion.wanted.len();
        let mut beside = Beside::default();
        if kind != ExportedKind::Instance || !takes.holdings {
            return Ok((beside, all));
        }
        let reader = &self.exporter.reader;
        let ids: Vec<Uuid> = self.portion.wanted.iter().map(|(id, _)| *id).collect();
        let sizes = match self.sizes.take() {
            Some(sizes) => sizes,
            None => {
                reader
                    .sizes(By::Instance, &ids, takes.items, PARTS_MAX + 1)
                    .await?
            }
        };
        let ids = ids.get(all.clone()).unwrap_or_default();
        let fitting = together(ids, &sizes, &mut beside.overfull);
        let ids = ids.get(..fitting).unwrap_or_default();
        let with_parts = readable(ids, &sizes, &beside.overfull);
        self.sizes = Some(sizes);
        if !with_parts.is_empty() {
            beside.holdings = reader
                .holdings(By::Instance, &with_parts, takes.items)
                .await?;
        }
        Ok((beside, all.start..all.start + fitting))
    }

    /// Reads missing data; returns how many of the first records are then complete.
    async fn read_more(
        &self,
        outcomes: &[Outcome],
        beside: &mut Beside,
    ) -> Result<usize, StoreError> {
        let (reader, wanted) = (&self.exporter.reader, &self.exporter.wanted);
        let ids = self.portion.wanted.iter().skip(self.done);
        let (mut sources, mut records) = (Vec::new(), Vec::new());
        for (outcome, (id, _)) in outcomes.iter().zip(ids.clone()) {
            match outcome {
                Outcome::NeedsJson(source) => sources.push(*source),
                Outcome::NeedsDocument => records.push(*id),
                _ => {}
            }
        }
        let mut unfit = HashSet::new();
        if !sources.is_empty() {
            let read = reader.parsed(&sources).await?;
            beside.parsed = read.found;
            unfit.extend(read.unfit);
        }
        if !records.is_empty() {
            let read = match wanted.kind {
                ExportedKind::Instance => {
                    reader.documents(ExportedKind::Instance, &records).await?
                }
                ExportedKind::Holdings => self.read_holdings(&records, beside).await?,
                ExportedKind::Authority => Fitting::default(),
            };
            beside.documents = read.found;
            unfit.extend(read.unfit);
        }
        let lacks = |(outcome, (id, _)): (&Outcome, &(Uuid, i64))| match outcome {
            Outcome::NeedsJson(source) => unfit.contains(source),
            Outcome::NeedsDocument => unfit.contains(id),
            _ => false,
        };
        let fitting = outcomes.iter().zip(ids).position(lacks);
        Ok(fitting.unwrap_or(outcomes.len()))
    }

    /// Holdings by their own ids, as many as fit; returns those that do not.
    async fn read_holdings(
        &self,
        ids: &[Uuid],
        beside: &mut Beside,
    ) -> Result<Fitting, StoreError> {
        let (reader, takes) = (&self.exporter.reader, self.exporter.wanted.profile.takes);
        let sizes = reader
            .sizes(By::Own, ids, takes.items, PARTS_MAX + 1)
            .await?;
        let fitting = together(ids, &sizes, &mut beside.overfull);
        let (ids, rest) = ids.split_at(fitting);
        let readable = readable(ids, &sizes, &beside.overfull);
        beside.holdings = reader.holdings(By::Own, &readable, takes.items).await?;
        Ok(Fitting {
            found: HashMap::new(),
            unfit: rest.iter().copied().collect(),
        })
    }

    fn made(&self, range: Range<usize>, first: Vec<u8>, outcomes: Vec<Outcome>) -> ExportedPortion {
        let portion = self.portion.wanted.get(range).unwrap_or_default();
        let mut made = ExportedPortion {
            reached: portion.last().map_or(0, |(_, place)| *place),
            ..ExportedPortion::default()
        };
        let is_first = |outcome: &Outcome| matches!(outcome, Outcome::Written(_));
        if outcomes.iter().all(is_first) {
            made.exported = outcomes.len() as u64;
            made.bytes = first;
            if let Some(Outcome::Written(last)) = outcomes.last() {
                made.bytes.truncate(last.end);
            }
            return made;
        }
        for (outcome, (id, _)) in outcomes.into_iter().zip(portion) {
            let reason = match outcome {
                Outcome::Written(range) => {
                    made.bytes
                        .extend_from_slice(first.get(range).unwrap_or_default());
                    made.exported += 1;
                    continue;
                }
                Outcome::WrittenApart(bytes) => {
                    made.bytes.extend_from_slice(&bytes);
                    made.exported += 1;
                    continue;
                }
                Outcome::Failed(reason) => reason,
                Outcome::NeedsJson(_) | Outcome::NeedsDocument => Reason::Missing,
            };
            made.failures.push(Failure { id: *id, reason });
        }
        made
    }
}

/// Runs CPU work off the threads that serve requests.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| StoreError::fault(error))
}

/// How many of these records, at least one, fit into memory with their holdings and items. Records with
/// too many are recorded as failures and need no memory.
fn together(
    ids: &[Uuid],
    sizes: &HashMap<Uuid, Size>,
    overfull: &mut HashMap<Uuid, Size>,
) -> usize {
    let mut bytes = 0;
    for (at, id) in ids.iter().enumerate() {
        let size = sizes.get(id).copied().unwrap_or_default();
        if size.parts > PARTS_MAX || size.bytes > PARTS_BYTES_MAX {
            overfull.insert(*id, size);
            continue;
        }
        bytes += size.bytes;
        if bytes > BYTES_MAX && bytes > size.bytes {
            return at;
        }
    }
    ids.len()
}

/// Records with holdings and items to read.
fn readable(
    ids: &[Uuid],
    sizes: &HashMap<Uuid, Size>,
    overfull: &HashMap<Uuid, Size>,
) -> Vec<Uuid> {
    let is_read = |id: &&Uuid| sizes.contains_key(*id) && !overfull.contains_key(*id);
    ids.iter().filter(is_read).copied().collect()
}

impl Outcome {
    fn needs_more(&self) -> bool {
        matches!(self, Outcome::NeedsJson(_) | Outcome::NeedsDocument)
    }
}

impl Exporter {
    fn pass(
        &self,
        portion: &Portion,
        beside: &Beside,
        range: Range<usize>,
    ) -> (Vec<u8>, Vec<Outcome>) {
        let records = portion.wanted.get(range).unwrap_or_default();
        let mut bytes = Vec::with_capacity(records.len() * 2_048);
        let outcomes = records
            .iter()
            .map(|(id, place)| self.record(portion, beside, *id, *place, &mut bytes))
            .collect();
        (bytes, outcomes)
    }

    /// The second pass over records that needed more data.
    fn second_pass(
        &self,
        portion: &Portion,
        beside: &Beside,
        range: Range<usize>,
        mut outcomes: Vec<Outcome>,
    ) -> Vec<Outcome> {
        let records = portion.wanted.get(range).unwrap_or_default();
        for (outcome, (id, place)) in outcomes.iter_mut().zip(records) {
            if !outcome.needs_more() {
                continue;
            }
            let mut bytes = Vec::new();
            *outcome = match self.record(portion, beside, *id, *place, &mut bytes) {
                Outcome::Written(_) => Outcome::WrittenApart(bytes),
                other => other,
            };
        }
        outcomes
    }

    fn record(
        &self,
        portion: &Portion,
        beside: &Beside,
        id: Uuid,
        place: i64,
        output: &mut Vec<u8>,
    ) -> Outcome {
        if let Some(size) = beside.overfull.get(&id) {
            return Outcome::Failed(Reason::Overfull {
                parts: size.parts.min(PARTS_MAX),
                bytes: size.bytes,
            });
        }
        let wanted = &self.wanted;
        let source = portion.source(place).filter(|_| wanted.profile.takes.marc);
        let Some(source) = source else {
            return self.generated(beside, id, output);
        };
        let now = match (beside.parsed.get(&source.id), source.formatted) {
            (Some(json), _) => Now::Json(json),
            (None, Some(lines)) => Now::Lines(lines),
            (None, None) => return Outcome::NeedsJson(source.id),
        };
        let is_deleted = || match now {
            Now::Lines(lines) => lines.as_bytes().get(12) == Some(&b'd'),
            Now::Json(json) => octavo_marc::Record::from_json_text(json)
                .is_ok_and(|record| record.leader.status() == 'd'),
        };
        if let Some(reason) = wanted.deleted.refuses(is_deleted) {
            return Outcome::Failed(reason);
        }
        let held = StoredRecord {
            raw: source.raw,
            now,
        };
        let added = self.added(beside, id);
        let bytes_do = wanted.format == Format::Iso2709;
        let start = output.len();
        match shape(held, wanted.form, added, &wanted.profile.shaping, bytes_do) {
            Ok(Leaving::Untouched) => output.extend_from_slice(source.raw.unwrap_or_default()),
            Ok(Leaving::Record(record)) => {
                if let Err(reason) = write(&record, wanted.format, output) {
                    return Outcome::Failed(Reason::Unwritable(reason));
                }
            }
            Ok(Leaving::Unsaid) => return Outcome::NeedsJson(source.id),
            Err(reason) => return Outcome::Failed(Reason::Broken(reason)),
        }
        Outcome::Written(start..output.len())
    }

    /// The fields that holdings and items add to a record.
    fn added(&self, beside: &Beside, id: Uuid) -> Vec<Field> {
        let rules = &self.wanted.profile.beside;
        match beside.holdings.get(&id) {
            Some(holdings) if !rules.is_empty() => {
                let holdings = parsed(holdings);
                let work = Work {
                    instance: None,
                    holdings: &holdings,
                };
                fields_of(rules, work, &self.references)
            }
            _ => Vec::new(),
        }
    }

    /// A record generated from inventory only.
    fn generated(&self, beside: &Beside, id: Uuid, output: &mut Vec<u8>) -> Outcome {
        let wanted = &self.wanted;
        if wanted.kind == ExportedKind::Authority {
            return Outcome::Failed(Reason::Missing);
        }
        let document = beside.documents.get(&id);
        let found = beside.holdings.get(&id);
        let is_there = match wanted.kind {
            ExportedKind::Instance => document.is_some(),
            _ => found.is_some(),
        };
        if !is_there {
            return Outcome::NeedsDocument;
        }
        let holdings = found.map(|found| parsed(found)).unwrap_or_default();
        let instance: Option<Value> = document.and_then(|text| serde_json::from_str(text).ok());
        let is_deleted = || {
            instance
                .as_ref()
                .is_some_and(|instance| instance["deleted"] == true)
        };
        if let Some(reason) = wanted.deleted.refuses(is_deleted) {
            return Outcome::Failed(reason);
        }
        let work = Work {
            instance: instance.as_ref(),
            holdings: &holdings,
        };
        let is_bib = wanted.kind == ExportedKind::Instance && wanted.profile.takes.instance;
        let mut record = record_of(&wanted.profile.whole, work, &self.references, is_bib);
        let shaping = Shaping {
            without_own: wanted.profile.shaping.without_own || wanted.form == Form::Loaded,
            ..wanted.profile.shaping.clone()
        };
        crate::marc::without_fields(&mut record, &shaping);
        let start = output.len();
        match write(&record, wanted.format, output) {
            Ok(()) => Outcome::Written(start..output.len()),
            Err(reason) => Outcome::Failed(Reason::Unwritable(reason)),
        }
    }
}

fn parsed(documents: &[Vec<u8>]) -> Vec<Value> {
    let values = documents.iter().map(|text| serde_json::from_slice(text));
    values.filter_map(Result::ok).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_made_together_as_far_as_they_fit() {
        let ids: Vec<Uuid> = (1..=5).map(Uuid::from_u128).collect();
        let size = |parts: i64, bytes: i64| Size { parts, bytes };
        let sizes = HashMap::from([
            (ids[0], size(1, BYTES_MAX + 1)),
            (ids[1], size(PARTS_MAX + 1, 1)),
            (ids[2], size(2_000, BYTES_MAX / 2)),
            (ids[4], size(2_000, BYTES_MAX)),
        ]);
        let count = |from: usize| {
            let mut overfull = HashMap::new();
            let count = together(&ids[from..], &sizes, &mut overfull);
            (count, overfull.len())
        };
        assert_eq!(count(0), (2, 1), "what is too large by itself goes alone");
        assert_eq!(count(1), (3, 1), "what belongs to too much needs no room");
        assert_eq!(count(2), (2, 0));
        assert_eq!(count(4), (1, 0));
        assert_eq!(count(5), (0, 0));
        let overfull = HashMap::from([(ids[1], size(PARTS_MAX + 1, 1))]);
        assert_eq!(readable(&ids, &sizes, &overfull), [ids[0], ids[2], ids[4]]);
    }
}
