//! A descent over the tokens with one token of look-ahead and an explicit stack for parentheses.
//! Decides what is a query; the planner knows which indexes and modifiers exist.
//!
//! Where the CQL standard leaves room, this follows what FOLIO's modules accept in practice:
//! several words make one term, `index relation (…)` passes index and relation on to the group, and
//! a keyword is an ordinary word wherever a term has to stand.

use std::rc::Rc;
use std::str::FromStr;

use crate::ast::{
    Clause, Comparison, Modifier, Node, Operator, Prefix, Query, Relation, SERVER_CHOICE, SortKey,
};
use crate::cursor::{Cursor, Symbol};
use crate::error::{Error, ErrorKind};
use crate::level::{Level, Scope};
use crate::lexer::{Keyword, Token, word_comparison};
use crate::limits::{MAX_CLAUSES, MAX_DEPTH, MAX_LENGTH, MAX_SCOPE_LENGTH, MODIFIER_LENGTH};
use crate::term::{Term, mask_quotes};

const CLAUSE: &[&str] = &["a search clause", "`(`"];
const TERM: &[&str] = &["a search term", "`(`"];
const AFTER_QUERY: &[&str] = &["`and`", "`or`", "`not`", "`sortBy`", "end of query"];
const AFTER_GROUP: &[&str] = &["`and`", "`or`", "`not`", "`)`"];
const SORT_KEY: &[&str] = &["a sort index"];

/// Relations of the CQL standard that stand between index and term as `all` and `any` do.
const UNSUPPORTED_RELATIONS: [(&str, &str); 2] = [
    ("within", "the relation WITHIN"),
    ("encloses", "the relation ENCLOSES"),
];

/// Parses a query.
///
/// # Errors
/// When the text is not CQL, uses a part of CQL this dialect leaves out, or exceeds one of the
/// [`limits`](crate::limits).
///
/// ```
/// let query = octavo_cql::parse(r#"(barcode=="123" OR id==abc) sortby title/sort.descending"#)?;
/// assert_eq!(query.to_string(), "barcode == 123 or id == abc sortBy title/sort.descending");
/// # Ok::<(), octavo_cql::Error>(())
/// ```
pub fn parse(text: &str) -> Result<Query, Error> {
    if text.len() > MAX_LENGTH {
        return Err(Error::new(ErrorKind::TooLong, text, MAX_LENGTH));
    }
    if let Some(offset) = text.find('\0') {
        return Err(Error::new(ErrorKind::NulCharacter, text, offset));
    }
    Parser {
        cursor: Cursor::new(text)?,
        depth: 0,
        clauses: 0,
        scope_length: 0,
    }
    .query()
}

impl FromStr for Query {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text)
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    /// Parentheses open.
    depth: usize,
    /// Clauses made so far.
    clauses: usize,
    /// The sum that [`MAX_SCOPE_LENGTH`] bounds.
    scope_length: usize,
}

/// How an operand begins.
enum Opening {
    /// A clause, read completely.
    Clause(Clause),
    /// An opening parenthesis, perhaps with an index and relation before it.
    Group(Option<Scope>),
}

impl<'a> Parser<'a> {
    fn query(mut self) -> Result<Query, Error> {
        let prefixes = self.prefixes()?;
        let relation = Relation {
            comparison: Comparison::Equal,
            modifiers: Vec::new(),
        };
        let root = self.root(Scope {
            index: SERVER_CHOICE.to_owned(),
            relation,
        })?;
        let sort = self.sort()?;
        if self.cursor.token() != Token::End {
            return Err(self.cursor.unexpected(AFTER_QUERY));
        }
        Ok(Query {
            prefixes,
            root,
            sort,
        })
    }

    fn prefixes(&mut self) -> Result<Vec<Prefix>, Error> {
        let mut prefixes = Vec::new();
        while self.cursor.take(Token::Comparison(Comparison::Greater))? {
            let mut identifier = self.cursor.symbol(&["a prefix name or identifier"])?.name();
            let mut name = None;
            if self.cursor.take(Token::Comparison(Comparison::Equal))? {
                name = Some(identifier);
                identifier = self.cursor.symbol(&["a prefix identifier"])?.name();
            }
            prefixes.push(Prefix { name, identifier });
        }
        Ok(prefixes)
    }

