//! The syntax tree of a query: plain data, equal when the queries say the same in the same order.
//! It does not know which indexes exist or what modifiers mean; the planner does.

use crate::term::Term;

/// The index of a bare term such as `whale`, which names none.
pub const SERVER_CHOICE: &str = "cql.serverChoice";

/// The index that matches every record, whatever its term; see [`Clause::is_all_records`].
pub const ALL_RECORDS: &str = "cql.allRecords";

/// A whole query: prefix assignments, what to find, how to order it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// `> name = "identifier"` in front of the query, in the order written.
    pub prefixes: Vec<Prefix>,
    /// The condition.
    pub root: Node,
    /// The keys after `sortBy`; empty when the query names no order.
    pub sort: Vec<SortKey>,
}

/// A prefix assignment, `> dc = "info:srw/context-sets/1/dc-v1.1"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    /// The short name; `None` sets the default context set.
    pub name: Option<String>,
    /// What the name stands for, usually a URI.
    pub identifier: String,
}

/// A condition: one clause, or clauses joined by operators.
///
/// Trees made by [`parse`](crate::parse) are never deeper than
/// [`MAX_DEPTH`](crate::limits::MAX_DEPTH), which is what makes the recursive `Clone`, `Drop` and
/// `Display` safe. A tree built by hand should respect that limit too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// `index relation term`.
    Clause(Clause),
    /// Operands joined by `and`, `or`, `not`.
    Boolean(Boolean),
}

/// A chain of operands, applied from left to right: CQL gives its operators one precedence, so
/// `a or b and c` means `(a or b) and c`.
///
/// The chain is flat however long it is; only parentheses nest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boolean {
    /// The leftmost operand.
    pub first: Box<Node>,
    /// The further operands, each with the operator in front of it. The parser never leaves this
    /// empty.
    pub rest: Vec<Link>,
}

/// One further operand of a [`Boolean`] chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// How the operand is joined to everything on its left.
    pub operator: Operator,
    /// Modifiers of the operator, `and/x=y`. No operator of this dialect has any.
    pub modifiers: Vec<Modifier>,
    pub operand: Node,
}

/// A boolean operator. PROX is refused by the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Both sides match.
    And,
    /// Either side matches.
    Or,
    /// The left side matches and the right one does not.
    Not,
}

/// A search clause.
///
/// Equality ignores [`offset`](Self::offset): two clauses are equal when they ask for the same.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The index, case kept, escapes resolved. [`SERVER_CHOICE`] for a bare term.
    pub index: String,
    /// How index and term are compared.
    pub relation: Relation,
    /// The term to search for.
    pub term: Term,
    /// Byte offset in the query text at which the clause begins; for an operand that takes its
    /// index from outside its parentheses, where the operand begins. See
    /// [`position`](crate::position).
    pub offset: usize,
}

/// A comparison and its modifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    pub comparison: Comparison,
    /// Its modifiers in the order written, known or not.
    pub modifiers: Vec<Modifier>,
}

/// The comparisons of this dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`, also meant by a bare term.
    Equal,
    Exact,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    /// `adj`: the words of the term as a phrase.
    Adj,
    /// `all`: every word of the term.
    All,
    /// `any`: at least one word of the term.
    Any,
}

/// A modifier, `/ignorecase` or `/@identifierTypeId=8261054f-be78-422d-bd51-4ed9f33c3422`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modifier {
    /// The name as written; compare with [`is`](Self::is), since case does not matter.
    pub name: String,
    /// The symbol between name and value; there exactly when `value` is. One of the symbolic
    /// comparisons: `adj`, `all` and `any` cannot stand here.
    pub comparison: Option<Comparison>,
    /// The value with its masking backslashes; [`value_term`](Self::value_term) reads them.
    pub value: Option<String>,
}

