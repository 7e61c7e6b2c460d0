//! What the narrow rows of a collection say of a search: which records can be found, by words alone, and
//! the statements that read a page by them. Which of the statements is run is the store's to decide.

use uuid::Uuid;

use super::sort::plain_key;
use super::sql::like_prefix;
use super::{Parameter, Plan, Predicate, Sql, TextMatch, WordMatch, Words};
use crate::collection::Collection;
use crate::index::Index;
use crate::search_rows::{SearchRows, UNSURE, table_of};

/// A condition on narrow rows: every record that a search finds has a row that satisfies it.
#[derive(Debug, Clone, PartialEq)]
enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// Words of all fields together.
    Words(WordMatch),
    /// A word of some field that begins so.
    Starting(String),
    /// Ids from one to another.
    Between(Uuid, Uuid),
}

/// A search by narrow rows.
#[derive(Debug)]
pub(crate) struct RowSearch<'a> {
    plan: &'a Plan,
    collection: &'a Collection,
    rows: &'a SearchRows,
    /// Conditions that all hold.
    parts: Vec<Condition>,
    /// Whether they say all that is asked, so that the records need not be looked at.
    exact: bool,
    /// The directions of the rows' keys, where these are the order that is asked for.
    directions: Option<Vec<bool>>,
}

/// What some rows, taken at random, have of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sample {
    /// Rows that were looked at.
    rows: i64,
    /// Rows that there are, by the size of the table.
    of: i64,
    /// Those with all parts.
    hits: i64,
    /// Those with each part.
    by_part: Vec<i64>,
}

impl Sample {
    /// A sample of a table of so many pages: the rows looked at, those with all parts, those with each.
    pub fn of(pages: i64, rows: i64, hits: i64, by_part: Vec<i64>) -> Sample {
        Sample {
            rows,
            of: rows.saturating_mul(pages) / pages.clamp(1, SAMPLED_PAGES),
            hits,
            by_part,
        }
    }

    /// How many rows a search finds, by the sample.
    pub fn believed(&self) -> i64 {
        self.hits.saturating_mul(self.of) / self.rows.max(1)
    }

    /// Which parts the index is asked for. One that many rows have costs more in the index, which goes
    /// through all words that begin so, than on the rows that the others find.
    fn indexed(&self) -> Vec<bool> {
        let is_wide = |hits: &i64| hits.saturating_mul(WIDE) > self.rows;
        let least = self.by_part.iter().min().copied().unwrap_or_default();
        let all_wide = self.by_part.iter().all(is_wide);
        let parts = self.by_part.iter();
        parts
            .map(|hits| match all_wide {
                true => *hits == least,
                false => !is_wide(hits),
            })
            .collect()
    }
}

/// A part is wide that more than one in so many rows has.
const WIDE: i64 = 50;

/// Pages of the table that a sample looks at.
const SAMPLED_PAGES: i64 = 40;

/// Conditions that a sample counts one by one; people type a few words, and PostgreSQL returns at most
/// 1,664 columns. Of further conditions the index is asked.
const SAMPLED_PARTS_MAX: usize = 16;

