//! Gives meaning to the tree: checks the priority line and the policies in the order of the text
//! and flattens nested statements into rules with their scores.

use uuid::Uuid;

use super::lexer::error;
use super::priority::{Scoring, Used};
use super::syntax::{Condition, Fallback, PolicyList, Position, RuleText, Statement};
use super::{PolicyIds, PolicyKind, RuleError, id_of};

/// One policy of each kind, in the order of [`PolicyKind::ALL`].
pub(super) type Policies = [Uuid; 5];

/// A rule that can win.
#[derive(Debug, Clone)]
pub(super) struct FlatRule {
    pub line: u32,
    pub score: i64,
    pub used: Used,
    /// The rule's own conditions and those of all its ancestors.
    pub conditions: Vec<Condition>,
    pub policies: Policies,
}

/// Checks a tree and lists its rules, the fallback among them, in no particular order.
/// Policies are checked to exist only when `known` is given.
pub(super) fn flatten(
    text: &RuleText,
    known: Option<&PolicyIds>,
) -> Result<Vec<FlatRule>, RuleError> {
    let scoring = Scoring::new(&text.priority)?;
    let mut rules = Vec::new();
    if !text.fallback_is_last {
        rules.push(fallback_rule(&text.fallback, &scoring, known)?);
    }
    for statement in &text.statements {
        if let Some(rule) = statement_rule(statement, text, &scoring, known)? {
            rules.push(rule);
        }
    }
    if text.fallback_is_last {
        rules.push(fallback_rule(&text.fallback, &scoring, known)?);
    }
    Ok(rules)
}

fn fallback_rule(
    fallback: &Fallback,
    scoring: &Scoring,
    known: Option<&PolicyIds>,
) -> Result<FlatRule, RuleError> {
    let position = from_zero(fallback.position);
    for kind in PolicyKind::ALL {
        let letter = kind.letter();
        match named(&fallback.list, kind).count() {
            1 => {}
            0 => {
                return Err(error(
                    format!("Must have a fallback policy of type {letter}"),
                    position,
                ));
            }
            _ => {
                let message = format!("Only one fallback policy of type {letter} is allowed");
                return Err(error(message, position));
            }
        }
    }
    let line = fallback.list.position.line;
    Ok(FlatRule {
        line,
        score: scoring.of_line(line),
        used: Used::default(),
        conditions: Vec::new(),
        policies: policies(&fallback.list, known)?,
    })
}

fn statement_rule(
    statement: &Statement,
    text: &RuleText,
    scoring: &Scoring,
    known: Option<&PolicyIds>,
) -> Result<Option<FlatRule>, RuleError> {
    let Some(list) = &statement.policies else {
        if statement.has_children {
            return Ok(None);
        }
        return Err(error("Policy missing", statement.position));
    };
    let policies = policies(list, known)?;
    let mut conditions = statement.conditions.clone();
    let mut parent = statement.parent;
    while let Some(index) = parent {
        conditions.extend(text.statements[index].conditions.iter().cloned());
        parent = text.statements[index].parent;
    }
    let mut used = Used::default();
    for condition in &conditions {
        used.add(condition.criterion);
    }
    let line = list.position.line;
    let score = scoring.of_rule(used, line);
    Ok(Some(FlatRule {
        line,
        score,
        used,
        conditions,
        policies,
    }))
}

/// Exactly one policy of each kind, each existing.
fn policies(list: &PolicyList, known: Option<&PolicyIds>) -> Result<Policies, RuleError> {
    let position = from_zero(list.position);
    let mut found = [Uuid::nil(); 5];
    for (slot, kind) in found.iter_mut().zip(PolicyKind::ALL) {
        let letter = kind.letter();
        let mut names = named(list, kind);
        let Some(name) = names.next() else {
            let message = format!("Must contain one of each policy type, missing type {letter}");
            return Err(error(message, position));
        };
        if names.next().is_some() {
            return Err(error(
                format!("Only one policy of type {letter} allowed"),
                position,
            ));
        }
        // A name that is not an id cannot be the id of a policy, whatever is known.
        *slot = id_of(name)
            .filter(|id| known.is_none_or(|known| known.contains(kind, id)))
            .ok_or_else(|| error(format!("The policy {letter} does not exist"), position))?;
    }
    Ok(found)
}

fn named(list: &PolicyList, kind: PolicyKind) -> impl Iterator<Item = &str> {
    list.policies
        .iter()
        .filter(move |policy| policy.letter == kind.letter())
        .map(|policy| policy.name.as_str())
}

/// For errors in policies FOLIO counts columns from 0, and its editor relies on it.
fn from_zero(position: Position) -> Position {
    Position {
        column: position.column - 1,
        ..position
    }
}
