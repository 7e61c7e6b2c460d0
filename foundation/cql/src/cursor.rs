//! The parser's position in the tokens: the token ahead, stepping past it, and errors about it.

use crate::error::{Error, ErrorKind, excerpt};
use crate::lexer::{Keyword, Lexer, Token};
use crate::term::unescape;

pub(crate) struct Cursor<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    offset: usize,
}

/// A word or quoted string, not yet known to be index, term or name.
#[derive(Clone, Copy)]
pub(crate) struct Symbol<'a> {
    /// The text as masked in the query.
    pub(crate) text: &'a str,
    /// Whether it was quoted, and so is no keyword.
    pub(crate) quoted: bool,
    /// The byte offset at which it begins.
    pub(crate) offset: usize,
}

impl Symbol<'_> {
    /// The text as a name: escapes resolved, wildcards without meaning.
    pub(crate) fn name(self) -> String {
        unescape(self.text)
    }

    pub(crate) fn keyword(self) -> Option<Keyword> {
        if self.quoted {
            None
        } else {
            Keyword::of(self.text)
        }
    }
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Result<Self, Error> {
        let mut lexer = Lexer::new(text);
        let (offset, token) = lexer.next()?;
        Ok(Self {
            lexer,
            token,
            offset,
        })
    }

    pub(crate) fn token(&self) -> Token<'a> {
        self.token
    }

    /// Steps past the token ahead if it is this one; returns whether it was.
    pub(crate) fn take(&mut self, token: Token<'_>) -> Result<bool, Error> {
        let ahead = self.token == token;
        if ahead {
            self.advance()?;
        }
        Ok(ahead)
    }

    pub(crate) fn advance(&mut self) -> Result<(), Error> {
        (self.offset, self.token) = self.lexer.next()?;
        Ok(())
    }

    /// The word or quoted string ahead, keywords too: CQL reads keywords as plain words wherever an
    /// operator cannot stand.
    pub(crate) fn peek_symbol(&self) -> Option<Symbol<'a>> {
        let offset = self.offset;
        match self.token {
            Token::Word(text) => Some(Symbol {
                text,
                quoted: false,
                offset,
            }),
            Token::Quoted(text) => Some(Symbol {
                text,
                quoted: true,
                offset,
            }),
            _ => None,
        }
    }

    /// Takes the word or quoted string ahead.
    pub(crate) fn symbol(&mut self, expected: &[&'static str]) -> Result<Symbol<'a>, Error> {
        let Some(symbol) = self.peek_symbol() else {
            return Err(self.unexpected(expected));
        };
        self.advance()?;
        Ok(symbol)
    }

    /// The keyword ahead.
    pub(crate) fn keyword(&self) -> Option<Keyword> {
        self.peek_symbol().and_then(Symbol::keyword)
    }

    /// An error at the token ahead.
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.lexer.text(), self.offset)
    }

    /// The error that the token ahead is unexpected.
    pub(crate) fn unexpected(&self, expected: &[&'static str]) -> Error {
        self.error(ErrorKind::Unexpected)
            .expecting(expected, describe(self.token))
    }

    /// The error that the token ahead is CQL which this dialect leaves out.
    pub(crate) fn unsupported(&self, feature: &'static str, expected: &[&'static str]) -> Error {
        self.error(ErrorKind::Unsupported(feature))
            .expecting(expected, describe(self.token))
    }

    /// The error that a word already taken is unexpected at its position.
    pub(crate) fn misplaced(
        &self,
        kind: ErrorKind,
        symbol: Symbol<'_>,
        expected: &[&'static str],
    ) -> Error {
        let found = describe(Token::Word(symbol.text));
        Error::new(kind, self.lexer.text(), symbol.offset).expecting(expected, found)
    }
}

fn describe(token: Token<'_>) -> String {
    match token {
        Token::Word(word) => format!("`{}`", excerpt(word)),
        Token::Quoted(text) => format!("\"{}\"", excerpt(text)),
        Token::Comparison(comparison) => format!("`{comparison}`"),
        Token::Slash => "`/`".into(),
        Token::Open => "`(`".into(),
        Token::Close => "`)`".into(),
        Token::End => "end of query".into(),
    }
}
