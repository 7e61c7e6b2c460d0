//! A collection: one record type with its table, indexes and references. Areas declare theirs in
//! `collections.rs`; everything generic (tables, CQL, CRUD) is derived from the declaration.

use serde_json::Value;
use uuid::Uuid;

use crate::columns::{self, StoredColumn};
use crate::index::Index;
use crate::search_rows::SearchRows;
use crate::shape::{Shape, ValueKind};

/// One record type and the table that holds it.
#[derive(Debug, Clone)]
pub struct Collection {
    /// FOLIO's table name, `holdings_record`; unique within a tenant.
    pub table: String,
    /// The key of the list in a page of records, `holdingsRecords`.
    pub list_key: String,
    pub shape: Shape,
    pub indexes: Vec<Index>,
    /// Narrow rows for lists of what a search for words finds.
    pub search_rows: Option<SearchRows>,
    /// The foreign keys.
    pub references: Vec<Reference>,
    /// Whether every process caches responses to reads, since records seldom change.
    pub reads_cached: bool,
    /// Whether records change so often that no update may touch more indexes than it has to.
    pub often_updated: bool,
    /// The generated columns that the indexes then read.
    pub columns: Vec<StoredColumn>,
    /// Whether `_version` guards updates (optimistic locking).
    pub locked: bool,
    /// The full name of its domain events' topic, `inventory.item`; nothing is published without
    /// one.
    pub topic: Option<String>,
    /// A property that its events have in addition to the record's.
    pub event_extra: Option<EventExtra>,
    /// The audit table, if there is one.
    pub audit: Option<Audit>,
    /// The HTTP status for a duplicate or an invalid reference in a new record: 422 where FOLIO's
    /// interface declares an errors body for POST, otherwise 400 with plain text.
    pub conflict_status: u16,
    /// The same for a replaced record: FOLIO's interfaces mostly declare no errors body for PUT.
    pub replace_conflict_status: u16,
    /// Whether PUT creates the record when it does not exist (circulation-storage's upserts).
    pub upsert: bool,
    /// The function in the tenant's schema that generates human-readable ids: `(wanted integer,
    /// given text[]) RETURNS text[]` returns that many free ones in order, none of them among those
    /// given. The area that owns the collection creates it, over the sequence `{table}_hrid_seq`.
    pub hrid: Option<String>,
    /// Aliases of paths in CQL: on instances, `item` for `holdingsRecords.item`.
    pub shorthands: Vec<(String, String)>,
    /// Totals are exact up to this many records and may be estimated beyond.
    pub exact_count: i64,
    /// Whether lists accept `facets`: the most frequent values of properties.
    pub faceted: bool,
    /// Whether lists have a `resultInfo` after their total.
    pub result_info: bool,
    /// Whether the total is in `resultInfo` only, and not beside the records too.
    pub total_in_info: bool,
    /// The prefix of the id in the `Location` of a new record: empty, or a path.
    pub location: &'static str,
    /// The response to a query that cannot be run.
    pub query_refusal: QueryRefusal,
    /// The messages for a missing record, of GET and of PUT and DELETE.
    pub missing: Missing,
    /// Whether the message for an invalid reference in a replaced record has a blank in place of
    /// the dot between table and column: mod-inventory-storage words it so for items.
    pub blank_before_column: bool,
    /// Whether PUT takes the path's id where the body has one that is not a UUID.
    pub path_id_wins: bool,
}

/// How FOLIO's module responds to a list whose query cannot be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueryRefusal {
    /// 400 with plain text.
    #[default]
    Plain,
    /// 400 with plain text: a message, a colon and the query.
    Quoting,
    /// 500 with plain text.
    Failing,
    /// 422 with an errors body.
    Listed,
}

/// The messages of 404.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    pub read: &'static str,
    pub change: &'static str,
}

impl Default for Missing {
    fn default() -> Missing {
        Missing {
            read: "Not found",
            change: "Not found",
        }
    }
}