impl<'a> RowSearch<'a> {
    /// A search for what the rows have.
    pub fn of(collection: &'a Collection, plan: &'a Plan) -> Option<RowSearch<'a>> {
        let rows = collection.search_rows.as_ref()?;
        let fields = collection.indexes.iter().find(|index| rows.keeps(index))?;
        let (condition, exact) = condition(&fields.fields, &plan.predicate)?;
        let mut parts = Vec::new();
        take_apart(condition, &mut parts);
        Some(RowSearch {
            plan,
            collection,
            rows,
            parts,
            exact,
            directions: directions(collection, rows, plan),
        })
    }

    /// Whether the order can be walked along.
    pub fn has_order(&self) -> bool {
        self.directions.is_some()
    }

    /// How many conditions a sample counts the rows of.
    pub fn sampled_parts(&self) -> usize {
        self.parts.len().min(SAMPLED_PARTS_MAX)
    }

    /// Whether the rows say all that is asked.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// How many rows there may be for [`RowSearch::sorted`].
    pub fn sorted_max(&self) -> i64 {
        self.rows.sorted_max
    }

    /// Looks at some rows: one row `sampled`, `pages`, `hits`, `hits_1`, `hits_2`, ….
    pub fn sample(&self, schema: &str) -> Sql {
        let table = table_of(self.collection);
        let mut sql = Sql::default();
        sql.push("SELECT count(*) AS sampled, count(*) FILTER (WHERE ");
        self.all(&mut sql, |_| true);
        sql.push(") AS hits");
        for (at, part) in self.parts.iter().take(SAMPLED_PARTS_MAX).enumerate() {
            sql.push(", count(*) FILTER (WHERE ");
            self.condition(&mut sql, part);
            sql.push(&format!(") AS hits_{}", at + 1));
        }
        let pages = format!(
            "(SELECT greatest(1, pg_relation_size('{schema}.{table}') \
             / current_setting('block_size')::integer))"
        );
        sql.push(&format!(
            ", {pages} AS pages FROM {schema}.{table} AS kept \
             TABLESAMPLE SYSTEM (least(100, 100.0 * {SAMPLED_PAGES} / {pages}))"
        ));
        sql
    }

    /// A page of all that is found, sorted: rows `hits`, `total`, `jsonb`. Where there are more than `most`
    /// rows, `hits` says so, and there is nothing else.
    pub fn sorted(
        &self,
        schema: &str,
        sample: &Sample,
        most: i64,
        (limit, offset): (i64, i64),
    ) -> Sql {
        let table = table_of(self.collection);
        let keys: String = self.rows.keys().map(|key| format!(", {key}")).collect();
        let indexed = sample.indexed();
        let mut sql = Sql::default();
        // What is met is planned as if all of it were wanted: for some rows of many that it believes
        // there to be PostgreSQL would go through the table, and to its end where there are fewer.
        sql.push(&format!(
            "WITH met AS MATERIALIZED (SELECT kept.id AS hit_id{keys} FROM {schema}.{table} AS kept WHERE "
        ));
        self.all(&mut sql, |at| indexed.get(at).copied().unwrap_or(true));
        sql.push("), hit AS MATERIALIZED (SELECT * FROM met LIMIT ");
        sql.bind(Parameter::Integer(most.saturating_add(1)), "bigint");
        sql.push(
            "), counted AS MATERIALIZED (SELECT count(*) AS hits FROM hit) \
             SELECT counted.hits, page.total, page.jsonb FROM counted LEFT JOIN (SELECT jsonb, total, \
             row_number() OVER () AS place FROM (",
        );
        // The records of a page only, where the rows say all.
        let only_page = self.exact && self.directions.is_some();
        let enough = "(SELECT hits FROM counted) <= ";
        if only_page {
            sql.push(&format!(
                "SELECT record.jsonb, (SELECT hits FROM counted) AS total \
                 FROM (SELECT * FROM hit WHERE {enough}"
            ));
        } else {
            sql.push(&format!(
                "SELECT jsonb, count(*) OVER () AS total FROM hit JOIN {schema}.{} ON id = hit_id \
                 WHERE {enough}",
                self.collection.table
            ));
        }
        sql.bind(Parameter::Integer(most), "bigint");
        if !self.exact {
            sql.push(" AND ");
            sql.predicate(schema, &self.plan.predicate);
        }
        self.order(&mut sql);
        within(&mut sql, limit, offset);
        if only_page {
            sql.push(&format!(
                ") AS hit JOIN {schema}.{} AS record ON record.id = hit_id",
                self.collection.table
            ));
            self.order(&mut sql);
        }
        sql.push(") AS sorted) AS page ON true ORDER BY page.place");
        sql
    }

    /// A page of what is met along the order, rows `jsonb`: the first of all that is found when it is
    /// full.
    pub fn walked(&self, schema: &str, limit: i64, offset: i64) -> Sql {
        let table = table_of(self.collection);
        let keys: String = self.rows.keys().map(|key| format!(", {key}")).collect();
        let mut sql = Sql::default();
        sql.push(&format!(
            "SELECT record.jsonb FROM (SELECT kept.id AS hit_id{keys} FROM (SELECT id, words{keys} \
             FROM {schema}.{table}"
        ));
        self.order(&mut sql);
        sql.push(" LIMIT ");
        sql.bind(Parameter::Integer(self.rows.walked_max), "bigint");
        sql.push(") AS kept WHERE ");
        self.all(&mut sql, |_| true);
        // One by one: PostgreSQL would read the whole table for all the rows that it believes to come.
        sql.push(&format!(
            ") AS hit CROSS JOIN LATERAL (SELECT jsonb FROM {schema}.{} WHERE id = hit_id",
            self.collection.table
        ));
        if !self.exact {
            sql.push(" AND ");
            sql.predicate(schema, &self.plan.predicate);
        }
        sql.push(" OFFSET 0) AS record");
        self.order(&mut sql);
        within(&mut sql, limit, offset);
        sql
    }

    fn order(&self, sql: &mut Sql) {
        let down = |descending: bool| if descending { " DESC" } else { "" };
        let terms: Vec<String> = match &self.directions {
            Some(directions) => self
                .rows
                .keys()
                .zip(directions)
                .map(|(key, descending)| format!("{key}{}", down(*descending)))
                .collect(),
            None => self
                .plan
                .sort
                .iter()
                .map(|term| format!("{}{}", term.expression, down(term.descending)))
                .collect(),
        };
        sql.push(&format!(" ORDER BY {}", terms.join(", ")));
    }

    /// Appends all parts. Those that the index is not asked for are written so that it does not serve
    /// them.
    fn all(&self, sql: &mut Sql, indexed: impl Fn(usize) -> bool) {
        for (at, part) in self.parts.iter().enumerate() {
            sql.push(if at == 0 { "(" } else { " AND (" });
            self.condition(sql, part);
            sql.push(if indexed(at) { ")" } else { ") IS TRUE" });
        }
    }

    fn condition(&self, sql: &mut Sql, condition: &Condition) {
        let (parts, by) = match condition {
            Condition::All(parts) => (parts, " AND "),
            Condition::Any(parts) => (parts, " OR "),
            Condition::Words(search) => {
                sql.push("kept.words @@ (");
                sql.operands(search);
                return sql.push(")");
            }
            Condition::Starting(text) => {
                sql.push("kept.words @@ (public.octavo_starting(");
                sql.bind(Parameter::Text(text.clone()), "text");
                return sql.push(&format!(") || '{}'::tsquery)", UNSURE.replace('\'', "''")));
            }
            Condition::Between(low, high) => {
                sql.push("kept.id BETWEEN ");
                sql.bind(Parameter::Id(*low), "uuid");
                sql.push(" AND ");
                return sql.bind(Parameter::Id(*high), "uuid");
            }
        };
        sql.push("(");
        for (at, part) in parts.iter().enumerate() {
            sql.push(if at == 0 { "" } else { by });
            self.condition(sql, part);
        }
        sql.push(")");
    }
}

