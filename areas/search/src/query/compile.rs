//! Compiles parsed queries for instances.

use octavo_cql::{Clause, Comparison, Node, Operator, Query, SortKey, Term};

use super::fields::{
    Column, ColumnKind, Constant, Field, Form, Table, Text, field, paths, tagged_paths,
};
use super::{Condition, Fault, Test, Word};
use uuid::Uuid;

/// Words that one clause looks for.
const WORDS_MAX: usize = 200;
/// Clauses of one query.
const CLAUSES_MAX: usize = 500;

/// A compiled query.
#[derive(Debug, Clone, PartialEq)]
pub struct InstanceQuery {
    /// Conditions that must all hold.
    pub parts: Vec<Part>,
    /// The order; by relevance when empty.
    pub sort: Vec<Sort>,
}

impl InstanceQuery {
    /// All parts together.
    #[must_use]
    pub fn condition(&self) -> Condition {
        Condition::All(self.parts.iter().map(|one| one.condition.clone()).collect())
    }
}

/// One of the conditions that must all hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The condition.
    pub condition: Condition,
    /// The field, when the condition filters by values of a single field.
    pub field: Option<String>,
    /// The values it filters by.
    pub values: Vec<String>,
}

/// A key of the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// The sort key.
    pub by: SortBy,
    /// The greatest first.
    pub descending: bool,
}

/// What instances can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortBy {
    Title,
    /// The first contributor.
    Contributors,
    /// The first of the items' statuses.
    ItemStatus,
    /// The year.
    Date1,
    /// When the record was made.
    Created,
    /// When it was changed.
    Updated,
}

/// Compiles a query.
///
/// # Errors
/// For invalid CQL, unknown fields, and unsupported comparisons.
pub fn compile(text: &str, tenant: &str) -> Result<InstanceQuery, Fault> {
    let query: Query = octavo_cql::parse(text)
        .map_err(|error| Fault::of(format!("Failed to parse CQL query: {error}"), "query", text))?;
    if query.root.clauses().count() > CLAUSES_MAX {
        let message = format!("A query takes at most {CLAUSES_MAX} clauses");
        return Err(Fault::of(message, "query", text));
    }
    let parts = conjuncts(&query.root)
        .into_iter()
        .map(|node| part(node, tenant))
        .collect::<Result<_, _>>()?;
    let sort = query.sort.iter().map(sort).collect::<Result<_, _>>()?;
    Ok(InstanceQuery { parts, sort })
}

/// The operands of a query joined by AND.
#[must_use]
pub fn conjuncts(node: &Node) -> Vec<&Node> {
    match node {
        Node::Boolean(chain) if chain.rest.iter().all(|link| link.operator == Operator::And) => {
            let operands = chain.rest.iter().map(|link| &link.operand);
            std::iter::once(&*chain.first)
                .chain(operands)
                .flat_map(conjuncts)
                .collect()
        }
        other => vec![other],
    }
}

fn part(node: &Node, tenant: &str) -> Result<Part, Fault> {
    let condition = condition(node, tenant)?;
    let mut clauses = node.clauses();
    let first = clauses.next().map(|clause| plain_name(&clause.index));
    let field = first.filter(|first| {
        !is_negated(node) && node.clauses().all(|one| plain_name(&one.index) == *first)
    });
    let values = node.clauses().filter_map(|one| one.term.literal());
    Ok(Part {
        condition,
        values: values.filter(|value| !value.is_empty()).collect(),
        field,
    })
}

/// Whether the clause is negated.
fn is_negated(node: &Node) -> bool {
    match node {
        Node::Clause(clause) => clause.relation.comparison == Comparison::NotEqual,
        Node::Boolean(chain) => {
            is_negated(&chain.first)
                || chain
                    .rest
                    .iter()
                    .any(|link| link.operator == Operator::Not || is_negated(&link.operand))
        }
    }
}

/// Fields of items have two names.
fn plain_name(name: &str) -> String {
    match name.strip_prefix("items.") {
        Some(rest) => format!("item.{rest}"),
        None => name.to_owned(),
    }
}

