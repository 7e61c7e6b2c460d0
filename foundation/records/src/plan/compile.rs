//! Compiles CQL against a collection's declaration: which column or index serves which clause.

use octavo_cql::{Boolean, Clause, Node, Operator, Query};

use super::elements::element_clause;
use super::field::{Field, check_field};
use super::ids::{id_clause, id_column};
use super::modifiers::Modifiers;
use super::sort::sort_terms;
use super::text::{number_clause, text_clause};
use super::{CROSSING, Crossing, Plan, PlanError, Predicate, TextMatch};
use crate::catalog::Catalog;
use crate::collection::Collection;

/// Compiles a query for one collection; `catalog` has the collections that it can cross to.
///
/// # Errors
/// When a relation, a modifier or a field cannot be used as requested.
pub fn compile(
    query: &Query,
    collection: &Collection,
    catalog: &Catalog,
) -> Result<Plan, PlanError> {
    check_nesting(&query.root, NESTING_MAX)?;
    let predicate = Compiler {
        collection,
        catalog,
    }
    .node(&query.root)?;
    if predicate.conditions() > CONDITIONS_MAX {
        return Err(PlanError::new(format!(
            "CQL: the query has more than {CONDITIONS_MAX} conditions (one on connected records counts \
             {CROSSING} times); ask for fewer at a time"
        )));
    }
    if query.sort.len() > SORT_KEYS_MAX {
        return Err(PlanError::new(format!(
            "CQL: sortBy takes at most {SORT_KEYS_MAX} keys"
        )));
    }
    let mut sort = Vec::new();
    for key in &query.sort {
        sort.extend(sort_terms(key, collection)?);
    }
    Ok(Plan { predicate, sort })
}

/// The most conditions of a search, a list of values counting as one. Each binds five values at
/// most, and PostgreSQL accepts 65,535; but planning them takes time that grows with their square.
const CONDITIONS_MAX: usize = 2_000;

/// The most sort keys; PostgreSQL accepts 1,664 columns.
const SORT_KEYS_MAX: usize = 100;

/// The deepest nesting of operators. Each change of operator in a chain is one level, on
/// PostgreSQL's stack and on ours.
const NESTING_MAX: usize = 300;

/// Refuses excessive nesting. The parser limits parentheses.
fn check_nesting(node: &Node, left: usize) -> Result<(), PlanError> {
    let Node::Boolean(chain) = node else {
        return Ok(());
    };
    let runs = chain.runs().count();
    let Some(left) = left.checked_sub(runs) else {
        return Err(PlanError::new(format!(
            "CQL: and, or and not follow each other in turn more than {NESTING_MAX} times; ask for \
             less at a time"
        )));
    };
    let mut operands =
        std::iter::once(&*chain.first).chain(chain.rest.iter().map(|link| &link.operand));
    operands.try_for_each(|operand| check_nesting(operand, left))
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

    /// From left to right, all operators with equal precedence; runs of one operator stay flat.
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
                Operator::Not => Predicate::Except(
                    Box::new(left),
                    Box::new(any_of(Predicate::Nothing, operands)),
                ),
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
        if !modifiers.elements.is_empty() {
            return element_clause(clause, self.collection, field, &modifiers);
        }
        if let Some(column) = id_column(self.collection, field) {
            if let Some(modifier) = clause.relation.modifiers.first() {
                return Err(PlanError::new(format!(
                    "CQL: the field {} holds an id and takes no modifier such as {}",
                    clause.index, modifier.name
                )));
            }
            return id_clause(clause, column);
        }
        let field = Field::of(self.collection, field);
        if modifiers.number {
            return number_clause(clause.relation.comparison, &clause.term, &field);
        }
        text_clause(clause.relation.comparison, &clause.term, &field, &modifiers)
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

/// Merges `id==(a or b or …)` and `barcode==(…)` into one list, however many values there are.
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
            (Some(Predicate::TextIn(text, values)), Predicate::Text(other))
                if other.can_be_listed() && other.by == text.by && other.index == text.index =>
            {
                values.push(other.value);
            }
            (Some(last @ Predicate::Text(_)), Predicate::Text(other)) => {
                if let Some(apart) = listed(last, other) {
                    parts.push(apart);
                }
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

/// Merges two equalities on one index into a list, in the place of the first; returns the second
/// where they cannot be merged.
fn listed(last: &mut Predicate, other: TextMatch) -> Option<Predicate> {
    let Predicate::Text(text) = last else {
        return Some(Predicate::Text(other));
    };
    let alike = text.by == other.by && text.index == other.index;
    if !alike || !text.can_be_listed() || !other.can_be_listed() {
        return Some(Predicate::Text(other));
    }
    let values = vec![std::mem::take(&mut text.value), other.value];
    *last = Predicate::TextIn(text.clone(), values);
    None
}