fn within(sql: &mut Sql, limit: i64, offset: i64) {
    sql.push(" LIMIT ");
    sql.bind(Parameter::Integer(limit), "bigint");
    sql.push(" OFFSET ");
    sql.bind(Parameter::Integer(offset), "bigint");
}

/// The directions of the rows' keys, when a plan asks for their order or its beginning, all one way, as
/// their index gives it, or for no order.
fn directions(collection: &Collection, rows: &SearchRows, plan: &Plan) -> Option<Vec<bool>> {
    let fits = plan.sort.len() <= rows.sorted_by.len()
        && plan
            .sort
            .iter()
            .zip(&rows.sorted_by)
            .all(|(term, path)| term.expression == plain_key(collection, path));
    let descending = plan.sort.first().is_some_and(|term| term.descending);
    let one_way = plan.sort.iter().all(|term| term.descending == descending);
    (fits && one_way).then(|| vec![descending; rows.sorted_by.len()])
}

/// The conditions that all have to hold, one by one.
fn take_apart(condition: Condition, parts: &mut Vec<Condition>) {
    match condition {
        Condition::All(all) => {
            for one in all {
                take_apart(one, parts);
            }
        }
        Condition::Words(search) if search.joined == "&&" => {
            for word in search.words {
                parts.push(Condition::Words(WordMatch {
                    index: search.index.clone(),
                    declared: search.declared,
                    rows: search.rows.clone(),
                    joined: search.joined,
                    words: vec![word],
                }));
            }
        }
        other => parts.push(other),
    }
}

