//! Prints trees as canonical CQL: full clauses, lower-case operators, quotation marks only where
//! the text needs them, parentheses only where the tree nests. What is printed parses back to an
//! equal tree.

use std::fmt::{self, Display};

use crate::ast::{
    Boolean, Clause, Comparison, Link, Modifier, Node, Operator, Prefix, Query, Relation, SortKey,
};
use crate::lexer::{Keyword, ends_word, word_comparison};
use crate::term::{Term, mask_quotes};

impl Display for Query {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for prefix in &self.prefixes {
            write!(out, "{prefix} ")?;
        }
        write!(out, "{}", self.root)?;
        if !self.sort.is_empty() {
            out.write_str(" sortBy")?;
        }
        for key in &self.sort {
            write!(out, " {key}")?;
        }
        Ok(())
    }
}

impl Display for Prefix {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("> ")?;
        if let Some(name) = &self.name {
            write_name(out, name)?;
            out.write_str(" = ")?;
        }
        write_name(out, &self.identifier)
    }
}

impl Display for Node {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clause(clause) => clause.fmt(out),
            Self::Boolean(chain) => chain.fmt(out),
        }
    }
}

impl Display for Boolean {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_operand(out, &self.first)?;
        for link in &self.rest {
            write!(out, " {link}")?;
        }
        Ok(())
    }
}

impl Display for Link {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.operator)?;
        write_modifiers(out, &self.modifiers)?;
        out.write_str(" ")?;
        write_operand(out, &self.operand)
    }
}

impl Display for Operator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Not => "not",
        })
    }
}

impl Display for Clause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_bare() {
            write_name(out, &self.index)?;
            write!(out, " {} ", self.relation)?;
        }
        self.term.fmt(out)
    }
}

impl Display for Relation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.comparison)?;
        write_modifiers(out, &self.modifiers)
    }
}

impl Display for Comparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Equal => "=",
            Self::Exact => "==",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessEqual => "<=",
            Self::GreaterEqual => ">=",
            Self::Adj => "adj",
            Self::All => "all",
            Self::Any => "any",
        })
    }
}

impl Display for Modifier {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("/")?;
        write_name(out, &self.name)?;
        if let (Some(comparison), Some(value)) = (self.comparison, &self.value) {
            write!(out, "{comparison}")?;
            write_masked(out, &mask_quotes(value))?;
        }
        Ok(())
    }
}

impl Display for SortKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(out, &self.index)?;
        write_modifiers(out, &self.modifiers)
    }
}

impl Display for Term {
    /// The term as it stands in a query, in quotation marks where it needs them.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_masked(out, self.as_str())
    }
}

/// A nested chain goes into parentheses, also in the leftmost place where they change nothing:
/// `(a or b) and c` reads better than `a or b and c`.
fn write_operand(out: &mut fmt::Formatter<'_>, node: &Node) -> fmt::Result {
    match node {
        Node::Clause(clause) => clause.fmt(out),
        Node::Boolean(chain) => write!(out, "({chain})"),
    }
}

fn write_modifiers(out: &mut fmt::Formatter<'_>, modifiers: &[Modifier]) -> fmt::Result {
    modifiers.iter().try_for_each(|modifier| modifier.fmt(out))
}

/// Text that is masked already.
fn write_masked(out: &mut fmt::Formatter<'_>, masked: &str) -> fmt::Result {
    if is_plain(masked) {
        out.write_str(masked)
    } else {
        write!(out, "\"{masked}\"")
    }
}

/// Text in which no character is masked.
fn write_name(out: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if is_plain(name) {
        return out.write_str(name);
    }
    write!(
        out,
        "\"{}\"",
        name.replace('\\', r"\\").replace('"', "\\\"")
    )
}

/// Whether text can stand without quotation marks and be read as one word that is no keyword.
fn is_plain(text: &str) -> bool {
    let needs_quotes = |character: char| {
        u8::try_from(character).is_ok_and(ends_word)
            || matches!(character, '"' | '\\')
            || character.is_control()
            || character.is_whitespace()
    };
    !text.is_empty()
        && !text.contains(needs_quotes)
        && Keyword::of(text).is_none()
        && word_comparison(text).is_none()
}
