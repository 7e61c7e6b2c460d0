//! Searches, facets and browsing of authorities' headings.

use octavo_postgres::RawJson;
use octavo_records::StoreError;
use octavo_records::plan::{Parameter, Sql};
use serde_json::Value;
use uuid::Uuid;

use super::SearchTables;
use super::browse::Heading;
use super::search::{SearchResult, Shown};
use crate::query::authorities::{AuthorityQuery, ColumnKind, Condition, NO_FILE, SortBy, Test};

/// Maximal number of ranked hits; the rest has no order, since ranking reads every hit.
const RANKED_MAX: i64 = 10_000;
/// Headings that are counted for a page of browsing.
const HEADINGS_MAX: i64 = 2_000;

/// The view of an authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Whole, with notes and all forms of its heading.
    pub whole: bool,
    /// With the number of linked titles.
    pub titles: bool,
}

/// A scan along headings.
#[derive(Debug, Clone, Copy)]
pub struct Along<'a> {
    /// The anchor.
    pub anchor: &'a str,
    /// Forwards or backwards.
    pub forward: bool,
    /// Including headings with the anchor's key.
    pub included: bool,
    /// Headings at most.
    pub limit: i64,
    /// The condition.
    pub condition: &'a Condition,
    /// The view.
    pub view: View,
}

