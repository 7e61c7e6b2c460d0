//! Reads exported records in portions, each by one indexed statement. Between portions neither a
//! connection nor a snapshot is held. A portion is limited by bytes: the rest is left to the next.

use std::collections::HashMap;

use octavo_library::ExportJobId;
use octavo_postgres::{Database, DatabaseError, Row};
use octavo_records::expression::{folded, key, text_at};
use octavo_records::plan::{Parameter, Predicate, Sql};
use octavo_records::{Index, StoreError, Tenant};
use uuid::Uuid;

/// Maximal size of the texts of a portion; a larger record is read alone.
pub const BYTES_MAX: i64 = 8 << 20;
/// Maximal stored (mostly compressed) size of documents unpacked at once.
pub(super) const STORED_BYTES_MAX: i64 = 8 << 20;

/// What kind of record is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportedKind {
    Instance,
    Holdings,
    Authority,
}

impl ExportedKind {
    /// The table of the inventory's records.
    #[must_use]
    pub fn table(self) -> &'static str {
        match self {
            ExportedKind::Instance => "instance",
            ExportedKind::Holdings => "holdings_record",
            ExportedKind::Authority => "authority",
        }
    }

    /// The property of a source record that names its record.
    fn holder(self) -> &'static str {
        match self {
            ExportedKind::Instance => "externalIdsHolder.instanceId",
            ExportedKind::Holdings => "externalIdsHolder.holdingsId",
            ExportedKind::Authority => "externalIdsHolder.authorityId",
        }
    }

    fn source_type(self) -> &'static str {
        match self {
            ExportedKind::Instance => "MARC_BIB",
            ExportedKind::Holdings => "MARC_HOLDING",
            ExportedKind::Authority => "MARC_AUTHORITY",
        }
    }
}

/// The source of ids.
#[derive(Debug, Clone)]
pub enum Ids<'a> {
    /// A job's list, after this position.
    Listed(ExportJobId, i64),
    These(&'a [Uuid]),
}

/// Some records with their ids in order.
#[derive(Debug)]
pub struct Portion {
    /// The wanted ids with positions, in order.
    pub wanted: Vec<(Uuid, i64)>,
    /// The key of the last one in the order of a walk.
    pub key: Option<String>,
    /// Whether nothing follows it.
    pub is_last: bool,
    rows: Vec<Row>,
    /// The texts of records that have several source records.
    chosen: Vec<Row>,
    by_place: HashMap<i64, At>,
    with_bytes: bool,
}

/// The row of a position's source record.
#[derive(Debug, Clone, Copy)]
enum At {
    Row(usize),
    Chosen(usize),
}

/// The source record of one id.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Its own id.
    pub id: Uuid,
    /// The original bytes, if stored.
    pub raw: Option<&'a [u8]>,
    /// The current record as lines of text.
    pub formatted: Option<&'a str>,
}

impl Portion {
    /// The source record of a wanted id, if it has one.
    #[must_use]
    pub fn source(&self, place: i64) -> Option<Source<'_>> {
        let row = match *self.by_place.get(&place)? {
            At::Row(at) => self.rows.get(at)?,
            At::Chosen(at) => self.chosen.get(at)?,
        };
        let bytes: Option<&[u8]> = if self.with_bytes {
            row.get(BYTES)
        } else {
            None
        };
        let text: Option<&str> = row.get(CONTENT);
        Some(Source {
            id: row.get(SOURCE),
            raw: bytes.or(text.map(str::as_bytes)),
            formatted: row.get(LINES),
        })
    }
}

// The columns of a portion's statement.
const PLACE: usize = 0;
const SOURCE: usize = 1;
const CONTENT: usize = 2;
const LINES: usize = 3;
const ID: usize = 4;
const FITS: usize = 5;
const KEY: usize = 6;
const BYTES: usize = 7;

