//! Reading what is exported, portion by portion, each by one statement that an index serves. Nothing
//! is held between two portions: neither a connection nor a moment of the database.

use std::collections::HashMap;

use octavo_postgres::{Database, DatabaseError, RawJson, Row};
use octavo_records::expression::{folded, key, text_at};
use octavo_records::plan::{Parameter, Predicate, Sql};
use octavo_records::{Index, StoreError, Tenant};
use uuid::Uuid;

/// What kind of record is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Instances.
    Instance,
    /// Holdings.
    Holdings,
    /// Authorities.
    Authority,
}

impl Kind {
    /// The table of the inventory's records.
    #[must_use]
    pub fn table(self) -> &'static str {
        match self {
            Kind::Instance => "instance",
            Kind::Holdings => "holdings_record",
            Kind::Authority => "authority",
        }
    }

    /// The property of a source record that names its record.
    fn holder(self) -> &'static str {
        match self {
            Kind::Instance => "externalIdsHolder.instanceId",
            Kind::Holdings => "externalIdsHolder.holdingsId",
            Kind::Authority => "externalIdsHolder.authorityId",
        }
    }

    fn source_type(self) -> &'static str {
        match self {
            Kind::Instance => "MARC_BIB",
            Kind::Holdings => "MARC_HOLDING",
            Kind::Authority => "MARC_AUTHORITY",
        }
    }
}

/// Where ids come from.
#[derive(Debug, Clone)]
pub enum Ids<'a> {
    /// Of a job's list, behind this place.
    Listed(Uuid, i64),
    /// These.
    These(&'a [Uuid]),
}

/// Some records with their ids in order.
#[derive(Debug)]
pub struct Portion {
    /// Each wanted id with its place, in order.
    pub wanted: Vec<(Uuid, i64)>,
    rows: Vec<Row>,
    by_place: HashMap<i64, usize>,
    with_bytes: bool,
}

/// The source record of one id.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Its own id.
    pub id: Uuid,
    /// What came, where it is kept.
    pub raw: Option<&'a [u8]>,
    /// The record of today as lines of text.
    pub formatted: Option<&'a str>,
}

impl Portion {
    /// The source record of a wanted id, if it has one.
    #[must_use]
    pub fn source(&self, place: i64) -> Option<Source<'_>> {
        let row = self.rows.get(*self.by_place.get(&place)?)?;
        let bytes: Option<&[u8]> = if self.with_bytes { row.get(4) } else { None };
        let text: Option<&str> = row.get(2);
        Some(Source {
            id: row.get(1),
            raw: bytes.or(text.map(str::as_bytes)),
            formatted: row.get(3),
        })
    }
}

/// Reads a tenant's records.
#[derive(Debug, Clone)]
pub struct Reader {
    database: Database,
    tenant: Tenant,
    /// Whether bytes are kept apart where text does not say them.
    with_bytes: bool,
}