fn condition(node: &Node, tenant: &str) -> Result<Condition, Fault> {
    let chain = match node {
        Node::Clause(one) => return clause(one, tenant),
        Node::Boolean(chain) => chain,
    };
    let mut left = condition(&chain.first, tenant)?;
    for run in chain.runs() {
        let mut parts = vec![left];
        for link in run {
            parts.push(condition(&link.operand, tenant)?);
        }
        left = match run.first().map(|link| link.operator) {
            Some(Operator::Or) => Condition::Any(parts),
            Some(Operator::Not) => {
                let rest = parts.split_off(1);
                let without = Condition::Not(Box::new(Condition::Any(rest)));
                parts.push(without);
                Condition::All(parts)
            }
            _ => Condition::All(parts),
        };
    }
    Ok(left)
}

fn clause(clause: &Clause, tenant: &str) -> Result<Condition, Fault> {
    if clause.is_all_records() {
        return Ok(Condition::Everything);
    }
    let name = clause.index.as_str();
    let found = if clause.is_bare() {
        Some(Field::Words(Text::Keyword))
    } else {
        field(name)
    };
    let found = found.ok_or_else(|| {
        Fault::of(
            "Invalid search field provided in the CQL query",
            "field",
            name,
        )
    })?;
    let comparison = clause.relation.comparison;
    if comparison == Comparison::NotEqual {
        let equal = matched(found, name, Comparison::Exact, &clause.term, tenant)?;
        return Ok(Condition::Not(Box::new(equal)));
    }
    matched(found, name, comparison, &clause.term, tenant)
}

fn matched(
    found: Field,
    name: &str,
    comparison: Comparison,
    term: &Term,
    tenant: &str,
) -> Result<Condition, Fault> {
    match found {
        Field::Words(text) if has_pattern(term) => {
            refuse_order(name, comparison)?;
            Ok(Condition::ValueLike {
                hint: longest_letters(term).map(|letters| (text, letters)),
                paths: paths(text),
                pattern: like(term, false),
            })
        }
        Field::Tagged(tag) if has_pattern(term) => {
            refuse_order(name, comparison)?;
            Ok(Condition::ValueLike {
                // Not every word of these texts is indexed.
                hint: None,
                paths: tagged_paths(tag),
                pattern: like(term, false),
            })
        }
        Field::Words(text) => {
            let (any, words) = words(name, comparison, term)?;
            Ok(if words.is_empty() {
                // An empty term matches every instance with a value.
                present(text)
            } else {
                Condition::Words { text, any, words }
            })
        }
        Field::Tagged(tag) => {
            let (any, words) = words(name, comparison, term)?;
            Ok(Condition::Terms {
                tag,
                in_words: true,
                any,
                words: or_anything(words),
            })
        }
        Field::Whole(tag, form) => {
            refuse_order(name, comparison)?;
            let pieces = term.pieces();
            let starting = has_run(term);
            let text = match pieces.as_slice() {
                _ if !starting => term.text(),
                [octavo_cql::Piece::AnyRun] => String::new(),
                [octavo_cql::Piece::Text(text), octavo_cql::Piece::AnyRun] => text.clone(),
                _ => {
                    let pattern = like(term, form != Form::AsIs);
                    return Ok(Condition::TermLike { tag, pattern });
                }
            };
            let text = formed(form, &text);
            let starting = starting || text.is_empty();
            Ok(Condition::Terms {
                tag,
                in_words: false,
                any: false,
                words: vec![Word { text, starting }],
            })
        }
        Field::Column(one) => column(one, name, comparison, term),
        Field::AnyOf(columns) => {
            let each = columns
                .iter()
                .map(|one| column(*one, name, comparison, term));
            Ok(Condition::Any(each.collect::<Result<_, _>>()?))
        }
        Field::Heading(kind, column) => {
            refuse_order(name, comparison)?;
            let ids = Uuid::try_parse(&term.text()).into_iter().collect();
            Ok(Condition::Heading { kind, column, ids })
        }
        Field::Bound => {
            refuse_order(name, comparison)?;
            match flag(name, &term.text())? {
                true => Ok(Condition::Bound),
                false => Ok(Condition::Not(Box::new(Condition::Bound))),
            }
        }
        Field::Constant(_) if term.is_any_run() => Ok(Condition::Everything),
        Field::Constant(constant) => {
            let value = term.text();
            let holds = match constant {
                Constant::Tenant => value == tenant,
                Constant::Shared => value.eq_ignore_ascii_case("false"),
            };
            Ok(if holds {
                Condition::Everything
            } else {
                Condition::Nothing
            })
        }
        Field::Records(names) => {
            refuse_order(name, comparison)?;
            let all = names.iter().map(|one| match *one {
                // The record store's CQL has no wildcards in ids.
                "item.id" => is_id(Table::Item, term),
                "holdingsRecords.id" => is_id(Table::Holdings, term),
                one => Condition::Records(format!("{one} == \"{}\"", term.as_str())),
            });
            Ok(Condition::Any(all.collect()))
        }
    }
}

