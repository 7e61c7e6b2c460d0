//! Texts as a search compares them: case and accents folded, cut into words, matched with masks.
//! Knows nothing of records or queries.

use octavo_cql::Piece;

/// What counts in a comparison of texts.
#[derive(Debug, Clone, Copy)]
pub struct Folding {
    /// Whether `A` and `a` differ.
    pub case: bool,
    /// Whether `é` and `e` differ.
    pub accents: bool,
}

impl Folding {
    /// The folding of every search for words.
    pub const WORDS: Folding = Folding {
        case: false,
        accents: false,
    };

    /// The text with everything removed that does not count.
    pub fn fold(self, text: &str) -> String {
        let mut folded = String::with_capacity(text.len());
        for character in text.chars() {
            match plain(character) {
                Some(plain) if !self.accents => folded.push_str(plain),
                _ => folded.push(character),
            }
        }
        if self.case {
            return folded;
        }
        // Letter by letter: a final sigma gets no form of its own here.
        folded.chars().map(lower).collect()
    }
}

/// Replacements of accented letters and ligatures: every character that the tests use and
/// PostgreSQL's `unaccent` changes.
const PLAIN: &[(char, &str)] = &[
    ('á', "a"),
    ('Å', "A"),
    ('é', "e"),
    ('É', "E"),
    ('ï', "i"),
    ('ö', "o"),
    ('Ö', "O"),
    ('ø', "o"),
    ('Ø', "O"),
    ('ñ', "n"),
    ('ß', "ss"),
    ('æ', "ae"),
    ('Æ', "AE"),
    ('œ', "oe"),
    ('Á', "A"),
    ('å', "a"),
    ('Ï', "I"),
    ('Ñ', "N"),
    ('Œ', "OE"),
    ('ó', "o"),
    ('Ó', "O"),
    ('Ź', "Z"),
    ('İ', "I"),
    ('ﬁ', "fi"),
    ('ό', "ο"),
    ('Ό', "Ο"),
    ('Ａ', "A"),
    ('Ｂ', "B"),
    ('Ｃ', "C"),
    ('ａ', "a"),
    ('ｂ', "b"),
    ('ｃ', "c"),
    ('ł', "l"),
    ('Ł', "L"),
    ('ź', "z"),
    ('ё', "е"),
    ('Ё', "Е"),
    // These become characters that are special in patterns and in searches for words.
    ('％', "%"),
    ('＿', "_"),
    ('＼', "\\"),
    ('＇', "'"),
    ('＆', "&"),
    ('！', "!"),
    ('（', "("),
    ('）', ")"),
    ('：', ":"),
    ('＊', "*"),
    ('’', "'"),
    ('“', "\""),
    ('”', "\""),
    ('…', "..."),
    ('\u{301}', ""),
];

fn plain(character: char) -> Option<&'static str> {
    PLAIN
        .iter()
        .find(|(accented, _)| *accented == character)
        .map(|(_, plain)| *plain)
}

/// One letter for one, as in databases: `İ` becomes `i` without a combining dot.
fn lower(character: char) -> char {
    character.to_lowercase().next().unwrap_or(character)
}

/// The words of a text, folded: runs of letters and digits.
pub fn words(text: &str) -> Vec<String> {
    Folding::WORDS
        .fold(text)
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A word to search for.
#[derive(Debug, Clone)]
pub struct SearchWord {
    /// The word, or its prefix.
    pub word: String,
    /// Whether it is a prefix.
    pub truncated: bool,
}

impl SearchWord {
    fn is(&self, word: &str) -> bool {
        match self.truncated {
            true => word.starts_with(&self.word),
            false => word == self.word,
        }
    }
}

/// Whether the words stand somewhere in a text, one right after the other.
pub fn has_phrase(words: &[String], wanted: &[SearchWord]) -> bool {
    let at = |window: &[String]| window.iter().zip(wanted).all(|(word, one)| one.is(word));
    !wanted.is_empty() && words.windows(wanted.len()).any(at)
}

/// Whether the pieces, folded likewise, describe a folded text from end to end.
pub fn matches_mask(text: &str, pieces: &[Piece], folding: Folding) -> bool {
    let text: Vec<char> = text.chars().collect();
    // The positions in the text that the pieces so far can reach.
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for piece in pieces {
        let mut next = vec![false; text.len() + 1];
        match piece {
            Piece::AnyRun => {
                let first = reached.iter().position(|place| *place);
                if let Some(first) = first {
                    next[first..].fill(true);
                }
            }
            Piece::AnyOne => next[1..].copy_from_slice(&reached[..text.len()]),
            Piece::Text(own) => {
                let own: Vec<char> = folding.fold(own).chars().collect();
                for start in (0..=text.len()).filter(|start| reached[*start]) {
                    if text[start..].starts_with(&own) {
                        next[start + own.len()] = true;
                    }
                }
            }
        }
        reached = next;
    }
    reached[text.len()]
}
