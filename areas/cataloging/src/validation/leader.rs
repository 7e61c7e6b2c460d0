//! The leader: allowed values of its positions, and constants that are filled in.

use octavo_mapping::RecordKind;

/// A position of the leader and its allowed characters.
struct Position {
    name: &'static str,
    at: usize,
    values: &'static str,
}

const fn position(name: &'static str, at: usize, values: &'static str) -> Position {
    Position { name, at, values }
}

const BLANKS: &str = "\\ \u{a0}";

/// Positions that are the same in every record.
const CONSTANT: [Position; 6] = [
    position("Indicator count", 10, "2"),
    position("Subfield code length", 11, "2"),
    position("Entry map", 20, "4"),
    position("Entry map", 21, "5"),
    position("Entry map", 22, "0"),
    position("Entry map", 23, "0"),
];

const CODING: Position = position("Character coding scheme", 9, "\\ \u{a0}a");

const UNDEFINED: [Position; 3] = [
    position("Undefined character position", 7, "\\"),
    position("Undefined character position", 8, "\\"),
    position("Undefined character position", 19, "\\"),
];

const BIB: [Position; 6] = [
    position("Bib record status", 5, "acdnp"),
    position("Bib type of record", 6, "acdefgijkmoprt"),
    position("Bibliographic level", 7, "abcdims"),
    position("Type of control", 8, "\\ \u{a0}a"),
    position("Descriptive cataloging form", 18, "\\ \u{a0}acinu"),
    position("Multipart resource record level", 19, "\\ \u{a0}abc"),
];

const HOLDINGS: [Position; 4] = [
    position("Holdings record status", 5, "cdn"),
    position("Holdings type of record", 6, "uvxy"),
    position("Holdings encoding level", 17, "12345muz"),
    position("Item information", 18, "in\\ \u{a0}"),
];

const AUTHORITY: [Position; 4] = [
    position("Authority record status", 5, "acdnosx"),
    position("Authority type of record", 6, "z"),
    position("Authority encoding level", 17, "no"),
    position("Punctuation policy", 18, "\\ \u{a0}ciu"),
];

/// The length of a leader.
const LENGTH: usize = 24;

/// Fills in the constant positions, as FOLIO's editor does before it validates.
#[must_use]
pub fn filled_leader(kind: RecordKind, leader: &str) -> String {
    let mut characters: Vec<char> = leader.chars().collect();
    if characters.len() != LENGTH {
        return leader.to_owned();
    }
    let mut fill = |positions: &[Position]| {
        for position in positions {
            if !position.values.contains(characters[position.at])
                && let Some(value) = position.values.chars().next()
            {
                characters[position.at] = value;
            }
        }
    };
    fill(&CONSTANT);
    match kind {
        RecordKind::Bib => {}
        RecordKind::Holdings => fill(&UNDEFINED),
        RecordKind::Authority => {
            fill(&UNDEFINED);
            fill(&[CODING]);
            fill(&AUTHORITY[1..2]);
            fill(&AUTHORITY[3..]);
        }
    }
    characters.into_iter().collect()
}

/// The first error of a leader: its subject, and FOLIO's message.
#[must_use]
pub fn wrong_leader(kind: RecordKind, leader: &str) -> Option<(String, String)> {
    let characters: Vec<char> = leader.chars().collect();
    if characters.len() != LENGTH {
        return Some((leader.to_owned(), "Wrong leader length".to_owned()));
    }
    for (start, end) in [(0, 5), (12, 17)] {
        if !characters[start..end].iter().all(char::is_ascii_digit) {
            let sentence = format!("{start}-{end} positions must be a number");
            return Some((leader.to_owned(), sentence));
        }
    }
    let own: &[Position] = match kind {
        RecordKind::Bib => &BIB,
        RecordKind::Holdings => &HOLDINGS,
        RecordKind::Authority => &AUTHORITY,
    };
    let undefined: &[Position] = match kind {
        RecordKind::Bib => &[],
        _ => &UNDEFINED,
    };
    let all = [&[CODING], &CONSTANT[..], own, undefined];
    let positions = all.into_iter().flatten();
    let allowed = |position: &&Position| {
        let value = characters[position.at];
        // A significant blank may be sent as `\` or as a blank.
        let shown = if position.values == "\\" && BLANKS.contains(value) {
            '\\'
        } else {
            value
        };
        position.values.contains(shown) || position.values.contains(shown.to_ascii_lowercase())
    };
    let mut wrong = positions.filter(|position| !allowed(position));
    wrong.next().map(|position| {
        let values: Vec<String> = position.values.chars().map(|c| c.to_string()).collect();
        let sentence = format!(
            "Wrong value '{}', on position {}. Allowed only: [{}]",
            characters[position.at],
            position.at,
            values.join(", ")
        );
        (position.name.to_owned(), sentence)
    })
}
