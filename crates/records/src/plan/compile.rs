//! CQL against a collection's declaration: which column or index serves which clause.

use octavo_cql::{Boolean, Clause, Comparison, Node, Operator, Piece, Query, Term};

use super::ids::{id_clause, id_column};
use super::modifiers::Modifiers;
use super::sort::sort_term;
use super::words;
use super::{Crossing, Plan, PlanError, Predicate, TextMatch, WordMatch};
use crate::catalog::Catalog;
use crate::collection::Collection;
use crate::expression::json_at;
use crate::index::{Index, IndexKind};
use crate::shape::Kind;

/// Field names are longer than this only by mistake.
const FIELD_CHARS_MAX: usize = 128;

/// Compiles a query for one collection; `catalog` knows the collections that it can cross to.
///
/// # Errors
/// When a relation, a modifier or a field cannot be used as asked.
pub fn compile(
    query: &Query,
    collection: &Collection,
    catalog: &Catalog,
) -> Result<Plan, PlanError> {
    let predicate = Compiler {
        collection,
        catalog,
    }
    .node(&query.root)?;
    let sort = query
        .sort
        .iter()
        .map(|key| sort_term(key, collection))
        .collect::<Result<_, _>>()?;
    Ok(Plan { predicate, sort })
}

struct Compiler<'a> {
    collection: &'a Collection,
    catalog: &'a Catalog,
}