/// A property of a collection's events that comes from a referenced record: the instance of an
/// item.
#[derive(Debug, Clone, PartialEq)]
pub struct EventExtra {
    /// Its name in the event and in the other record.
    pub name: String,
    /// The foreign key of this collection that leads to the other record.
    pub by: String,
}

/// A table of earlier states of records.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    pub table: String,
    /// The property of its rows that holds the record.
    pub field: String,
    pub operations: Operations,
}

/// Which changes are written to an audit table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operations {
    All,
    /// Only deletions: other states can be read from the record.
    Deletes,
}

impl Audit {
    /// Whether a change is written: `I`, `U` or `D`.
    #[must_use]
    pub fn keeps(&self, operation: char) -> bool {
        operation == 'D' || self.operations == Operations::All
    }
}
/// FOLIO's default for [`Collection::exact_count`], in records.
pub const EXACT_COUNT: i64 = 1_000;

/// A foreign key.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The dotted path of the property that holds the id.
    pub field: String,
    /// The referenced table.
    pub table: String,
    /// The alias under which CQL of the referenced collection reaches this one (`item.barcode`).
    pub child_alias: Option<String>,
    /// The alias under which CQL of this collection reaches the referenced one (`instance.title`).
    pub parent_alias: Option<String>,
    /// SQL over `jsonb` that follows the id in the key's index: the order in which the records of
    /// one parent are listed.
    pub order: Option<String>,
}

impl Reference {
    /// The generated column that holds the id: the path in lower case, dots as underscores.
    #[must_use]
    pub fn column(&self) -> String {
        self.field.replace('.', "_").to_lowercase()
    }
}

impl Collection {
    /// Declares a collection from its table, the key of its lists and the text of its shape.
    ///
    /// # Panics
    /// When the shape cannot be parsed: shapes are compiled in, and a test parses each of them.
    #[must_use]
    pub fn new(table: &str, list_key: &str, shape: &str) -> Collection {
        let shape = Shape::parse(shape).unwrap_or_else(|error| {
            panic!("invariant: the shape of {table} is well formed: {error}")
        });
        Collection {
            table: table.to_owned(),
            list_key: list_key.to_owned(),
            shape,
            indexes: Vec::new(),
            search_rows: None,
            references: Vec::new(),
            reads_cached: false,
            often_updated: false,
            columns: Vec::new(),
            locked: false,
            topic: None,
            event_extra: None,
            audit: None,
            conflict_status: 422,
            replace_conflict_status: 400,
            upsert: false,
            hrid: None,
            shorthands: Vec::new(),
            exact_count: EXACT_COUNT,
            faceted: false,
            result_info: false,
            total_in_info: false,
            location: "",
            query_refusal: QueryRefusal::default(),
            missing: Missing::default(),
            path_id_wins: false,
            blank_before_column: false,
        }
    }

    #[must_use]
    pub fn index(mut self, mut index: Index) -> Collection {
        if self.often_updated && !index.on_demand {
            columns::store(&mut index, &mut self.columns);
        }
        self.indexes.push(index);
        self
    }

    /// Keeps the words of a full-text index in narrow rows.
    ///
    /// # Panics
    /// When no such index over several fields is declared before.
    #[must_use]
    pub fn search_rows(mut self, rows: SearchRows) -> Collection {
        let index = self.indexes.iter().find(|index| rows.keeps(index));
        assert!(
            index.is_some_and(|index| !index.fields.is_empty() && index.remove_accents),
            "invariant: {} has an index over the words of {}",
            self.table,
            rows.words
        );
        self.search_rows = Some(rows);
        self
    }

    /// Lays the indexes on generated columns and leaves room on the pages, so that an update writes
    /// entries only in the indexes whose values it changes.
    #[must_use]
    pub fn often_updated(mut self) -> Collection {
        self.often_updated = true;
        for index in self.indexes.iter_mut().filter(|index| !index.on_demand) {
            columns::store(index, &mut self.columns);
        }
        self
    }

