//! Holdings and items of records: their sizes and documents.

use std::collections::HashMap;

use octavo_postgres::RawJson;
use octavo_records::StoreError;
use uuid::Uuid;

use super::records::Reader;

/// The meaning of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// An instance's id.
    Instance,
    /// The holdings' own id.
    Own,
}

impl By {
    fn condition(self) -> &'static str {
        match self {
            By::Instance => "h.instanceid = wanted.id",
            By::Own => "h.id = wanted.id",
        }
    }
}

/// How many holdings and items belong to a record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Their number, counted up to the limit.
    pub parts: i64,
    /// Their size in bytes, estimated without unpacking.
    pub bytes: i64,
}

impl Reader {
    /// The sizes for each of these, counted up to `most` parts. Only compressed values are unpacked to
    /// measure them.
    pub async fn sizes(
        &self,
        by: By,
        ids: &[Uuid],
        items: bool,
        most: i64,
    ) -> Result<HashMap<Uuid, Size>, StoreError> {
        let (schema, condition) = (self.tenant.schema(), by.condition());
        let items = match items {
            true => format!(
                " UNION ALL SELECT i.jsonb FROM {schema}.holdings_record AS h \
                 JOIN {schema}.item AS i ON i.holdingsrecordid = h.id WHERE {condition}"
            ),
            false => String::new(),
        };
        let sql = format!(
            "SELECT wanted.id, summed.parts, summed.bytes FROM unnest($1::uuid[]) AS wanted(id) \
             CROSS JOIN LATERAL (SELECT count(*) AS parts, coalesce(sum( \
             CASE WHEN pg_column_compression(jsonb) IS NULL THEN pg_column_size(jsonb) \
             ELSE octet_length(jsonb::text) END), 0) AS bytes \
             FROM (SELECT h.jsonb FROM {schema}.holdings_record AS h WHERE {condition}{items} LIMIT $2) \
             AS part) AS summed WHERE summed.parts > 0"
        );
        let rows = self.database.query(&sql, &[&ids, &most]).await?;
        let size = |row: &octavo_postgres::Row| {
            let size = Size {
                parts: row.get("parts"),
                bytes: row.get("bytes"),
            };
            (row.get("id"), size)
        };
        Ok(rows.iter().map(size).collect())
    }

    /// The holdings of these in the order of their HRIDs, each with its items if requested, and with the
    /// HRID of its instance.
    pub async fn holdings(
        &self,
        by: By,
        ids: &[Uuid],
        items: bool,
    ) -> Result<HashMap<Uuid, Vec<Vec<u8>>>, StoreError> {
        let schema = self.tenant.schema();
        let items = match items {
            true => format!(
                "(SELECT coalesce(jsonb_agg(one.jsonb ORDER BY one.jsonb->>'hrid'), '[]') \
                 FROM {schema}.item AS one WHERE one.holdingsrecordid = h.id)"
            ),
            false => "'[]'::jsonb".to_owned(),
        };
        let sql = format!(
            "SELECT wanted.id, found.document FROM unnest($1::uuid[]) AS wanted(id) \
             CROSS JOIN LATERAL (SELECT h.jsonb || jsonb_build_object('items', {items}, \
             'instanceHrId', i.jsonb->>'hrid') AS document \
             FROM {schema}.holdings_record AS h JOIN {schema}.instance AS i ON i.id = h.instanceid \
             WHERE {} ORDER BY h.jsonb->>'hrid') AS found",
            by.condition()
        );
        let mut found: HashMap<Uuid, Vec<Vec<u8>>> = HashMap::new();
        for row in &self.database.query(&sql, &[&ids]).await? {
            let holdings = row.get::<_, RawJson<'_>>("document").0.to_vec();
            found.entry(row.get("id")).or_default().push(holdings);
        }
        Ok(found)
    }
}
