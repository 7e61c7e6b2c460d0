//! The two queues: pages of them, and rows that are done.

use bytes::{BufMut, Bytes, BytesMut};
use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_postgres::{RawJson, ToSql};
use octavo_records::store::{PageFacts, Totals};
use octavo_records::{Executor, Store, StoreError, Tables, instant};
use uuid::Uuid;

use super::mappings::Window;

/// A queue as clients see it.
#[derive(Debug)]
pub struct Queue {
    table: &'static str,
    /// The property of its list.
    list: &'static str,
    /// When a row is done.
    done: &'static str,
    /// The columns beside the row, as JSON.
    columns: &'static str,
    /// What else changes when a row is done.
    when_done: &'static str,
}

/// What a storage is to take in.
pub const ACCESSIONS: Queue = Queue {
    table: "accession_queue",
    list: "accessions",
    done: "accessioned_date_time",
    columns: "'accessionedDateTime', accessioned_date_time",
    when_done: "",
};

/// What it is to send. A reference to an item that stays out counts as sent once it is told.
pub const RETRIEVALS: Queue = Queue {
    table: "retrieval_queue",
    list: "retrievals",
    done: "retrieved_date_time",
    columns: "'holdId', hold_id, 'requestType', request_type, 'retrievedDateTime', retrieved_date_time",
    when_done: ", request_type = 'PYR'",
};

/// What a list is narrowed to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Narrowed {
    pub done: Option<bool>,
    pub storage: Option<Uuid>,
    pub created: Option<Timestamp>,
}

/// Which rows are done.
#[derive(Debug, Clone, Copy)]
pub enum Rows<'a> {
    Id(Uuid),
    /// All of an item.
    Barcode(&'a str),
}

/// An instant column in the notation of records.
fn stamped(columns: &str) -> String {
    let mut shown = columns.to_owned();
    for column in ["accessioned_date_time", "retrieved_date_time"] {
        let notation = format!(
            "to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')"
        );
        shown = shown.replace(&format!("', {column}"), &format!("', {notation}"));
    }
    shown
}

impl Queue {
    /// A row as clients see it.
    fn shown(&self) -> String {
        format!(
            "row || jsonb_strip_nulls(jsonb_build_object('id', id, 'itemBarcode', item_barcode, \
             'remoteStorageId', remote_storage_id, 'createdDateTime', \
             to_char(created_date_time AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'), {}))",
            stamped(self.columns)
        )
    }

    /// The condition of a list. Only what is asked for is in it, so that the index for it is used.
    fn condition(&self, narrowed: Narrowed) -> String {
        let mut conditions = vec!["true".to_owned()];
        match narrowed.done {
            Some(true) => conditions.push(format!("{} IS NOT NULL", self.done)),
            Some(false) => conditions.push(format!("{} IS NULL", self.done)),
            None => {}
        }
        let mut values = 0;
        let mut next = || {
            values += 1;
            values
        };
        if narrowed.storage.is_some() {
            conditions.push(format!("remote_storage_id = ${}", next()));
        }
        if narrowed.created.is_some() {
            conditions.push(format!(
                "created_date_time = ${}::text::timestamptz",
                next()
            ));
        }
        conditions.join(" AND ")
    }

    /// A page, oldest rows first, with the number of all. A number above 25,000 may be some seconds old.
    #[boxed]
    pub async fn page(
        &self,
        store: &Store,
        tables: Tables<'_>,
        narrowed: Narrowed,
        window: Window,
    ) -> Result<Bytes, StoreError> {
        let created = narrowed.created.map(instant_text);
        let mut values: Vec<&(dyn ToSql + Sync)> = Vec::new();
        if let Some(storage) = &narrowed.storage {
            values.push(storage);
        }
        if let Some(created) = &created {
            values.push(created);
        }
        let (limit, offset) = (window.limit, window.offset);
        let sql = self.page_sql(tables, narrowed, window);
        let rows = store.database.rows(&sql, &values).await?;
        let facts = PageFacts {
            limit,
            offset,
            returned: i64::try_from(rows.len()).unwrap_or(limit),
            totals: Totals::default(),
        };
        let counting = self.count_sql(tables, narrowed);
        let total = store.total_of_list(facts, &counting, &values).await?;
        let mut page = BytesMut::with_capacity(rows.len() * 512 + 64);
        page.put_slice(format!("{{\"{}\":[", self.list).as_bytes());
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                page.put_u8(b',');
            }
            page.put_slice(row.get::<_, RawJson<'_>>("document").0);
        }
        page.put_slice(format!("],\"totalRecords\":{total}}}").as_bytes());
        Ok(page.freeze())
    }

    pub(super) fn page_sql(
        &self,
        tables: Tables<'_>,
        narrowed: Narrowed,
        window: Window,
    ) -> String {
        // Numbers from the server's own parsing, in the text: a plan for each window would not help.
        format!(
            "SELECT {} AS document FROM {} WHERE {} \
             ORDER BY created_date_time, id LIMIT {} OFFSET {}",
            self.shown(),
            tables.table(self.table),
            self.condition(narrowed),
            window.limit,
            window.offset,
        )
    }

    fn count_sql(&self, tables: Tables<'_>, narrowed: Narrowed) -> String {
        format!(
            "SELECT count(*) AS total FROM {} WHERE {}",
            tables.table(self.table),
            self.condition(narrowed),
        )
    }

    /// Marks rows as done that were not; gives how many.
    #[boxed]
    pub async fn done(
        &self,
        executor: &dyn Executor,
        tables: Tables<'_>,
        which: Rows<'_>,
        at: Timestamp,
    ) -> Result<usize, StoreError> {
        let column = match which {
            Rows::Id(_) => "id",
            Rows::Barcode(_) => "item_barcode",
        };
        let sql = format!(
            "UPDATE {} SET {done} = $2::text::timestamptz{} WHERE {column} = $1 AND {done} IS NULL \
             RETURNING id",
            tables.table(self.table),
            self.when_done,
            done = self.done,
        );
        let at = instant::format(at);
        let rows = match which {
            Rows::Id(id) => executor.rows(&sql, &[&id, &at]).await?,
            Rows::Barcode(barcode) => executor.rows(&sql, &[&barcode, &at]).await?,
        };
        Ok(rows.len())
    }
}