    /// Lets every process cache responses to reads of the collection until a statement changes it, of which
    /// the database notifies all of them. For lists of settings, which front ends read with every page.
    #[must_use]
    pub fn reads_cached(mut self) -> Collection {
        self.reads_cached = true;
        self
    }

    /// SQL over `jsonb` as the indexes of the table have it: a statement with the condition of a partial
    /// index has to have it in the index's own words.
    #[must_use]
    pub fn as_stored(&self, sql: &str) -> String {
        match self.often_updated {
            true => columns::in_columns(sql),
            false => sql.to_owned(),
        }
    }

    /// Adds a foreign key.
    #[must_use]
    pub fn reference(mut self, field: &str, table: &str) -> Collection {
        self.references.push(Reference {
            field: field.to_owned(),
            table: table.to_owned(),
            child_alias: None,
            parent_alias: None,
            order: None,
        });
        self
    }

    /// Adds a foreign key whose records are listed parent by parent in this order, SQL over
    /// `jsonb`.
    #[must_use]
    pub fn reference_in_order(mut self, field: &str, table: &str, order: &str) -> Collection {
        self = self.reference(field, table);
        if let Some(reference) = self.references.last_mut() {
            reference.order = Some(order.to_owned());
        }
        self
    }

    /// Adds a foreign key that CQL can cross: `child.x` on the referenced collection, `parent.x` on
    /// this one.
    #[must_use]
    pub fn crossing(mut self, field: &str, table: &str, child: &str, parent: &str) -> Collection {
        self.references.push(Reference {
            field: field.to_owned(),
            table: table.to_owned(),
            child_alias: Some(child.to_owned()),
            parent_alias: Some(parent.to_owned()),
            order: None,
        });
        self
    }

    /// Adds a foreign key that CQL can cross from this collection only.
    #[must_use]
    pub fn reaching(mut self, field: &str, table: &str, parent: &str) -> Collection {
        self.references.push(Reference {
            field: field.to_owned(),
            table: table.to_owned(),
            child_alias: None,
            parent_alias: Some(parent.to_owned()),
            order: None,
        });
        self
    }

    /// Guards updates with `_version`.
    #[must_use]
    pub fn locked(mut self) -> Collection {
        self.locked = true;
        self
    }

    /// Publishes domain events to a topic, prefixed by its module: `inventory.item`.
    #[must_use]
    pub fn events(mut self, topic: &str) -> Collection {
        self.topic = Some(topic.to_owned());
        self
    }

    /// Adds this property of the record that the foreign key `by` references to events.
    #[must_use]
    pub fn events_telling(mut self, name: &str, by: &str) -> Collection {
        self.event_extra = Some(EventExtra {
            name: name.to_owned(),
            by: by.to_owned(),
        });
        self
    }

    /// Writes earlier states of records to a table: rows with an id, the record under `field`, the
    /// operation (`I`, `U`, `D`) and `createdDate`.
    #[must_use]
    pub fn audited(mut self, table: &str, field: &str, operations: Operations) -> Collection {
        self.audit = Some(Audit {
            table: table.to_owned(),
            field: field.to_owned(),
            operations,
        });
        self
    }

    /// Responds to duplicates and invalid references with 400 and plain text.
    #[must_use]
    pub fn plain_conflicts(mut self) -> Collection {
        self.conflict_status = 400;
        self.replace_conflict_status = 400;
        self
    }

    /// Responds to those of a replaced record with 422 and an errors body as well.
    #[must_use]
    pub fn listed_conflicts(mut self) -> Collection {
        self.replace_conflict_status = 422;
        self
    }

    /// Lets PUT create a missing record.
    #[must_use]
    pub fn upsert(mut self) -> Collection {
        self.upsert = true;
        self
    }

    /// Generates human-readable ids with this function of the tenant's schema.
    #[must_use]
    pub fn hrid(mut self, function: &str) -> Collection {
        self.hrid = Some(function.to_owned());
        self
    }

