//! Evaluates queries directly on records in memory: FOLIO's rules, written without plans, indexes
//! or SQL. The store is tested against it. It reads a collection's declaration only for the nature
//! of a field: an id, a text with its folding, a combination of fields, a join to another
//! collection.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use octavo_cql::{Boolean, Clause, Modifier, Node, Operator, Query, SortKey};
use octavo_records::{Catalog, Collection, ValueKind};
use serde_json::Value;

use super::clauses::{self, Asked};
use super::fields::{self, Field};
use super::json;
use super::text::Folding;

/// Why a query cannot be run.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal(pub &'static str);

/// Whether a record matches.
pub type Test<'a> = Box<dyn Fn(&Value) -> bool + 'a>;

/// Records in memory, by table.
#[derive(Debug)]
pub struct Library {
    pub catalog: Arc<Catalog>,
    pub records: BTreeMap<String, Vec<Value>>,
}

impl Library {
    /// The records of a table that a query finds.
    pub fn find(&self, table: &str, query: &Query) -> Result<Vec<&Value>, Refusal> {
        let collection = self.catalog.get(table).unwrap();
        let wanted = self.node(collection, &query.root)?;
        for key in &query.sort {
            fields::check_name(&key.index)?;
            Key::read(collection, key)?;
        }
        Ok(self.table(table).iter().filter(|one| wanted(one)).collect())
    }

    /// Which of two records comes first in a query's order.
    pub fn order(&self, table: &str, query: &Query, one: &Value, other: &Value) -> Ordering {
        let collection = self.catalog.get(table).unwrap();
        let mut keys = query.sort.iter().map(|key| Key::read(collection, key));
        let unequal = keys.find_map(|key| match key.unwrap().order(one, other) {
            Some(Ordering::Equal) => None,
            // Where no order is promised, any is right, and so for all keys after it.
            None => Some(Ordering::Equal),
            unequal => unequal,
        });
        unequal.unwrap_or(Ordering::Equal)
    }

    fn table(&self, table: &str) -> &[Value] {
        self.records.get(table).map_or(&[], Vec::as_slice)
    }

    fn node<'a>(&'a self, collection: &'a Collection, node: &Node) -> Result<Test<'a>, Refusal> {
        match node {
            Node::Clause(clause) => self.clause(collection, clause, &clause.index),
            Node::Boolean(chain) => self.chain(collection, chain),
        }
    }

    fn chain<'a>(
        &'a self,
        collection: &'a Collection,
        chain: &Boolean,
    ) -> Result<Test<'a>, Refusal> {
        let mut left = self.node(collection, &chain.first)?;
        for link in &chain.rest {
            let right = self.node(collection, &link.operand)?;
            left = match link.operator {
                Operator::And => Box::new(move |record| left(record) && right(record)),
                Operator::Or => Box::new(move |record| left(record) || right(record)),
                Operator::Not => Box::new(move |record| left(record) && !right(record)),
            };
        }
        Ok(left)
    }

    fn clause<'a>(
        &'a self,
        collection: &'a Collection,
        clause: &Clause,
        field: &str,
    ) -> Result<Test<'a>, Refusal> {
        if clause.is_all_records() {
            return Ok(Box::new(|_| true));
        }
        fields::check_name(field)?;
        if let Some(test) = self.crossing(collection, clause, field)? {
            return Ok(test);
        }
        clauses::clause(collection, clause, field)
    }

    /// A field of a joined record: of the one that this one references, or of any that references
    /// it.
    fn crossing<'a>(
        &'a self,
        collection: &'a Collection,
        clause: &Clause,
        field: &str,
    ) -> Result<Option<Test<'a>>, Refusal> {
        let Some((alias, rest)) = field.split_once('.') else {
            return Ok(None);
        };
        let shorthand = collection.shorthands.iter().find(|(name, _)| name == alias);
        if let Some((_, path)) = shorthand {
            return self.crossing(collection, clause, &format!("{path}.{rest}"));
        }
        for reference in &collection.references {
            if reference.parent_alias.as_deref() == Some(alias) {
                let parent = self.catalog.get(&reference.table).unwrap();
                let test = self.clause(parent, clause, rest)?;
                let parents = self.table(&reference.table);
                return Ok(Some(Box::new(move |record| {
                    let id = json::at(record, &reference.field);
                    let mut named = parents.iter().filter(|one| id == json::at(one, "id"));
                    named.any(&test)
                })));
            }
        }
        for child in self.catalog.children_of(&collection.table) {
            let back = child.references.iter().find(|reference| {
                reference.table == collection.table
                    && reference.child_alias.as_deref() == Some(alias)
            });
            if let Some(reference) = back {
                let test = self.clause(child, clause, rest)?;
                let children = self.table(&child.table);
                return Ok(Some(Box::new(move |record| {
                    let id = json::at(record, "id");
                    let mut naming = children
                        .iter()
                        .filter(|one| json::at(one, &reference.field) == id);
                    naming.any(&test)
                })));
            }
        }
        Ok(None)
    }
}

