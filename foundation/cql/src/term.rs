//! Search terms: the text with its masking backslashes, and its reading as text and wildcards.
//! Knows nothing of LIKE or full-text syntax.

use std::borrow::Cow;

/// A search term, kept with the backslashes that mask characters in it.
///
/// `*` stands for any run of characters and `?` for any one character; a backslash takes away the
/// meaning of the character behind it, so `\*`, `\?`, `\"`, `\^` and `\\` are those characters, and
/// a backslash before any other character is dropped. An unmasked `^` is read as text.
///
/// ```
/// use octavo_cql::{Piece, Term};
///
/// let term = Term::new(r"100\* wool*");
/// assert_eq!(term.pieces(), [Piece::Text("100* wool".into()), Piece::AnyRun]);
/// assert!(term.has_wildcard());
/// assert_eq!(term.words()[0].literal().as_deref(), Some("100*"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// Masked so that it can stand between quotation marks as it is.
    masked: String,
}

/// A part of a term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Text to match as it is, escapes resolved, never empty.
    Text(String),
    /// `*`: any run of characters, also none. Runs of `*` are one piece.
    AnyRun,
    /// `?`: any one character.
    AnyOne,
}

impl Term {
    /// A term from text masked as inside a quoted CQL string.
    ///
    /// A quotation mark without backslash gets one, and so does a backslash at the very end, which
    /// has nothing to mask and is therefore literal.
    #[must_use]
    pub fn new(masked: &str) -> Self {
        Self {
            masked: mask_quotes(masked).into_owned(),
        }
    }

    /// A term that means exactly `text`: every character with a meaning of its own is masked.
    ///
    /// ```
    /// let term = octavo_cql::Term::exactly(r#"a*"b\"#);
    /// assert_eq!(term.as_str(), r#"a\*\"b\\"#);
    /// ```
    #[must_use]
    pub fn exactly(text: &str) -> Self {
        let mut masked = String::with_capacity(text.len());
        for character in text.chars() {
            if matches!(character, '*' | '?' | '^' | '"' | '\\') {
                masked.push('\\');
            }
            masked.push(character);
        }
        Self { masked }
    }

    /// The text with its masking backslashes, as it may stand between quotation marks.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.masked
    }

    /// Whether the term is `""`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.masked.is_empty()
    }

    /// Whether the term is only `*`, which matches any value.
    #[must_use]
    pub fn is_any_run(&self) -> bool {
        !self.masked.is_empty() && self.masked.bytes().all(|byte| byte == b'*')
    }

    /// Whether there is an unmasked `*` or `?`.
    #[must_use]
    pub fn has_wildcard(&self) -> bool {
        unmask(&self.masked).any(|(character, escaped)| is_wildcard(character, escaped))
    }

    /// The term as text and wildcards.
    #[must_use]
    pub fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (character, escaped) in unmask(&self.masked) {
            if !is_wildcard(character, escaped) {
                push_character(&mut pieces, character);
            } else if character == '?' {
                pieces.push(Piece::AnyOne);
            } else if pieces.last() != Some(&Piece::AnyRun) {
                pieces.push(Piece::AnyRun);
            }
        }
        pieces
    }

    /// The text without escapes, when the term has no wildcard.
    #[must_use]
    pub fn literal(&self) -> Option<String> {
        if self.has_wildcard() {
            None
        } else {
            Some(unescape(&self.masked))
        }
    }

    /// The text where wildcards have no meaning, as in a sort key: escapes resolved, `*` and `?` as
    /// they are.
    ///
    /// ```
    /// assert_eq!(octavo_cql::Term::new(r"a\*b*").text(), "a*b*");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        unescape(&self.masked)
    }

    /// The words of the term for full-text search: cut at whitespace, masked or not, each word a
    /// term with its own wildcards.
    #[must_use]
    pub fn words(&self) -> Vec<Self> {
        let mut words = Vec::new();
        let mut word = String::new();
        for (character, escaped) in unmask(&self.masked) {
            if character.is_whitespace() {
                if !word.is_empty() {
                    words.push(Self {
                        masked: std::mem::take(&mut word),
                    });
                }
                continue;
            }
            if escaped {
                word.push('\\');
            }
            word.push(character);
        }
        if !word.is_empty() {
            words.push(Self { masked: word });
        }
        words
    }
}

impl Term {
    /// The term as FOLIO's full-text searches read it: without a `*` behind a blank, which a
    /// client's search box leaves while a word is being typed, and without blanks at both ends.
    ///
    /// ```
    /// use octavo_cql::Term;
    ///
    /// assert_eq!(Term::new("Amara *").without_lone_stars().as_str(), "Amara");
    /// assert_eq!(Term::new("amer* * hist*").without_lone_stars().as_str(), "amer* hist*");
    /// assert_eq!(Term::new(" ").without_lone_stars().as_str(), "");
    /// ```
    #[must_use]
    pub fn without_lone_stars(&self) -> Cow<'_, Term> {
        let trimmed = self.masked.trim_matches(|c: char| c <= ' ');
        if trimmed.len() == self.masked.len() && !self.masked.contains(" *") {
            return Cow::Borrowed(self);
        }
        let mut kept = String::with_capacity(self.masked.len());
        let mut blanks = 0;
        let mut characters = unmask(&self.masked);
        let mut next = characters.next();
        while let Some((character, escaped)) = next {
            next = characters.next();
            if character == ' ' && !escaped {
                blanks += 1;
                continue;
            }
            if blanks > 0 && character == '*' && !escaped {
                blanks = 0;
                continue;
            }
            kept.extend(std::iter::repeat_n(' ', blanks));
            blanks = 0;
            if escaped {
                kept.push('\\');
            }
            kept.push(character);
        }
        Cow::Owned(Term {
            masked: kept.trim_matches(|c: char| c <= ' ').to_owned(),
        })
    }
}

