//! Segment paths in FOLIO's notation: `MOA+203[2]` is the second component of the element after the tag in
//! segments `MOA` whose first element begins with 203; `IMD+L+050+[4-5]` are components 4 to 5 of the third
//! element where the first two begin with L and 050. `?…` before the brackets asks for the last component too.

use thiserror::Error;

use crate::segment::Segment;

/// A path that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{0}\" is no path of segments such as MOA+203[2]")]
pub struct PathError(pub String);

/// Which components of which segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentPath {
    pub tag: String,
    /// What the first components of the first elements are.
    filters: Vec<String>,
    /// What the last component of the last element is.
    qualifier: Option<String>,
    /// The element that is read, from 0.
    element: usize,
    /// Its components, from 0, the end excluded.
    components: (usize, usize),
}

impl SegmentPath {
    /// Reads a path.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<SegmentPath, PathError> {
        read(text).ok_or_else(|| PathError(text.chars().take(60).collect()))
    }

    /// The components that it leads to, of each segment that fits, joined.
    #[must_use]
    pub fn values(&self, segments: &[Segment]) -> Vec<String> {
        let fitting = segments.iter().filter(|segment| self.fits(segment));
        fitting
            .filter_map(|segment| segment.elements.get(self.element))
            .map(|element| {
                let (from, to) = self.components;
                let to = to.min(element.len());
                element.get(from..to).unwrap_or_default().concat()
            })
            .collect()
    }

    fn fits(&self, segment: &Segment) -> bool {
        let last = segment.elements.last().and_then(|element| element.last());
        let qualified = match &self.qualifier {
            Some(wanted) => last == Some(wanted),
            None => true,
        };
        let mut filters = self.filters.iter().enumerate();
        segment.tag == self.tag
            && qualified
            && segment.elements.len() >= self.filters.len()
            && filters.all(|(at, wanted)| segment.component(at, 0) == wanted)
    }
}

fn read(text: &str) -> Option<SegmentPath> {
    let (path, components) = text.strip_suffix(']')?.split_once('[')?;
    let (tag, rest) = path.split_at_checked(3)?;
    let separator = rest.chars().next()?;
    let is_tag = tag.bytes().all(|byte| byte.is_ascii_uppercase());
    if !is_tag || !matches!(separator, '+' | '<') {
        return None;
    }
    let (from, to) = match components.split_once('-') {
        Some((from, to)) => (digit(from)?, digit(to)?),
        None => (digit(components)?, digit(components)?),
    };
    let (wanted, qualifier) = match rest[1..].split_once('?') {
        Some((wanted, qualifier)) => (wanted, Some(qualifier)),
        None => (&rest[1..], None),
    };
    let is_word = |text: &str| text.chars().all(|one| one.is_alphanumeric() || one == '_');
    let mut filters: Vec<&str> = wanted.split(separator).collect();
    if from > to || !filters.iter().all(|one| is_word(one)) || !qualifier.is_none_or(is_word) {
        return None;
    }
    let element = filters.len() - 1;
    // An element at the end that is not told is the one that is read.
    while filters.len() > 1 && filters.last().is_some_and(|last| last.is_empty()) {
        filters.pop();
    }
    Some(SegmentPath {
        tag: tag.to_owned(),
        filters: filters.into_iter().map(str::to_owned).collect(),
        qualifier: qualifier.map(str::to_owned),
        element,
        components: (from - 1, to),
    })
}

/// One digit from 1 to 9.
fn digit(text: &str) -> Option<usize> {
    let mut characters = text.chars();
    let digit = characters.next()?.to_digit(10)?;
    let alone = characters.next().is_none() && digit > 0;
    alone.then_some(digit as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn values(path: &str) -> Vec<String> {
        let segments = parse(
            "UNB+UNOC:3'BGM+380+5001+9'DTM+137:20260131:102'MOA+203:12.50'MOA+203:1.00:USD'IMD+L+050+:::The mill: on the river'\
             ALC+A++++DI'RFF+LI:10001-1'",
        );
        let path = SegmentPath::parse(path).expect("a path");
        path.values(&segments.expect("segments"))
    }

    #[test]
    fn paths_lead_to_components() {
        assert_eq!(values("BGM+380+[1]"), ["5001"]);
        assert_eq!(values("DTM+137[2]"), ["20260131"]);
        assert_eq!(values("MOA+203[2]"), ["12.50", "1.00"]);
        assert_eq!(values("MOA+203?USD[2]"), ["1.00"]);
        assert_eq!(values("IMD+L+050+[4-5]"), ["The mill on the river"]);
        assert_eq!(values("IMD+L+050+[9]"), [""]);
        assert_eq!(values("RFF<LI[2]"), ["10001-1"]);
        assert_eq!(values("ALC+A++++[1]"), ["DI"]);
        assert!(values("MOA+9[2]").is_empty());
        assert!(values("BGM+380++++[1]").is_empty());
    }

    #[test]
    fn other_texts_are_no_paths() {
        for text in [
            "",
            "MOA",
            "MOA+9",
            "MOA+9[0]",
            "MOA+9[2-1]",
            "moa+9[1]",
            "MOA-9[1]",
            "MOA+a b[1]",
            "MOA+9[12]",
        ] {
            assert!(SegmentPath::parse(text).is_err(), "{text}");
        }
    }
}
