//! Reads the titles from the text files in `data/`: one line for each title, columns separated by
//! `|`.

use super::shelf::Shelf;
use crate::record::{Contributor, Identifier, Role, Subject, SubjectKind};

const FILES: [(Shelf, &str); 8] = [
    (Shelf::Fiction, include_str!("../../data/fiction.txt")),
    (Shelf::NonFiction, include_str!("../../data/nonfiction.txt")),
    (Shelf::Children, include_str!("../../data/children.txt")),
    (Shelf::Cookery, include_str!("../../data/cookery.txt")),
    (Shelf::Travel, include_str!("../../data/travel.txt")),
    (Shelf::Film, include_str!("../../data/film.txt")),
    (Shelf::Music, include_str!("../../data/music.txt")),
    (Shelf::Journals, include_str!("../../data/journals.txt")),
];

/// One line of a data file.
pub(super) struct Title {
    pub shelf: Shelf,
    pub title: &'static str,
    pub contributors: Vec<Contributor<'static>>,
    pub place: &'static str,
    pub publisher: &'static str,
    pub year: &'static str,
    pub language: &'static str,
    pub dewey: &'static str,
    pub subjects: Vec<Subject<'static>>,
    pub identifier: Option<Identifier<'static>>,
}

impl Title {
    /// The letters that follow the class on the spine: the start of the first contributor's name,
    /// or of the title when nobody is named.
    pub(super) fn spine_letters(&self) -> String {
        let filed_under = self
            .contributors
            .first()
            .map_or(self.title, |first| first.name);
        let letters = filed_under.chars().filter(|c| c.is_alphabetic()).take(3);
        letters.flat_map(char::to_uppercase).collect()
    }

    /// Whether it is a textbook, and so in course reserves.
    pub(super) fn is_textbook(&self) -> bool {
        self.subjects
            .iter()
            .any(|subject| subject.heading == "Textbooks")
    }
}

/// All titles, shelf by shelf.
pub(super) fn titles() -> Vec<Title> {
    FILES
        .iter()
        .flat_map(|(shelf, text)| lines(text).filter_map(|line| read(*shelf, line)))
        .collect()
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

/// Parses a line; `None` when columns are missing, which a test rules out for the files here.
fn read(shelf: Shelf, line: &'static str) -> Option<Title> {
    let mut columns = line.split('|').map(str::trim);
    Some(Title {
        shelf,
        title: columns.next()?,
        contributors: list(columns.next()?)
            .map(|name| contributor(shelf, name))
            .collect(),
        place: columns.next()?,
        publisher: columns.next()?,
        year: columns.next()?,
        language: columns.next()?,
        dewey: columns.next()?,
        subjects: list(columns.next()?).map(subject).collect(),
        identifier: columns
            .next()
            .filter(|value| !value.is_empty())
            .map(|value| shelf.identifier(value)),
    })
}

fn list(column: &'static str) -> impl Iterator<Item = &'static str> {
    column
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// `Name` or `Name [role]`.
fn contributor(shelf: Shelf, text: &'static str) -> Contributor<'static> {
    let (name, role) = match text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once(" ["))
    {
        Some((name, "trl")) => (name, Role::Translator),
        Some((name, "ill")) => (name, Role::Illustrator),
        Some((name, "cmp")) => (name, Role::Composer),
        Some((name, "cnd")) => (name, Role::Conductor),
        Some((name, "prf")) => (name, Role::Performer),
        Some((name, "sng")) => (name, Role::Singer),
        Some((name, "band")) => (name, Role::Band),
        _ => (text, shelf.usual_role()),
    };
    Contributor { name, role }
}

/// `Heading`, `Heading [geo]` for a place, `Heading [form]` for a genre or form.
fn subject(text: &'static str) -> Subject<'static> {
    let (heading, kind) = match text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once(" ["))
    {
        Some((heading, "geo")) => (heading, SubjectKind::Place),
        Some((heading, "form")) => (heading, SubjectKind::Form),
        _ => (text, SubjectKind::Topic),
    };
    Subject { kind, heading }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_complete_title() {
        let lines: usize = FILES.iter().map(|(_, text)| lines(text).count()).sum();
        let titles = titles();
        assert_eq!(titles.len(), lines);
        assert!((300..400).contains(&lines), "{lines} titles");
        for title in &titles {
            assert!(
                title.year.len() == 4 && title.year.parse::<u16>().is_ok(),
                "{}",
                title.title
            );
            assert_eq!(title.language.len(), 3, "{}", title.title);
            assert!(title.dewey.parse::<f64>().is_ok(), "{}", title.title);
            assert!(!title.subjects.is_empty(), "{}", title.title);
            assert!(
                title.contributors.iter().all(|c| !c.name.contains('[')),
                "{}",
                title.title
            );
            assert!(
                title.subjects.iter().all(|s| !s.heading.contains('[')),
                "{}",
                title.title
            );
        }
    }

    #[test]
    fn identifiers_have_right_check_digits() {
        for title in titles() {
            let Some(Identifier::Isbn(identifier) | Identifier::Issn(identifier)) =
                title.identifier
            else {
                assert_eq!(title.identifier, None, "{}", title.title);
                continue;
            };
            let digit = |c: char| {
                if c == 'X' {
                    10
                } else {
                    c.to_digit(10).unwrap()
                }
            };
            let digits: Vec<u32> = identifier.replace('-', "").chars().map(digit).collect();
            let weighted = |weight: fn(u32) -> u32| -> u32 {
                (0..)
                    .zip(&digits)
                    .map(|(at, digit)| weight(at) * digit)
                    .sum()
            };
            let (sum, modulus) = match digits.len() {
                13 => (weighted(|at| 1 + at % 2 * 2), 10),
                8 => (weighted(|at| 8 - at), 11),
                other => panic!("{identifier} has {other} digits"),
            };
            assert_eq!(sum % modulus, 0, "{identifier}");
        }
    }

    #[test]
    fn spine_letters_come_from_the_name_or_the_title() {
        let titles = titles();
        let letters = |wanted: &str| {
            titles
                .iter()
                .find(|title| title.title == wanted)
                .unwrap()
                .spine_letters()
        };
        assert_eq!(letters("Pride and prejudice"), "AUS");
        assert_eq!(letters("L'étranger"), "CAM");
        assert_eq!(letters("Nature"), "NAT");
    }
}
