//! The parser's state for one level of parentheses. A stack of these takes the place of recursion,
//! so no text can exhaust the thread's stack.

use std::rc::Rc;

use crate::ast::{Boolean, Link, Modifier, Node, Operator, Relation};

/// The index and relation of operands that name none themselves.
#[derive(Clone)]
pub(crate) struct Scope {
    pub(crate) index: String,
    pub(crate) relation: Relation,
}

/// A level of parentheses, or the whole query, between two operands.
pub(crate) struct Level {
    /// Shared with the levels inside that have no scope of their own.
    pub(crate) scope: Rc<Scope>,
    left: Option<Left>,
}

/// What is left of the operand being read: a chain and the operator after it.
struct Left {
    chain: Boolean,
    operator: Operator,
    modifiers: Vec<Modifier>,
}

impl Level {
    pub(crate) fn new(scope: Rc<Scope>) -> Self {
        Self { scope, left: None }
    }

    /// Adds an operand and the operator behind it.
    pub(crate) fn join(&mut self, operand: Node, operator: Operator, modifiers: Vec<Modifier>) {
        let chain = match self.left.take() {
            None => Boolean {
                first: Box::new(operand),
                rest: Vec::new(),
            },
            Some(left) => left.complete(operand),
        };
        self.left = Some(Left {
            chain,
            operator,
            modifiers,
        });
    }

    /// Adds the last operand and returns the node of the whole level.
    pub(crate) fn close(self, operand: Node) -> Node {
        match self.left {
            None => operand,
            Some(left) => Node::Boolean(left.complete(operand)),
        }
    }
}

impl Left {
    fn complete(self, operand: Node) -> Boolean {
        let Self {
            mut chain,
            operator,
            modifiers,
        } = self;
        chain.rest.push(Link {
            operator,
            modifiers,
            operand,
        });
        chain
    }
}