impl SearchTables<'_> {
    /// A page of what a search finds.
    pub async fn authorities(
        &self,
        wanted: &AuthorityQuery,
        shown: Shown,
        view: View,
    ) -> Result<SearchResult, StoreError> {
        let condition = wanted.without(None);
        let mut sql = Sql::default();
        let schema = self.schema();
        let words = ranked(&condition);
        sql.push("WITH page AS MATERIALIZED (SELECT hit.*, row_number() OVER () AS place FROM (");
        if wanted.sort.is_empty() && !words.is_empty() {
            sql.push("SELECT * FROM (SELECT *, ts_rank(words, ");
            for (at, (any, words)) in words.iter().enumerate() {
                sql.push(if at > 0 { " || " } else { "" });
                self.words(&mut sql, *any, words);
            }
            sql.push(&format!(
                ") AS rank FROM {schema}.search_authority AS a WHERE "
            ));
            self.authority_condition(&mut sql, &condition);
            sql.push(" LIMIT ");
            sql.bind(Parameter::Integer(RANKED_MAX), "bigint");
            sql.push(") AS found ORDER BY rank DESC, sort_key, id, at");
        } else {
            sql.push(&format!(
                "SELECT * FROM {schema}.search_authority AS a WHERE "
            ));
            self.authority_condition(&mut sql, &condition);
            sql.push(&format!(" ORDER BY {}", order(wanted)));
        }
        sql.push(" LIMIT ");
        sql.bind(Parameter::Integer(shown.limit), "bigint");
        sql.push(" OFFSET ");
        sql.bind(Parameter::Integer(shown.offset), "bigint");
        sql.push(&format!(
            ") AS hit) SELECT {} AS shown FROM page JOIN {schema}.authority AS record ON record.id \
             = page.id \
             ORDER BY page.place",
            self.authority_view(view)
        ));
        let mut count = Sql::default();
        count.push(&format!(
            "SELECT count(*) FROM {schema}.search_authority AS a WHERE "
        ));
        self.authority_condition(&mut count, &condition);
        let (rows, total) = tokio::try_join!(self.rows(&sql), self.rows(&count))?;
        let mut found = SearchResult {
            total: total.first().map_or(0, |row| row.get("count")),
            instances: Vec::new(),
        };
        for row in &rows {
            if !found.instances.is_empty() {
                found.instances.extend_from_slice(b", ");
            }
            found
                .instances
                .extend_from_slice(row.get::<_, RawJson<'_>>("shown").0);
        }
        Ok(found)
    }

    /// The ids of the authorities that a search finds; `most` at most.
    pub async fn authority_ids(
        &self,
        wanted: &AuthorityQuery,
        most: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        let mut sql = Sql::default();
        sql.push(&format!(
            "SELECT DISTINCT id FROM {}.search_authority AS a WHERE ",
            self.schema()
        ));
        self.authority_condition(&mut sql, &wanted.without(None));
        sql.push(" LIMIT ");
        sql.bind(Parameter::Integer(most), "bigint");
        let rows = self.rows(&sql).await?;
        Ok(rows.iter().map(|row| row.get("id")).collect())
    }

    /// The number of headings for each value of a column, the commonest first.
    pub async fn authority_facet(
        &self,
        condition: &Condition,
        column: &'static str,
        most: i64,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let missing = if column == "source_file" { NO_FILE } else { "" };
        let mut sql = Sql::default();
        sql.push(&format!(
            "SELECT coalesce({column}::text, '{missing}') AS value, count(*) \
             FROM {}.search_authority AS a WHERE ",
            self.schema()
        ));
        self.authority_condition(&mut sql, condition);
        if missing.is_empty() {
            sql.push(&format!(" AND {column} IS NOT NULL"));
        }
        sql.push(" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ");
        sql.bind(Parameter::Integer(most), "bigint");
        let rows = self.rows(&sql).await?;
        Ok(rows
            .iter()
            .map(|row| (row.get("value"), row.get("count")))
            .collect())
    }

    /// Scans along headings: one descent of an index, then row by row.
    pub async fn along_authorities(&self, walk: Along<'_>) -> Result<Vec<Heading>, StoreError> {
        if walk.limit == 0 {
            return Ok(Vec::new());
        }
        let rows = self.rows(&self.along_sql(walk)).await?;
        let headings = rows.iter().map(|row| Heading {
            is_anchor: row.get("is_anchor"),
            shown: row.get::<_, Value>("shown"),
        });
        Ok(headings.collect())
    }

    fn along_sql(&self, walk: Along<'_>) -> Sql {
        let schema = self.schema();
        let (beyond, down) = match walk.forward {
            true => (">", ""),
            false => ("<", " DESC"),
        };
        let equal = if walk.included { "=" } else { "" };
        let key = |sql: &mut Sql| {
            sql.push(&format!("{schema}.search_fold("));
            sql.bind(Parameter::Text(walk.anchor.trim().to_owned()), "text");
            sql.push(", 200)");
        };
        let mut sql = Sql::default();
        sql.push("WITH page AS MATERIALIZED (SELECT one.*, row_number() OVER () AS place FROM (");
        sql.push(&format!(
            "SELECT * FROM {schema}.search_authority AS a WHERE ref <> 'Auth/Ref' \
             AND sort_key {beyond}{equal} "
        ));
        key(&mut sql);
        sql.push(" AND ");
        self.authority_condition(&mut sql, walk.condition);
        sql.push(&format!(
            " ORDER BY sort_key{down}, id{down}, at{down} LIMIT "
        ));
        sql.bind(Parameter::Integer(walk.limit), "bigint");
        sql.push(") AS one) SELECT page.sort_key = ");
        key(&mut sql);
        sql.push(&format!(
            " AS is_anchor, \
             jsonb_build_object('authority', {}, 'headingRef', page.heading) AS shown FROM page \
             JOIN {schema}.authority AS record ON record.id = page.id ORDER BY page.place",
            self.authority_view(walk.view)
        ));
        sql
    }

    /// The number of headings for browsing, counted up to [`HEADINGS_MAX`].
    pub async fn authority_headings(&self, condition: &Condition) -> Result<i64, StoreError> {
        let mut sql = Sql::default();
        sql.push(&format!(
            "SELECT count(*) FROM (SELECT FROM {}.search_authority AS a WHERE ref <> 'Auth/Ref' AND ",
            self.schema()
        ));
        self.authority_condition(&mut sql, condition);
        sql.push(" LIMIT ");
        sql.bind(Parameter::Integer(HEADINGS_MAX), "bigint");
        sql.push(") AS counted");
        let rows = self.rows(&sql).await?;
        Ok(rows.first().map_or(0, |row| row.get("count")))
    }

    /// A row of `page`, whose record is `record`.
    fn authority_view(&self, view: View) -> String {
        let (schema, tenant) = (self.schema(), self.tenant.id());
        let titles = match view.titles {
            true => format!(
                "CASE WHEN page.ref = 'Authorized' THEN (SELECT count(DISTINCT instance_id) \
                 FROM {schema}.instance_authority_link AS link WHERE link.authority_id = page.id) END"
            ),
            false => "NULL::bigint".to_owned(),
        };
        let whole = if view.whole { "record.jsonb || " } else { "" };
        format!(
            "{whole}jsonb_strip_nulls(jsonb_build_object('id', page.id, 'tenantId', '{tenant}', \
             'shared', false, 'headingType', page.heading_type, 'authRefType', page.ref, \
             'headingRef', page.heading, 'sourceFileId', page.source_file, \
             'naturalId', record.jsonb->'naturalId', 'numberOfTitles', {titles}))"
        )
    }

    /// Appends a condition over `search_authority AS a`.
    fn authority_condition(&self, sql: &mut Sql, condition: &Condition) {
        match condition {
            Condition::Everything => sql.push("true"),
            Condition::Nothing => sql.push("false"),
            Condition::All(parts) => self.authority_parts(sql, parts, " AND "),
            Condition::Any(parts) => self.authority_parts(sql, parts, " OR "),
            Condition::Not(part) => {
                sql.push("(");
                self.authority_condition(sql, part);
                sql.push(") IS NOT TRUE");
            }
            Condition::Words { field, any, words } => {
                sql.push("(true");
                if let Some(field) = field {
                    sql.push(" AND field = ");
                    sql.bind(Parameter::Text(field.clone()), "text");
                }
                if !words.is_empty() {
                    sql.push(" AND a.words @@ ");
                    self.words(sql, *any, words);
                }
                sql.push(")");
            }
            Condition::Like { field, pattern } => {
                sql.push("(");
                if let Some(field) = field {
                    sql.push("field = ");
                    sql.bind(Parameter::Text(field.clone()), "text");
                    sql.push(" AND ");
                }
                sql.push("lower(public.f_unaccent(a.heading)) LIKE lower(public.f_unaccent(");
                sql.bind(Parameter::Text(pattern.clone()), "text");
                sql.push(")))");
            }
            Condition::Column(column, kind, test) => self.authority_test(sql, column, *kind, test),
        }
    }

    fn authority_parts(&self, sql: &mut Sql, parts: &[Condition], by: &str) {
        sql.push("(");
        for (at, part) in parts.iter().enumerate() {
            sql.push(if at > 0 { by } else { "" });
            self.authority_condition(sql, part);
        }
        sql.push(if parts.is_empty() { "true)" } else { ")" });
    }

    fn authority_test(&self, sql: &mut Sql, column: &str, kind: ColumnKind, test: &Test) {
        let folded = |sql: &mut Sql, value: &str| {
            sql.push(&format!("{}.search_fold(", self.schema()));
            sql.bind(Parameter::Text(value.to_owned()), "text");
            sql.push(", 200)");
        };
        let is_list = matches!(kind, ColumnKind::FoldedList | ColumnKind::LettersList);
        match test {
            Test::Present if is_list => sql.push(&format!("{column} <> '{{}}'")),
            Test::Present => sql.push(&format!("{column} IS NOT NULL")),
            Test::Missing => sql.push(&format!("{column} IS NULL")),
            Test::Is(value) if kind == ColumnKind::Flag => {
                sql.push(if value == "true" { "" } else { "NOT " });
                sql.push(column);
            }
            Test::Is(value) if is_list => {
                sql.push(&format!("({column} @> ARRAY["));
                match kind {
                    ColumnKind::LettersList => {
                        sql.push(&format!("{}.search_letters(", self.schema()));
                        sql.bind(Parameter::Text(value.clone()), "text");
                        sql.push(")");
                    }
                    _ => folded(sql, value.trim()),
                }
                // Repeats the condition of the partial index, so that the planner uses it.
                sql.push(&format!("] AND {column} <> '{{}}')"));
            }
            Test::Is(value) => {
                sql.push(&format!("{column} = "));
                match kind {
                    ColumnKind::Folded => folded(sql, value.trim()),
                    ColumnKind::Id => {
                        sql.bind(Parameter::Text(value.clone()), "text");
                        sql.push("::uuid");
                    }
                    _ => sql.bind(Parameter::Text(value.clone()), "text"),
                }
            }
            Test::Like(pattern) if is_list => {
                sql.push(&format!(
                    "EXISTS (SELECT FROM unnest({column}) AS one \
                     WHERE lower(one) LIKE lower(public.f_unaccent("
                ));
                sql.bind(Parameter::Text(pattern.clone()), "text");
                sql.push(")))");
            }
            Test::Like(pattern) if kind == ColumnKind::Id => {
                sql.push(&format!("{column}::text LIKE lower("));
                sql.bind(Parameter::Text(pattern.clone()), "text");
                sql.push(")");
            }
            Test::Like(pattern) if kind == ColumnKind::Folded => {
                sql.push(&format!("{column} LIKE lower(public.f_unaccent("));
                sql.bind(Parameter::Text(pattern.clone()), "text");
                sql.push("))");
            }
            Test::Like(pattern) => {
                sql.push(&format!("{column} LIKE "));
                sql.bind(Parameter::Text(pattern.clone()), "text");
            }
            Test::Order(operator, value) => {
                sql.push(&format!("{column} {operator} "));
                match kind {
                    ColumnKind::Folded => folded(sql, value.trim()),
                    _ => sql.bind(Parameter::Text(value.clone()), "text"),
                }
            }
        }
    }
}

/// All word searches of a condition, for ranking.
fn ranked(condition: &Condition) -> Vec<(bool, Vec<crate::query::Word>)> {
    match condition {
        Condition::Words { any, words, .. } if !words.is_empty() => vec![(*any, words.clone())],
        Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(ranked).collect(),
        _ => Vec::new(),
    }
}

fn order(wanted: &AuthorityQuery) -> String {
    let mut keys = Vec::new();
    for (by, descending) in &wanted.sort {
        let down = if *descending { " DESC" } else { "" };
        match by {
            SortBy::Heading => {}
            SortBy::Type => keys.push(format!("heading_type{down}")),
            SortBy::Ref => keys.push(format!("ref{down}")),
        }
        keys.push(format!("sort_key{down}"));
    }
    if keys.is_empty() {
        keys.push("sort_key".to_owned());
    }
    // Ties are broken in the direction of the first key, as in its index, so that no sort is needed.
    let down = wanted
        .sort
        .first()
        .is_some_and(|(_, descending)| *descending);
    let down = if down { " DESC" } else { "" };
    keys.push(format!("id{down}, at{down}"));
    keys.join(", ")
}