/// One sort key, `title/sort.descending`.
///
/// Equality ignores [`offset`](Self::offset).
#[derive(Debug, Clone)]
pub struct SortKey {
    /// The index to sort by, case kept, escapes resolved.
    pub index: String,
    /// Its modifiers in the order written, known or not.
    pub modifiers: Vec<Modifier>,
    /// Byte offset of the key in the query text.
    pub offset: usize,
}

impl PartialEq for Clause {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && self.relation == other.relation && self.term == other.term
    }
}

impl Eq for Clause {}

impl PartialEq for SortKey {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && self.modifiers == other.modifiers
    }
}

impl Eq for SortKey {}

impl Query {
    /// A query without prefixes and order.
    #[must_use]
    pub fn new(root: Node) -> Self {
        Self {
            prefixes: Vec::new(),
            root,
            sort: Vec::new(),
        }
    }
}

impl Node {
    /// `self operator right`: lengthens the chain when `self` is one, else begins one.
    #[must_use]
    pub fn join(self, operator: Operator, right: Self) -> Self {
        let link = Link {
            operator,
            modifiers: Vec::new(),
            operand: right,
        };
        match self {
            Self::Boolean(mut chain) => {
                chain.rest.push(link);
                Self::Boolean(chain)
            }
            first @ Self::Clause(_) => Self::Boolean(Boolean {
                first: Box::new(first),
                rest: vec![link],
            }),
        }
    }

    /// Every clause of the tree from left to right.
    #[must_use]
    pub fn clauses(&self) -> Clauses<'_> {
        Clauses {
            pending: vec![self],
        }
    }
}

impl Boolean {
    /// The links cut into runs of one operator, so that `a or b or c and d` can become one OR of
    /// three inside one AND of two, instead of three nested operators.
    ///
    /// ```
    /// use octavo_cql::{Node, Operator};
    ///
    /// let Node::Boolean(chain) = octavo_cql::parse("a or b or c and d")?.root else { panic!() };
    /// let runs: Vec<_> = chain.runs().map(|run| (run[0].operator, run.len())).collect();
    /// assert_eq!(runs, [(Operator::Or, 2), (Operator::And, 1)]);
    /// # Ok::<(), octavo_cql::Error>(())
    /// ```
    pub fn runs(&self) -> impl Iterator<Item = &[Link]> {
        self.rest
            .chunk_by(|left, right| left.operator == right.operator)
    }
}

impl Clause {
    /// A clause without modifiers, not from any text.
    #[must_use]
    pub fn new(index: impl Into<String>, comparison: Comparison, term: Term) -> Self {
        let relation = Relation {
            comparison,
            modifiers: Vec::new(),
        };
        Self {
            index: index.into(),
            relation,
            term,
            offset: 0,
        }
    }

    /// Whether this is a bare term: no index, no relation.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.index == SERVER_CHOICE
            && self.relation.comparison == Comparison::Equal
            && self.relation.modifiers.is_empty()
    }

    /// Whether this clause matches every record: index [`ALL_RECORDS`] in any case, whatever
    /// relation and term are.
    #[must_use]
    pub fn is_all_records(&self) -> bool {
        self.index.eq_ignore_ascii_case(ALL_RECORDS)
    }
}

impl Modifier {
    /// Whether the modifier has this name, ignoring case.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value read as a term: with wildcards and escapes.
    #[must_use]
    pub fn value_term(&self) -> Option<Term> {
        self.value.as_deref().map(Term::new)
    }
}

/// The clauses of a tree from left to right; made by [`Node::clauses`].
#[derive(Debug)]
pub struct Clauses<'a> {
    pending: Vec<&'a Node>,
}

impl<'a> Iterator for Clauses<'a> {
    type Item = &'a Clause;

    fn next(&mut self) -> Option<&'a Clause> {
        loop {
            match self.pending.pop()? {
                Node::Clause(clause) => return Some(clause),
                Node::Boolean(chain) => {
                    self.pending
                        .extend(chain.rest.iter().rev().map(|link| &link.operand));
                    self.pending.push(&chain.first);
                }
            }
        }
    }
}
