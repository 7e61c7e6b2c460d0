//! MARC searches as SQL: on search terms, and rechecked in the records if the terms are not exact. Only
//! checked tags and codes are in the text of paths; values are bound.

use octavo_postgres::Database;
use octavo_records::plan::{Parameter, Sql};
use octavo_records::store::planned_rows;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

use crate::expression::{DateTest, Expression};
use crate::terms::{Condition, Filter, Recheck, Terms, filter};

/// Maximal number of counted matches if the terms are exact.
pub const COUNTED_MAX: i64 = 10_000;
/// With this many expected matches the probe is skipped.
pub const COMMON_MIN: i64 = 20_000;
/// Maximal number of counted matches if each record must be rechecked.
pub const RECHECKED_MAX: i64 = 1_000;

/// A parsed search.
#[derive(Debug, Clone)]
pub struct MarcSearch {
    /// The expression.
    pub expression: Expression,
    /// Their type, as [`crate::terms::Entry::kind`] says.
    pub kind: i16,
    /// Whether deleted ones are among them.
    pub with_deleted: bool,
    /// Whether they are hidden from discovery; nothing if that does not matter.
    pub suppressed: Option<bool>,
}

/// The first matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The number of matches read; one more than the limit when there are more.
    pub found: i64,
    /// The number of described records.
    pub things: i64,
    /// The ids of those of the page.
    pub ids: Vec<Uuid>,
}

impl MarcSearch {
    /// The maximal number of counted matches.
    #[must_use]
    pub fn counted_max(&self) -> i64 {
        if is_exact(&self.expression) {
            COUNTED_MAX
        } else {
            RECHECKED_MAX
        }
    }

    /// The first matches in any order: their number, and a page of them sorted. PostgreSQL is prevented
    /// from scanning in order here, since it overestimates rare terms.
    pub async fn probe(
        &self,
        database: &Database,
        tenant: &Tenant,
        limit: i64,
        offset: i64,
    ) -> Result<Probe, StoreError> {
        let mut sql = Sql::default();
        sql.push("WITH found AS MATERIALIZED (SELECT term.external_id");
        self.matching(&mut sql, tenant.schema());
        sql.push(" LIMIT ");
        sql.bind(Parameter::Integer(self.counted_max() + 1), "bigint");
        sql.push(
            ") SELECT (SELECT count(*) FROM found) AS found, \
             (SELECT count(DISTINCT external_id) FROM found) AS things, \
             array(SELECT DISTINCT external_id FROM found ORDER BY external_id LIMIT ",
        );
        sql.bind(Parameter::Integer(limit), "bigint");
        sql.push(" OFFSET ");
        sql.bind(Parameter::Integer(offset), "bigint");
        sql.push(") AS ids");
        // Planned with its values: the best plan depends on how frequent the terms are.
        let rows = database.query_fresh(&sql.text, &sql.typed()).await?;
        Ok(rows.first().map_or(
            Probe {
                found: 0,
                things: 0,
                ids: Vec::new(),
            },
            |row| Probe {
                found: row.get("found"),
                things: row.get("things"),
                ids: row.get("ids"),
            },
        ))
    }

    /// The planner's estimate of the number of matches.
    pub async fn estimate(&self, database: &Database, tenant: &Tenant) -> Result<i64, StoreError> {
        let mut sql = Sql::default();
        sql.push("EXPLAIN (FORMAT JSON) SELECT 1");
        self.matching(&mut sql, tenant.schema());
        let rows = database.query(&sql.text, &sql.bound()).await?;
        Ok(planned_rows(&rows))
    }

    /// A page of ids by scanning in order, for common matches, which fill it soon. With `rows`, at most
    /// this many rows are read, and the page may not be full.
    pub async fn walk(
        &self,
        database: &Database,
        tenant: &Tenant,
        (limit, offset): (i64, i64),
        rows: Option<i64>,
    ) -> Result<Vec<Uuid>, StoreError> {
        let sql = self.ids(tenant, rows, Some(limit), offset);
        let rows = database.query_fresh(&sql.text, &sql.typed()).await?;
        Ok(rows.iter().map(|row| row.get("external_id")).collect())
    }

    /// The ids as documents, however many there are.
    #[must_use]
    pub fn documents(&self, tenant: &Tenant, limit: Option<i64>, offset: i64) -> Sql {
        self.ids(tenant, None, limit, offset)
            .within(|ids| format!("SELECT to_jsonb(external_id) AS jsonb FROM ({ids}) AS page"))
    }

    fn ids(&self, tenant: &Tenant, rows: Option<i64>, limit: Option<i64>, offset: i64) -> Sql {
        let schema = tenant.schema();
        let mut sql = Sql::default();
        sql.push("SELECT DISTINCT term.external_id FROM ");
        match rows {
            None => sql.push(&format!("{schema}.marc_term AS term")),
            Some(rows) => {
                sql.push(&format!(
                    "(SELECT * FROM {schema}.marc_term WHERE external_id IS NOT NULL \
                     ORDER BY external_id LIMIT "
                ));
                sql.bind(Parameter::Integer(rows), "bigint");
                sql.push(") AS term");
            }
        }
        self.meeting(&mut sql, schema);
        sql.push(" ORDER BY term.external_id");
        if let Some(limit) = limit {
            sql.push(" LIMIT ");
            sql.bind(Parameter::Integer(limit), "bigint");
        }
        if offset > 0 {
            sql.push(" OFFSET ");
            sql.bind(Parameter::Integer(offset), "bigint");
        }
        sql
    }

    fn matching(&self, sql: &mut Sql, schema: &str) {
        sql.push(&format!(" FROM {schema}.marc_term AS term"));
        self.meeting(sql, schema);
    }

