//! One portion of records into bytes, and whole exports as a row of such portions.
//!
//! Two stages run at once: while one portion is made into bytes, the database reads the next.

use std::collections::HashMap;
use std::sync::Arc;

use octavo_marc::Field;
use octavo_postgres::Database;
use octavo_records::plan::Predicate;
use octavo_records::{StoreError, Tenant};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{Failure, Reason};
use crate::marc::{Form, Format, Held, Leaving, Now, Shaping, shape, write};
use crate::rules::{Profile, References, Work, fields_of, record_of};
use crate::store::records::{Ids, Kind, Portion, Reader};
use crate::store::references;

/// Records read in one statement.
pub const PORTION: i64 = 1_000;
/// Portions that wait to be made into bytes.
const WAITING: usize = 2;
/// Holdings of one instance, and items of one of the holdings, that are told at most.
const PARTS_MAX: i64 = 10_000;

/// What an export is to give.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What kind of record.
    pub kind: Kind,
    /// In which form.
    pub form: Form,
    /// In which notation.
    pub format: Format,
    /// By which profile.
    pub profile: Profile,
    /// Whether records that are marked for deletion leave.
    pub deleted: Deleted,
}

/// Which records by their mark of deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// All.
    Either,
    /// Those without it.
    None,
    /// Those with it.
    Only,
}

impl Deleted {
    fn refuses(self, is_deleted: impl Fn() -> bool) -> Option<Reason> {
        match self {
            Deleted::Either => None,
            Deleted::None => is_deleted().then_some(Reason::Deleted),
            Deleted::Only => (!is_deleted()).then_some(Reason::NotDeleted),
        }
    }
}

/// What became of a portion.
#[derive(Debug, Default)]
pub struct Made {
    /// The records' bytes.
    pub bytes: Vec<u8>,
    /// How many there are.
    pub exported: u64,
    /// Which were left out.
    pub failures: Vec<Failure>,
    /// The place of the last one.
    pub reached: i64,
    /// How many were looked at.
    pub read: usize,
}

/// Makes portions into bytes.
#[derive(Debug, Clone)]
pub struct Exporter {
    reader: Reader,
    wanted: Arc<Wanted>,
    references: Arc<References>,
}

/// What was read of a portion beside its source records.
#[derive(Debug, Default)]
struct Beside {
    parsed: HashMap<Uuid, String>,
    documents: HashMap<Uuid, Vec<u8>>,
    holdings: HashMap<Uuid, Vec<Vec<u8>>>,
}

/// What one record has become so far.
enum Outcome {
    Written(std::ops::Range<usize>),
    NeedsJson(Uuid),
    NeedsDocument,
    Failed(Reason),
}

