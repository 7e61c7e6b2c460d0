//! The state of a record while its profile is executed, and its journal entries.

use octavo_edifact::Message;
use octavo_import_profiles::makers::MadeInvoice;
use octavo_library::{IncomingRecordId, JobExecutionId, MatchedId};
use octavo_marc::Record;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::job_context::JobContext;
use super::orders::RecordLine;
use crate::apply::{Writing, Written};
use crate::rules::log::{EDIFACT, Entry, INVOICE, INVOICE_TITLE};
use crate::rules::parse::{MarcRecordKind, own};

/// A record being processed.
#[derive(Debug)]
pub(crate) struct RecordState {
    /// Its id in the journal.
    pub id: IncomingRecordId,
    pub job: JobExecutionId,
    pub position: i64,
    /// The raw record as text.
    pub raw: String,
    /// Its bytes, if the text does not represent them exactly.
    pub bytes: Option<Vec<u8>>,
    /// The parsed record, with the profile's changes.
    pub record: Record,
    /// Whether it is an EDIFACT message, and the parsed message.
    pub is_message: bool,
    pub message: Option<Message>,
    pub is_read: bool,
    pub kind: Option<MarcRecordKind>,
    pub title: Option<String>,
    /// The matched or created records so far.
    pub instance: Option<Uuid>,
    pub holdings: Vec<Uuid>,
    /// The field whose occurrences made holdings, and the location of each: the record's items are made
    /// from it too.
    pub shelves: Option<Shelves>,
    pub items: Vec<Uuid>,
    /// The order line, if the profile makes one.
    pub line: Option<RecordLine>,
    pub authority: Option<Uuid>,
    /// Whether the instance was matched, directly or by its MARC record.
    pub is_found: bool,
    /// Whether the overlay on the matched record is still to be done.
    pub is_laid_over_later: bool,
    /// Whether the record has been written.
    pub is_written: bool,
    pub entries: Vec<Entry>,
    pub failed: bool,
    pub done: bool,
}

/// The source of created holdings.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shelves {
    /// The tag of the field.
    pub tag: String,
    /// The locations of its occurrences, in their order.
    pub places: Vec<Value>,
}

impl RecordState {
    /// A new incoming record.
    pub(crate) fn new(id: IncomingRecordId, job: JobExecutionId, position: i64) -> RecordState {
        RecordState {
            id,
            job,
            position,
            raw: String::new(),
            bytes: None,
            record: Record::default(),
            is_message: false,
            message: None,
            is_read: false,
            kind: None,
            title: None,
            instance: None,
            holdings: Vec::new(),
            shelves: None,
            items: Vec::new(),
            line: None,
            authority: None,
            is_found: false,
            is_laid_over_later: false,
            is_written: false,
            entries: Vec::new(),
            failed: false,
            done: false,
        }
    }

    /// The write request for the record.
    pub(crate) fn writing(&self, kit: &JobContext) -> Writing {
        let given = own(&self.record, 'i').filter(|_| kit.accepts_ids);
        Writing {
            record: self.record.clone(),
            raw: Some(self.raw.clone()),
            bytes: self.bytes.clone(),
            snapshot: self.job.into(),
            entity: given.and_then(|id| Uuid::try_parse(id).ok()),
            order: self.position,
            set: Map::new(),
        }
    }

    /// A journal entry with the record's common properties.
    pub(crate) fn entry(&self, entity: Option<&str>, action: &str) -> Entry {
        Entry {
            source: self.id,
            position: self.position,
            entity_type: entity.map(str::to_owned),
            action: action.to_owned(),
            status: "COMPLETED".to_owned(),
            title: self.title.clone(),
            ..Entry::default()
        }
    }

    /// Records that the record was parsed, or why not.
    pub(crate) fn note_read(&mut self, error: Option<&str>) {
        let mut entry = self.entry(None, "PARSE");
        if let Some(error) = error {
            entry.status = "ERROR".to_owned();
            entry.error = error.to_owned();
        }
        self.entries.push(entry);
    }

    /// Records a MARC record and what was derived from it.
    pub(crate) fn note_written(&mut self, action: &str, written: &Written) {
        let kind = self.kind.unwrap_or(MarcRecordKind::Bib);
        let mut marc = self.entry(Some(kind.entity()), action);
        marc.entity_id = Some(written.matched.to_string());
        let mut made = self.entry(Some(kind.related()), action);
        made.entity_id = Some(written.entity.to_string());
        made.hrid = Some(written.hrid.clone());
        match kind {
            MarcRecordKind::Bib => self.instance = Some(written.entity),
            MarcRecordKind::Holdings => {
                self.holdings = vec![written.entity];
                made.instance_id = self.instance.map(|id| id.to_string());
            }
            MarcRecordKind::Authority => self.authority = Some(written.entity),
        }
        self.record = written.record.clone();
        self.is_written = true;
        self.entries.push(marc);
        self.entries.push(made);
    }

