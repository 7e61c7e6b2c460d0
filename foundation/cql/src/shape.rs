//! The shape of a query: its structure without its values. Queries that differ only in their values
//! have one shape. No value, which may be a person's name, is in it.

use crate::ast::{Boolean, Clause, Modifier, Node, Query, SortKey};
use crate::term::{Piece, Term};

impl Query {
    /// The query with `?` in place of every value, as canonical CQL. Wildcards stay, since they
    /// decide which index can be used; equal operands are merged, so that a list of ids has the
    /// shape of one id; prefixes are left out.
    ///
    /// ```
    /// let query = octavo_cql::parse("barcode==(1 or 2 or 3) and title=\"sense*\" sortBy title")?;
    /// assert_eq!(query.shape(), "barcode == ? and title = ?* sortBy title");
    /// # Ok::<(), octavo_cql::Error>(())
    /// ```
    #[must_use]
    pub fn shape(&self) -> String {
        Query {
            prefixes: Vec::new(),
            root: node(&self.root),
            sort: self.sort.iter().map(sort_key).collect(),
        }
        .to_string()
    }
}

fn node(found: &Node) -> Node {
    match found {
        Node::Clause(found) => Node::Clause(clause(found)),
        Node::Boolean(chain) => boolean(chain),
    }
}

/// Drops an operand that equals the one before it and is joined by AND or OR: it adds nothing to
/// the shape.
fn boolean(chain: &Boolean) -> Node {
    let first = node(&chain.first);
    let mut last = first.clone();
    let mut rest = Vec::new();
    for link in &chain.rest {
        let operand = node(&link.operand);
        if operand == last && link.operator != crate::ast::Operator::Not {
            continue;
        }
        last.clone_from(&operand);
        let mut link = link.clone();
        link.modifiers = link.modifiers.iter().map(modifier).collect();
        link.operand = operand;
        rest.push(link);
    }
    if rest.is_empty() {
        return first;
    }
    Node::Boolean(Boolean {
        first: Box::new(first),
        rest,
    })
}

fn clause(found: &Clause) -> Clause {
    let mut clause = found.clone();
    clause.term = term(&found.term);
    clause.relation.modifiers = found.relation.modifiers.iter().map(modifier).collect();
    clause
}

fn sort_key(key: &SortKey) -> SortKey {
    let mut key = key.clone();
    key.modifiers = key.modifiers.iter().map(modifier).collect();
    key
}

fn modifier(found: &Modifier) -> Modifier {
    let mut modifier = found.clone();
    modifier.value = found.value.as_ref().map(|_| "?".to_owned());
    modifier
}

/// `?` for text and single characters, `*` for itself; an empty term stays empty.
fn term(found: &Term) -> Term {
    let mut masked = String::new();
    for piece in found.pieces() {
        let sign = match piece {
            Piece::AnyRun => '*',
            Piece::Text(_) | Piece::AnyOne => '?',
        };
        if !masked.ends_with(sign) {
            masked.push(sign);
        }
    }
    Term::new(&masked)
}

#[cfg(test)]
mod tests {
    fn shape(query: &str) -> String {
        let query = crate::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
        let shape = query.shape();
        assert!(crate::parse(&shape).is_ok(), "{shape} can be read again");
        shape
    }

    #[test]
    fn values_are_not_in_it_and_wildcards_are() {
        for (query, expected) in [
            ("personal.lastName==Brooke", "personal.lastName == ?"),
            ("title = \"pride and prejudice\"", "title = ?"),
            ("barcode==*77*", "barcode == *?*"),
            ("barcode==1?7*", "barcode == ?*"),
            ("name=\"\"", "name = \"\""),
            (
                "cql.allRecords=1 sortBy name/sort.descending",
                "cql.allRecords = ? sortBy name/sort.descending",
            ),
            ("id==(a or b or c or d)", "id == ?"),
            ("a==1 and a==2 or b==3", "a == ? or b == ?"),
            ("a==1 not a==2", "a == ? not a == ?"),
            ("(a==1 or b==2) and c==3", "(a == ? or b == ?) and c == ?"),
            (
                "identifiers=/@identifierTypeId=8261054f 978*",
                "identifiers =/@identifierTypeId=? ?*",
            ),
            ("> dc = \"urn:Brooke\" title=emma", "title = ?"),
            ("brooke", "?"),
        ] {
            assert_eq!(shape(query), expected, "{query}");
        }
    }
}