/// Reads a tenant's records.
#[derive(Debug, Clone)]
pub struct Reader {
    pub(super) database: Database,
    pub(super) tenant: Tenant,
    /// Whether original bytes are stored separately.
    with_bytes: bool,
}

impl Reader {
    pub async fn open(database: &Database, tenant: &Tenant) -> Result<Reader, StoreError> {
        let table = format!("{}.source_record_bytes", tenant.schema());
        let sql = "SELECT to_regclass($1) IS NOT NULL AS found";
        let rows = database.query(sql, &[&table]).await?;
        Ok(Reader {
            database: database.clone(),
            tenant: tenant.clone(),
            with_bytes: rows.first().is_some_and(|row| row.get("found")),
        })
    }

    /// Instances after a key in the order of their HRIDs, which is that of loading.
    pub async fn walk(
        &self,
        predicate: &Predicate,
        behind: &str,
        most: i64,
    ) -> Result<Portion, StoreError> {
        let mut page = Sql::default();
        let schema = self.tenant.schema();
        let order = order();
        page.push(&format!(
            "SELECT id, row_number() OVER () AS place, key FROM \
             (SELECT id, {order} AS key FROM {schema}.instance WHERE {order} > "
        ));
        page.bind(Parameter::Text(behind.to_owned()), "text");
        if *predicate != Predicate::Everything {
            let mut filter = Sql::default();
            std::mem::swap(&mut filter.parameters, &mut page.parameters);
            filter.filter(schema, predicate);
            std::mem::swap(&mut filter.parameters, &mut page.parameters);
            page.push(&filter.text.replacen(" WHERE ", " AND (", 1));
            page.push(")");
        }
        page.push(&format!(" ORDER BY {order} LIMIT "));
        page.bind(Parameter::Integer(most), "bigint");
        page.push(") AS walked");
        let fresh = *predicate != Predicate::Everything;
        self.portion(ExportedKind::Instance, page, fresh, most)
            .await
    }

    /// Records by their ids, in the order of these.
    pub async fn among(
        &self,
        kind: ExportedKind,
        ids: Ids<'_>,
        most: i64,
    ) -> Result<Portion, StoreError> {
        let mut page = Sql::default();
        match ids {
            Ids::Listed(job, behind) => {
                page.push(&format!(
                    "SELECT record AS id, place, NULL::text AS key FROM {}.data_export_id \
                     WHERE job = ",
                    self.tenant.schema()
                ));
                page.bind(Parameter::Id(job.uuid()), "uuid");
                page.push(" AND place > ");
                page.bind(Parameter::Integer(behind), "bigint");
                page.push(" ORDER BY place LIMIT ");
                page.bind(Parameter::Integer(most), "bigint");
            }
            Ids::These(ids) => {
                page.push("SELECT id, place, NULL::text AS key FROM unnest(");
                page.bind(Parameter::Ids(ids.to_vec()), "uuid[]");
                page.push(") WITH ORDINALITY AS given(id, place)");
            }
        }
        self.portion(kind, page, false, most).await
    }

    async fn portion(
        &self,
        kind: ExportedKind,
        page: Sql,
        fresh: bool,
        most: i64,
    ) -> Result<Portion, StoreError> {
        let of_record = key(&Index::plain(kind.holder()).keep_accents());
        // Which of several source records is current is a separate query, so that the texts of the
        // others are not read.
        let found = format!(
            "(SELECT id, jsonb, count(*) OVER () > 1 AS several FROM {}.source_record \
             WHERE {of_record} = page.id::text OFFSET 0)",
            self.tenant.schema()
        );
        let sql = page.within(|page| self.within_budget(page, &found));
        // The best plan of a search depends on its values, that of a list of ids does not.
        let rows = match fresh {
            true => self.database.query_fresh(&sql.text, &sql.typed()).await?,
            false => self.database.query(&sql.text, &sql.bound()).await?,
        };
        self.arranged(kind, rows, most).await
    }

