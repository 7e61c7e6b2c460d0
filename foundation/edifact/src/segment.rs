//! A segment: a tag and data elements of one or more components.

/// A segment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Segment {
    /// Three letters: `BGM`.
    pub tag: String,
    /// The data elements, each with its components; one that is left out has one empty component.
    pub elements: Vec<Vec<String>>,
}

impl Segment {
    /// A component; empty where it is left out. Both are counted from 0.
    #[must_use]
    pub fn component(&self, element: usize, component: usize) -> &str {
        let element = self.elements.get(element);
        let found = element.and_then(|element| element.get(component));
        found.map_or("", String::as_str)
    }
}
