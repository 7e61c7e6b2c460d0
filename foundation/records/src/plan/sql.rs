//! Writes a plan as SQL: the only place that composes the text of a search. Values from a request
//! are always bound; the few literals in the text come from declarations.

use tokio_postgres::types::{ToSql, Type};

use super::{
    Crossing, ElementMatch, NumberMatch, Parameter, Plan, Predicate, TextMatch, WordMatch, Words,
};
use crate::expression::{
    Base, KEY_CHARS, folded_in, is_cut, key, number_in, phrase, quote, source_in, starting, term,
    words_in,
};
use crate::index::Index;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sql {
    /// The text with `$1`, `$2`, …
    pub text: String,
    pub parameters: Vec<Parameter>,
    /// The base of paths in the text that is being written.
    base: Base,
    /// The most rows that it reads, if it has a limit.
    reach: Option<i64>,
}

impl Sql {
    /// The values as the driver takes them.
    #[must_use]
    pub fn bound(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.parameters
            .iter()
            .map(|one| one as &(dyn ToSql + Sync))
            .collect()
    }

    /// One page of records.
    #[must_use]
    pub fn page(schema: &str, table: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
        Sql::select("jsonb", schema, table, plan, limit, offset)
    }

    /// These columns of one page of records, for an area's own statement around it.
    #[must_use]
    pub fn select(
        columns: &str,
        schema: &str,
        table: &str,
        plan: &Plan,
        limit: i64,
        offset: i64,
    ) -> Sql {
        let mut sql = Sql::default();
        sql.push(&format!("SELECT {columns} FROM {schema}.{table}"));
        sql.filter(schema, &plan.predicate);
        for (at, term) in plan.sort.iter().enumerate() {
            sql.push(if at == 0 { " ORDER BY " } else { ", " });
            sql.push(&term.expression);
            sql.push(if term.descending { " DESC" } else { "" });
        }
        sql.push(" LIMIT ");
        sql.bind(Parameter::Integer(limit), "bigint");
        if offset > 0 {
            sql.push(" OFFSET ");
            sql.bind(Parameter::Integer(offset), "bigint");
        }
        sql.reach = Some(limit.saturating_add(offset));
        sql
    }

    /// The number of matching records, counted up to `most`.
    #[must_use]
    pub fn count(schema: &str, table: &str, predicate: &Predicate, most: Option<i64>) -> Sql {
        let mut sql = Sql::default();
        match most {
            None => {
                sql.push(&format!("SELECT count(*) FROM {schema}.{table}"));
                sql.filter(schema, predicate);
            }
            Some(most) => {
                sql.push(&format!(
                    "SELECT count(*) FROM (SELECT 1 FROM {schema}.{table}"
                ));
                sql.filter(schema, predicate);
                sql.push(" LIMIT ");
                sql.bind(Parameter::Integer(most), "bigint");
                sql.push(") AS counted");
            }
        }
        sql.reach = most;
        sql
    }

    /// The planner's estimate of a search's cost and result.
    #[must_use]
    pub fn estimate(schema: &str, table: &str, predicate: &Predicate) -> Sql {
        let mut sql = Sql::default();
        sql.push(&format!(
            "EXPLAIN (FORMAT JSON) SELECT 1 FROM {schema}.{table}"
        ));
        sql.filter(schema, predicate);
        sql
    }

    /// Wraps the statement in another one, which has no values of its own.
    #[must_use]
    pub fn within(mut self, around: impl FnOnce(&str) -> String) -> Sql {
        self.text = around(&self.text);
        self
    }

    #[must_use]
    pub fn is_sorted(&self) -> bool {
        self.text.contains(" ORDER BY ")
    }

    /// One page of records, each with the number of all matches. Only for few matches, since all of
    /// them are read.
    #[must_use]
    pub fn page_counted(schema: &str, table: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
        // Both parts bind the predicate first, so that their placeholders are the same.
        let counted = Sql::count(schema, table, &plan.predicate, None);
        let columns = format!("jsonb, ({})", counted.text);
        Sql::select(&columns, schema, table, plan, limit, offset)
    }