    /// Wraps a page of ids into a statement for the texts of their source records, as far as they fit.
    /// Stored (compressed) sizes are summed first, which reads none of the values, so that little more
    /// than a portion is unpacked.
    fn within_budget(&self, page: &str, found: &str) -> String {
        let schema = self.tenant.schema();
        let (stored, kept, fitting, octets) = match self.with_bytes {
            true => (
                format!(" LEFT JOIN {schema}.source_record_bytes AS kept ON kept.id = source.id"),
                ", CASE WHEN NOT source.several THEN kept.bytes END AS bytes",
                ", CASE WHEN fits THEN bytes END",
                " + coalesce(octet_length(bytes), 0)",
            ),
            false => (String::new(), "", "", ""),
        };
        let bytes = if self.with_bytes { ", bytes" } else { "" };
        // `OFFSET 0` keeps the planner from flattening the levels, which would unpack a text once per
        // use.
        format!(
            "WITH page AS MATERIALIZED ({page}) \
             SELECT place, source, CASE WHEN fits THEN content END, CASE WHEN fits THEN lines END, \
             id, fits, key{fitting} FROM (SELECT place, source, content, lines, id, key{bytes}, \
             is_first OR (is_near AND sum(coalesce(octet_length(content), 0) \
             + coalesce(octet_length(lines), 0){octets}) OVER (ROWS UNBOUNDED PRECEDING) \
             <= {BYTES_MAX}) AS fits FROM (SELECT place, source, id, key, is_first, is_near{bytes}, \
             CASE WHEN is_first OR is_near THEN jsonb->'rawRecord'->>'content' END AS content, \
             CASE WHEN is_first OR is_near THEN jsonb->'parsedRecord'->>'formattedContent' END AS lines \
             FROM (SELECT page.place, page.id, page.key, source.id AS source{kept}, \
             CASE WHEN NOT source.several THEN source.jsonb END AS jsonb, \
             page.place = (SELECT min(place) FROM page) AS is_first, \
             coalesce(sum(CASE WHEN NOT source.several THEN pg_column_size(source.jsonb) END) \
             OVER (ROWS UNBOUNDED PRECEDING), 0) <= {STORED_BYTES_MAX} AS is_near \
             FROM page LEFT JOIN LATERAL {found} AS source ON true{stored}) AS found OFFSET 0) AS read) \
             AS counted"
        )
    }