    /// Reads operands joined by operators, in parentheses or not, until a token that cannot
    /// continue them.
    fn root(&mut self, scope: Scope) -> Result<Node, Error> {
        let mut level = Level::new(Rc::new(scope));
        let mut outer: Vec<Level> = Vec::new();
        loop {
            let mut node = match self.opening(&level.scope)? {
                Opening::Clause(clause) => Node::Clause(clause),
                Opening::Group(own) => {
                    self.open()?;
                    let scope = own.map_or_else(|| Rc::clone(&level.scope), Rc::new);
                    outer.push(std::mem::replace(&mut level, Level::new(scope)));
                    continue;
                }
            };
            // After an operator another operand follows. Without one the level ends, and becomes an
            // operand of the level around it.
            loop {
                if let Some(operator) = self.operator()? {
                    level.join(node, operator, self.modifiers()?);
                    break;
                }
                node = level.close(node);
                let Some(around) = outer.pop() else {
                    return Ok(node);
                };
                level = around;
                self.close()?;
            }
        }
    }

    fn open(&mut self) -> Result<(), Error> {
        if self.depth == MAX_DEPTH {
            return Err(self.cursor.error(ErrorKind::TooDeep));
        }
        self.depth += 1;
        self.cursor.advance()
    }

    fn close(&mut self) -> Result<(), Error> {
        if !self.cursor.take(Token::Close)? {
            return Err(self.cursor.unexpected(AFTER_GROUP));
        }
        self.depth -= 1;
        Ok(())
    }

    fn operator(&mut self) -> Result<Option<Operator>, Error> {
        let operator = match self.cursor.keyword() {
            Some(Keyword::And) => Operator::And,
            Some(Keyword::Or) => Operator::Or,
            Some(Keyword::Not) => Operator::Not,
            Some(Keyword::Prox) => return Err(self.cursor.unsupported("PROX", self.after())),
            Some(Keyword::SortBy) | None => return Ok(None),
        };
        self.cursor.advance()?;
        Ok(Some(operator))
    }

    /// Reads the beginning of an operand: all of it for `index relation term` and for a term alone.
    ///
    /// Each round of the loop takes `index relation`. Behind that stands a term, a group that
    /// inherits index and relation, or another `index relation`, which replaces the first:
    /// `query=userId==X` asks for `userId==X`, just as `query=(userId==X)` does.
    fn opening(&mut self, outer: &Scope) -> Result<Opening, Error> {
        let mut own: Option<(Scope, usize)> = None;
        loop {
            if self.cursor.token() == Token::Open {
                return Ok(Opening::Group(own.map(|(scope, _)| scope)));
            }
            if self.cursor.token() == Token::Comparison(Comparison::Greater) && own.is_none() {
                return Err(self.cursor.unsupported("a prefix inside a query", CLAUSE));
            }
            let first = self
                .cursor
                .symbol(if own.is_some() { TERM } else { CLAUSE })?;
            if let Some(relation) = self.relation()? {
                own = Some((
                    Scope {
                        index: first.name(),
                        relation,
                    },
                    first.offset,
                ));
                continue;
            }
            let term = self.term(first)?;
            let (scope, offset) = own.unwrap_or_else(|| (outer.clone(), first.offset));
            return Ok(Opening::Clause(self.clause(scope, term, offset)?));
        }
    }

    fn clause(&mut self, scope: Scope, term: Term, offset: usize) -> Result<Clause, Error> {
        self.clauses += 1;
        if self.clauses > MAX_CLAUSES {
            return Err(self.cursor.error(ErrorKind::TooManyClauses));
        }
        let Scope { index, relation } = scope;
        let modifiers: usize = relation.modifiers.iter().map(modifier_length).sum();
        self.charge(index.len() + modifiers)?;
        Ok(Clause {
            index,
            relation,
            term,
            offset,
        })
    }

