//! The tokens of PDF's notation.

/// A token and its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub begin: usize,
    pub end: usize,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Name,
    /// A number or a word.
    Word,
    /// In `( )` or `< >`.
    Text,
    /// `<<` or `[`.
    Open,
    /// `>>` or `]`.
    Close,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    matches!(
        byte,
        b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%'
    )
}

/// The next token from a place on.
pub(super) fn next(bytes: &[u8], from: usize) -> Option<Token> {
    let mut begin = from;
    loop {
        match bytes.get(begin)? {
            b'%' => {
                let rest = &bytes[begin..];
                begin += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
            }
            byte if is_blank(*byte) => begin += 1,
            _ => break,
        }
    }
    let (first, second) = (bytes[begin], bytes.get(begin + 1).copied());
    let (kind, length) = match (first, second) {
        (b'<', Some(b'<')) => (TokenKind::Open, 2),
        (b'>', Some(b'>')) => (TokenKind::Close, 2),
        (b'[' | b'{', _) => (TokenKind::Open, 1),
        (b']' | b'}' | b'>' | b')', _) => (TokenKind::Close, 1),
        (b'<', _) => {
            let end = bytes[begin..].iter().position(|byte| *byte == b'>')?;
            (TokenKind::Text, end + 1)
        }
        (b'(', _) => (TokenKind::Text, text(&bytes[begin..])?),
        (b'/', _) => (TokenKind::Name, 1 + word(&bytes[begin + 1..])),
        _ => (TokenKind::Word, word(&bytes[begin..]).max(1)),
    };
    let end = begin + length;
    Some(Token { kind, begin, end })
}

fn word(bytes: &[u8]) -> usize {
    let ends = |byte: &u8| is_blank(*byte) || is_delimiter(*byte);
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

/// How long a text in round brackets is.
fn text(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        match bytes.get(at)? {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

pub(super) fn number(bytes: &[u8], token: Token) -> Option<usize> {
    let text = bytes.get(token.begin..token.end)?;
    let text = std::str::from_utf8(text).ok()?;
    (token.kind == TokenKind::Word).then(|| text.parse().ok())?
}

/// The number of the object that is referred to here, and where the reference ends.
pub(super) fn reference(bytes: &[u8], token: Token) -> Option<(usize, usize)> {
    let target = number(bytes, token)?;
    let generation = next(bytes, token.end)?;
    number(bytes, generation)?;
    let letter = next(bytes, generation.end)?;
    (&bytes[letter.begin..letter.end] == b"R").then_some((target, letter.end))
}

/// The token after a key of the dictionary that the bytes begin with.
pub(super) fn value(bytes: &[u8], key: &[u8]) -> Option<Token> {
    let mut depth = 0_usize;
    let mut at = 0;
    let mut is_key = true;
    loop {
        let token = next(bytes, at)?;
        at = token.end;
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return None;
                }
            }
            TokenKind::Name if depth == 1 && is_key && &bytes[token.begin..token.end] == key => {
                return next(bytes, at);
            }
            _ => {}
        }
        // A name in the position of a value is not a key.
        is_key = !(depth == 1 && token.kind == TokenKind::Name && is_key);
    }
}
