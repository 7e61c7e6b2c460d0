//! Browsing a list of headings: one descent of the index for each heading, and its view.

use octavo_records::StoreError;
use octavo_records::plan::{Parameter, Sql};
use serde_json::Value;
use uuid::Uuid;

use super::SearchTables;
use crate::query::browse::{By, Filter};

/// Maximal number of headings that one request scans when filters leave few.
const WALKED_MAX: i64 = 5_000;
/// Maximal number of counted instances of a heading.
const COUNTED_MAX: i64 = 20_000;
/// Maximal number of counted headings of a list.
const HEADINGS_MAX: i64 = 2_000;
/// Records that are read at once for counting headings.
const PORTION: i64 = 8;

/// A list of headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    Subjects,
    Contributors,
    /// Classification numbers of an option, by its number.
    Classifications(i16),
    /// Call numbers of an option, by its number.
    CallNumbers(i16),
}

impl List {
    fn kind(self) -> i16 {
        match self {
            List::Subjects => 1,
            List::Contributors => 2,
            List::Classifications(kind) | List::CallNumbers(kind) => kind,
        }
    }

    fn table(self) -> &'static str {
        match self {
            List::CallNumbers(_) => "browse_call_number",
            _ => "browse_heading",
        }
    }

    fn instances(self) -> &'static str {
        match self {
            // Several items of an instance have the same call number.
            List::CallNumbers(_) => "DISTINCT instance_id",
            _ => "instance_id",
        }
    }

    /// The view of a heading, from `one`, the first of its rows.
    fn view(self, schema: &str) -> String {
        let title = || {
            format!(
                "CASE WHEN counted.records = 1 THEN (SELECT jsonb->'title' FROM {schema}.instance \
             WHERE id = one.instance_id) END"
            )
        };
        match self {
            List::Subjects => "'value', one.value, 'authorityId', one.authority, \
                               'sourceId', one.source, 'typeId', one.type"
                .to_owned(),
            List::Contributors => format!(
                "'name', one.value, 'contributorNameTypeId', one.type, 'authorityId', \
                 one.authority, 'contributorTypeId', (SELECT coalesce(jsonb_agg(DISTINCT relator), \
                 '[]') FROM (SELECT relators FROM {schema}.browse_heading AS r WHERE \
                 r.kind = 2 AND r.sort_key = walk.sort_key AND r.heading = walk.heading LIMIT 100) \
                 AS first CROSS JOIN unnest(first.relators) AS relator)"
            ),
            List::Classifications(_) => {
                "'classificationNumber', one.value, 'classificationTypeId', one.type".to_owned()
            }
            List::CallNumbers(_) => format!(
                "'fullCallNumber', one.value, 'callNumber', one.number, \
                 'callNumberPrefix', one.prefix, 'callNumberSuffix', one.suffix, \
                 'callNumberTypeId', one.type, 'instanceTitle', {}",
                title()
            ),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Walk<'a> {
    /// The list.
    pub list: List,
    /// The algorithm of its keys.
    pub algorithm: &'a str,
    /// The anchor.
    pub anchor: &'a str,
    /// Forwards or backwards.
    pub forward: bool,
    /// Including headings with the anchor's key.
    pub included: bool,
    /// Headings at most.
    pub limit: i64,
    /// The filters.
    pub filters: &'a [Filter],
}

#[derive(Debug, Clone)]
pub struct Heading {
    /// Whether its key is the anchor's.
    pub is_anchor: bool,
    pub shown: Value,
}

impl SearchTables<'_> {
    /// Scans along a list.
    pub async fn walk(&self, walk: Walk<'_>) -> Result<Vec<Heading>, StoreError> {
        if walk.limit == 0 {
            return Ok(Vec::new());
        }
        let sql = self.walk_sql(walk);
        let headings = self.rows(&sql).await?;
        let headings = headings.iter().map(|row| Heading {
            is_anchor: row.get("is_anchor"),
            shown: row.get("shown"),
        });
        Ok(headings.collect())
    }

    fn walk_sql(&self, walk: Walk<'_>) -> Sql {
        let (schema, table, kind) = (self.schema(), walk.list.table(), walk.list.kind());
        let (beyond, down) = if walk.forward {
            (">", "")
        } else {
            ("<", " DESC")
        };
        let first = if walk.included {
            format!("{beyond}=")
        } else {
            beyond.to_owned()
        };
        let order = format!("ORDER BY sort_key{down}, heading{down} LIMIT 1");
        let mut sql = Sql::default();
        sql.push(&format!(
            "WITH RECURSIVE anchor AS MATERIALIZED (SELECT {schema}.search_shelf_key("
        ));
        sql.bind(Parameter::Text(walk.algorithm.to_owned()), "text");
        sql.push(", ");
        sql.bind(Parameter::Text(walk.anchor.trim().to_owned()), "text");
        // PostgreSQL ends the recursion when no more rows are fetched from it.
        sql.push(&format!(
            ") COLLATE \"C\" AS key), walk(sort_key, heading, step) AS (\
             (SELECT sort_key, heading, 1 FROM {schema}.{table} WHERE kind = {kind} \
             AND sort_key {first} (SELECT key FROM anchor) {order}) \
             UNION ALL SELECT next.sort_key, next.heading, walk.step + 1 FROM walk \
             CROSS JOIN LATERAL (SELECT sort_key, heading FROM {schema}.{table} \
             WHERE kind = {kind} AND (sort_key, heading) {beyond} (walk.sort_key, walk.heading) \
             {order}) AS next WHERE walk.step < "
        ));
        sql.bind(Parameter::Integer(WALKED_MAX), "bigint");
        sql.push(&format!(
            ") SELECT walk.sort_key = (SELECT key FROM anchor) AS is_anchor, \
             jsonb_strip_nulls(jsonb_build_object({}, 'totalRecords', \
             counted.records)) AS shown FROM walk \
             CROSS JOIN LATERAL (SELECT * FROM {schema}.{table} WHERE kind = {kind} \
             AND sort_key = walk.sort_key AND heading = walk.heading",
            walk.list.view(schema)
        ));
        filter(&mut sql, walk.list, walk.filters);
        sql.push(&format!(
            " LIMIT 1) AS one CROSS JOIN LATERAL (SELECT count(*) AS records FROM \
             (SELECT {} FROM {schema}.{table} WHERE kind = {kind} AND sort_key = walk.sort_key \
             AND heading = walk.heading",
            walk.list.instances()
        ));
        filter(&mut sql, walk.list, walk.filters);
        sql.push(" LIMIT ");
        sql.bind(Parameter::Integer(COUNTED_MAX), "bigint");
        sql.push(") AS each) AS counted LIMIT ");
        sql.bind(Parameter::Integer(walk.limit), "bigint");
        sql
    }

    /// The number of headings of a list, counted up to [`HEADINGS_MAX`].
    pub async fn headings(&self, list: List) -> Result<i64, StoreError> {
        let (schema, table, kind) = (self.schema(), list.table(), list.kind());
        let mut sql = Sql::default();
        // Headings with about one record each are read in portions; for few headings with many records
        // each it becomes a loose index scan, one step per heading.
        sql.push(&format!(
            "WITH RECURSIVE walk(sort_key, heading, counted) AS (\
             SELECT '' COLLATE \"C\", '{nil}'::uuid, 0::bigint UNION ALL \
             SELECT next.keys[next.records], next.headings[next.records], \
             walk.counted + next.distinct_headings FROM walk CROSS JOIN LATERAL (SELECT \
             array_agg(sort_key) AS keys, array_agg(heading) AS headings, count(*) AS records, \
             count(DISTINCT heading) AS distinct_headings FROM (SELECT sort_key, heading \
             FROM {schema}.{table} WHERE kind = {kind} \
             AND (sort_key, heading) > (walk.sort_key, walk.heading) \
             ORDER BY sort_key, heading LIMIT {PORTION}) AS portion) AS next \
             WHERE next.records > 0 AND walk.counted < ",
            nil = Uuid::nil()
        ));
        sql.bind(Parameter::Integer(HEADINGS_MAX), "bigint");
        sql.push(") SELECT least(max(counted), ");
        sql.bind(Parameter::Integer(HEADINGS_MAX), "bigint");
        sql.push(") AS headings FROM walk");
        let rows = self
            .store
            .database
            .query_long(&sql.text, &sql.bound())
            .await?;
        Ok(rows.first().map_or(0, |row| row.get("headings")))
    }

    /// The number of headings for each value of a facet.
    pub async fn heading_facet(
        &self,
        list: List,
        column: &'static str,
        filters: &[Filter],
        most: i64,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let mut sql = Sql::default();
        sql.push(&format!(
            "SELECT {column}::text AS value, count(DISTINCT heading) FROM (SELECT {column}, \
             heading \
             FROM {}.{} WHERE kind = {} AND {column} IS NOT NULL",
            self.schema(),
            list.table(),
            list.kind()
        ));
        filter(&mut sql, list, filters);
        sql.push(") AS row GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ");
        sql.bind(Parameter::Integer(most), "bigint");
        let rows = self.rows(&sql).await?;
        Ok(rows
            .iter()
            .map(|row| (row.get("value"), row.get("count")))
            .collect())
    }
}

/// Keeps the rows that have one of the values of each filter.
fn filter(sql: &mut Sql, list: List, filters: &[Filter]) {
    for one in filters {
        let column = match (one.by, list) {
            (By::Type, _) => "type",
            (By::Source, List::Subjects) => "source",
            (By::Location, List::CallNumbers(_)) => "location",
            _ => {
                sql.push(" AND false");
                continue;
            }
        };
        sql.push(&format!(" AND {column} = ANY("));
        sql.bind(Parameter::Ids(one.values.clone()), "uuid[]");
        sql.push(")");
    }
}
