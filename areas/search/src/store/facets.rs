//! Counts instances for each value, in one statement for all facets over the same instances.

use octavo_records::StoreError;
use octavo_records::plan::{Parameter, Sql};

use super::SearchTables;
use crate::query::Condition;
use crate::query::facets::{Counted, Facet};
use crate::query::fields::{Column, ColumnKind, Table};

/// Up to this many instances, holdings and items are looked up one by one; above, a full join is faster.
const LOOKED_UP_MAX: i64 = 300_000;

/// A value and the number of instances that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The index of its facet.
    pub facet: usize,
    pub value: String,
    /// Instances.
    pub records: i64,
}

impl SearchTables<'_> {
    /// Counts facets among the instances that a condition finds; the filtered values of each are listed
    /// even if others are commoner.
    ///
    /// # Errors
    /// When a part of the query cannot be run.
    pub async fn facets(
        &self,
        condition: &Condition,
        facets: &[(&Facet, &[String])],
    ) -> Result<Vec<Value>, StoreError> {
        let schema = self.schema();
        let mut columns: Vec<&str> = Vec::new();
        for column in facets.iter().flat_map(|(facet, _)| own_columns(facet)) {
            if !columns.contains(&column.name) {
                columns.push(column.name);
            }
        }
        let columns: String = columns.iter().map(|one| format!(", one.{one}")).collect();
        let single = facets.iter().any(|(facet, _)| is_joined(facet));
        let many = single && self.believed(condition).await? > LOOKED_UP_MAX;
        let mut sql = Sql::default();
        // Instances that have the same of all that facets count are counted together. Only what joins
        // needs them one by one.
        if single {
            sql.push("WITH hit AS MATERIALIZED (SELECT s.id, s.facets");
        } else {
            sql.push(&format!(
                "WITH same AS MATERIALIZED (SELECT alike.*{columns} FROM \
                 (SELECT s.facets, count(*) AS records"
            ));
        }
        sql.push(&format!(" FROM {schema}.search_instance AS s WHERE "));
        self.condition(&mut sql, condition)?;
        if single {
            sql.push(&format!(
                "), same AS MATERIALIZED (SELECT alike.*{columns} FROM \
                 (SELECT facets, count(*) AS records FROM hit"
            ));
        }
        sql.push(&format!(
            " GROUP BY facets) AS alike CROSS JOIN LATERAL (SELECT * FROM {schema}.search_facet \
             WHERE id = alike.facets LIMIT 1) AS one)"
        ));
        for (at, (facet, kept)) in facets.iter().enumerate() {
            sql.push(if at == 0 { " " } else { " UNION ALL " });
            sql.push(&format!("(SELECT {at} AS facet, value, records FROM ("));
            self.values(&mut sql, facet, many);
            sql.push(") AS counted WHERE value IS NOT NULL AND records > 0 ORDER BY (value = ANY(");
            sql.bind(Parameter::Texts(kept.to_vec()), "text[]");
            sql.push(")) DESC, records DESC, value LIMIT ");
            sql.bind(Parameter::Integer(facet.values), "bigint");
            sql.push(")");
        }
        let rows = self.rows(&sql).await?;
        let values = rows.iter().map(|row| Value {
            facet: usize::try_from(row.get::<_, i32>("facet")).unwrap_or_default(),
            value: row.get("value"),
            records: row.get("records"),
        });
        Ok(values.collect())
    }

    fn values(&self, sql: &mut Sql, facet: &Facet, many: bool) {
        let columns = match &facet.counted {
            Counted::Same(value) => {
                sql.push(&format!(
                    "SELECT '{value}' AS value, sum(records)::bigint AS records FROM same"
                ));
                return;
            }
            Counted::Tenant => {
                sql.push(&format!(
                    "SELECT '{}' AS value, sum(records)::bigint AS records FROM same",
                    self.tenant.id()
                ));
                return;
            }
            Counted::Bound => {
                sql.push(&format!(
                    "SELECT (bound.id IS NOT NULL)::text AS value, count(*) AS records FROM hit \
                     LEFT JOIN ({}) AS bound ON bound.id = hit.id GROUP BY 1",
                    self.bound()
                ));
                return;
            }
            Counted::Columns(columns) => columns,
        };
        if let [one] = columns.as_slice()
            && one.table == Table::Facet
        {
            let (value, from) = taken(one, "same");
            sql.push(&format!(
                "SELECT {value} AS value, sum(records)::bigint AS records FROM {from} GROUP BY 1"
            ));
            return;
        }
        sql.push("SELECT value, count(*) AS records FROM (");
        for (at, column) in columns.iter().enumerate() {
            sql.push(if at == 0 { "" } else { " UNION " });
            sql.push(&match column.table {
                Table::Instance | Table::Facet => {
                    let (value, from) = taken(column, "same");
                    let from =
                        from.replacen("same", "hit JOIN same ON same.facets = hit.facets", 1);
                    format!("SELECT DISTINCT hit.id, {value} AS value FROM {from}")
                }
                Table::Holdings => self.joined_values(column, "search_holdings", many),
                Table::Item => self.joined_values(column, "search_item", many),
            });
        }
        sql.push(") AS once GROUP BY value");
    }

    fn joined_values(&self, column: &Column, table: &str, many: bool) -> String {
        let (value, from) = taken(column, "part");
        let named = format!("{}.{table} AS part", self.schema());
        let from = from.replacen("part", &named, 1);
        // PostgreSQL estimates the hits badly and would join by scanning the whole table, which is right
        // only for many hits.
        let of_hits = if many {
            ", hit WHERE hit.id = part.instance_id"
        } else {
            " WHERE part.instance_id IN (SELECT id FROM hit)"
        };
        format!("SELECT DISTINCT part.instance_id AS id, {value} AS value FROM {from}{of_hits}")
    }
}

/// The columns of `search_facet` that a facet counts.
fn own_columns(facet: &Facet) -> Vec<&Column> {
    match &facet.counted {
        Counted::Columns(columns) => columns
            .iter()
            .filter(|one| one.table == Table::Facet)
            .collect(),
        _ => Vec::new(),
    }
}

fn is_joined(facet: &Facet) -> bool {
    match &facet.counted {
        Counted::Columns(columns) => columns.iter().any(|one| one.table != Table::Facet),
        Counted::Bound => true,
        _ => false,
    }
}

/// The value of a column as text, and its source: lists are unnested.
fn taken(column: &Column, source: &str) -> (String, String) {
    match column.kind {
        ColumnKind::Ids | ColumnKind::Texts => (
            "one::text".to_owned(),
            format!(
                "{source} CROSS JOIN unnest({source}.{}) AS one",
                column.name
            ),
        ),
        _ => (format!("{source}.{}::text", column.name), source.to_owned()),
    }
}