    /// The rows by position, as far as they fit. Of several source records the current one is used.
    async fn arranged(
        &self,
        kind: ExportedKind,
        rows: Vec<Row>,
        most: i64,
    ) -> Result<Portion, StoreError> {
        let mut candidates: HashMap<i64, Vec<usize>> = HashMap::with_capacity(rows.len());
        let mut wanted = Vec::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            let place: i64 = row.get(PLACE);
            let there = candidates.entry(place).or_default();
            if there.is_empty() {
                wanted.push((row.get::<_, Uuid>(ID), place));
            }
            there.push(at);
        }
        wanted.sort_by_key(|(_, place)| *place);
        let read = wanted.len();
        let is_unfit = |place: &i64| match candidates[place].as_slice() {
            [only] => !rows[*only].get::<_, bool>(FITS),
            _ => false,
        };
        if let Some(cut) = wanted.iter().position(|(_, place)| is_unfit(place)) {
            wanted.truncate(cut);
        }
        let several = wanted
            .iter()
            .filter(|(_, place)| candidates[place].len() > 1);
        let several: Vec<(i64, Vec<Uuid>)> = several
            .map(|(_, place)| {
                let sources = candidates[place].iter().map(|at| rows[*at].get(SOURCE));
                (*place, sources.collect())
            })
            .collect();
        let mut by_place: HashMap<i64, At> = HashMap::with_capacity(wanted.len());
        for (_, place) in &wanted {
            if let [only] = candidates[place].as_slice()
                && rows[*only].get::<_, Option<Uuid>>(SOURCE).is_some()
            {
                by_place.insert(*place, At::Row(*only));
            }
        }
        let chosen = self.chosen(kind, &several).await?;
        for (at, (place, row)) in chosen.iter().enumerate() {
            if row.get(FITS) {
                by_place.insert(*place, At::Chosen(at));
            } else if let Some(cut) = wanted.iter().position(|(_, one)| one == place) {
                wanted.truncate(cut);
            }
        }
        let last = wanted.last().and_then(|(_, place)| candidates.get(place));
        let last = last.and_then(|found| rows.get(*found.first()?));
        Ok(Portion {
            key: last.and_then(|row| row.get(KEY)),
            is_last: wanted.len() == read && (read as i64) < most,
            wanted,
            chosen: chosen.into_iter().map(|(_, row)| row).collect(),
            rows,
            by_place,
            with_bytes: self.with_bytes,
        })
    }

    /// The texts of the current ones among several source records.
    async fn chosen(
        &self,
        kind: ExportedKind,
        several: &[(i64, Vec<Uuid>)],
    ) -> Result<Vec<(i64, Row)>, StoreError> {
        let ids: Vec<Uuid> = several.iter().flat_map(|(_, ids)| ids).copied().collect();
        let current = self.current_among(kind, &ids).await?;
        let newest = several.iter().filter_map(|(place, ids)| {
            let known = ids.iter().filter_map(|id| Some((*current.get(id)?, *id)));
            known.max().map(|(_, id)| (*place, id))
        });
        let (places, ids): (Vec<i64>, Vec<Uuid>) = newest.unzip();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let found = format!(
            "(SELECT id, jsonb, false AS several FROM {}.source_record WHERE id = page.id OFFSET 0)",
            self.tenant.schema()
        );
        let page = "SELECT id, place, NULL::text AS key FROM unnest($1::uuid[]) \
                    WITH ORDINALITY AS given(id, place)";
        let sql = self.within_budget(page, &found);
        let mut placed = Vec::with_capacity(ids.len());
        for row in self.database.query(&sql, &[&ids]).await? {
            let at = row.get::<_, i64>(PLACE) - 1;
            let place = usize::try_from(at).ok().and_then(|at| places.get(at));
            // A source record deleted meanwhile is skipped.
            if let Some(place) = place
                && row.get::<_, Option<Uuid>>(SOURCE).is_some()
            {
                placed.push((*place, row));
            }
        }
        Ok(placed)
    }

    async fn current_among(
        &self,
        kind: ExportedKind,
        ids: &[Uuid],
    ) -> Result<HashMap<Uuid, i64>, StoreError> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let sql = format!(
            "SELECT id, coalesce((jsonb->>'generation')::bigint, 0) AS generation \
             FROM {}.source_record \
             WHERE id = ANY($1) AND {} IN ('ACTUAL', 'DELETED') AND {} = $2",
            self.tenant.schema(),
            text_at("state"),
            text_at("recordType")
        );
        let source_type = kind.source_type();
        let rows = self.database.query(&sql, &[&ids, &source_type]).await?;
        Ok(rows
            .iter()
            .map(|row| (row.get("id"), row.get("generation")))
            .collect())
    }

    /// Id, HRID and title of records, for the log of errors.
    pub async fn hrid_and_title(
        &self,
        kind: ExportedKind,
        id: Uuid,
    ) -> Result<Option<(Option<String>, Option<String>)>, StoreError> {
        let sql = format!(
            "SELECT jsonb->>'hrid' AS hrid, jsonb->>'title' AS title FROM {}.{} WHERE id = $1",
            self.tenant.schema(),
            kind.table()
        );
        let rows = self.database.query(&sql, &[&id]).await;
        match rows {
            Ok(rows) => Ok(rows.first().map(|row| (row.get("hrid"), row.get("title")))),
            Err(error) if error.is_undefined_table() => Ok(None),
            Err(error) => Err(DatabaseError::into(error)),
        }
    }
}

/// The key of the index on HRIDs.
fn order() -> String {
    folded(&Index::unique("hrid"))
}
