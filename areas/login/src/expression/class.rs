//! Sets of characters.

/// A set of characters.
#[derive(Debug, Clone)]
pub(super) enum Class {
    One(char),
    Range(char, char),
    Kind(fn(char) -> bool),
    Not(Box<Class>),
    Any(Vec<Class>),
    All(Vec<Class>),
}

impl Class {
    /// Whether a character is in the set; when case does not count, in one of its cases.
    pub(super) fn has(&self, one: char, any_case: bool) -> bool {
        match self {
            Class::One(own) => same(*own, one, any_case),
            Class::Range(first, last) => {
                let within = |one: char| (*first..=*last).contains(&one);
                within(one)
                    || any_case
                        && (within(one.to_ascii_lowercase()) || within(one.to_ascii_uppercase()))
            }
            Class::Kind(is) => is(one),
            Class::Not(class) => !class.has(one, any_case),
            Class::Any(classes) => classes.iter().any(|class| class.has(one, any_case)),
            Class::All(classes) => classes.iter().all(|class| class.has(one, any_case)),
        }
    }
}

/// Whether two characters are the same.
pub(super) fn same(one: char, other: char, any_case: bool) -> bool {
    one == other || any_case && one.eq_ignore_ascii_case(&other)
}

/// The set that a letter after a backslash denotes.
pub(super) fn escaped(letter: char) -> Option<Class> {
    let kind: fn(char) -> bool = match letter.to_ascii_lowercase() {
        'd' => |one| one.is_ascii_digit(),
        's' => is_space,
        'w' => is_word,
        'h' => |one| {
            matches!(
                one,
                ' ' | '\t' | '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'
                    ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
            )
        },
        'v' => |one| {
            matches!(
                one,
                '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'
            )
        },
        _ => return None,
    };
    let class = Class::Kind(kind);
    Some(if letter.is_ascii_uppercase() {
        Class::Not(Box::new(class))
    } else {
        class
    })
}

/// The set of a name in `\p{…}`.
pub(super) fn named(name: &str) -> Option<Class> {
    let kind: fn(char) -> bool = match name {
        "Lower" => |one| one.is_ascii_lowercase(),
        "Upper" => |one| one.is_ascii_uppercase(),
        "ASCII" => |one| one.is_ascii(),
        "Alpha" => |one| one.is_ascii_alphabetic(),
        "Digit" => |one| one.is_ascii_digit(),
        "Alnum" => |one| one.is_ascii_alphanumeric(),
        "Punct" => |one| one.is_ascii_punctuation(),
        "Graph" => |one| one.is_ascii_graphic(),
        "Print" => |one| one == ' ' || one.is_ascii_graphic(),
        "Blank" => |one| matches!(one, ' ' | '\t'),
        "Cntrl" => |one| one.is_ascii_control(),
        "XDigit" => |one| one.is_ascii_hexdigit(),
        "Space" => is_space,
        "L" | "IsL" | "IsAlphabetic" | "IsLetter" => char::is_alphabetic,
        "Lu" | "IsLu" | "IsUppercase" | "javaUpperCase" => char::is_uppercase,
        "Ll" | "IsLl" | "IsLowercase" | "javaLowerCase" => char::is_lowercase,
        "N" | "IsN" => char::is_numeric,
        "IsWhite_Space" => char::is_whitespace,
        _ => return None,
    };
    Some(Class::Kind(kind))
}

/// Java's `\s`.
fn is_space(one: char) -> bool {
    matches!(one, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

/// Java's `\w`.
pub(super) fn is_word(one: char) -> bool {
    one == '_' || one.is_ascii_alphanumeric()
}

/// Line ends, which `.` does not match.
pub(super) fn ends_line(one: char) -> bool {
    matches!(one, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