/// A search for an id or a prefix of one.
fn is_id(table: Table, term: &Term) -> Condition {
    let column = Column {
        table,
        name: "id",
        kind: ColumnKind::Id,
    };
    match Uuid::try_parse(&term.text()) {
        _ if has_run(term) => Condition::Column(column, Test::Like(like(term, false))),
        Ok(id) => Condition::Column(column, Test::Is(vec![id.to_string()])),
        Err(_) => Condition::Nothing,
    }
}

fn flag(name: &str, value: &str) -> Result<bool, Fault> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Fault::of(
            format!("Invalid boolean value: {value}"),
            "field",
            name,
        )),
    }
}

/// Whether there is a `*`; without one a `?` is a question mark, as in FOLIO.
pub(super) fn has_run(term: &Term) -> bool {
    term.pieces().contains(&octavo_cql::Piece::AnyRun)
}

/// Whether a term is a pattern for whole values: a wildcard elsewhere than at the end of a word.
/// Prefixes of words are found by an index instead.
pub(super) fn has_pattern(term: &Term) -> bool {
    use octavo_cql::Piece;
    has_run(term)
        && term.words().iter().any(|word| {
            !matches!(
                word.pieces().as_slice(),
                [Piece::AnyRun] | [Piece::Text(_)] | [Piece::Text(_), Piece::AnyRun]
            )
        })
}

/// The longest run of letters in a pattern, in lower case and without word boundaries inside. `None` if
/// none has two letters.
fn longest_letters(term: &Term) -> Option<String> {
    let mut longest = String::new();
    for piece in term.pieces() {
        let octavo_cql::Piece::Text(text) = piece else {
            continue;
        };
        for run in text.split(|one: char| !one.is_ascii_alphabetic()) {
            if run.len() > longest.len() {
                longest = run.to_ascii_lowercase();
            }
        }
    }
    (longest.len() > 1).then_some(longest)
}

fn present(text: Text) -> Condition {
    match text {
        // Every instance has a title.
        Text::Title | Text::Keyword => Condition::Everything,
        Text::Contributor | Text::Subject => Condition::Words {
            text,
            any: false,
            words: or_anything(Vec::new()),
        },
    }
}

/// An empty search matches any value.
fn or_anything(words: Vec<Word>) -> Vec<Word> {
    if words.is_empty() {
        return vec![Word {
            text: String::new(),
            starting: true,
        }];
    }
    words
}

/// Whether one word is enough, and the words; none for an empty term and for `*`.
pub(super) fn words(
    name: &str,
    comparison: Comparison,
    term: &Term,
) -> Result<(bool, Vec<Word>), Fault> {
    use octavo_cql::Piece;
    refuse_order(name, comparison)?;
    if term.is_any_run() {
        return Ok((false, Vec::new()));
    }
    if comparison == Comparison::Exact && !has_run(term) {
        let phrase = Word {
            text: term.text(),
            starting: false,
        };
        let phrase = Some(phrase).filter(|one| !one.text.trim().is_empty());
        return Ok((false, phrase.into_iter().collect()));
    }
    let terms = term.words();
    if terms.len() > WORDS_MAX {
        let message = format!("A search for words takes at most {WORDS_MAX} of them");
        return Err(Fault::of(message, "field", name));
    }
    let mut words = Vec::with_capacity(terms.len());
    for one in &terms {
        match one.pieces().as_slice() {
            [Piece::Text(text), Piece::AnyRun] => words.push(Word {
                text: text.clone(),
                starting: true,
            }),
            [Piece::AnyRun] => {}
            // Patterns were handled before; here `?` is literal.
            _ => words.push(Word {
                text: one.text(),
                starting: false,
            }),
        }
    }
    Ok((comparison == Comparison::Any, words))
}

pub(super) fn refuse_order(name: &str, comparison: Comparison) -> Result<(), Fault> {
    match order(comparison) {
        None => Ok(()),
        Some(operator) => Err(Fault::of(
            format!("Failed to parse CQL query. Comparator '{operator}' is not supported."),
            "field",
            name,
        )),
    }
}