impl Compiler<'_> {
    fn node(&self, node: &Node) -> Result<Predicate, PlanError> {
        match node {
            Node::Clause(clause) => self.clause(clause, &clause.index),
            Node::Boolean(chain) => self.chain(chain),
        }
    }

    /// Left to right, all operators equal; runs of one operator stay flat.
    fn chain(&self, chain: &Boolean) -> Result<Predicate, PlanError> {
        let mut left = self.node(&chain.first)?;
        for run in chain.runs() {
            let operands = run
                .iter()
                .map(|link| self.node(&link.operand))
                .collect::<Result<Vec<_>, _>>()?;
            left = match run[0].operator {
                Operator::And => all_of(left, operands),
                Operator::Or => any_of(left, operands),
                Operator::Not => operands.into_iter().fold(left, |wanted, unwanted| {
                    Predicate::Except(Box::new(wanted), Box::new(unwanted))
                }),
            };
        }
        Ok(left)
    }

    fn clause(&self, clause: &Clause, field: &str) -> Result<Predicate, PlanError> {
        if clause.is_all_records() {
            return Ok(Predicate::Everything);
        }
        check_field(field)?;
        let modifiers = Modifiers::read(clause)?;
        if let Some(crossing) = self.crossing(clause, field)? {
            return Ok(crossing);
        }
        if let Some(column) = id_column(self.collection, field) {
            return id_clause(clause, column);
        }
        if modifiers.number {
            return number_clause(clause, field);
        }
        self.text_clause(clause, field, &modifiers)
    }

    /// `item.barcode` on instances, `instance.title` on holdings.
    fn crossing(&self, clause: &Clause, field: &str) -> Result<Option<Predicate>, PlanError> {
        let Some((alias, rest)) = field.split_once('.') else {
            return Ok(None);
        };
        if let Some((_, path)) = self
            .collection
            .shorthands
            .iter()
            .find(|(name, _)| *name == alias)
        {
            return self.crossing(clause, &format!("{path}.{rest}"));
        }
        for reference in &self.collection.references {
            if reference.parent_alias.as_deref() == Some(alias)
                && let Some(parent) = self.catalog.get(&reference.table)
            {
                let inner = Compiler {
                    collection: parent,
                    catalog: self.catalog,
                };
                return Ok(Some(Predicate::Across(Box::new(Crossing {
                    column: reference.column(),
                    table: reference.table.clone(),
                    other: "id".to_owned(),
                    predicate: inner.clause(clause, rest)?,
                }))));
            }
        }
        for child in self.catalog.children_of(&self.collection.table) {
            let found = child.references.iter().find(|reference| {
                reference.table == self.collection.table
                    && reference.child_alias.as_deref() == Some(alias)
            });
            if let Some(reference) = found {
                let inner = Compiler {
                    collection: child,
                    catalog: self.catalog,
                };
                return Ok(Some(Predicate::Across(Box::new(Crossing {
                    column: "id".to_owned(),
                    table: child.table.clone(),
                    other: reference.column(),
                    predicate: inner.clause(clause, rest)?,
                }))));
            }
        }
        Ok(None)
    }

    fn text_clause(
        &self,
        clause: &Clause,
        field: &str,
        modifiers: &Modifiers,
    ) -> Result<Predicate, PlanError> {
        let term = &clause.term;
        match clause.relation.comparison {
            Comparison::Equal | Comparison::Adj if term.is_any_run() => Ok(Predicate::Everything),
            Comparison::Equal | Comparison::Adj if term.is_empty() => {
                Ok(Predicate::Present(json_at(field)))
            }
            // An id is one word; its b-tree serves `=` as well as `==`.
            Comparison::Equal | Comparison::Adj
                if self.collection.kind_at(field) == Some(&Kind::Uuid)
                    && term.literal().is_some() =>
            {
                Ok(self.equality(field, term, modifiers, false))
            }
            Comparison::Equal | Comparison::Adj => self.words(field, term, "<->"),
            Comparison::All => self.words(field, term, "&&"),
            Comparison::Any => self.words(field, term, "||"),
            Comparison::Exact => Ok(self.equality(field, term, modifiers, false)),
            Comparison::NotEqual => Ok(self.equality(field, term, modifiers, true)),
            Comparison::Less => Ok(self.ordered(field, "<", term, modifiers)),
            Comparison::LessEqual => Ok(self.ordered(field, "<=", term, modifiers)),
            Comparison::Greater => Ok(self.ordered(field, ">", term, modifiers)),
            Comparison::GreaterEqual => Ok(self.ordered(field, ">=", term, modifiers)),
        }
    }

    fn words(
        &self,
        field: &str,
        term: &Term,
        joined: &'static str,
    ) -> Result<Predicate, PlanError> {
        let words = words::operands(term, joined == "<->")?;
        if words.is_empty() {
            return Ok(Predicate::Present(json_at(field)));
        }
        let found = declared(self.collection, field, &[IndexKind::FullTextIndex]);
        let declared = found.is_some();
        let index = found
            .cloned()
            .unwrap_or_else(|| implied(self.collection, field));
        Ok(Predicate::Words(WordMatch {
            index,
            declared,
            joined,
            words,
        }))
    }

    fn equality(
        &self,
        field: &str,
        term: &Term,
        modifiers: &Modifiers,
        negated: bool,
    ) -> Predicate {
        match term.literal() {
            Some(value) => {
                let operator = if negated { "<>" } else { "=" };
                Predicate::Text(self.text_match(field, operator, value, modifiers, EQUALITY))
            }
            None => {
                let operator = if negated { "NOT LIKE" } else { "LIKE" };
                let kinds = if matches!(term.pieces().first(), Some(Piece::Text(_))) {
                    EQUALITY
                } else {
                    TRIGRAM
                };
                Predicate::Like(self.text_match(field, operator, pattern(term), modifiers, kinds))
            }
        }
    }

    fn ordered(
        &self,
        field: &str,
        operator: &'static str,
        term: &Term,
        modifiers: &Modifiers,
    ) -> Predicate {
        let value = term.literal().unwrap_or_else(|| term.as_str().to_owned());
        Predicate::Text(self.text_match(field, operator, value, modifiers, EQUALITY))
    }

    fn text_match(
        &self,
        field: &str,
        operator: &'static str,
        value: String,
        modifiers: &Modifiers,
        kinds: &[IndexKind],
    ) -> TextMatch {
        let found = declared(self.collection, field, kinds);
        let mut index = found
            .cloned()
            .unwrap_or_else(|| implied(self.collection, field));
        modifiers.apply(&mut index);
        let declared = found.is_some_and(|one| *one == index);
        TextMatch {
            index,
            declared,
            operator,
            value,
        }
    }
}