fn instant_text(at: Timestamp) -> String {
    at.to_string()
}

/// The item of the newest row of a request.
#[boxed]
pub async fn barcode_of_hold(
    executor: &dyn Executor,
    tables: Tables<'_>,
    hold: &str,
    storage: Uuid,
) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT item_barcode FROM {} WHERE hold_id = $1 AND remote_storage_id = $2 \
         ORDER BY created_date_time DESC, id DESC LIMIT 1",
        tables.table("retrieval_queue")
    );
    let rows = executor.rows(&sql, &[&hold, &storage]).await?;
    Ok(rows.first().and_then(|row| row.get("item_barcode")))
}

/// The row of an item that a storage has taken in: the one that its new location has just made, or a new one.
#[boxed]
pub async fn accessioned(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: Uuid,
    (storage, place): (Uuid, Uuid),
    at: Timestamp,
) -> Result<Bytes, StoreError> {
    let queue = tables.table("accession_queue");
    let schema = tables.tenant.schema();
    let sql = format!(
        "WITH told AS (SELECT item.jsonb->>'barcode' AS barcode, \
         {schema}.remote_accession_row(item.jsonb, title.jsonb, $3) || jsonb_strip_nulls(\
         jsonb_build_object('materialType', kind.jsonb->'name')) AS row \
         FROM {item} AS item JOIN {holdings} AS shelf ON shelf.id = item.holdingsrecordid \
         JOIN {instance} AS title ON title.id = shelf.instanceid \
         LEFT JOIN {kind} AS kind ON kind.id = item.materialtypeid WHERE item.id = $1), \
         made AS (UPDATE {queue} AS made SET accessioned_date_time = $4::text::timestamptz, row = told.row \
         FROM told WHERE made.item_barcode = told.barcode AND made.remote_storage_id = $2 \
         AND made.accessioned_date_time IS NULL AND made.xmin = pg_current_xact_id()::xid \
         RETURNING made.*), \
         added AS (INSERT INTO {queue} (remote_storage_id, item_barcode, accessioned_date_time, row) \
         SELECT $2, barcode, $4::text::timestamptz, row FROM told WHERE NOT EXISTS (SELECT FROM made) \
         RETURNING *) \
         SELECT {shown} AS document FROM (SELECT * FROM made UNION ALL SELECT * FROM added) AS one",
        item = tables.table("item"),
        holdings = tables.table("holdings_record"),
        instance = tables.table("instance"),
        kind = tables.table("material_type"),
        shown = ACCESSIONS.shown(),
    );
    let at = instant::format(at);
    let rows = executor.rows(&sql, &[&item, &storage, &place, &at]).await?;
    super::document(&rows)
}

/// Lines a request up for a storage, or for that of the item's location; false where the location is in none.
#[boxed]
pub async fn retrieve(
    executor: &dyn Executor,
    tables: Tables<'_>,
    request: &serde_json::Value,
    (item, storage): (Uuid, Option<Uuid>),
    kind: &str,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT {}.remote_retrieval_add($1, $2, $3, $4) AS added",
        tables.tenant.schema()
    );
    let rows = executor
        .rows(&sql, &[request, &item, &storage, &kind])
        .await?;
    Ok(rows.first().is_some_and(|row| row.get("added")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_narrowed_by_what_is_asked_for_only() {
        let narrowed = |done, storage, created| Narrowed {
            done,
            storage,
            created,
        };
        let (storage, created) = (Some(Uuid::nil()), Some(Timestamp::UNIX_EPOCH));
        for (asked, condition) in [
            (narrowed(None, None, None), "true"),
            (
                narrowed(Some(false), storage, None),
                "true AND retrieved_date_time IS NULL AND remote_storage_id = $1",
            ),
            (
                narrowed(Some(true), None, created),
                "true AND retrieved_date_time IS NOT NULL AND created_date_time = $1::text::timestamptz",
            ),
            (
                narrowed(None, storage, created),
                "true AND remote_storage_id = $1 AND created_date_time = $2::text::timestamptz",
            ),
        ] {
            assert_eq!(RETRIEVALS.condition(asked), condition, "{asked:?}");
        }
    }
}