impl Exporter {
    /// An export of a tenant's records.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn open(
        database: &Database,
        tenant: &Tenant,
        wanted: Wanted,
    ) -> Result<Exporter, StoreError> {
        let reader = Reader::open(database, tenant).await?;
        let references = references::read(database, tenant).await?;
        Ok(Exporter {
            reader,
            wanted: Arc::new(wanted),
            references: Arc::new(references),
        })
    }

    /// The reader of the tenant's records.
    #[must_use]
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The next records of a job's list.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn listed(&self, job: Uuid, behind: i64, most: i64) -> Result<Made, StoreError> {
        let kind = self.wanted.kind;
        let portion = self
            .reader
            .among(kind, Ids::Listed(job, behind), most)
            .await?;
        self.make(portion).await
    }

    /// These records.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn these(&self, ids: &[Uuid]) -> Result<Made, StoreError> {
        let most = PORTION;
        let portion = self
            .reader
            .among(self.wanted.kind, Ids::These(ids), most)
            .await?;
        self.make(portion).await
    }

    /// All instances that a predicate finds, in the order of their HRIDs, portion by portion.
    pub fn walk(&self, predicate: Predicate) -> Walk {
        let (portions, read) = mpsc::channel(WAITING);
        let reader = self.reader.clone();
        let reading = tokio::spawn(async move {
            let mut behind = String::new();
            loop {
                let portion = reader.walk(&predicate, &behind, PORTION).await?;
                let Some((last, _)) = portion.wanted.last().copied() else {
                    return Ok(());
                };
                let whole = portion.wanted.len() as i64 == PORTION;
                if portions.send(portion).await.is_err() || !whole {
                    return Ok(());
                }
                match reader.key_of(last).await? {
                    Some(key) => behind = key,
                    // Deleted a moment ago: what came behind it is not known any more.
                    None => return Err(StoreError::Contended),
                }
            }
        });
        Walk {
            exporter: self.clone(),
            read,
            reading: Some(reading),
        }
    }

    async fn make(&self, portion: Portion) -> Result<Made, StoreError> {
        let mut beside = Beside::default();
        let takes = self.wanted.profile.takes;
        let ids: Vec<Uuid> = portion.wanted.iter().map(|(id, _)| *id).collect();
        if self.wanted.kind == Kind::Instance && takes.holdings && !ids.is_empty() {
            let reader = &self.reader;
            beside.holdings = reader.holdings_of(&ids, takes.items, PARTS_MAX).await?;
        }
        let portion = Arc::new(portion);
        let (first, mut outcomes) = self.first_pass(&portion, &beside).await?;
        let mut needs_json = Vec::new();
        let mut needs_document = Vec::new();
        for (outcome, (id, _)) in outcomes.iter().zip(&portion.wanted) {
            match outcome {
                Outcome::NeedsJson(source) => needs_json.push(*source),
                Outcome::NeedsDocument => needs_document.push(*id),
                _ => {}
            }
        }
        let mut later = Vec::new();
        if !needs_json.is_empty() || !needs_document.is_empty() {
            if !needs_json.is_empty() {
                beside.parsed = self.reader.parsed(&needs_json).await?;
            }
            if !needs_document.is_empty() {
                self.read_documents(&needs_document, &mut beside).await?;
            }
            self.second_pass(&portion, &beside, &mut outcomes, &mut later);
        }
        let mut made = Made {
            read: portion.wanted.len(),
            reached: portion.wanted.last().map_or(0, |(_, place)| *place),
            ..Made::default()
        };
        for (outcome, (id, place)) in outcomes.into_iter().zip(&portion.wanted) {
            let reason = match outcome {
                Outcome::Written(range) => {
                    let all = later.iter().find(|(at, _)| at == place);
                    made.bytes.extend_from_slice(match all {
                        Some((_, bytes)) => bytes,
                        None => &first[range],
                    });
                    made.exported += 1;
                    continue;
                }
                Outcome::Failed(reason) => reason,
                Outcome::NeedsJson(_) | Outcome::NeedsDocument => Reason::Missing,
            };
            made.failures.push(Failure { id: *id, reason });
        }
        Ok(made)
    }

    async fn first_pass(
        &self,
        portion: &Arc<Portion>,
        beside: &Beside,
    ) -> Result<(Vec<u8>, Vec<Outcome>), StoreError> {
        if beside.holdings.is_empty() {
            // Beside the reading of the next portion.
            let (exporter, portion) = (self.clone(), Arc::clone(portion));
            let work = move || exporter.pass(&portion, &Beside::default());
            return tokio::task::spawn_blocking(work)
                .await
                .map_err(|error| StoreError::Database(error.to_string()));
        }
        Ok(self.pass(portion, beside))
    }

    fn pass(&self, portion: &Portion, beside: &Beside) -> (Vec<u8>, Vec<Outcome>) {
        let mut bytes = Vec::with_capacity(portion.wanted.len() * 2_048);
        let outcomes = portion
            .wanted
            .iter()
            .map(|(id, place)| self.one(portion, beside, *id, *place, &mut bytes))
            .collect();
        (bytes, outcomes)
    }

    fn one(
        &self,
        portion: &Portion,
        beside: &Beside,
        id: Uuid,
        place: i64,
        output: &mut Vec<u8>,
    ) -> Outcome {
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
        let held = Held {
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

    /// A record made of inventory alone.
    fn generated(&self, beside: &Beside, id: Uuid, output: &mut Vec<u8>) -> Outcome {
        let wanted = &self.wanted;
        if wanted.kind == Kind::Authority {
            return Outcome::Failed(Reason::Missing);
        }
        let holdings = beside
            .holdings
            .get(&id)
            .map(|found| parsed(found))
            .unwrap_or_default();
        let document = beside.documents.get(&id);
        if wanted.kind == Kind::Instance && document.is_none() {
            return Outcome::NeedsDocument;
        }
        if wanted.kind == Kind::Holdings && holdings.is_empty() {
            return Outcome::NeedsDocument;
        }
        let instance: Option<Value> = document.and_then(|text| serde_json::from_slice(text).ok());
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
        let is_bib = wanted.kind == Kind::Instance && wanted.profile.takes.instance;
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

    async fn read_documents(&self, ids: &[Uuid], beside: &mut Beside) -> Result<(), StoreError> {
        let takes = self.wanted.profile.takes;
        match self.wanted.kind {
            Kind::Instance => beside.documents = self.reader.documents(Kind::Instance, ids).await?,
            Kind::Holdings => {
                beside.holdings = self.reader.holdings(ids, takes.items, PARTS_MAX).await?;
            }
            Kind::Authority => {}
        }
        Ok(())
    }

    /// Those that could not be made without more, with it.
    fn second_pass(
        &self,
        portion: &Portion,
        beside: &Beside,
        outcomes: &mut [Outcome],
        later: &mut Vec<(i64, Vec<u8>)>,
    ) {
        for (outcome, (id, place)) in outcomes.iter_mut().zip(&portion.wanted) {
            if !matches!(outcome, Outcome::NeedsJson(_) | Outcome::NeedsDocument) {
                continue;
            }
            let mut bytes = Vec::new();
            *outcome = self.one(portion, beside, *id, *place, &mut bytes);
            if matches!(outcome, Outcome::Written(_)) {
                later.push((*place, bytes));
            }
        }
    }
}

fn parsed(documents: &[Vec<u8>]) -> Vec<Value> {
    let values = documents.iter().map(|text| serde_json::from_slice(text));
    values.filter_map(Result::ok).collect()
}

/// A whole export under way.
#[derive(Debug)]
pub struct Walk {
    exporter: Exporter,
    read: mpsc::Receiver<Portion>,
    reading: Option<JoinHandle<Result<(), StoreError>>>,
}

impl Walk {
    /// The next portion; nothing at the end.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn next(&mut self) -> Result<Option<Made>, StoreError> {
        if let Some(portion) = self.read.recv().await {
            return self.exporter.make(portion).await.map(Some);
        }
        match self.reading.take() {
            Some(reading) => reading
                .await
                .map_err(|error| StoreError::Database(error.to_string()))?
                .map(|()| None),
            None => Ok(None),
        }
    }
}