/// What the rows say of a predicate, and whether they say all of it.
fn condition(fields: &[String], predicate: &Predicate) -> Option<(Condition, bool)> {
    match predicate {
        Predicate::Words(search) if search.rows.is_some() => {
            Some((Condition::Words(search.clone()), true))
        }
        Predicate::Words(search) => {
            if !is_of(fields, &search.index) {
                return None;
            }
            let mut parts = search.words.iter().map(|word| {
                let (Words::Phrase(text) | Words::Starting(text)) = word;
                starting(text)
            });
            match search.joined {
                "||" => parts.collect::<Option<Vec<_>>>().map(Condition::Any),
                _ => all(parts.by_ref().flatten().collect()),
            }
            .map(|condition| (condition, false))
        }
        Predicate::Text(text) if text.operator == "=" => {
            of_value(fields, text, &text.value).map(|condition| (condition, false))
        }
        Predicate::Like(text) if text.operator == "LIKE" => {
            let (prefix, _) = like_prefix(&text.value);
            of_value(fields, text, &prefix).map(|condition| (condition, false))
        }
        Predicate::TextIn(text, values) => {
            let each = values.iter().map(|value| of_value(fields, text, value));
            let any = each.collect::<Option<Vec<_>>>().map(Condition::Any)?;
            Some((any, false))
        }
        Predicate::IdBetween(column, low, high) if column == "id" => {
            Some((Condition::Between(*low, *high), true))
        }
        Predicate::IdIn(column, ids) if column == "id" => match ids.as_slice() {
            [id] => Some((Condition::Between(*id, *id), true)),
            _ => None,
        },
        Predicate::All(parts) => {
            let found: Vec<_> = parts.iter().map(|part| condition(fields, part)).collect();
            let exact = found
                .iter()
                .all(|one| one.as_ref().is_some_and(|(_, exact)| *exact));
            let parts = found.into_iter().flatten().map(|(condition, _)| condition);
            all(parts.collect()).map(|condition| (condition, exact))
        }
        Predicate::Any(parts) => {
            let found = parts.iter().map(|part| condition(fields, part));
            let found = found.collect::<Option<Vec<_>>>()?;
            let exact = found.iter().all(|(_, exact)| *exact);
            let parts = found.into_iter().map(|(condition, _)| condition).collect();
            Some((Condition::Any(parts), exact))
        }
        Predicate::Except(wanted, _) => {
            condition(fields, wanted).map(|(condition, _)| (condition, false))
        }
        _ => None,
    }
}

fn all(parts: Vec<Condition>) -> Option<Condition> {
    (!parts.is_empty()).then_some(Condition::All(parts))
}

/// Whether an index reads one of the fields whose words are kept.
fn is_of(fields: &[String], index: &Index) -> bool {
    index.fields.is_empty()
        && index.expression.is_none()
        && index.term.is_none()
        && index.array_subfield.is_none()
        && fields.contains(&index.field)
}

fn of_value(fields: &[String], text: &TextMatch, value: &str) -> Option<Condition> {
    is_of(fields, &text.index)
        .then(|| starting(value))
        .flatten()
}

/// What begins with letters and digits begins a word with them, whatever stands behind them; but before
/// `://` there is no word. Characters that are no letters may become anything without accents.
fn starting(text: &str) -> Option<Condition> {
    let is_word = |one: char| one.is_ascii_alphanumeric() || !one.is_ascii() && one.is_alphabetic();
    let end = text.find(|one| !is_word(one)).unwrap_or(text.len());
    let sure = text
        .chars()
        .all(|one| is_word(one) || one.is_ascii() && one != ':');
    (end > 0 && sure).then(|| Condition::Starting(text[..end].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_asked_for_what_few_rows_have() {
        for (by_part, indexed) in [
            // Names, and a number that all barcodes begin with.
            (vec![18, 9, 1_000], vec![true, true, false]),
            (vec![0, 0], vec![true, true]),
            (vec![1_000], vec![true]),
            (vec![400, 1_000], vec![true, false]),
        ] {
            assert_eq!(Sample::of(40_000, 1_000, 0, by_part).indexed(), indexed);
        }
    }

    #[test]
    fn a_sample_stands_for_the_table() {
        // Forty pages of forty thousand.
        assert_eq!(Sample::of(40_000, 1_000, 20, vec![20]).believed(), 20_000);
        // All of a small table; nothing of an empty one.
        assert_eq!(Sample::of(3, 90, 7, vec![7]).believed(), 7);
        assert_eq!(Sample::of(1, 0, 0, vec![0]).believed(), 0);
    }

    #[test]
    fn what_begins_with_letters_and_digits_begins_a_word() {
        let begins = |text: &str| match starting(text) {
            Some(Condition::Starting(run)) => Some(run),
            _ => None,
        };
        for (text, run) in [
            ("ama", Some("ama")),
            ("2118", Some("2118")),
            ("anna-lena", Some("anna")),
            ("ann@x.org", Some("ann")),
            ("Müller", Some("Müller")),
            ("", None),
            ("-5", None),
            // Before this there is no word.
            ("http://x", None),
            // This becomes one without its width.
            ("http：//x", None),
        ] {
            assert_eq!(begins(text).as_deref(), run, "{text}");
        }
    }
}
