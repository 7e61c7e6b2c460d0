//! Writes events about unchanged records, for external search indexes. A portion is one statement, whose
//! rows never leave the database.

use octavo_boxed::boxed;
use octavo_postgres::{Row, Transaction};
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

/// The result of a portion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Portion {
    /// How many records.
    pub records: i64,
    pub last: Option<Uuid>,
}

/// The event that a job writes for each instance: its topic and type, and the header that names the job.
#[derive(Debug, Clone, Copy)]
pub struct JobEvent<'a> {
    pub topic: &'a str,
    pub kind: &'a str,
    pub header: &'a str,
    pub job: Uuid,
}

/// Writes an event without content for each instance after an id, in the order of their ids, `most` of
/// them at most.
#[boxed]
pub async fn emit_ids(
    transaction: &Transaction,
    tenant: &Tenant,
    event: JobEvent<'_>,
    behind: Uuid,
    most: i64,
) -> Result<Portion, StoreError> {
    let sql = format!(
        "WITH portion AS MATERIALIZED (SELECT id FROM {schema}.instance WHERE id > $3 \
         ORDER BY id LIMIT $4), told AS (INSERT INTO {schema}.outbox (topic, key, type, headers) \
         SELECT $1, id, $2, jsonb_build_object($5::text, $6::uuid) FROM portion ORDER BY id) {PORTION}",
        schema = tenant.schema()
    );
    let JobEvent {
        topic,
        kind,
        header,
        job,
    } = event;
    let rows = transaction
        .query(&sql, &[&topic, &kind, &behind, &most, &header, &job])
        .await?;
    Ok(portion(rows.first()))
}

/// The record types that can be published whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// Instances, without shadow ones of other tenants.
    Instance,
    Holdings,
    /// Items, each with the id of its instance.
    Item,
}

impl Whole {
    /// FOLIO's name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Whole::Instance => "instance",
            Whole::Holdings => "holdings",
            Whole::Item => "item",
        }
    }

    /// The records after `$3` up to `$4`.
    fn records(self, schema: &str) -> String {
        match self {
            Whole::Instance => format!(
                "SELECT n.id, n.jsonb || jsonb_build_object('isBoundWith', EXISTS (SELECT \
                 FROM {schema}.holdings_record AS h JOIN {schema}.bound_with_part AS part \
                 ON part.holdingsrecordid = h.id WHERE h.instanceid = n.id)) AS jsonb \
                 FROM {schema}.instance AS n WHERE n.id > $3 AND n.id <= $4 \
                 AND n.jsonb->>'source' NOT LIKE 'CONSORTIUM-%' ORDER BY n.id"
            ),
            Whole::Holdings => format!(
                "SELECT h.id, h.jsonb FROM {schema}.holdings_record AS h \
                 WHERE h.id > $3 AND h.id <= $4 ORDER BY h.id"
            ),
            Whole::Item => format!(
                "SELECT i.id, i.jsonb || jsonb_build_object('instanceId', h.instanceid) AS jsonb \
                 FROM {schema}.item AS i JOIN {schema}.holdings_record AS h \
                 ON h.id = i.holdingsrecordid WHERE i.id > $3 AND i.id <= $4 ORDER BY i.id"
            ),
        }
    }
}

/// Writes one event with the records after an id up to another, at most `most`. Without records none is
/// written, unless it is the first.
#[boxed]
pub async fn emit_records(
    transaction: &Transaction,
    tenant: &Tenant,
    what: Whole,
    key: Uuid,
    (behind, upto): (Uuid, Uuid),
    most: i64,
    is_first: bool,
) -> Result<Portion, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH portion AS MATERIALIZED ({} LIMIT $5), \
         told AS (INSERT INTO {schema}.outbox (topic, key, type, new) \
         SELECT '{TOPIC}', $1, 'REINDEX', jsonb_build_object('recordType', $2::text, 'records', \
         coalesce(jsonb_agg(jsonb ORDER BY id), '[]')) FROM portion HAVING count(*) > 0 OR $6) {PORTION}",
        what.records(schema)
    );
    let word = what.word();
    let rows = transaction
        .query(&sql, &[&key, &word, &behind, &upto, &most, &is_first])
        .await?;
    Ok(portion(rows.first()))
}

/// The number of records in a range of ids, counted up to `most`.
#[boxed]
pub async fn count(
    transaction: &Transaction,
    tenant: &Tenant,
    what: Whole,
    (from, upto): (Uuid, Uuid),
    most: i64,
) -> Result<i64, StoreError> {
    let table = match what {
        Whole::Instance => "instance",
        Whole::Holdings => "holdings_record",
        Whole::Item => "item",
    };
    let sql = format!(
        "SELECT count(*) FROM (SELECT FROM {}.{table} WHERE id >= $1 AND id <= $2 LIMIT $3) AS found",
        tenant.schema()
    );
    let rows = transaction.query(&sql, &[&from, &upto, &most]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}

/// The topic of published records.
const TOPIC: &str = "inventory.reindex-records";
const PORTION: &str = "SELECT count(*), (array_agg(id ORDER BY id DESC))[1] AS last FROM portion";

fn portion(row: Option<&Row>) -> Portion {
    Portion {
        records: row.map_or(0, |row| row.get("count")),
        last: row.and_then(|row| row.get("last")),
    }
}