/// Text beyond so many characters need not count in sorting.
const ORDER_CHARS: usize = 600;

/// One sort key.
struct Key {
    field: Field,
    is_id: bool,
    number: bool,
    folding: Folding,
    descending: bool,
}

impl Key {
    fn read(collection: &Collection, key: &SortKey) -> Result<Key, Refusal> {
        let direction = |one: &&Modifier| {
            let name = one.name.to_lowercase();
            let name = name.strip_prefix("sort.").unwrap_or(&name).to_owned();
            matches!(name.as_str(), "ascending" | "descending").then_some(name)
        };
        let (directions, others): (Vec<&Modifier>, Vec<&Modifier>) = key
            .modifiers
            .iter()
            .partition(|one| direction(one).is_some());
        let others: Vec<Modifier> = others.into_iter().cloned().collect();
        let asked = Asked::read(&others)?;
        let field = Field::of(collection, &key.index);
        let last = directions.last().and_then(direction);
        Ok(Key {
            is_id: fields::is_id(collection, &key.index),
            number: asked.number,
            // An index's folding does not apply to sorting texts.
            folding: asked.folding(match collection.kind_at(&key.index) {
                Some(ValueKind::Text(_)) => Folding::WORDS,
                _ => field.folding,
            }),
            descending: last.as_deref() == Some("descending"),
            field,
        })
    }

    /// `None` where the dialect promises no order: `/number` on values that are not numbers, texts
    /// with very long common prefixes.
    fn order(&self, one: &Value, other: &Value) -> Option<Ordering> {
        let at = |record| json::at(record, &self.field.name);
        let order = if self.is_id {
            missing_last(at(one), at(other), |a, b| a.as_str().cmp(&b.as_str()))
        } else if self.number {
            let number = |record| at(record).and_then(clauses::number);
            let (one, other) = (number(one), number(other));
            if one.is_none() && other.is_none() {
                return None;
            }
            // Equal numbers in different notations have an order of their own.
            match missing_last(one, other, |a, b| a.cmp(&b)) {
                Ordering::Equal => return None,
                unequal => unequal,
            }
        } else {
            let text = |record| {
                let folded = self.folding.fold(&self.field.text(record)?);
                Some(folded.chars().take(ORDER_CHARS).collect::<String>())
            };
            let (one, other) = (text(one), text(other));
            let long = |text: &String| text.chars().count() == ORDER_CHARS;
            if one == other && one.as_ref().is_some_and(long) {
                return None;
            }
            missing_last(one, other, |a, b| a.cmp(&b))
        };
        Some(if self.descending {
            order.reverse()
        } else {
            order
        })
    }
}

fn missing_last<T>(one: Option<T>, other: Option<T>, order: impl Fn(T, T) -> Ordering) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => order(one, other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}