    /// Writes the condition on rows that are called `term`.
    fn meeting(&self, sql: &mut Sql, schema: &str) {
        sql.push(" WHERE term.external_id IS NOT NULL AND term.kind = ");
        sql.bind(Parameter::Integer(i64::from(self.kind)), "bigint");
        if !self.with_deleted {
            sql.push(" AND NOT term.deleted");
        }
        match self.suppressed {
            Some(true) => sql.push(" AND term.suppressed"),
            Some(false) => sql.push(" AND NOT term.suppressed"),
            None => {}
        }
        sql.push(" AND ");
        condition(sql, schema, &self.expression);
    }
}

/// Whether the terms are exact for an expression.
#[must_use]
pub fn is_exact(expression: &Expression) -> bool {
    match expression {
        Expression::All(parts) | Expression::Any(parts) => parts.iter().all(is_exact),
        Expression::Is(operand) => filter(operand).recheck.is_none(),
    }
}

/// Writes the condition of an expression on rows that are called `term`.
fn condition(sql: &mut Sql, schema: &str, expression: &Expression) {
    let (parts, word) = match expression {
        Expression::All(parts) => (parts, " AND "),
        Expression::Any(parts) => (parts, " OR "),
        Expression::Is(operand) => return filtered(sql, schema, &filter(operand)),
    };
    sql.push("(");
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            sql.push(word);
        }
        condition(sql, schema, part);
    }
    sql.push(")");
}

fn filtered(sql: &mut Sql, schema: &str, filter: &Filter) {
    sql.push("(");
    terms(sql, &filter.terms);
    if let Some(recheck) = &filter.recheck {
        sql.push(" AND ");
        rechecked(sql, schema, recheck);
    }
    sql.push(")");
}

/// Writes a condition on the terms of rows that are called `term`.
pub(super) fn terms(sql: &mut Sql, wanted: &Terms) {
    match wanted {
        Terms::All(all) => {
            sql.push("term.terms @> ");
            array(sql, all);
        }
        Terms::Any(any) if any.len() == 1 => {
            sql.push("term.terms @> ");
            array(sql, any);
        }
        Terms::Any(any) => {
            sql.push("term.terms && ");
            array(sql, any);
        }
        Terms::Without(none) => {
            sql.push("NOT term.terms && ");
            array(sql, none);
        }
        Terms::Only(there, missing) => {
            sql.push("term.terms @> ");
            array(sql, &[*there]);
            sql.push(" AND NOT term.terms @> ");
            array(sql, &[*missing]);
        }
        Terms::Changed(test) => day(sql, "term.changed", *test),
        Terms::Nothing => sql.push("false"),
    }
}

fn array(sql: &mut Sql, terms: &[i64]) {
    sql.push("ARRAY[");
    for (at, term) in terms.iter().enumerate() {
        if at > 0 {
            sql.push(", ");
        }
        sql.bind(Parameter::Integer(*term), "bigint");
    }
    sql.push("]::bigint[]");
}

fn rechecked(sql: &mut Sql, schema: &str, recheck: &Recheck) {
    texts_at(sql, schema, &recheck.path);
    match &recheck.condition {
        Condition::Equals(text) => {
            sql.push("found.text = ");
            sql.bind(Parameter::Text(text.clone()), "text");
        }
        Condition::Differs(text) => {
            sql.push("found.text <> ");
            sql.bind(Parameter::Text(text.clone()), "text");
        }
        Condition::Begins(text) => {
            sql.push("starts_with(found.text, ");
            sql.bind(Parameter::Text(text.clone()), "text");
            sql.push(")");
        }
        Condition::At { at, value, negated } => {
            sql.push("substring(found.text, ");
            sql.bind(Parameter::Integer(i64::from(*at) + 1), "bigint::integer");
            sql.push(", ");
            let length = value.chars().count() as i64;
            sql.bind(Parameter::Integer(length), "bigint::integer");
            sql.push(if *negated { ") <> " } else { ") = " });
            sql.bind(Parameter::Text(value.clone()), "text");
        }
        Condition::Date(test) => {
            sql.push("CASE WHEN found.text ~ '^[0-9]{8}' THEN ");
            day(sql, "left(found.text, 8)::bigint", *test);
            sql.push(" ELSE false END");
        }
    }
    sql.push(")");
}

/// Begins a condition on `found.text`, each of the texts at a place of the record; the caller closes
/// the bracket.
pub(super) fn texts_at(sql: &mut Sql, schema: &str, path: &str) {
    sql.push(&format!(
        "EXISTS (SELECT FROM {schema}.source_record AS stored \
         CROSS JOIN LATERAL jsonb_path_query(stored.jsonb, "
    ));
    sql.bind(Parameter::Text(path.to_owned()), "text::jsonpath");
    sql.push(
        ") AS at(value) CROSS JOIN LATERAL (SELECT at.value #>> '{}') AS found(text) \
         WHERE stored.id = term.id AND ",
    );
}

fn day(sql: &mut Sql, of: &str, test: DateTest) {
    let (operator, day) = match test {
        DateTest::On(day) => (" = ", day),
        DateTest::NotOn(day) => (" <> ", day),
        DateTest::From(day) => (" >= ", day),
        DateTest::To(day) => (" <= ", day),
        DateTest::Between(first, last) => {
            sql.push("(");
            day_is(sql, of, " >= ", first);
            sql.push(" AND ");
            day_is(sql, of, " <= ", last);
            sql.push(")");
            return;
        }
    };
    day_is(sql, of, operator, day);
}

fn day_is(sql: &mut Sql, of: &str, operator: &str, day: i32) {
    sql.push(of);
    sql.push(operator);
    sql.bind(Parameter::Integer(i64::from(day)), "bigint");
}
