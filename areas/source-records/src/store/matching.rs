//! Matching records by fields, as SQL: ids by the indexes of each filter, then the records.

use octavo_postgres::Database;
use octavo_records::expression::{KEY_CHARS, fold, folded, key};
use octavo_records::plan::{Parameter, Predicate, Sql};
use octavo_records::{Index, StoreError, Tenant};
use uuid::Uuid;

use super::EXTERNAL_ID;
use super::marc_search::{terms, texts_at};
use crate::matching::{Field, Identified, MatchFilter, Matching, Part, Qualifier};
use crate::search::{IdType, current};
use crate::terms::{self as kept, Entry, Terms};

/// A page of the records that meet the filters, and how many there are, counted up to `most`.
pub async fn find(
    database: &Database,
    tenant: &Tenant,
    matching: &Matching,
    most: i64,
) -> Result<(Vec<Identified>, i64), StoreError> {
    let schema = tenant.schema();
    let mut sql = Sql::default();
    sql.push(&format!(
        "WITH found AS MATERIALIZED (SELECT record.id, ({EXTERNAL_ID})::uuid AS external_id \
         FROM {schema}.source_record AS record WHERE "
    ));
    candidates(&mut sql, schema, matching);
    sql.push(&format!(
        " AND jsonb->>'state' IN ('ACTUAL', 'DELETED') AND ({EXTERNAL_ID}) IS NOT NULL \
         AND jsonb->>'recordType' = "
    ));
    sql.bind(Parameter::Text(matching.record_type.clone()), "text");
    sql.push(" LIMIT ");
    sql.bind(Parameter::Integer(most), "bigint");
    sql.push(
        ") SELECT (SELECT count(*) FROM found) AS found, page.ids, page.external_ids FROM \
         (SELECT coalesce(array_agg(id ORDER BY id), '{}') AS ids, \
         coalesce(array_agg(external_id ORDER BY id), '{}') AS external_ids FROM \
         (SELECT id, external_id FROM found ORDER BY id LIMIT ",
    );
    sql.bind(Parameter::Integer(matching.limit), "bigint");
    sql.push(" OFFSET ");
    sql.bind(Parameter::Integer(matching.offset), "bigint");
    sql.push(") AS listed) AS page");
    let rows = database.query_fresh(&sql.text, &sql.typed()).await?;
    let Some(row) = rows.first() else {
        return Ok((Vec::new(), 0));
    };
    let (ids, external): (Vec<Uuid>, Vec<Uuid>) = (row.get("ids"), row.get("external_ids"));
    let records = ids.into_iter().zip(external);
    let records = records.map(|(record_id, external_id)| Identified {
        record_id,
        external_id,
    });
    Ok((records.collect(), row.get("found")))
}

/// Candidate records: each filter returns ids by its own index. Several filters on MARC are one search
/// on terms.
fn candidates(sql: &mut Sql, schema: &str, matching: &Matching) {
    let (marc, own): (Vec<&MatchFilter>, Vec<&MatchFilter>) = matching
        .filters
        .iter()
        .partition(|one| one.field() == Field::Marc);
    let mut first = true;
    let mut next = |sql: &mut Sql| {
        sql.push(match (first, matching.any) {
            (true, _) => "record.id IN (",
            (false, true) => " UNION ALL ",
            (false, false) => ") AND record.id IN (",
        });
        first = false;
    };
    for filter in own {
        next(sql);
        by_own(sql, schema, filter);
    }
    if !marc.is_empty() {
        next(sql);
        sql.push(&format!(
            "SELECT term.id FROM {schema}.marc_term AS term WHERE term.kind = "
        ));
        let kind = Entry::kind(&matching.record_type).unwrap_or_default();
        sql.bind(Parameter::Integer(i64::from(kind)), "bigint");
        sql.push(" AND (");
        for (at, filter) in marc.iter().enumerate() {
            if at > 0 {
                sql.push(if matching.any { " OR " } else { " AND " });
            }
            by_marc(sql, schema, filter);
        }
        sql.push(")");
    }
    sql.push(")");
}

/// Records by properties outside their MARC.
fn by_own(sql: &mut Sql, schema: &str, filter: &MatchFilter) {
    let ids = || -> Vec<Uuid> {
        let ids = filter.values.iter();
        ids.filter_map(|text| Uuid::try_parse(text).ok()).collect()
    };
    let (wanted, text) = match filter.field() {
        Field::MatchedId => (
            IdType::Record.among(&ids()),
            "jsonb->>'matchedId'".to_owned(),
        ),
        Field::ExternalId => (IdType::External.among(&ids()), EXTERNAL_ID.to_owned()),
        Field::ExternalHrid | Field::Marc => return by_hrid(sql, schema, filter),
    };
    sql.push(&format!("SELECT id FROM {schema}.source_record"));
    sql.filter(schema, &Predicate::All(vec![wanted, current(true)]));
    qualified(sql, &format!("({text})"), filter);
}

const HRIDS: [&str; 3] = ["instanceHrid", "holdingsHrid", "authorityHrid"];

