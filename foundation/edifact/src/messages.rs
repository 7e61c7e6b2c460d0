//! The messages of an interchange, each with the segments around it: UNB before, UNZ behind.

use crate::error::{EdifactError, Fault};
use crate::segment::Segment;

/// A message with the interchange's header and trailer, as if it were sent alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Message {
    pub segments: Vec<Segment>,
}

impl Message {
    /// The message's type, from its UNH: `INVOIC`.
    #[must_use]
    pub fn kind(&self) -> &str {
        let header = self.segments.iter().find(|one| one.tag == "UNH");
        header.map_or("", |header| header.component(1, 0))
    }

    /// The message as text, with the usual service characters.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::from("UNA:+.? '\n");
        for segment in &self.segments {
            text.push_str(&segment.tag);
            for element in &segment.elements {
                text.push('+');
                let components: Vec<String> = element.iter().map(|one| released(one)).collect();
                text.push_str(&components.join(":"));
            }
            text.push_str("'\n");
        }
        text
    }

    /// Compares what the message's trailer says with the message.
    ///
    /// # Errors
    /// When its reference is another, or the number of its segments.
    pub fn check(&self) -> Result<(), EdifactError> {
        let place = |tag: &str| self.segments.iter().position(|one| one.tag == tag);
        let (Some(first), Some(last)) = (place("UNH"), place("UNT")) else {
            return Ok(());
        };
        check(&self.segments[first..=last.max(first)]).map_err(|fault| EdifactError {
            segment: last + 1,
            fault,
        })
    }
}

/// A value in which no character separates anything.
fn released(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        if matches!(character, '?' | '+' | ':' | '\'') {
            text.push('?');
        }
        text.push(character);
    }
    text
}

/// Splits an interchange into its messages.
///
/// # Errors
/// A message without beginning or end.
pub fn messages(segments: &[Segment]) -> Result<Vec<Message>, EdifactError> {
    let at = |place: usize, fault| EdifactError {
        segment: place + 1,
        fault,
    };
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let mut begun: Option<usize> = None;
    for (place, segment) in segments.iter().enumerate() {
        match (segment.tag.as_str(), begun) {
            ("UNH", None) => begun = Some(place),
            ("UNH", Some(_)) => return Err(at(place, Fault::NestedMessage)),
            ("UNT", None) => return Err(at(place, Fault::UnopenedMessage)),
            ("UNT", Some(first)) => {
                spans.push((first, place));
                begun = None;
            }
            _ => {}
        }
    }
    if let Some(first) = begun {
        return Err(at(first, Fault::UnclosedMessage));
    }
    let (Some((first, _)), Some((_, last))) = (spans.first(), spans.last()) else {
        return Err(at(segments.len().saturating_sub(1), Fault::NoMessage));
    };
    let (before, behind) = (&segments[..*first], &segments[last + 1..]);
    let message = |(first, last): &(usize, usize)| Message {
        segments: [before, &segments[*first..=*last], behind].concat(),
    };
    Ok(spans.iter().map(message).collect())
}

/// Compares a message's trailer with the message.
fn check(segments: &[Segment]) -> Result<(), Fault> {
    let (Some(header), Some(trailer)) = (segments.first(), segments.last()) else {
        return Ok(());
    };
    let said = trailer.component(0, 0);
    if said.parse() != Ok(segments.len()) {
        return Err(Fault::Count {
            said: said.to_owned(),
            found: segments.len(),
        });
    }
    let (begun, found) = (header.component(0, 0), trailer.component(1, 0));
    match begun == found {
        true => Ok(()),
        false => Err(Fault::Reference {
            begun: begun.to_owned(),
            found: found.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn each_message_has_the_header_and_the_trailer() {
        let text = "UNB+UNOC:3'UNH+1+INVOIC:D:96A'BGM+380+a'UNT+3+1'UNH+2+INVOIC'BGM+380+b'UNT+3+2'UNZ+2+1'";
        let found = messages(&parse(text).unwrap()).unwrap();
        assert_eq!(found.len(), 2);
        let tags = |at: usize| {
            let segments = found[at].segments.iter();
            segments.map(|one| one.tag.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(tags(1), ["UNB", "UNH", "BGM", "UNT", "UNZ"]);
        assert_eq!(found[1].segments[2].component(1, 0), "b");
        assert_eq!(found[0].kind(), "INVOIC");
        assert_eq!(found[1].check(), Ok(()));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = "UNA|^,! ~UNB^UNOC|3~UNH^1^INVOIC~BGM^380^What's? new|+~UNT^3^1~UNZ^1^1~";
        let found = messages(&parse(text).unwrap()).unwrap();
        let again = messages(&parse(&found[0].write()).unwrap()).unwrap();
        assert_eq!(again, found);
        assert_eq!(found[0].segments[2].component(1, 0), "What's? new");
    }

    #[test]
    fn messages_are_what_they_say() {
        for (text, segment, fault) in [
            ("UNB+1'UNZ+0'", 2, Fault::NoMessage),
            ("UNB+1'UNH+1'UNH+2'", 3, Fault::NestedMessage),
            ("UNB+1'UNT+1+1'", 2, Fault::UnopenedMessage),
            ("UNB+1'UNH+1+INVOIC'", 2, Fault::UnclosedMessage),
        ] {
            let found = messages(&parse(text).unwrap());
            assert_eq!(found, Err(EdifactError { segment, fault }), "{text}");
        }
        for (text, segment, fault) in [
            (
                "UNB+1'UNH+1'UNT+3+1'",
                3,
                Fault::Count {
                    said: "3".to_owned(),
                    found: 2,
                },
            ),
            (
                "UNB+1'UNH+1'UNT+2+7'",
                3,
                Fault::Reference {
                    begun: "1".to_owned(),
                    found: "7".to_owned(),
                },
            ),
        ] {
            let found = messages(&parse(text).unwrap()).unwrap();
            assert_eq!(
                found[0].check(),
                Err(EdifactError { segment, fault }),
                "{text}"
            );
        }
    }
}