    /// The first rows of a statement's result, whatever its own limit is.
    #[must_use]
    pub fn first(&self, rows: i64) -> Sql {
        let around = |text: &str| format!("SELECT * FROM ({text}) AS page LIMIT ");
        let mut sql = self.clone().within(around);
        sql.bind(Parameter::Integer(rows), "bigint");
        sql.reach = self.reach.map(|reach| reach.min(rows));
        sql
    }

    /// The most rows that it reads, if it has a limit.
    #[must_use]
    pub fn reach(&self) -> Option<i64> {
        self.reach
    }

    /// The values with their types, for a statement that is planned with them.
    #[must_use]
    pub fn typed(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        self.parameters
            .iter()
            .map(|one| (one as &(dyn ToSql + Sync), one.kind()))
            .collect()
    }

    /// Appends text.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends a placeholder with a cast and keeps its value.
    pub fn bind(&mut self, value: Parameter, cast: &str) {
        self.parameters.push(value);
        self.push(&format!("${}::{cast}", self.parameters.len()));
    }

    /// Appends ` WHERE …`, unless every record matches.
    pub fn filter(&mut self, schema: &str, predicate: &Predicate) {
        if *predicate != Predicate::Everything {
            self.push(" WHERE ");
            self.predicate(schema, predicate);
        }
    }

    pub(super) fn predicate(&mut self, schema: &str, predicate: &Predicate) {
        match predicate {
            Predicate::Everything => self.push("true"),
            Predicate::Nothing => self.push("false"),
            Predicate::All(parts) => self.all(schema, parts),
            Predicate::Any(parts) => self.joined(schema, parts, " OR "),
            Predicate::Except(wanted, unwanted) => {
                self.push("(");
                self.predicate(schema, wanted);
                self.push(" AND (");
                self.predicate(schema, unwanted);
                self.push(") IS NOT TRUE)");
            }
            Predicate::IdIn(column, ids) => match ids.as_slice() {
                [id] => {
                    self.push(&format!("{column} = "));
                    self.bind(Parameter::Id(*id), "uuid");
                }
                many => {
                    self.push(&format!("{column} = ANY("));
                    self.bind(Parameter::Ids(many.to_vec()), "uuid[]");
                    self.push(")");
                }
            },
            Predicate::IdDiffers(column, id) => {
                self.push(&format!("{column} <> "));
                self.bind(Parameter::Id(*id), "uuid");
            }
            Predicate::IdOrder(column, operator, id) => {
                self.push(&format!("{column} {operator} "));
                self.bind(Parameter::Id(*id), "uuid");
            }
            Predicate::IdBetween(column, low, high) => {
                self.push(&format!("({column} >= "));
                self.bind(Parameter::Id(*low), "uuid");
                self.push(&format!(" AND {column} <= "));
                self.bind(Parameter::Id(*high), "uuid");
                self.push(")");
            }
            Predicate::IdOutside(column, low, high) => {
                self.push(&format!("({column} < "));
                self.bind(Parameter::Id(*low), "uuid");
                self.push(&format!(" OR {column} > "));
                self.bind(Parameter::Id(*high), "uuid");
                self.push(")");
            }
            Predicate::IdPresent(column) => self.push(&format!("{column} IS NOT NULL")),
            Predicate::Present(path) => {
                let text = self.base.text(path);
                self.push(&format!("{text} IS NOT NULL"));
            }
            Predicate::Readable(index) => {
                let text = source_in(self.base, index);
                self.push(&format!("{text} IS NOT NULL"));
            }
            Predicate::Contains(json, part) => {
                self.push(&format!("{json} @> "));
                self.bind(Parameter::Text(part.clone()), "text");
                self.push("::jsonb");
            }
            Predicate::Text(text) => self.text_match(text),
            Predicate::TextIn(text, values) => self.text_in(text, values),
            Predicate::Like(text) => self.like(text),
            Predicate::Words(words) => match &words.rows {
                Some(_) => self.in_rows(schema, &[words]),
                None => self.word_match(words),
            },
            Predicate::Number(number) => self.number(number),
            Predicate::Elements(elements) => self.elements(schema, elements),
            Predicate::Across(crossing) => self.across(schema, crossing, ("IN (", ")")),
            Predicate::Gathered(crossing) => {
                self.across(schema, crossing, ("= ANY (ARRAY(", "))"));
            }
        }
    }

