//! A plan as SQL: the only place where a search's text is put together. Values are always bound.

use super::{Crossing, Parameter, Plan, Predicate, TextMatch, WordMatch, Words};
use crate::expression::{KEY_CHARS, fold, folded, key, source, words};
use crate::index::IndexKind;

/// A statement and its values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sql {
    /// The text with `$1`, `$2`, …
    pub text: String,
    /// Their values.
    pub parameters: Vec<Parameter>,
}

impl Sql {
    /// The values as the driver takes them.
    #[must_use]
    pub fn bound(&self) -> Vec<&(dyn tokio_postgres::types::ToSql + Sync)> {
        self.parameters
            .iter()
            .map(|one| one as &(dyn tokio_postgres::types::ToSql + Sync))
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
        sql
    }

    /// The number of matching records, counted no further than `most`.
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
        sql
    }

    /// What the planner believes a search costs and finds.
    #[must_use]
    pub fn estimate(schema: &str, table: &str, predicate: &Predicate) -> Sql {
        let mut sql = Sql::default();
        sql.push(&format!(
            "EXPLAIN (FORMAT JSON) SELECT 1 FROM {schema}.{table}"
        ));
        sql.filter(schema, predicate);
        sql
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

    /// Appends ` WHERE …`, unless everything is wanted.
    pub fn filter(&mut self, schema: &str, predicate: &Predicate) {
        if *predicate != Predicate::Everything {
            self.push(" WHERE ");
            self.predicate(schema, predicate);
        }
    }

    fn predicate(&mut self, schema: &str, predicate: &Predicate) {
        match predicate {
            Predicate::Everything => self.push("true"),
            Predicate::Nothing => self.push("false"),
            Predicate::All(parts) => self.joined(schema, parts, " AND "),
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
            Predicate::IdPresent(column) => self.push(&format!("{column} IS NOT NULL")),
            Predicate::Present(json) => self.push(&format!("{json} IS NOT NULL")),
            Predicate::Contains(json, part) => {
                self.push(&format!("{json} @> "));
                self.bind(Parameter::Text(part.clone()), "text");
                self.push("::jsonb");
            }
            Predicate::Text(text) => self.text_match(text),
            Predicate::Like(text) => self.like(text),
            Predicate::Words(words) => self.word_match(words),
            Predicate::Number(json, operator, digits) => {
                // A value that is no number matches nothing; it must not fail the statement.
                self.push(&format!(
                    "(CASE WHEN jsonb_typeof({json}) = 'number' THEN ({json})::numeric \
                     WHEN {json} #>> '{{}}' ~ '^-?[0-9]{{1,100}}([.][0-9]{{1,100}})?$' \
                     THEN ({json} #>> '{{}}')::numeric END) {operator} ("
                ));
                self.bind(Parameter::Text(digits.clone()), "text");
                self.push(")::numeric");
            }
            Predicate::Across(crossing) => self.across(schema, crossing),
        }
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
        let cut = text.declared && text.index.kind != IndexKind::UniqueIndex;
        let long = text.value.chars().count() >= KEY_CHARS;
        if cut && !long {
            self.push(&format!("{} {} ", key(&text.index), text.operator));
            self.folded_value(text);
        } else if cut && text.operator == "=" {
            self.push(&format!("({} = left(", key(&text.index)));
            self.folded_value(text);
            self.push(&format!(", {KEY_CHARS}) AND {} = ", folded(&text.index)));
            self.folded_value(text);
            self.push(")");
        } else {
            self.push(&format!("{} {} ", folded(&text.index), text.operator));
            self.folded_value(text);
        }
    }

    fn like(&mut self, text: &TextMatch) {
        let cut = text.declared
            && matches!(text.index.kind, IndexKind::Index | IndexKind::LikeIndex)
            && text.operator == "LIKE";
        if cut {
            // The cut key finds the candidates by its index; the whole text decides.
            let prefix = like_prefix(&text.value);
            self.push(&format!("({} LIKE ", key(&text.index)));
            self.folded_value(&TextMatch {
                value: prefix,
                ..text.clone()
            });
            self.push(" AND ");
        }
        let whole = match text.index.kind {
            IndexKind::GinIndex if text.declared => key(&text.index),
            _ => folded(&text.index),
        };
        self.push(&format!("{whole} {} ", text.operator));
        self.folded_value(text);
        if cut {
            self.push(")");
        }
    }

    /// Folds in Rust what cannot differ there (ASCII), and in the database what might.
    fn folded_value(&mut self, text: &TextMatch) {
        if text.value.is_ascii() {
            let value = if text.index.case_sensitive {
                text.value.clone()
            } else {
                text.value.to_ascii_lowercase()
            };
            self.bind(Parameter::Text(value), "text");
        } else {
            self.parameters.push(Parameter::Text(text.value.clone()));
            let placeholder = format!("${}::text", self.parameters.len());
            self.push(&fold(&text.index, &placeholder));
        }
    }

    fn word_match(&mut self, search: &WordMatch) {
        self.push(&format!("{} @@ (", words(&source(&search.index))));
        for (at, operand) in search.words.iter().enumerate() {
            if at > 0 {
                self.push(&format!(" {} ", search.joined));
            }
            let (function, text) = match operand {
                Words::Phrase(text) => ("octavo_phrase", text),
                Words::Prefix(text) => ("octavo_prefix", text),
            };
            self.push(&format!("public.{function}("));
            self.bind(Parameter::Text(text.clone()), "text");
            self.push(")");
        }
        self.push(")");
    }

    fn across(&mut self, schema: &str, crossing: &Crossing) {
        self.push(&format!(
            "{} IN (SELECT {} FROM {schema}.{}",
            crossing.column, crossing.other, crossing.table
        ));
        self.filter(schema, &crossing.predicate);
        self.push(")");
    }
}

/// The part of a LIKE pattern before its first wildcard, open at the end.
fn like_prefix(pattern: &str) -> String {
    let mut prefix = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' | '_' => break,
            '\\' => {
                prefix.push('\\');
                prefix.extend(characters.next());
            }
            other => prefix.push(other),
        }
        if prefix.len() >= KEY_CHARS / 2 {
            break;
        }
    }
    prefix.push('%');
    prefix
}
