//! Instances that changed in a span of time, themselves or their holdings and items, and deleted ones,
//! for harvesters.
//!
//! Dates of instances, holdings and deletions are indexed. Those of items are not, since every check-out
//! would have to update the index: if they matter all items are scanned, unless a library has applied an
//! index, which is then used.

use jiff::{SignedDuration, Timestamp};
use octavo_records::expression::{key, text_at};
use octavo_records::plan::{Parameter, Sql};
use octavo_records::{Catalog, IndexKind, Tenant, instant};

use super::named::suppressed;

/// The filter.
#[derive(Debug, Clone, Default)]
pub struct ChangeFilter {
    /// Changes from this instant on; from the beginning without it.
    pub from: Option<Timestamp>,
    /// Changes up to this instant; all later ones without it.
    pub to: Option<Timestamp>,
    /// Include deleted instances.
    pub deleted: bool,
    /// Without instances suppressed from discovery.
    pub skip_suppressed: bool,
    /// Only instances of this source.
    pub source: Option<String>,
    /// Whether changes of holdings and items count as changes of their instance.
    pub with_items: bool,
}

/// The name and columns under which [`instances`] is read on.
pub const LISTED: &str = "changed(instance, source, updated, suppressed, deleted)";
/// The date of a listed instance as harvesters read it, empty where there is none.
pub const INSTANT: &str = "coalesce(to_char(updated AT TIME ZONE 'UTC', \
                           'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), '')";

/// Stored dates are indexed as text. One with another offset than UTC sorts at most this far from its
/// instant, so the index range is extended by it; the instant itself is compared afterwards.
const OFFSET_MAX: SignedDuration = SignedDuration::from_hours(16);
/// The beginning of an open span, as in FOLIO.
const FIRST: &str = "1970-01-01T00:00:00Z";
const LAST: &str = "2050-01-01T00:00:00Z";
const UPDATED: &str = "metadata.updatedDate";

/// The instances: id, source, date of the last change in the span, whether hidden, whether deleted.
///
/// # Panics
/// When inventory does not declare its own tables.
#[must_use]
pub fn instances(tenant: &Tenant, catalog: &Catalog, wanted: &ChangeFilter) -> Sql {
    let schema = tenant.schema();
    let mut sql = Sql::default();
    let always = wanted.from.is_none() && wanted.to.is_none() && !wanted.with_items;
    if !always {
        let first = at(wanted.from, FIRST);
        let last = at(wanted.to, LAST);
        let low = first.checked_sub(OFFSET_MAX).unwrap_or(first);
        let high = last.checked_add(OFFSET_MAX).unwrap_or(last);
        for text in [first, last, low, high].map(instant::format) {
            sql.parameters.push(Parameter::Text(text));
        }
    }
    let span = Span { catalog, always };
    let source = wanted.source.as_ref().map(|source| {
        sql.parameters.push(Parameter::Text(source.clone()));
        format!("${}::text", sql.parameters.len())
    });
    let alive = match wanted.with_items {
        false => alone(schema, &span),
        true => with_items(schema, &span),
    };
    let mut conditions = Vec::new();
    if wanted.skip_suppressed {
        conditions.push(format!("NOT {}", suppressed("n")));
    }
    if let Some(source) = &source {
        conditions.push(format!("n.jsonb->>'source' = {source}"));
    }
    sql.push(&format!(
        "SELECT n.id, n.jsonb->>'source', latest.updated, {}, false FROM {alive}",
        suppressed("n")
    ));
    if !conditions.is_empty() {
        sql.push(&format!(" WHERE {}", conditions.join(" AND ")));
    }
    if wanted.deleted {
        sql.push(&format!(
            " UNION ALL SELECT (jsonb#>>'{{record,id}}')::uuid, jsonb#>>'{{record,source}}', \
             {CREATED}::timestamptz, false, true FROM {schema}.audit_instance WHERE {}",
            span.of_audit()
        ));
        if let Some(source) = &source {
            sql.push(&format!(" AND jsonb#>>'{{record,source}}' = {source}"));
        }
    }
    sql
}

fn at(given: Option<Timestamp>, otherwise: &str) -> Timestamp {
    let otherwise = || instant::parse(otherwise).expect("invariant: a constant that is a date");
    given.unwrap_or_else(otherwise)
}

/// When an audit row was written.
const CREATED: &str = "(jsonb->>'createdDate')";

/// The conditions on dates: `$1` and `$2` are the ends, `$3` and `$4` the range of the index.
struct Span<'a> {
    catalog: &'a Catalog,
    always: bool,
}