/// Records by HRIDs, which may be any text: the database folds the wanted ones like the stored ones, so
/// that they are one bound value. The index key is truncated, so the whole value is compared too.
fn by_hrid(sql: &mut Sql, schema: &str, filter: &MatchFilter) {
    let given = Parameter::Texts(filter.values.clone());
    sql.parameters.push(given);
    let given = format!("unnest(${}::text[]) AS _(given)", sql.parameters.len());
    for (at, name) in HRIDS.iter().enumerate() {
        let index = Index::plain(&format!("externalIdsHolder.{name}")).keep_accents();
        if at > 0 {
            sql.push(" UNION ALL ");
        }
        sql.push(&format!(
            "SELECT id FROM (SELECT {} AS value FROM {given}) AS asked \
             JOIN {schema}.source_record ON {} = left(asked.value, {KEY_CHARS}) \
             AND {} = asked.value",
            fold(&index, "given"),
            key(&index),
            folded(&index)
        ));
        sql.filter(schema, &current(true));
        qualified(sql, &format!("({})", external_hrid()), filter);
    }
}

fn external_hrid() -> String {
    let each = HRIDS.map(|name| format!("jsonb->'externalIdsHolder'->>'{name}'"));
    format!("coalesce({})", each.join(", "))
}

/// A condition on rows of the terms.
fn by_marc(sql: &mut Sql, schema: &str, filter: &MatchFilter) {
    let code = match (filter.tag.is_control(), filter.subfield) {
        (true, _) => '0',
        (false, Some(code)) => code,
        // A data field has its values in subfields.
        (false, None) => return sql.push("false"),
    };
    sql.push("(");
    terms(sql, &terms_of(filter, code));
    sql.push(" AND ");
    texts_at(sql, schema, &path(filter, code));
    let text = match filter.part {
        None => "found.text",
        Some(Part::Numerics) => r"regexp_replace(found.text, '[^\d]', '', 'g')",
        Some(Part::Alphanumerics) => r"regexp_replace(found.text, '[^\w]|_', '', 'g')",
    };
    sql.push(text);
    sql.push(" = ANY(");
    let values = filter.values.iter().map(|value| compared(filter, value));
    sql.bind(Parameter::Texts(values.collect()), "text[]");
    sql.push(")");
    qualified(sql, "found.text", filter);
    sql.push("))");
}

fn compared(filter: &MatchFilter, value: &str) -> String {
    match filter.part {
        None => value.to_owned(),
        Some(Part::Numerics) => kept::only_digits(value),
        Some(Part::Alphanumerics) => kept::only_wordly(value),
    }
}

fn terms_of(filter: &MatchFilter, code: char) -> Terms {
    let tag = filter.tag;
    let is_kept = kept::is_number(tag) && !tag.is_control();
    let plain = filter.values.iter().all(|value| value.is_ascii());
    let of = |terms: &dyn Fn(&str) -> Vec<i64>| {
        let each = filter.values.iter();
        Terms::Any(
            each.flat_map(|value| terms(&compared(filter, value)))
                .collect(),
        )
    };
    match filter.part {
        None => of(&|value| vec![kept::value(tag, code, value)]),
        Some(Part::Numerics) if is_kept => of(&|value| {
            vec![
                kept::digits(tag, code, value),
                kept::value(tag, code, value),
            ]
        }),
        Some(Part::Alphanumerics) if is_kept && plain => of(&|value| {
            vec![
                kept::wordly(tag, code, value),
                kept::value(tag, code, value),
            ]
        }),
        Some(_) => Terms::Any(vec![kept::has_code(tag, code)]),
    }
}

/// The JSON path of values in fields with these indicators.
fn path(filter: &MatchFilter, code: char) -> String {
    if filter.tag.is_control() {
        return kept::value_path(filter.tag, None);
    }
    let mut path = format!(
        "$.parsedRecord.content.fields[*].\"{}\"",
        filter.tag.as_str()
    );
    for (number, indicator) in (1..).zip(filter.indicators) {
        match indicator {
            '*' => {}
            ' ' => path.push_str(&format!(
                " ? (@.ind{number} == \" \" || @.ind{number} == \"\" || @.ind{number} == \"#\")"
            )),
            other => path.push_str(&format!(" ? (@.ind{number} == \"{other}\")")),
        }
    }
    path + &format!(".subfields[*].\"{code}\"")
}

fn qualified(sql: &mut Sql, text: &str, filter: &MatchFilter) {
    let Some((qualifier, value)) = &filter.qualifier else {
        return;
    };
    let value = Parameter::Text(value.clone());
    match qualifier {
        Qualifier::BeginsWith => {
            sql.push(&format!(" AND starts_with({text}, "));
            sql.bind(value, "text");
            sql.push(")");
        }
        Qualifier::Contains => {
            sql.push(" AND strpos(");
            sql.push(text);
            sql.push(", ");
            sql.bind(value, "text");
            sql.push(") > 0");
        }
        Qualifier::EndsWith => {
            let length = match &value {
                Parameter::Text(text) => text.chars().count() as i64,
                _ => 0,
            };
            sql.push(&format!(" AND right({text}, "));
            sql.bind(Parameter::Integer(length), "bigint::integer");
            sql.push(") = ");
            sql.bind(value, "text");
        }
    }
}
