//! A condition as SQL over `search_instance AS s`.

use octavo_records::StoreError;
use octavo_records::plan::{Parameter, Sql};

use super::SearchTables;
use crate::query::fields::{Column, ColumnKind, Table, Text};
use crate::query::{Condition, Test, Word};

impl SearchTables<'_> {
    /// Appends a condition.
    pub(super) fn condition(&self, sql: &mut Sql, condition: &Condition) -> Result<(), StoreError> {
        match condition {
            Condition::Everything => sql.push("true"),
            Condition::Nothing => sql.push("false"),
            Condition::All(parts) => self.joined(sql, parts, " AND ")?,
            Condition::Any(parts) => self.joined(sql, parts, " OR ")?,
            Condition::Not(part) => {
                sql.push("(");
                self.condition(sql, part)?;
                sql.push(") IS NOT TRUE");
            }
            Condition::Words { text, any, words } => {
                if words.iter().all(|one| one.text.is_empty()) {
                    sql.push(&format!("{} <> ''::tsvector", self.words_of(*text)));
                } else {
                    sql.push(&format!("{} @@ ", self.words_of(*text)));
                    self.words(sql, *any, words);
                }
            }
            Condition::Terms {
                tag,
                in_words,
                any,
                words,
            } => {
                let function = if *in_words {
                    "search_words_query"
                } else {
                    "search_query"
                };
                sql.push(&format!("{} @@ (", self.terms()));
                for (at, word) in words.iter().enumerate() {
                    if at > 0 {
                        sql.push(if *any { " || " } else { " && " });
                    }
                    // All values of a tag have it as prefix.
                    let function = if word.text.is_empty() {
                        "search_query"
                    } else {
                        function
                    };
                    sql.push(&format!("{}.{function}('{tag}', ", self.schema()));
                    sql.bind(Parameter::Text(word.text.clone()), "text");
                    sql.push(if word.starting { ", true)" } else { ", false)" });
                }
                sql.push(")");
            }
            Condition::TermLike { tag, pattern } => {
                sql.push(&format!(
                    "EXISTS (SELECT FROM unnest(tsvector_to_array({})) AS term \
                     WHERE lower(term) LIKE '{tag}:' || lower(public.f_unaccent(",
                    self.terms()
                ));
                sql.bind(Parameter::Text(pattern.clone()), "text");
                sql.push(")))");
            }
            Condition::ValueLike {
                hint,
                paths,
                pattern,
            } => {
                if let Some((text, letters)) = hint {
                    sql.push(&format!("({}::text LIKE ", self.words_of(*text)));
                    sql.bind(Parameter::Text(format!("%{letters}%")), "text");
                    sql.push(" AND ");
                }
                self.value_like(sql, paths, pattern);
                sql.push(if hint.is_some() { ")" } else { "" });
            }
            Condition::Heading { kind, column, ids } => {
                sql.push(&format!(
                    "s.id IN (SELECT instance_id FROM {}.browse_heading WHERE kind = {kind} \
                     AND {column} = ANY(",
                    self.schema()
                ));
                sql.bind(Parameter::Ids(ids.clone()), "uuid[]");
                sql.push("))");
            }
            Condition::Bound => sql.push(&format!("s.id IN ({})", self.bound())),
            Condition::Column(column, test) => self.column(sql, *column, test),
            Condition::Records(cql) => {
                let plan = self.plan(cql)?;
                sql.push(&format!(
                    "s.id IN (SELECT id FROM {}.instance",
                    self.schema()
                ));
                sql.filter(self.schema(), &plan.predicate);
                sql.push(")");
            }
        }
        Ok(())
    }

    /// The bound-with instances, as a column `id`.
    pub(super) fn bound(&self) -> String {
        let schema = self.schema();
        format!(
            "SELECT DISTINCT item.instance_id AS id FROM {schema}.bound_with_part AS part \
             JOIN {schema}.search_item AS item ON item.id = part.itemid"
        )
    }

    /// Appends a comparison of whole values of the records, which unpacks each record once. No index
    /// serves it, so other conditions should narrow it; the statement time-out ends it.
    fn value_like(&self, sql: &mut Sql, paths: &[&str], pattern: &str) {
        // `|| '{}'` makes an unpacked copy of the document, and `OFFSET 0` keeps the planner from
        // unpacking it again for each path.
        sql.push(&format!(
            "s.id IN (SELECT record.id FROM {}.instance AS record CROSS JOIN LATERAL \
             (SELECT record.jsonb || '{{}}'::jsonb AS doc OFFSET 0) AS flat \
             WHERE EXISTS (SELECT FROM (",
            self.schema()
        ));
        for (at, path) in paths.iter().enumerate() {
            sql.push(if at > 0 { " UNION ALL " } else { "" });
            sql.push(&format!(
                "SELECT jsonb_path_query(flat.doc, '{path}') AS one"
            ));
        }
        sql.push(
            ") AS value WHERE lower(public.f_unaccent(one #>> '{}')) LIKE lower(public.f_unaccent(",
        );
        sql.bind(Parameter::Text(pattern.to_owned()), "text");
        sql.push("))))");
    }

    fn joined(&self, sql: &mut Sql, parts: &[Condition], by: &str) -> Result<(), StoreError> {
        sql.push("(");
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                sql.push(by);
            }
            self.condition(sql, part)?;
        }
        // There are no empty lists of conditions.
        if parts.is_empty() {
            sql.push("true");
        }
        sql.push(")");
        Ok(())
    }

    /// The words of a text, as their index has them.
    pub(super) fn words_of(&self, text: Text) -> String {
        let function = match text {
            Text::Title => "search_title_words",
            Text::Contributor => "search_contributor_words",
            Text::Subject => "search_subject_words",
            Text::Keyword => "search_keyword_words",
        };
        format!("{}.{function}(s.words)", self.schema())
    }

    /// A column of instances, as its index has it: dates lie outside of the row.
    pub(super) fn instance_column(&self, name: &str) -> String {
        match name {
            "created" | "updated" => format!("{}.search_{name}(s.words)", self.schema()),
            _ => format!("s.{name}"),
        }
    }

    /// What is compared whole, as its index has it.
    fn terms(&self) -> String {
        format!("{}.search_terms(s.words)", self.schema())
    }

    /// Appends the search for words as a `tsquery`.
    pub(super) fn words(&self, sql: &mut Sql, any: bool, words: &[Word]) {
        sql.push("(");
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                sql.push(if any { " || " } else { " && " });
            }
            sql.push(if word.starting {
                "public.octavo_starting("
            } else {
                "public.octavo_phrase("
            });
            sql.bind(Parameter::Text(word.text.clone()), "text");
            sql.push(")");
        }
        sql.push(")");
    }

    fn column(&self, sql: &mut Sql, column: Column, test: &Test) {
        let table = match column.table {
            Table::Instance => {
                return self.test(sql, &self.instance_column(column.name), column.kind, test);
            }
            Table::Facet => {
                sql.push(&format!(
                    "s.facets IN (SELECT id FROM {}.search_facet WHERE ",
                    self.schema()
                ));
                self.test(sql, column.name, column.kind, test);
                return sql.push(")");
            }
            Table::Holdings => "search_holdings",
            Table::Item => "search_item",
        };
        sql.push(&format!(
            "s.id IN (SELECT instance_id FROM {}.{table} WHERE ",
            self.schema()
        ));
        self.test(sql, column.name, column.kind, test);
        if column.name == "call_number" {
            self.same_letters(sql, test);
        }
        sql.push(")");
    }

    /// Appends what the letters of a call number fulfil when the call number fulfils the test: only they have an
    /// index.
    fn same_letters(&self, sql: &mut Sql, test: &Test) {
        match test {
            Test::Is(values) => {
                let Some(value) = values.first() else { return };
                let function = format!(" AND call_number_key = {}.search_letters(", self.schema());
                sql.push(&function);
                sql.bind(Parameter::Text(value.clone()), "text");
                sql.push(")");
            }
            Test::Like(pattern) => {
                let letters = letters_before_wildcard(pattern);
                if !letters.is_empty() {
                    sql.push(" AND call_number_key LIKE ");
                    sql.bind(Parameter::Text(format!("{letters}%")), "text");
                }
            }
            _ => {}
        }
    }

    fn test(&self, sql: &mut Sql, name: &str, kind: ColumnKind, test: &Test) {
        let folded = match kind {
            ColumnKind::Folded | ColumnKind::Letters => Some(match kind {
                ColumnKind::Letters => format!("{}.search_letters(", self.schema()),
                _ => format!("{}.search_fold(", self.schema()),
            }),
            _ => None,
        };
        match test {
            Test::Present => match kind {
                ColumnKind::Ids | ColumnKind::Texts => sql.push(&format!("{name} <> '{{}}'")),
                _ => sql.push(&format!("{name} IS NOT NULL")),
            },
            Test::Is(values) => match (kind, folded, values.as_slice()) {
                (ColumnKind::Flag, _, values) => {
                    let yes = values.iter().any(|value| value == "true");
                    sql.push(if yes { "" } else { "NOT " });
                    sql.push(name);
                }
                (_, Some(function), [value, ..]) => {
                    sql.push(&format!("{name} = {function}"));
                    sql.bind(Parameter::Text(value.clone()), "text");
                    sql.push(if kind == ColumnKind::Folded {
                        ", 200)"
                    } else {
                        ")"
                    });
                }
                (_, _, values) => {
                    let cast = match kind {
                        ColumnKind::Id => "= ANY(",
                        ColumnKind::Number => "::text = ANY(",
                        ColumnKind::Ids | ColumnKind::Texts => "&& (",
                        _ => "= ANY(",
                    };
                    sql.push(&format!(
                        "{name}{}{cast}",
                        if kind == ColumnKind::Number { "" } else { " " }
                    ));
                    sql.bind(Parameter::Texts(values.to_vec()), "text[]");
                    let uuids = matches!(kind, ColumnKind::Id | ColumnKind::Ids);
                    sql.push(if uuids { "::uuid[])" } else { ")" });
                    // Repeats the condition of the partial index, so that the planner uses it.
                    if matches!(kind, ColumnKind::Ids | ColumnKind::Texts) {
                        sql.push(&format!(" AND {name} <> '{{}}'"));
                    }
                }
            },
            Test::Like(pattern) if kind == ColumnKind::Text => {
                sql.push(&format!("{name} LIKE "));
                sql.bind(Parameter::Text(pattern.clone()), "text");
            }
            Test::Like(pattern) if matches!(kind, ColumnKind::Ids | ColumnKind::Texts) => {
                sql.push(&format!(
                    "EXISTS (SELECT FROM unnest({name}) AS one \
                     WHERE lower(public.f_unaccent(one::text)) LIKE lower(public.f_unaccent("
                ));
                sql.bind(Parameter::Text(pattern.clone()), "text");
                sql.push(")))");
            }
            Test::Like(pattern) if kind == ColumnKind::Id => {
                sql.push(&format!("{name}::text LIKE lower("));
                sql.bind(Parameter::Text(pattern.clone()), "text");
                sql.push(")");
            }
            Test::Like(pattern) => {
                sql.push(&format!("{name} LIKE lower(public.f_unaccent("));
                sql.bind(Parameter::Text(pattern.clone()), "text");
                sql.push("))");
            }
            Test::Order(operator, value) => {
                sql.push(&format!("{name} {operator} "));
                match value.parse::<i64>() {
                    Ok(number) if kind == ColumnKind::Number => {
                        sql.bind(Parameter::Integer(number), "bigint");
                    }
                    _ => {
                        let function = folded.as_deref().unwrap_or("(");
                        sql.push(function);
                        sql.bind(Parameter::Text(value.clone()), "text");
                        sql.push(if kind == ColumnKind::Folded {
                            ", 200)"
                        } else {
                            ")"
                        });
                    }
                }
            }
        }
    }
}

/// The letters and digits with which all texts of a `LIKE` pattern begin, in lower case: as far as they are ASCII, for
/// others may be folded to more than one.
fn letters_before_wildcard(pattern: &str) -> String {
    pattern
        .chars()
        .take_while(|one| one.is_ascii() && !matches!(one, '%' | '_' | '\\'))
        .filter(char::is_ascii_alphanumeric)
        .map(|one| one.to_ascii_lowercase())
        .collect()
}

/// All searches for words of a condition, by which what is found is ranked.
pub(super) fn ranked(condition: &Condition) -> Vec<(bool, Vec<Word>)> {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(ranked).collect(),
        Condition::Words { any, words, .. } if words.iter().any(|one| !one.text.is_empty()) => {
            vec![(*any, words.clone())]
        }
        _ => Vec::new(),
    }
}