impl Span<'_> {
    /// Of the records of a table, by the index on their date where it has one.
    fn of(&self, table: &str) -> String {
        if self.always {
            return "true".to_owned();
        }
        let collection = self.catalog.get(table);
        let collection = collection.expect("invariant: inventory declares its own tables");
        let index = collection.indexes.iter().find(|one| {
            let orders = matches!(one.kind, IndexKind::Index | IndexKind::Brin) && !one.number;
            one.field == UPDATED && orders && !one.case_sensitive
        });
        let exact = exactly(&updated());
        match index {
            // The index folds case: the `T` of a date is lower case there.
            Some(index) => {
                let key = key(index);
                format!("{key} >= lower($3::text) AND {key} <= lower($4::text) AND {exact}")
            }
            None => exact,
        }
    }

    /// Of what was deleted.
    fn of_audit(&self) -> String {
        if self.always {
            return "true".to_owned();
        }
        let exact = exactly(&format!("{CREATED}::timestamptz"));
        format!("{CREATED} >= $3::text AND {CREATED} <= $4::text AND {exact}")
    }
}

fn exactly(date: &str) -> String {
    format!("{date} BETWEEN $1::text::timestamptz AND $2::text::timestamptz")
}

fn updated() -> String {
    format!("({})::timestamptz", text_at(UPDATED))
}

/// Instances by their own date.
fn alone(schema: &str, span: &Span<'_>) -> String {
    // In a subquery, so that the index's expression needs no alias.
    format!(
        "(SELECT id, jsonb FROM {schema}.instance WHERE {}) AS n \
         CROSS JOIN LATERAL (SELECT (n.jsonb->'metadata'->>'updatedDate')::timestamptz) \
         AS latest(updated)",
        span.of("instance")
    )
}

/// Instances by the latest date in the span, of their own or of current and deleted holdings and items.
fn with_items(schema: &str, span: &Span<'_>) -> String {
    let (date, during) = (updated(), |table| span.of(table));
    let deleted = span.of_audit();
    format!(
        "(SELECT instance, max(updated) FROM (\
         SELECT id, {date} FROM {schema}.instance WHERE {instances} \
         UNION ALL SELECT instanceid, {date} FROM {schema}.holdings_record WHERE {holdings} \
         UNION ALL SELECT h.instanceid, i.updated FROM (SELECT holdingsrecordid, {date} AS updated \
         FROM {schema}.item WHERE {items}) AS i \
         JOIN {schema}.holdings_record AS h ON h.id = i.holdingsrecordid \
         UNION ALL SELECT (jsonb#>>'{{record,instanceId}}')::uuid, {CREATED}::timestamptz \
         FROM {schema}.audit_holdings_record WHERE {deleted} \
         UNION ALL SELECT coalesce(h.instanceid, (SELECT (a.jsonb#>>'{{record,instanceId}}')::uuid \
         FROM {schema}.audit_holdings_record AS a \
         WHERE a.jsonb->'record'->>'id' = i.holdings LIMIT 1)), i.updated \
         FROM (SELECT jsonb#>>'{{record,holdingsRecordId}}' AS holdings, \
         {CREATED}::timestamptz AS updated FROM {schema}.audit_item WHERE {deleted}) AS i \
         LEFT JOIN {schema}.holdings_record AS h ON h.id = i.holdings::uuid\
         ) AS change(instance, updated) GROUP BY instance) AS latest(instance, updated) \
         JOIN {schema}.instance AS n ON n.id = latest.instance",
        instances = during("instance"),
        holdings = during("holdings_record"),
        items = during("item"),
    )
}

#[cfg(test)]
mod tests {
    use octavo_records::Index;

    use super::*;
    use crate::collections;

    fn statement(of_items: Option<Index>) -> String {
        let all = collections::all().into_iter().map(|mut collection| {
            if collection.table == "item" {
                collection.indexes.extend(of_items.clone());
            }
            collection.into()
        });
        let catalog = Catalog::new(all.collect()).expect("the collections fit together");
        let tenant = Tenant::new("diku").expect("a tenant's id");
        let wanted = ChangeFilter {
            from: Some(Timestamp::UNIX_EPOCH),
            with_items: true,
            ..ChangeFilter::default()
        };
        instances(&tenant, &catalog, &wanted).text
    }

    #[test]
    fn the_date_of_items_is_looked_up_where_an_index_was_applied() {
        let bounds = |sql: &str| sql.matches("<= lower($4::text)").count();
        // Instances and holdings.
        assert_eq!(bounds(&statement(None)), 2);
        let plain = Index::plain(UPDATED);
        let brin = Index::new(IndexKind::Brin, UPDATED);
        for index in [plain.clone(), plain.keep_accents(), brin] {
            assert_eq!(bounds(&statement(Some(index))), 3);
        }
        for index in [Index::gin(UPDATED), Index::plain(UPDATED).case_sensitive()] {
            assert_eq!(bounds(&statement(Some(index))), 2);
        }
    }
}
