//! What extended authorities add to the tenant's rules: subdivisions after two hyphens; and for
//! tracings to other headings (5XX) the tracing without relation and numbers, and the related
//! heading by the letter in `$w`.

use octavo_marc::Tag;

use super::{Condition, Entry, Joins, OfTag, Row, Step};
use crate::codes::Codes;
use crate::functions::Function;
use crate::properties::{Property, TargetShape, target};

/// Subfields of subdivisions.
const SUBDIVISIONS: [char; 4] = ['x', 'y', 'z', 'v'];

/// Relations by their letter in `$w`.
const RELATIONS: [(char, &str); 4] = [
    ('g', "saftBroaderTerm"),
    ('h', "saftNarrowerTerm"),
    ('a', "saftEarlierHeading"),
    ('b', "saftLaterHeading"),
];

/// The tags whose rules are extended.
pub(super) enum Extended {
    /// Headings and see-from tracings.
    Heading,
    /// See-also-from tracings.
    Related,
}

impl Extended {
    pub fn of(tag: Tag) -> Option<Extended> {
        match tag.as_str().as_bytes()[0] {
            b'1' | b'4' => Some(Extended::Heading),
            b'5' => Some(Extended::Related),
            _ => None,
        }
    }

    /// Extends the rules of a tag.
    pub fn complete(&self, properties: &'static [Property], of_tag: &mut OfTag) {
        for entry in of_tag.entries.iter_mut().filter(|entry| !entry.is_entity) {
            for row in &mut entry.rows {
                if SUBDIVISIONS.iter().any(|code| row.codes.contains(*code)) {
                    row.joins = Some(subdivided(&row.codes));
                }
            }
        }
        if let Extended::Related = self {
            let own = std::mem::take(&mut of_tag.entries);
            let shortened: Vec<Entry> = own
                .iter()
                .filter_map(|entry| shortened(properties, entry))
                .collect();
            for (letter, name) in RELATIONS {
                let relations = shortened
                    .iter()
                    .filter_map(|entry| related(properties, entry, letter, name));
                of_tag.entries.extend(relations);
            }
            of_tag.entries.extend(own);
            of_tag.entries.extend(shortened);
        }
    }
}

/// Blanks between the parts of a heading, two hyphens before each subdivision.
fn subdivided(codes: &Codes) -> Joins {
    let main = codes.iter().filter(|code| !SUBDIVISIONS.contains(code));
    let main = main.map(|code| (code, 0));
    Joins {
        delimiters: vec![" ".to_owned(), "--".to_owned(), "--".to_owned()],
        groups: main.chain(SUBDIVISIONS.map(|code| (code, 1))).collect(),
        between: "--".to_owned(),
    }
}

/// The name of the property that a row outside an entity writes.
fn written(properties: &[Property], entry: &Entry) -> Option<&'static str> {
    let row = entry.rows.first().filter(|_| !entry.is_entity)?;
    Some(properties[row.target.property].name)
}

fn shortened(properties: &'static [Property], entry: &Entry) -> Option<Entry> {
    let name = written(properties, entry)?;
    let mut short = entry.clone();
    let row = short.rows.first_mut()?;
    row.target = target(properties, &format!("{name}Trunc")).ok()?;
    row.codes = std::mem::take(&mut row.codes).without(|code| code == 'i' || code.is_ascii_digit());
    Some(short)
}

/// The heading and its type, for fields whose `$w` has the letter.
fn related(
    properties: &'static [Property],
    short: &Entry,
    letter: char,
    name: &str,
) -> Option<Entry> {
    let kind = written(properties, short)?.strip_prefix("saft")?;
    let mut letters = kind.chars();
    let first = letters.next()?.to_ascii_lowercase();
    let kind = format!("{first}{}", letters.as_str());
    let row = |member: &str| -> Option<Row> {
        let mut row = short.rows.first()?.clone();
        row.target = target(properties, &format!("{name}.{member}")).ok()?;
        matches!(row.target.place, TargetShape::Record { .. }).then_some(row)
    };
    let mut heading_type = row("headingType")?;
    heading_type.is_whole = true;
    heading_type.is_given = true;
    heading_type.steps = vec![Step {
        conditions: vec![Condition {
            functions: vec![Function::SetHeadingTypeByName(kind)],
            expected: None,
            of_leader: false,
        }],
        constant: None,
        can_fail: false,
    }];
    Some(Entry {
        indicators: None,
        is_first_only: false,
        is_entity: true,
        is_per_subfield: false,
        keeps_backslash: false,
        relation: Some(letter),
        rows: vec![row("headingRef")?, heading_type],
    })
}
