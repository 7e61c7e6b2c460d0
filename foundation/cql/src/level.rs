//! What the parser remembers of one level of parentheses while it reads operands in it. A stack of
//! these takes the place of recursion, so no text can cost thread stack.

use std::rc::Rc;

use crate::ast::{Boolean, Link, Modifier, Node, Operator, Relation};

/// Index and relation for operands that name none themselves.
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

/// What stands left of the operand being read: a chain and the operator after it.
struct Left {
    chain: Boolean,
    operator: Operator,
    modifiers: Vec<Modifier>,
}

impl Level {
    pub(crate) fn new(scope: Rc<Scope>) -> Self {
        Self { scope, left: None }
    }

    /// An operand has been read, and an operator behind it.
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

    /// An operand has been read, and it is the last: what all of the level means.
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