    /// The relation behind the first word of an operand, if there is one: only then is that word an
    /// index.
    fn relation(&mut self) -> Result<Option<Relation>, Error> {
        let comparison = match self.cursor.token() {
            Token::Comparison(comparison) => Some(comparison),
            Token::Word(word) => {
                self.refuse_relation(word)?;
                word_comparison(word)
            }
            _ => None,
        };
        let Some(comparison) = comparison else {
            return Ok(None);
        };
        self.cursor.advance()?;
        Ok(Some(Relation {
            comparison,
            modifiers: self.modifiers()?,
        }))
    }

    fn refuse_relation(&self, word: &str) -> Result<(), Error> {
        let same_word = |(name, _): &&(&str, &str)| word.eq_ignore_ascii_case(name);
        match UNSUPPORTED_RELATIONS.iter().find(same_word) {
            Some((_, feature)) => Err(self.cursor.unsupported(feature, &["another relation"])),
            None => Ok(()),
        }
    }

    /// A term that begins with `first`: the words up to a keyword or symbol, joined by one blank.
    fn term(&mut self, first: Symbol<'a>) -> Result<Term, Error> {
        let mut masked = mask_quotes(first.text).into_owned();
        while let Some(next) = self.cursor.peek_symbol() {
            if next.keyword().is_some() {
                break;
            }
            masked.push(' ');
            masked.push_str(&mask_quotes(next.text));
            self.cursor.advance()?;
        }
        if !matches!(self.cursor.token(), Token::Comparison(_)) {
            return Ok(Term::new(&masked));
        }
        // Several words before a comparison. In `a=b and not c=d` the cause is `not`, which was
        // read as a word; so the error names it.
        Err(match first.keyword() {
            Some(Keyword::Not) => {
                let kind = ErrorKind::Unsupported("NOT without a left side");
                self.cursor.misplaced(kind, first, CLAUSE)
            }
            Some(_) => self.cursor.misplaced(ErrorKind::Unexpected, first, CLAUSE),
            None => self.cursor.unexpected(self.after()),
        })
    }

    fn modifiers(&mut self) -> Result<Vec<Modifier>, Error> {
        let mut modifiers = Vec::new();
        while self.cursor.take(Token::Slash)? {
            let name = self.cursor.symbol(&["a modifier name"])?.name();
            let mut modifier = Modifier {
                name,
                comparison: None,
                value: None,
            };
            if let Token::Comparison(comparison) = self.cursor.token() {
                self.cursor.advance()?;
                let value = self.cursor.symbol(&["a modifier value"])?;
                modifier.comparison = Some(comparison);
                modifier.value = Some(mask_quotes(value.text).into_owned());
            }
            self.charge(modifier_length(&modifier))?;
            modifiers.push(modifier);
        }
        Ok(modifiers)
    }

    fn sort(&mut self) -> Result<Vec<SortKey>, Error> {
        let mut keys = Vec::new();
        if self.cursor.keyword() != Some(Keyword::SortBy) {
            return Ok(keys);
        }
        self.cursor.advance()?;
        loop {
            let index = self.cursor.symbol(SORT_KEY)?;
            let modifiers = self.modifiers()?;
            keys.push(SortKey {
                index: index.name(),
                modifiers,
                offset: index.offset,
            });
            if self.cursor.token() == Token::End {
                return Ok(keys);
            }
        }
    }

    /// The tokens that may follow an operand here.
    fn after(&self) -> &'static [&'static str] {
        if self.depth > 0 {
            AFTER_GROUP
        } else {
            AFTER_QUERY
        }
    }

    /// Counts bytes against [`MAX_SCOPE_LENGTH`].
    fn charge(&mut self, length: usize) -> Result<(), Error> {
        self.scope_length += length;
        if self.scope_length > MAX_SCOPE_LENGTH {
            return Err(self.cursor.error(ErrorKind::ScopeTooLong));
        }
        Ok(())
    }
}

fn modifier_length(modifier: &Modifier) -> usize {
    MODIFIER_LENGTH + modifier.name.len() + modifier.value.as_ref().map_or(0, String::len)
}