impl Reader {
    /// A reader of a tenant.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn open(database: &Database, tenant: &Tenant) -> Result<Reader, StoreError> {
        let table = format!("{}.source_record_bytes", tenant.schema());
        let sql = "SELECT to_regclass($1) IS NOT NULL";
        let rows = database.query(sql, &[&table]).await?;
        Ok(Reader {
            database: database.clone(),
            tenant: tenant.clone(),
            with_bytes: rows.first().is_some_and(|row| row.get(0)),
        })
    }

    /// Instances behind a key in the order of their HRIDs, which is that of loading.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn walk(
        &self,
        predicate: &Predicate,
        behind: &str,
        most: i64,
    ) -> Result<Portion, StoreError> {
        let mut page = Sql::default();
        let schema = self.tenant.schema();
        let order = order();
        page.push(&format!("SELECT id, row_number() OVER () AS place FROM (SELECT id FROM {schema}.instance WHERE {order} > "));
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
        self.portion(Kind::Instance, page, fresh).await
    }

    /// The key of the order of an instance.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn key_of(&self, instance: Uuid) -> Result<Option<String>, StoreError> {
        let sql = format!(
            "SELECT {} FROM {}.instance WHERE id = $1",
            order(),
            self.tenant.schema()
        );
        let rows = self.database.query(&sql, &[&instance]).await?;
        Ok(rows.first().and_then(|row| row.get(0)))
    }

    /// Records by their ids, in the order of these.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn among(&self, kind: Kind, ids: Ids<'_>, most: i64) -> Result<Portion, StoreError> {
        let mut page = Sql::default();
        match ids {
            Ids::Listed(job, behind) => {
                page.push(&format!(
                    "SELECT record AS id, place FROM {}.data_export_id WHERE job = ",
                    self.tenant.schema()
                ));
                page.bind(Parameter::Id(job), "uuid");
                page.push(" AND place > ");
                page.bind(Parameter::Integer(behind), "bigint");
                page.push(" ORDER BY place LIMIT ");
                page.bind(Parameter::Integer(most), "bigint");
            }
            Ids::These(ids) => {
                page.push("SELECT id, place FROM unnest(");
                page.bind(Parameter::Ids(ids.to_vec()), "uuid[]");
                page.push(") WITH ORDINALITY AS given(id, place)");
            }
        }
        self.portion(kind, page, false).await
    }

    async fn portion(&self, kind: Kind, page: Sql, fresh: bool) -> Result<Portion, StoreError> {
        let schema = self.tenant.schema();
        let of_record = key(&Index::plain(kind.holder()).keep_accents());
        let (bytes, joined) = match self.with_bytes {
            true => (
                ", kept.bytes",
                format!(" LEFT JOIN {schema}.source_record_bytes AS kept ON kept.id = source.id"),
            ),
            false => ("", String::new()),
        };
        let sql = page.within(|page| {
            format!(
                "WITH page AS MATERIALIZED ({page}) \
                 SELECT page.place, source.id, source.jsonb->'rawRecord'->>'content', \
                 source.jsonb->'parsedRecord'->>'formattedContent'{bytes}, page.id \
                 FROM page LEFT JOIN LATERAL (SELECT id, jsonb FROM {schema}.source_record \
                 WHERE {of_record} = page.id::text OFFSET 0) AS source ON true{joined}"
            )
        });
        let rows = match fresh {
            true => self.database.query_fresh(&sql.text, &sql.typed()).await?,
            false => self.database.query(&sql.text, &sql.bound()).await?,
        };
        self.arranged(kind, rows).await
    }

    /// The rows by their places. Where a record has several source records, the current one counts.
    async fn arranged(&self, kind: Kind, rows: Vec<Row>) -> Result<Portion, StoreError> {
        let mut candidates: HashMap<i64, Vec<usize>> = HashMap::with_capacity(rows.len());
        let mut wanted = Vec::with_capacity(rows.len());
        let id_column = if self.with_bytes { 5 } else { 4 };
        for (at, row) in rows.iter().enumerate() {
            let place: i64 = row.get(0);
            let there = candidates.entry(place).or_default();
            if there.is_empty() {
                wanted.push((row.get::<_, Uuid>(id_column), place));
            }
            if row.get::<_, Option<Uuid>>(1).is_some() {
                there.push(at);
            }
        }
        wanted.sort_by_key(|(_, place)| *place);
        wanted.dedup();
        let several: Vec<Uuid> = candidates
            .values()
            .filter(|rows| rows.len() > 1)
            .flatten()
            .map(|at| rows[*at].get(1))
            .collect();
        let current = self.current_among(kind, &several).await?;
        let by_place = candidates
            .into_iter()
            .filter_map(|(place, found)| match found.as_slice() {
                [] => None,
                [only] => Some((place, *only)),
                all => {
                    let newest = all.iter().filter_map(|at| {
                        let id: Uuid = rows[*at].get(1);
                        current.get(&id).map(|generation| (*generation, *at))
                    });
                    newest.max().map(|(_, at)| (place, at))
                }
            })
            .collect();
        Ok(Portion {
            wanted,
            rows,
            by_place,
            with_bytes: self.with_bytes,
        })
    }

    async fn current_among(
        &self,
        kind: Kind,
        ids: &[Uuid],
    ) -> Result<HashMap<Uuid, i64>, StoreError> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let sql = format!(
            "SELECT id, coalesce((jsonb->>'generation')::bigint, 0) FROM {}.source_record \
             WHERE id = ANY($1) AND {} IN ('ACTUAL', 'DELETED') AND {} = $2",
            self.tenant.schema(),
            text_at("state"),
            text_at("recordType")
        );
        let source_type = kind.source_type();
        let rows = self.database.query(&sql, &[&ids, &source_type]).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// The MARC in JSON of source records by their ids.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn parsed(&self, ids: &[Uuid]) -> Result<HashMap<Uuid, String>, StoreError> {
        let sql = format!(
            "SELECT id, (jsonb->'parsedRecord'->'content')::text FROM {}.source_record \
             WHERE id = ANY($1)",
            self.tenant.schema()
        );
        let rows = self.database.query(&sql, &[&ids]).await?;
        let parsed = rows.iter().filter_map(|row| {
            let text: Option<String> = row.get(1);
            Some((row.get(0), text?))
        });
        Ok(parsed.collect())
    }

    /// Records of inventory by their ids.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn documents(
        &self,
        kind: Kind,
        ids: &[Uuid],
    ) -> Result<HashMap<Uuid, Vec<u8>>, StoreError> {
        let sql = format!(
            "SELECT id, jsonb FROM {}.{} WHERE id = ANY($1)",
            self.tenant.schema(),
            kind.table()
        );
        let rows = self.database.query(&sql, &[&ids]).await?;
        let document = |row: &Row| (row.get(0), row.get::<_, RawJson<'_>>(1).0.to_vec());
        Ok(rows.iter().map(document).collect())
    }

    /// The holdings of instances, each with its items where these are wanted, in the order of their
    /// HRIDs. At most `most` holdings of one instance and as many items of one of the holdings.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn holdings_of(
        &self,
        instances: &[Uuid],
        items: bool,
        most: i64,
    ) -> Result<HashMap<Uuid, Vec<Vec<u8>>>, StoreError> {
        let sql = with_items(self.tenant.schema(), items, "h.instanceid = wanted.id");
        self.grouped(&sql, instances, most).await
    }

    /// Holdings by their own ids, each as [`Reader::holdings_of`] gives them.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn holdings(
        &self,
        ids: &[Uuid],
        items: bool,
        most: i64,
    ) -> Result<HashMap<Uuid, Vec<Vec<u8>>>, StoreError> {
        let sql = with_items(self.tenant.schema(), items, "h.id = wanted.id");
        self.grouped(&sql, ids, most).await
    }

    async fn grouped(
        &self,
        sql: &str,
        ids: &[Uuid],
        most: i64,
    ) -> Result<HashMap<Uuid, Vec<Vec<u8>>>, StoreError> {
        let rows = self.database.query(sql, &[&ids, &most]).await?;
        let mut found: HashMap<Uuid, Vec<Vec<u8>>> = HashMap::new();
        for row in &rows {
            let holdings = row.get::<_, RawJson<'_>>(1).0.to_vec();
            found.entry(row.get(0)).or_default().push(holdings);
        }
        Ok(found)
    }

    /// Id, HRID and title of records, for the log of errors.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn told(
        &self,
        kind: Kind,
        id: Uuid,
    ) -> Result<Option<(Option<String>, Option<String>)>, StoreError> {
        let sql = format!(
            "SELECT jsonb->>'hrid', jsonb->>'title' FROM {}.{} WHERE id = $1",
            self.tenant.schema(),
            kind.table()
        );
        let rows = self.database.query(&sql, &[&id]).await;
        match rows {
            Ok(rows) => Ok(rows.first().map(|row| (row.get(0), row.get(1)))),
            Err(error) if error.is_undefined_table() => Ok(None),
            Err(error) => Err(DatabaseError::into(error)),
        }
    }
}

/// Holdings that answer the condition, with their items and the HRID of their instance inside.
fn with_items(schema: &str, items: bool, condition: &str) -> String {
    let items = match items {
        true => format!(
            "(SELECT coalesce(jsonb_agg(one.jsonb ORDER BY one.jsonb->>'hrid'), '[]') FROM \
             (SELECT jsonb FROM {schema}.item WHERE holdingsrecordid = h.id LIMIT $2) AS one)"
        ),
        false => "'[]'::jsonb".to_owned(),
    };
    format!(
        "SELECT wanted.id, found.document FROM unnest($1::uuid[]) AS wanted(id) \
         CROSS JOIN LATERAL (SELECT h.jsonb || jsonb_build_object('items', {items}, \
         'instanceHrId', i.jsonb->>'hrid') AS document \
         FROM {schema}.holdings_record AS h JOIN {schema}.instance AS i ON i.id = h.instanceid \
         WHERE {condition} ORDER BY h.jsonb->>'hrid' LIMIT $2) AS found"
    )
}

/// The key of the index on HRIDs.
fn order() -> String {
    folded(&Index::unique("hrid"))
}