fn is_wildcard(character: char, escaped: bool) -> bool {
    !escaped && matches!(character, '*' | '?')
}

fn push_character(pieces: &mut Vec<Piece>, character: char) {
    if let Some(Piece::Text(text)) = pieces.last_mut() {
        text.push(character);
    } else {
        pieces.push(Piece::Text(character.into()));
    }
}

/// The characters of masked text, each with whether a backslash stood before it. A backslash at the
/// very end is a literal backslash.
fn unmask(masked: &str) -> impl Iterator<Item = (char, bool)> {
    let mut characters = masked.chars();
    std::iter::from_fn(move || match characters.next()? {
        '\\' => Some((characters.next().unwrap_or('\\'), true)),
        character => Some((character, false)),
    })
}

/// The text without its masking backslashes, for names, in which wildcards have no meaning.
pub(crate) fn unescape(masked: &str) -> String {
    unmask(masked).map(|(character, _)| character).collect()
}

/// Masks what could not stand between quotation marks: a bare quotation mark, which an unquoted
/// word may hold, and a backslash at the end, which would mask the closing mark.
pub(crate) fn mask_quotes(masked: &str) -> Cow<'_, str> {
    let bare = |(character, escaped): (char, bool)| character == '"' && !escaped;
    let dangling = masked.len() - masked.trim_end_matches('\\').len();
    if dangling.is_multiple_of(2) && !unmask(masked).any(bare) {
        return Cow::Borrowed(masked);
    }
    let mut safe = String::with_capacity(masked.len() + 2);
    for (character, escaped) in unmask(masked) {
        if escaped || character == '"' {
            safe.push('\\');
        }
        safe.push(character);
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Piece {
        Piece::Text(text.into())
    }

    #[test]
    fn pieces_read_wildcards_and_escapes() {
        let table: &[(&str, &[Piece])] = &[
            ("", &[]),
            ("abc", &[text("abc")]),
            ("*", &[Piece::AnyRun]),
            ("a***b", &[text("a"), Piece::AnyRun, text("b")]),
            ("??", &[Piece::AnyOne, Piece::AnyOne]),
            (
                r#"*\"eng\"*"#,
                &[Piece::AnyRun, text("\"eng\""), Piece::AnyRun],
            ),
            (r"\*\?\\\^\x", &[text(r"*?\^x")]),
            (r"\\*", &[text(r"\"), Piece::AnyRun]),
            ("^a^", &[text("^a^")]),
            (r"\ä?", &[text("ä"), Piece::AnyOne]),
        ];
        for (masked, pieces) in table {
            assert_eq!(&Term::new(masked).pieces(), pieces, "{masked}");
        }
    }

    #[test]
    fn literal_is_none_only_for_wildcards() {
        assert_eq!(Term::new("").literal().as_deref(), Some(""));
        assert_eq!(Term::new(r"a\*b").literal().as_deref(), Some("a*b"));
        assert_eq!(Term::new("a*b").literal(), None);
        assert_eq!(Term::new("a?").literal(), None);
    }

    #[test]
    fn any_run_is_stars_only() {
        assert!(Term::new("*").is_any_run() && Term::new("**").is_any_run());
        assert!(!Term::new("").is_any_run());
        assert!(!Term::new("a*").is_any_run());
        assert!(!Term::new(r"\*").is_any_run());
    }

    #[test]
    fn words_keep_their_masks() {
        let words = |masked: &str| -> Vec<String> {
            Term::new(masked)
                .words()
                .iter()
                .map(|word| word.as_str().to_owned())
                .collect()
        };
        assert_eq!(words("  war \t and*\npeace "), ["war", "and*", "peace"]);
        assert_eq!(words(r"a\*b \?"), [r"a\*b", r"\?"]);
        assert_eq!(words(r"a\ b"), ["a", "b"]);
        assert_eq!(words("  "), [""; 0]);
    }

    #[test]
    fn bare_quotes_and_dangling_backslashes_are_masked() {
        assert_eq!(Term::new(r#"5" disk"#).as_str(), r#"5\" disk"#);
        assert_eq!(Term::new(r"C:\").as_str(), r"C:\\");
        assert_eq!(Term::new(r"C:\\").as_str(), r"C:\\");
        assert_eq!(Term::new(r"a\\\").as_str(), r"a\\\\");
        assert_eq!(Term::new(r#"a\b"c"#).as_str(), r#"a\b\"c"#);
    }

    #[test]
    fn exactly_means_its_text() {
        let text = r#"50% of "all" \ what? * ^"#;
        assert_eq!(Term::exactly(text).literal().as_deref(), Some(text));
    }
}