/// Kinds that serve comparison of whole values, the best first.
pub(super) const EQUALITY: &[IndexKind] = &[
    IndexKind::UniqueIndex,
    IndexKind::Index,
    IndexKind::LikeIndex,
];
/// Kinds that serve patterns that begin with a wildcard.
const TRIGRAM: &[IndexKind] = &[IndexKind::GinIndex];

pub(super) fn declared<'a>(
    collection: &'a Collection,
    field: &str,
    kinds: &[IndexKind],
) -> Option<&'a Index> {
    kinds.iter().find_map(|kind| {
        collection
            .indexes
            .iter()
            .find(|index| index.field == field && index.kind == *kind && index.condition.is_none())
    })
}

/// How a field without an index of the wanted kind is read: like its other indexes, else like
/// FOLIO's default.
pub(super) fn implied(collection: &Collection, field: &str) -> Index {
    let mut index = Index::plain(field);
    if let Some(other) = collection.indexes.iter().find(|index| index.field == field) {
        index.fields = other.fields.clone();
        index.case_sensitive = other.case_sensitive;
        index.remove_accents = other.remove_accents;
    }
    index
}

pub(super) fn check_field(field: &str) -> Result<(), PlanError> {
    if field == octavo_cql::SERVER_CHOICE {
        return Err(PlanError::new(
            "CQL: a search without a field is not supported; name one, as in title=\"…\"",
        ));
    }
    let wellformed = !field.is_empty()
        && field.len() <= FIELD_CHARS_MAX
        && field.split('.').all(|name| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '$'))
        });
    if wellformed {
        Ok(())
    } else {
        let shown: String = field.chars().take(FIELD_CHARS_MAX).collect();
        Err(PlanError::new(format!(
            "CQL: \"{shown}\" is not the name of a field"
        )))
    }
}

fn number_clause(clause: &Clause, field: &str) -> Result<Predicate, PlanError> {
    let operator = match clause.relation.comparison {
        Comparison::Equal | Comparison::Exact => "=",
        Comparison::NotEqual => "<>",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
        Comparison::Adj | Comparison::All | Comparison::Any => {
            return Err(PlanError::new(
                "CQL: /number takes only =, ==, <>, <, >, <= and >=",
            ));
        }
    };
    let digits = clause.term.literal().unwrap_or_default();
    if digits.len() > 100 || !digits.parse::<f64>().is_ok_and(f64::is_finite) {
        return Err(PlanError::new(format!(
            "CQL: \"{}\" after {field} is not a number, as /number asks",
            clause
                .term
                .as_str()
                .chars()
                .take(FIELD_CHARS_MAX)
                .collect::<String>()
        )));
    }
    Ok(Predicate::Number(json_at(field), operator, digits))
}

/// A LIKE pattern for a term with wildcards.
fn pattern(term: &Term) -> String {
    let mut pattern = String::new();
    for piece in term.pieces() {
        match piece {
            Piece::AnyRun => pattern.push('%'),
            Piece::AnyOne => pattern.push('_'),
            Piece::Text(text) => {
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

fn all_of(left: Predicate, operands: Vec<Predicate>) -> Predicate {
    let mut parts = match left {
        Predicate::All(parts) => parts,
        other => vec![other],
    };
    parts.extend(operands);
    parts.retain(|part| *part != Predicate::Everything);
    match parts.len() {
        0 => Predicate::Everything,
        1 => parts.remove(0),
        _ => Predicate::All(parts),
    }
}

/// `id==(a or b or …)` becomes one list, however many there are.
fn any_of(left: Predicate, operands: Vec<Predicate>) -> Predicate {
    let mut parts: Vec<Predicate> = Vec::new();
    for part in std::iter::once(left).chain(operands) {
        match (parts.last_mut(), part) {
            (_, Predicate::Everything) => return Predicate::Everything,
            (_, Predicate::Nothing) => {}
            (Some(Predicate::IdIn(column, ids)), Predicate::IdIn(other, more))
                if *column == other =>
            {
                ids.extend(more);
            }
            (_, Predicate::Any(more)) => parts.extend(more),
            (_, other) => parts.push(other),
        }
    }
    match parts.len() {
        0 => Predicate::Nothing,
        1 => parts.remove(0),
        _ => Predicate::Any(parts),
    }
}