    /// Lets CQL write `name.x` for `path.x`, where the path crosses several foreign keys.
    #[must_use]
    pub fn shorthand(mut self, name: &str, path: &str) -> Collection {
        self.shorthands.push((name.to_owned(), path.to_owned()));
        self
    }

    /// Makes totals exact up to this many records, where FOLIO's module sets `exactCount` to other
    /// than 1,000.
    #[must_use]
    pub fn exact_count(mut self, records: i64) -> Collection {
        self.exact_count = records;
        self
    }

    /// Lets lists accept `facets`, where FOLIO's interface has that parameter.
    #[must_use]
    pub fn faceted(mut self) -> Collection {
        self.faceted = true;
        self.result_info = true;
        self
    }

    /// Gives lists a `resultInfo`, where FOLIO's list type declares it.
    #[must_use]
    pub fn with_result_info(mut self) -> Collection {
        self.result_info = true;
        self
    }

    /// Gives lists a `resultInfo` with the total in it only.
    #[must_use]
    pub fn with_total_in_info(mut self) -> Collection {
        self.result_info = true;
        self.total_in_info = true;
        self
    }

    /// The same record type as another interface lists it: records and their total.
    #[must_use]
    pub fn without_result_info(&self) -> Collection {
        let mut plain = self.clone();
        plain.result_info = false;
        plain
    }

    /// Sets the prefix of new records' `Location`, a path that ends in a slash: `/material-types/`.
    #[must_use]
    pub fn located(mut self, prefix: &'static str) -> Collection {
        self.location = prefix;
        self
    }

    /// Sets the response to a query that cannot be run.
    #[must_use]
    pub fn refusing_queries(mut self, refusal: QueryRefusal) -> Collection {
        self.query_refusal = refusal;
        self
    }

    /// Sets the messages for a missing record: of GET, and of PUT and DELETE.
    #[must_use]
    pub fn missing(mut self, read: &'static str, change: &'static str) -> Collection {
        self.missing = Missing { read, change };
        self
    }

    /// Keeps undeclared properties of the record, where FOLIO's record type is open.
    #[must_use]
    pub fn keeping_unknown(mut self) -> Collection {
        self.shape.root.open = true;
        self
    }

    /// Drops undeclared properties, at the root and inside, as Spring modules do.
    #[must_use]
    pub fn dropping_unknown(mut self) -> Collection {
        self.shape = self.shape.dropping_unknown();
        self
    }

    /// Lets PUT take the path's id where the body has one that is not a UUID: FOLIO's record type
    /// does not validate the id.
    #[must_use]
    pub fn path_id_wins(mut self) -> Collection {
        self.path_id_wins = true;
        self
    }

    /// Words invalid references in replaced records with a blank before the column.
    #[must_use]
    pub fn blank_before_column(mut self) -> Collection {
        self.blank_before_column = true;
        self
    }

    /// Replaces an id that is not a UUID by that of PUT's path, where that is declared.
    pub fn settle_id(&self, id: Uuid, document: &mut Value) {
        if !self.path_id_wins {
            return;
        }
        let Some(sent) = document.get_mut("id") else {
            return;
        };
        let is_uuid = |text: &str| text.len() == 36 && Uuid::try_parse(text).is_ok();
        if (sent.is_string() || sent.is_number()) && !sent.as_str().is_some_and(is_uuid) {
            *sent = Value::String(id.to_string());
        }
    }

    #[must_use]
    pub fn location_of(&self, id: Uuid) -> String {
        format!("{}{id}", self.location)
    }

    /// Whether the server stamps `metadata` on every write: if the shape has it.
    #[must_use]
    pub fn has_metadata(&self) -> bool {
        self.shape.root.property("metadata").is_some()
    }

    /// The foreign key on a field.
    #[must_use]
    pub fn reference_on(&self, field: &str) -> Option<&Reference> {
        self.references
            .iter()
            .find(|reference| reference.field == field)
    }

    /// The kind of the property at a dotted path.
    #[must_use]
    pub fn kind_at(&self, path: &str) -> Option<&ValueKind> {
        self.shape.kind_at(path)
    }
}