    /// Words that are kept in narrow rows are looked up together.
    fn all(&mut self, schema: &str, parts: &[Predicate]) {
        let kept: Vec<&WordMatch> = parts.iter().filter_map(words_in_rows).collect();
        if kept.len() < 2 {
            return self.joined(schema, parts, " AND ");
        }
        self.push("(");
        self.in_rows(schema, &kept);
        for part in parts.iter().filter(|part| words_in_rows(part).is_none()) {
            self.push(" AND ");
            self.predicate(schema, part);
        }
        self.push(")");
    }

    /// Appends that the narrow row of the record has all these words.
    fn in_rows(&mut self, schema: &str, searches: &[&WordMatch]) {
        let table = searches.iter().find_map(|search| search.rows.as_deref());
        self.push(&format!(
            "id IN (SELECT kept.id FROM {schema}.{} AS kept WHERE ",
            table.unwrap_or_default()
        ));
        for (at, search) in searches.iter().enumerate() {
            self.push(if at == 0 { "" } else { " AND " });
            self.push("kept.words @@ (");
            self.operands(search);
            self.push(")");
        }
        self.push(")");
    }

    fn joined(&mut self, schema: &str, parts: &[Predicate], operator: &str) {
        self.push("(");
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.push(operator);
            }
            self.predicate(schema, part);
        }
        self.push(")");
    }

    fn text_match(&mut self, text: &TextMatch) {
        let TextMatch {
            index,
            by,
            operator,
            value,
        } = text;
        let Some(by) = by else {
            self.push(&format!("{} {operator} ", folded_in(self.base, index)));
            self.value(index, value);
            return;
        };
        let whole_key = !is_cut(by.kind) || folded_chars_max(value) < KEY_CHARS;
        if *operator == "=" && few(by, value).is_some() && by.reads_like(index) {
            // Repeats the comparison as a literal, so that a partial index with the condition for
            // other values can be used.
            self.push(&format!("({} = ", key(by)));
            self.value(by, value);
            self.push(&format!(" AND {} = ", folded_in(self.base, by)));
            self.value(by, value);
            self.push(")");
            return;
        }
        if whole_key && by.reads_like(index) {
            self.push(&format!("{} {operator} ", key(by)));
            self.value(by, value);
            return;
        }
        // The index finds candidates by a coarser or a cut key; the whole text decides.
        let loose = match *operator {
            "<" | "<=" => "<=",
            ">" | ">=" => ">=",
            other => other,
        };
        self.push(&format!("({} {loose} ", key(by)));
        self.cut_value(by, value);
        self.push(&format!(" AND {} {operator} ", folded_in(self.base, index)));
        self.value(index, value);
        self.push(")");
    }

    fn text_in(&mut self, text: &TextMatch, values: &[String]) {
        let index = text.by.as_ref().unwrap_or(&text.index);
        self.push(&format!("{} = ANY(", key(index)));
        let folded = values.iter().map(|value| ascii_folded(index, value));
        self.bind(Parameter::Texts(folded.collect()), "text[]");
        self.push(")");
    }

    fn like(&mut self, text: &TextMatch) {
        let TextMatch {
            index,
            by,
            operator,
            value,
        } = text;
        let by = by.as_ref().filter(|_| *operator == "LIKE");
        let mut prefix = String::new();
        if let Some(by) = by.filter(|by| has_order(by)) {
            let (literal, is_all) = like_prefix(value);
            prefix = literal;
            // As a range: unlike a pattern, it can use the index in a plan for all values.
            let key = key(by);
            self.push(&format!("({key} >= "));
            self.value(by, &prefix);
            self.push(&format!(" AND {key} < "));
            self.value(by, &prefix);
            self.push(" || chr(1114111)");
            if is_all && by.reads_like(index) {
                self.push(")");
                return;
            }
            self.push(" AND ");
        }
        let trigrams = by.filter(|by| !has_order(by));
        if let Some(by) = trigrams.filter(|by| !by.reads_like(index)) {
            self.push(&format!("({} LIKE ", key(by)));
            self.pattern(by, value);
            self.push(" AND ");
            prefix.push('%');
        }
        let whole = match trigrams.filter(|by| by.reads_like(index)) {
            Some(by) => key(by),
            None => folded_in(self.base, index),
        };
        self.push(&format!("{whole} {operator} "));
        self.pattern(index, value);
        if by.is_some_and(|by| has_order(by) || !by.reads_like(index)) {
            self.push(")");
        }
    }

    fn number(&mut self, number: &NumberMatch) {
        let expression = match &number.by {
            Some(by) if self.base == Base::Record => key(by),
            _ => number_in(self.base, &number.field),
        };
        self.push(&format!("{expression} {} (", number.operator));
        self.bind(Parameter::Text(number.digits.clone()), "text");
        self.push(")::numeric");
    }

    fn elements(&mut self, schema: &str, search: &ElementMatch) {
        self.push("(");
        if let Some(candidates) = &search.candidates {
            self.predicate(schema, candidates);
            self.push(" AND ");
        }
        let array = self.base.json(&search.array);
        self.push(&format!(
            "EXISTS (SELECT FROM jsonb_array_elements(CASE WHEN jsonb_typeof({array}) = 'array' \
             THEN {array} ELSE '[]' END) AS _(element) WHERE "
        ));
        let outside = std::mem::replace(&mut self.base, Base::Element);
        self.predicate(schema, &search.element);
        self.base = outside;
        self.push("))");
    }

    /// Folds ASCII in Rust, where the result cannot differ, and other text in the database.
    fn value(&mut self, index: &Index, value: &str) {
        if let Some(known) = few(index, value) {
            self.push(&format!("{}::text", quote(known)));
        } else if index.term.is_none() && value.is_ascii() {
            self.bind(Parameter::Text(ascii_folded(index, value)), "text");
        } else {
            self.parameters.push(Parameter::Text(value.to_owned()));
            let placeholder = format!("${}::text", self.parameters.len());
            self.push(&term(index, &placeholder));
        }
    }

    /// A pattern is folded before it is escaped: without its accents a character may become special
    /// in patterns (`％` becomes `%`). Until then two characters that the pattern does not contain
    /// stand for its wildcards.
    fn pattern(&mut self, index: &Index, pattern: &str) {
        if pattern.is_ascii() {
            return self.value(index, pattern);
        }
        let mut free = NEVER_IN_TEXT.filter(|mark| !pattern.contains(*mark));
        let (Some(run), Some(one)) = (free.next(), free.next()) else {
            return self.push("NULL");
        };
        let mut marked = String::with_capacity(pattern.len());
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            match character {
                '%' => marked.push(run),
                '_' => marked.push(one),
                '\\' => marked.extend(characters.next()),
                other => marked.push(other),
            }
        }
        self.parameters.push(Parameter::Text(marked));
        let folded = term(index, &format!("${}::text", self.parameters.len()));
        self.push(&format!(
            r"translate(regexp_replace({folded}, '([\\%_])', '\\\1', 'g'), "
        ));
        self.bind(Parameter::Text(format!("{run}{one}")), "text");
        self.push(", '%_')");
    }

    /// The value in the form in which it is compared with a key, which may be cut.
    fn cut_value(&mut self, index: &Index, value: &str) {
        if is_cut(index.kind) {
            self.push("left(");
            self.value(index, value);
            self.push(&format!(", {KEY_CHARS})"));
        } else {
            self.value(index, value);
        }
    }

    fn word_match(&mut self, search: &WordMatch) {
        let text = words_in(self.base, &search.index);
        self.push(&format!("{text} @@ ("));
        self.operands(search);
        self.push(")");
    }

    /// Appends what is looked for.
    pub(super) fn operands(&mut self, search: &WordMatch) {
        for (at, operand) in search.words.iter().enumerate() {
            if at > 0 {
                self.push(&format!(" {} ", search.joined));
            }
            let (Words::Phrase(text) | Words::Starting(text)) = operand;
            self.parameters.push(Parameter::Text(text.clone()));
            let placeholder = format!("${}::text", self.parameters.len());
            let sent = match &search.index.term {
                Some(sql) => sql.replace('$', &placeholder),
                None => placeholder,
            };
            self.push(&match operand {
                Words::Phrase(_) => phrase(&search.index, &sent),
                Words::Starting(_) => starting(&search.index, &sent),
            });
        }
    }

    fn across(&mut self, schema: &str, crossing: &Crossing, (before, behind): (&str, &str)) {
        self.push(&format!(
            "{} {before}SELECT {} FROM {schema}.{}",
            crossing.column, crossing.other, crossing.table
        ));
        self.filter(schema, &crossing.predicate);
        self.push(behind);
    }
}