pub(super) fn order(comparison: Comparison) -> Option<&'static str> {
    match comparison {
        Comparison::Less => Some("<"),
        Comparison::LessEqual => Some("<="),
        Comparison::Greater => Some(">"),
        Comparison::GreaterEqual => Some(">="),
        _ => None,
    }
}

fn column(
    column: Column,
    name: &str,
    comparison: Comparison,
    term: &Term,
) -> Result<Condition, Fault> {
    let plain = matches!(
        column.kind,
        ColumnKind::Text | ColumnKind::Number | ColumnKind::Folded | ColumnKind::Letters
    );
    let is = |value: String| Condition::Column(column, Test::Is(vec![value]));
    if let Some(operator) = order(comparison) {
        if !plain || !matches!(column.table, Table::Instance | Table::Facet) {
            refuse_order(name, comparison)?;
        }
        let value = term.text();
        if column.kind == ColumnKind::Number && value.parse::<i32>().is_err() {
            return Err(Fault::of(format!("Invalid number: {value}"), "field", name));
        }
        return Ok(Condition::Column(column, Test::Order(operator, value)));
    }
    if term.is_any_run() || term.is_empty() {
        return Ok(Condition::Column(column, Test::Present));
    }
    if has_run(term) {
        return match column.kind {
            ColumnKind::Text
            | ColumnKind::Folded
            | ColumnKind::Id
            | ColumnKind::Ids
            | ColumnKind::Texts => Ok(Condition::Column(column, Test::Like(like(term, false)))),
            ColumnKind::Letters => Ok(Condition::Column(column, Test::Like(like(term, true)))),
            ColumnKind::Flag | ColumnKind::Number => Err(Fault::of(
                "Wildcards are not supported for this field",
                "field",
                name,
            )),
        };
    }
    let value = term.text();
    Ok(match column.kind {
        ColumnKind::Id | ColumnKind::Ids => match Uuid::try_parse(&value) {
            Ok(id) => is(id.to_string()),
            Err(_) => Condition::Nothing,
        },
        ColumnKind::Flag => is(flag(name, &value)?.to_string()),
        ColumnKind::Number => match value.parse::<i32>() {
            Ok(number) => is(number.to_string()),
            Err(_) => Condition::Nothing,
        },
        ColumnKind::Letters => is(letters(&value)),
        ColumnKind::Text | ColumnKind::Texts | ColumnKind::Folded => is(value),
    })
}

pub(super) fn like(term: &Term, only_letters: bool) -> String {
    use octavo_cql::Piece;
    let mut pattern = String::new();
    for piece in term.pieces() {
        match piece {
            Piece::AnyRun => pattern.push('%'),
            Piece::AnyOne => pattern.push('_'),
            Piece::Text(text) => {
                let text = if only_letters { letters(&text) } else { text };
                for character in text.chars() {
                    if matches!(character, '%' | '_' | '\\') {
                        pattern.push('\\');
                    }
                    pattern.push(character);
                }
            }
        }
    }
    pattern
}

pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|one| one.is_alphanumeric()).collect()
}

fn formed(form: Form, text: &str) -> String {
    match form {
        Form::AsIs => text.to_owned(),
        Form::Letters => letters(text),
        Form::Isbn => {
            let number = text
                .chars()
                .take_while(|one| one.is_ascii_digit() || matches!(one, 'x' | 'X' | ' ' | '-'));
            number.filter(char::is_ascii_alphanumeric).collect()
        }
        Form::Digits => {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            digits.trim_start_matches('0').to_owned()
        }
    }
}

fn sort(key: &SortKey) -> Result<Sort, Fault> {
    let by = match key.index.as_str() {
        "title" => SortBy::Title,
        "contributors" => SortBy::Contributors,
        "item.status.name" | "items.status.name" => SortBy::ItemStatus,
        "normalizedDate1" => SortBy::Date1,
        "metadata.createdDate" => SortBy::Created,
        "metadata.updatedDate" => SortBy::Updated,
        other => {
            let message = "Sort field not found or cannot be used.";
            return Err(Fault::of(message, "sortField", other));
        }
    };
    let descending = key.modifiers.iter().any(|one| one.is("sort.descending"));
    Ok(Sort { by, descending })
}

#[cfg(test)]
mod tests;