    /// Records that the matched authority was deleted; as in FOLIO under its MARC record alone.
    pub(crate) fn note_deleted(&mut self, matched: Option<MatchedId>) {
        self.authority = None;
        let mut entry = self.entry(Some(MarcRecordKind::Authority.entity()), "DELETE");
        entry.entity_id = matched.map(|id| id.to_string());
        self.entries.push(entry);
    }

    /// Records holdings or an item.
    pub(crate) fn note_made(&mut self, entity: &str, action: &str, document: &Value) {
        let text = |name: &str| document[name].as_str().map(str::to_owned);
        let mut entry = self.entry(Some(entity), action);
        entry.entity_id = text("id");
        entry.hrid = text("hrid");
        entry.location_id = text("permanentLocationId").filter(|_| entity == "HOLDINGS");
        entry.holdings_id = text("holdingsRecordId");
        entry.instance_id = text("instanceId").or_else(|| self.instance.map(|id| id.to_string()));
        self.entries.push(entry);
    }

    /// Records that one of several records was refused, without effect on the others.
    pub(crate) fn note_left_out(&mut self, entity: &str, action: &str, error: &str) {
        let mut entry = self.entry(Some(entity), action);
        entry.status = "ERROR".to_owned();
        entry.error = error.to_owned();
        self.entries.push(entry);
    }

    /// Records the outcome of a match.
    pub(crate) fn note_match(&mut self, entity: &str, found: bool) {
        let action = if found { "MATCH" } else { "NON_MATCH" };
        let related = match entity {
            "MARC_BIBLIOGRAPHIC" => Some("INSTANCE"),
            "INSTANCE" => Some("MARC_BIBLIOGRAPHIC"),
            "MARC_HOLDINGS" => Some("HOLDINGS"),
            "MARC_AUTHORITY" => Some("AUTHORITY"),
            "AUTHORITY" => Some("MARC_AUTHORITY"),
            _ => None,
        };
        for entity in [Some(entity), related].into_iter().flatten() {
            let entry = self.entry(Some(entity), action);
            self.entries.push(entry);
        }
    }

    /// Records a refused action: processing of the record stops.
    pub(crate) fn fail(&mut self, action: &str, entity: &str, error: &str) {
        self.failed = true;
        if self.is_message {
            return self.fail_message(error);
        }
        let mut entry = self.entry(Some(entity), action);
        entry.status = "ERROR".to_owned();
        entry.error = error.to_owned();
        let marc = self.kind.unwrap_or(MarcRecordKind::Bib);
        // The log's line shows the source record first.
        if entity == marc.related() {
            let mut source = entry.clone();
            source.entity_type = Some(marc.entity().to_owned());
            self.entries.push(source);
        }
        self.entries.push(entry);
    }

    /// Records that no invoice was made of a message.
    fn fail_message(&mut self, error: &str) {
        let mut source = self.entry(Some(EDIFACT), "CREATE");
        source.entity_id = Some(self.id.to_string());
        let mut invoice = self.entry(Some(INVOICE), "CREATE");
        invoice.title = Some("ERROR_INVOICE".to_owned());
        for mut entry in [source, invoice] {
            entry.status = "ERROR".to_owned();
            entry.error = error.to_owned();
            self.entries.push(entry);
        }
    }

    /// Records an invoice and its lines.
    pub(crate) fn note_invoice(&mut self, made: &MadeInvoice) {
        let mut invoice = self.entry(Some(INVOICE), "CREATE");
        invoice.title = Some(INVOICE_TITLE.to_owned());
        invoice.entity_id = Some(made.id.to_string());
        invoice.hrid = Some(made.number.clone());
        self.entries.push(invoice);
        for line in &made.lines {
            let mut entry = self.entry(Some(INVOICE), "CREATE");
            let number: i64 = line.number.parse().unwrap_or(0);
            // FOLIO's position of a line among all of a job.
            entry.position = (self.position + 1) * 10 + number;
            entry.entity_id = line.id.map(|id| id.to_string());
            entry.hrid = Some(format!("{}-{}", made.vendor_number, line.number));
            let described = Some(line.description.as_str()).filter(|text| !text.trim().is_empty());
            entry.title = Some(described.unwrap_or("No content").to_owned());
            if let Some(error) = &line.error {
                self.failed = true;
                entry.status = "ERROR".to_owned();
                entry.error.clone_from(error);
            }
            self.entries.push(entry);
        }
    }

    /// Records that the record itself is refused.
    pub(crate) fn fail_source(&mut self, error: &str) {
        let entity = self.kind.unwrap_or(MarcRecordKind::Bib).entity();
        self.fail("CREATE", entity, error);
    }
}