/// A search for words that narrow rows have.
fn words_in_rows(predicate: &Predicate) -> Option<&WordMatch> {
    match predicate {
        Predicate::Words(search) if search.rows.is_some() => Some(search),
        _ => None,
    }
}

/// Code points that Unicode keeps free for a program's own use.
const NEVER_IN_TEXT: std::ops::RangeInclusive<char> = '\u{fdd0}'..='\u{fdef}';

/// Without accents a character becomes at most this many (`㎯` becomes `rad/s2`).
const FOLDED_GROWTH: usize = 8;

/// How many characters a value can have after it is folded.
fn folded_chars_max(value: &str) -> usize {
    let grown = |character: char| {
        if character.is_ascii() {
            1
        } else {
            FOLDED_GROWTH
        }
    };
    value.chars().map(grown).sum()
}

/// Whether an index keeps its keys in order, and so serves a prefix as a range.
fn has_order(index: &Index) -> bool {
    use crate::index::IndexKind;
    !matches!(index.kind, IndexKind::GinIndex | IndexKind::Gist)
}

/// The declared one of an index's few values, if the value is one of them. It comes from the
/// declaration and not from the request, so it may be a literal in a statement.
fn few<'i>(index: &'i Index, value: &str) -> Option<&'i str> {
    let known = index.few.iter().find(|known| {
        index.term.is_none() && value.is_ascii() && **known == ascii_folded(index, value)
    });
    known.map(String::as_str)
}

/// ASCII has no accents, and its lower case is the same in every locale.
fn ascii_folded(index: &Index, value: &str) -> String {
    if index.case_sensitive {
        value.to_owned()
    } else {
        value.to_ascii_lowercase()
    }
}

/// The text before the first wildcard of a LIKE pattern, cut to what a key holds, and whether the
/// pattern says no more than that a text begins so.
pub(super) fn like_prefix(pattern: &str) -> (String, bool) {
    let mut prefix = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' => return (prefix, characters.as_str().is_empty()),
            '_' => break,
            '\\' => prefix.extend(characters.next()),
            other => prefix.push(other),
        }
        if prefix.len() >= KEY_CHARS / 2 {
            break;
        }
    }
    (prefix, false)
}
