//! The text of an interchange cut into segments, elements and components, by its service characters.

use crate::error::{EdifactError, Fault};
use crate::segment::Segment;

/// The characters that separate values. Another interchange may have others, which its UNA tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Service {
    component: char,
    element: char,
    /// Takes its meaning from the next character; a blank means that there is none.
    release: Option<char>,
    segment: char,
}

impl Service {
    const USUAL: Service = Service {
        component: ':',
        element: '+',
        release: Some('?'),
        segment: '\'',
    };

    /// The six characters after `UNA`: component, element, decimal mark, release, reserved, segment.
    fn read(text: &str) -> Result<Service, Fault> {
        let characters: Vec<char> = text.chars().take(6).collect();
        let [component, element, _, release, _, segment] = characters[..] else {
            return Err(Fault::ServiceString);
        };
        let service = Service {
            component,
            element,
            release: Some(release).filter(|release| *release != ' '),
            segment,
        };
        let mut distinct = vec![component, element, segment];
        distinct.extend(service.release);
        let is_plain = |one: &char| one.is_alphanumeric();
        let twice = (1..distinct.len()).any(|at| distinct[..at].contains(&distinct[at]));
        match twice || distinct.iter().any(is_plain) {
            true => Err(Fault::AmbiguousServiceString),
            false => Ok(service),
        }
    }
}

/// Parses an interchange into its segments, UNB and UNZ included, and without UNA.
///
/// # Errors
/// The first fault.
pub fn parse(text: &str) -> Result<Vec<Segment>, EdifactError> {
    let at = |segment, fault| EdifactError { segment, fault };
    let text = text.trim_start_matches(['\u{feff}', ' ', '\r', '\n', '\t']);
    let (service, body) = match text.strip_prefix("UNA") {
        Some(rest) => {
            let service = Service::read(rest).map_err(|fault| at(1, fault))?;
            let length: usize = rest.chars().take(6).map(char::len_utf8).sum();
            (service, &rest[length..])
        }
        None if text.starts_with("UNB") => (Service::USUAL, text),
        None => return Err(at(1, Fault::NoInterchange)),
    };
    let mut segments = Vec::new();
    let mut rest = body;
    loop {
        // Line ends between segments mean nothing.
        rest = rest.trim_start_matches(['\r', '\n', ' ', '\t', '\0', '\u{1a}']);
        if rest.is_empty() {
            return Ok(segments);
        }
        let number = segments.len() + 1;
        let (segment, length) = segment(rest, service).map_err(|fault| at(number, fault))?;
        segments.push(segment);
        rest = &rest[length..];
    }
}

/// The segment at the beginning of a text, and its length with its terminator.
fn segment(text: &str, service: Service) -> Result<(Segment, usize), Fault> {
    let mut elements = vec![vec![String::new()]];
    let mut characters = text.char_indices();
    let push = |elements: &mut Vec<Vec<String>>, character: char| {
        let component = elements.last_mut().and_then(|element| element.last_mut());
        if let Some(component) = component {
            component.push(character);
        }
    };
    while let Some((place, character)) = characters.next() {
        if Some(character) == service.release {
            let Some((_, released)) = characters.next() else {
                return Err(Fault::DanglingRelease);
            };
            push(&mut elements, released);
        } else if character == service.segment {
            let tag = elements.remove(0).swap_remove(0);
            let is_tag = tag.len() == 3
                && tag
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
            if !is_tag {
                return Err(Fault::Tag(tag.chars().take(10).collect()));
            }
            return Ok((Segment { tag, elements }, place + character.len_utf8()));
        } else if character == service.element {
            elements.push(vec![String::new()]);
        } else if character == service.component {
            if let Some(element) = elements.last_mut() {
                element.push(String::new());
            }
        } else if !matches!(character, '\r' | '\n') {
            push(&mut elements, character);
        }
    }
    Err(Fault::Unterminated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_have_elements_and_components() {
        let found =
            parse("UNB+UNOC:3+A:31B+B'\r\nIMD+L+050+:::What?'s new?? A?+B'UNZ+0+1'\n").unwrap();
        let tags: Vec<&str> = found.iter().map(|one| one.tag.as_str()).collect();
        assert_eq!(tags, ["UNB", "IMD", "UNZ"]);
        assert_eq!(found[0].elements[1], ["A", "31B"]);
        assert_eq!(found[1].component(2, 3), "What's new? A+B");
        assert_eq!(found[1].component(2, 0), "");
        assert_eq!(found[1].component(7, 0), "");
    }

    #[test]
    fn service_characters_are_those_of_una() {
        let found = parse("UNA|^,! ~UNB^UNOC|3~BGM^380^7!~8~").unwrap();
        assert_eq!(found[1].component(1, 0), "7~8");
        let found = parse("UNA:+.  'UNB+UNOC:3'BGM+380+What?'").unwrap();
        assert_eq!(found[1].component(1, 0), "What?");
    }

    #[test]
    fn faults_have_their_segment() {
        for (text, segment, fault) in [
            ("", 1, Fault::NoInterchange),
            ("LEADER", 1, Fault::NoInterchange),
            ("UNA:+", 1, Fault::ServiceString),
            ("UNA::.? 'UNB'", 1, Fault::AmbiguousServiceString),
            ("UNB+A'BGM+1", 2, Fault::Unterminated),
            ("UNB+A'BGM+1?", 2, Fault::DanglingRelease),
            ("UNB+A'bgm+1'", 2, Fault::Tag("bgm".to_owned())),
        ] {
            assert_eq!(parse(text), Err(EdifactError { segment, fault }), "{text}");
        }
    }
}
