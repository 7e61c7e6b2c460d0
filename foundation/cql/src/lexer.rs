//! Cuts query text into tokens on demand. Knows words and symbols, not their grammar.

use crate::ast::Comparison;
use crate::error::{Error, ErrorKind};

/// A token, borrowing from the query text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Anything up to a blank or one of `( ) / < > =`. Backslashes and quotation marks inside a
    /// word are part of it, and keywords are words too.
    Word(&'a str),
    /// The text between quotation marks, backslashes kept.
    Quoted(&'a str),
    /// One of the symbolic comparisons.
    Comparison(Comparison),
    /// `/`, in front of a modifier.
    Slash,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// The end of the text.
    End,
}

/// A word that is an operator where an operator may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    And,
    Or,
    Not,
    Prox,
    SortBy,
}

/// The symbolic comparisons; a longer symbol stands before its prefixes, so that `<=` is not read
/// as `<`.
const SYMBOLS: [(&str, Comparison); 7] = [
    ("==", Comparison::Exact),
    ("<>", Comparison::NotEqual),
    ("<=", Comparison::LessEqual),
    (">=", Comparison::GreaterEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("=", Comparison::Equal),
];

impl Keyword {
    /// The keyword that this word is, ignoring case.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let table = [
            ("and", Self::And),
            ("or", Self::Or),
            ("not", Self::Not),
            ("prox", Self::Prox),
            ("sortby", Self::SortBy),
        ];
        table
            .iter()
            .find(|(name, _)| word.eq_ignore_ascii_case(name))
            .map(|(_, keyword)| *keyword)
    }
}

/// The comparison that this word is, ignoring case.
pub(crate) fn word_comparison(word: &str) -> Option<Comparison> {
    let table = [
        ("adj", Comparison::Adj),
        ("all", Comparison::All),
        ("any", Comparison::Any),
    ];
    table
        .iter()
        .find(|(name, _)| word.eq_ignore_ascii_case(name))
        .map(|(_, found)| *found)
}

/// Whether the byte is a blank of CQL: other white space, such as a no-break space, is part of a
/// word.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Whether a word ends before this byte.
pub(crate) fn ends_word(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'(' | b')' | b'/' | b'<' | b'>' | b'=')
}

pub(crate) struct Lexer<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, offset: 0 }
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The next token and the byte offset at which it begins.
    pub(crate) fn next(&mut self) -> Result<(usize, Token<'a>), Error> {
        let ahead = &self.text[self.offset..];
        self.offset += ahead.bytes().take_while(|byte| is_blank(*byte)).count();
        let start = self.offset;
        let ahead = &self.text[start..];
        let Some(byte) = ahead.bytes().next() else {
            return Ok((start, Token::End));
        };
        let (length, token) = match byte {
            b'(' => (1, Token::Open),
            b')' => (1, Token::Close),
            b'/' => (1, Token::Slash),
            b'<' | b'>' | b'=' => comparison(ahead),
            b'"' => self.quoted(ahead)?,
            _ => word(ahead),
        };
        self.offset += length;
        Ok((start, token))
    }

    fn quoted(&self, ahead: &'a str) -> Result<(usize, Token<'a>), Error> {
        let mut masked = false;
        for (index, byte) in ahead.bytes().enumerate().skip(1) {
            match byte {
                _ if masked => masked = false,
                b'\\' => masked = true,
                b'"' => return Ok((index + 1, Token::Quoted(&ahead[1..index]))),
                _ => {}
            }
        }
        let error = Error::new(ErrorKind::UnterminatedString, self.text, self.offset);
        Err(error.expecting(&["a closing `\"`"], "end of query".into()))
    }
}

fn word(ahead: &str) -> (usize, Token<'_>) {
    let length = ahead.bytes().position(ends_word).unwrap_or(ahead.len());
    (length, Token::Word(&ahead[..length]))
}

fn comparison(ahead: &str) -> (usize, Token<'_>) {
    let (symbol, comparison) = SYMBOLS
        .iter()
        .find(|(symbol, _)| ahead.starts_with(symbol))
        .expect("invariant: called only at <, > or =, each of which is a symbol");
    (symbol.len(), Token::Comparison(*comparison))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            match lexer.next().unwrap() {
                (_, Token::End) => return tokens,
                (_, token) => tokens.push(token),
            }
        }
    }

    #[test]
    fn symbols_take_the_longest_form() {
        use Comparison::{Equal, Exact, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let expected = [
            Exact,
            NotEqual,
            LessEqual,
            GreaterEqual,
            Less,
            Greater,
            Equal,
        ];
        assert_eq!(tokens("== <> <= >= < > ="), expected.map(Token::Comparison));
        assert_eq!(tokens("===").len(), 2);
        assert_eq!(tokens("><").len(), 2);
    }

    #[test]
    fn words_end_at_blanks_and_symbols_only() {
        let expected = [
            Token::Word("a\"b\\"),
            Token::Slash,
            Token::Word("@c.d"),
            Token::Open,
        ];
        assert_eq!(tokens("\r\n a\"b\\/@c.d("), expected);
        assert_eq!(tokens("x\u{a0}y"), [Token::Word("x\u{a0}y")]);
    }

    #[test]
    fn quoted_text_keeps_backslashes() {
        assert_eq!(
            tokens(r#""a\"b" "\\""#),
            [Token::Quoted(r#"a\"b"#), Token::Quoted(r"\\")]
        );
        assert_eq!(tokens("\"\""), [Token::Quoted("")]);
    }

    #[test]
    fn an_open_string_is_reported_where_it_begins() {
        for text in ["ab \"", "ab \"x", "ab \"x\\\"", "ab \"x\\"] {
            let mut lexer = Lexer::new(text);
            lexer.next().unwrap();
            let error = lexer.next().unwrap_err();
            assert_eq!(
                (error.kind, error.offset),
                (ErrorKind::UnterminatedString, 3),
                "{text}"
            );
        }
    }
}
