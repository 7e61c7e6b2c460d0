//! Parses a JMeter plan into a tree of elements with their properties: each element is followed by
//! a `hashTree` with its children. No external entities, no document types, limited depth.

use std::rc::Rc;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::draft::{DraftError, FILE_BYTES_MAX};

/// Deeper plans are refused.
const DEPTH_MAX: usize = 256;
/// Plans with more elements and properties are refused.
const NODES_MAX: usize = 4_000_000;
const REMEDY: &str = "save the plan again with JMeter";

/// A test element and its children.
#[derive(Debug, Default)]
pub(super) struct Element {
    /// `HTTPSamplerProxy`, `CSVDataSet`, …
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) enabled: bool,
    /// The line in its file.
    pub(super) line: usize,
    /// The included file that it is in; none for the plan itself.
    pub(super) file: Option<Rc<str>>,
    pub(super) properties: Vec<Property>,
    pub(super) children: Vec<Element>,
}

/// A property, or an element that is one.
#[derive(Debug, Default)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) items: Vec<Property>,
    tag: String,
}

impl Element {
    pub(super) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|one| one.name == name)
    }

    /// The text of a property; empty without it.
    pub(super) fn text(&self, name: &str) -> &str {
        self.property(name).map_or("", |one| one.text.as_str())
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.text(name).trim() == "true"
    }

    /// Its name in notes.
    pub(super) fn label(&self) -> String {
        let file = self.file.as_ref();
        let file = file.map_or(String::new(), |file| format!(" ({file})"));
        format!("{} `{}`{file}", self.short_kind(), self.name.trim())
    }

    /// The kind without a plug-in's package.
    pub(super) fn short_kind(&self) -> &str {
        self.kind.rsplit('.').next().unwrap_or(&self.kind)
    }

    /// How many elements of a kind are here and below.
    pub(super) fn count(&self, kind: &str) -> usize {
        let below: usize = self.children.iter().map(|one| one.count(kind)).sum();
        below + usize::from(self.kind == kind)
    }
}

impl Property {
    /// The text of a property inside this one.
    pub(super) fn inner(&self, name: &str) -> &str {
        let found = self.items.iter().find(|one| one.name == name);
        found.map_or("", |one| one.text.as_str())
    }
}

/// A node of the text before it is interpreted.
#[derive(Default)]
struct Raw {
    tag: String,
    attributes: Vec<(String, String)>,
    text: String,
    line: usize,
    children: Vec<Raw>,
}

impl Raw {
    fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The top elements of a plan, usually one `TestPlan`.
pub(super) fn parse(text: &str, file: Option<&Rc<str>>) -> Result<Vec<Element>, DraftError> {
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(DraftError::TooMany {
            of: "bytes in the plan",
            limit: FILE_BYTES_MAX as usize,
            remedy: "remove what it records of answers",
        });
    }
    let root = read(text)?;
    if root.tag != "jmeterTestPlan" {
        return Err(DraftError::Other {
            wanted: "JMeter plan",
            found: match root.tag.as_str() {
                "" => "it has no element".to_owned(),
                tag => format!("its first element is <{}>", shortened(tag)),
            },
            remedy: "give a .jmx file as JMeter saves it",
        });
    }
    let mut top = Vec::new();
    for tree in root.children {
        top.extend(elements(tree.children, file));
    }
    Ok(top)
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Pairs of element and `hashTree`.
fn elements(nodes: Vec<Raw>, file: Option<&Rc<str>>) -> Vec<Element> {
    let mut found: Vec<Element> = Vec::new();
    for node in nodes {
        if node.tag == "hashTree" {
            let below = elements(node.children, file);
            if let Some(last) = found.last_mut() {
                last.children.extend(below);
            }
            continue;
        }
        found.push(Element {
            name: node.attribute("testname").unwrap_or_default().to_owned(),
            enabled: node.attribute("enabled") != Some("false"),
            line: node.line,
            file: file.cloned(),
            properties: node.children.into_iter().map(property).collect(),
            kind: node.tag,
            children: Vec::new(),
        });
    }
    found
}

fn property(node: Raw) -> Property {
    let name = node.attribute("name").map(str::to_owned);
    let items: Vec<Property> = node.children.into_iter().map(property).collect();
    // Number properties have their name and value as child elements.
    let part = |tag: &str| items.iter().find(|one| one.tag == tag);
    let (name, text) = match (name, part("name"), part("value")) {
        (Some(name), _, _) => (name, node.text),
        (None, Some(name), Some(value)) => (name.text.clone(), value.text.clone()),
        _ => (String::new(), node.text),
    };
    Property {
        name,
        text,
        items,
        tag: node.tag,
    }
}

/// Parses the nodes without recursion, so that depth costs no stack.
fn read(text: &str) -> Result<Raw, DraftError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::from_str(text);
    let mut lines = Lines::new(text);
    let mut open: Vec<Raw> = vec![Raw::default()];
    let mut nodes = 0;
    loop {
        let before = reader.buffer_position();
        let event = reader.read_event();
        let event = event.map_err(|error| {
            let at = reader.error_position();
            malformed(text, at.max(before), error.to_string())
        })?;
        let fail = |reason: String| malformed(text, before, reason);
        match event {
            Event::Start(start) => {
                nodes += 1;
                check(nodes, open.len())?;
                let line = lines.at(before);
                open.push(node(&start, line).map_err(fail)?);
            }
            Event::Empty(start) => {
                nodes += 1;
                check(nodes, open.len())?;
                let line = lines.at(before);
                let node = node(&start, line).map_err(fail)?;
                add(&mut open, node);
            }
            Event::End(_) => {
                if let Some(node) = (open.len() > 1).then(|| open.pop()).flatten() {
                    add(&mut open, node);
                }
            }
            Event::Text(part) => {
                let part = part.decode().map_err(|error| fail(error.to_string()))?;
                push_text(&mut open, &part);
            }
            Event::CData(part) => {
                let part = part.decode().map_err(|error| fail(error.to_string()))?;
                push_text(&mut open, &part);
            }
            Event::GeneralRef(reference) => {
                push_text(&mut open, &resolve(&reference).map_err(fail)?);
            }
            Event::DocType(_) => {
                return Err(fail("a document type is not read".to_owned()));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if open.len() > 1 {
        let tag = open.pop().map(|one| one.tag).unwrap_or_default();
        let reason = format!("the file ends inside <{}>", shortened(&tag));
        return Err(malformed(text, text.len() as u64, reason));
    }
    let top = open.pop().unwrap_or_default();
    Ok(top.children.into_iter().next().unwrap_or_default())
}

fn check(nodes: usize, depth: usize) -> Result<(), DraftError> {
    let many = |of, limit| DraftError::TooMany {
        of,
        limit,
        remedy: "split the plan",
    };
    if nodes > NODES_MAX {
        return Err(many("elements in the plan", NODES_MAX));
    }
    match depth > DEPTH_MAX {
        true => Err(many("levels in the plan", DEPTH_MAX)),
        false => Ok(()),
    }
}

fn add(open: &mut [Raw], node: Raw) {
    if let Some(parent) = open.last_mut() {
        parent.children.push(node);
    }
}

fn push_text(open: &mut [Raw], text: &str) {
    if let Some(node) = open.last_mut() {
        // Text between the parts of a list is white space.
        if node.children.is_empty() {
            node.text.push_str(text);
        }
    }
}

fn node(start: &BytesStart<'_>, line: usize) -> Result<Raw, String> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|error| error.to_string())?;
        let name = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        attributes.push((name, value.into_owned()));
    }
    Ok(Raw {
        tag: String::from_utf8_lossy(start.name().as_ref()).into_owned(),
        attributes,
        line,
        ..Raw::default()
    })
}

fn resolve(reference: &BytesRef<'_>) -> Result<String, String> {
    let character = reference.resolve_char_ref();
    if let Some(character) = character.map_err(|error| error.to_string())? {
        return Ok(character.to_string());
    }
    let name = reference.decode().map_err(|error| error.to_string())?;
    let text = resolve_predefined_entity(&name).map(str::to_owned);
    text.ok_or_else(|| format!("the entity {} is not declared", shortened(&name)))
}

fn malformed(text: &str, at: u64, reason: String) -> DraftError {
    let (line, column) = place(text, usize::try_from(at).unwrap_or(usize::MAX));
    DraftError::Malformed {
        line,
        column,
        reason,
        remedy: REMEDY,
    }
}

/// Line and column of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[start..].chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}

/// Line numbers of ascending positions.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    fn at(&mut self, place: u64) -> usize {
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let part = self.text.as_bytes().get(self.at..place).unwrap_or_default();
        self.line += part.iter().filter(|byte| **byte == b'\n').count();
        self.at = self.at.max(place);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_what_stands_below_them_and_their_lines() {
        let text = "<jmeterTestPlan>\n<hashTree>\n<TestPlan testname=\"p &amp; q\">\
            <stringProp name=\"a\">x &lt;&#10;y</stringProp>\
            <FloatProperty><name>f</name><value>4.5</value></FloatProperty>\n</TestPlan>\n\
            <hashTree>\n<A enabled=\"false\"/>\n<hashTree/></hashTree></hashTree></jmeterTestPlan>";
        let top = parse(text, None).unwrap();
        assert_eq!(top.len(), 1);
        assert_eq!((top[0].name.as_str(), top[0].line), ("p & q", 3));
        assert_eq!(top[0].text("a"), "x <\ny");
        assert_eq!(top[0].text("f"), "4.5");
        let below = &top[0].children[0];
        assert_eq!(
            (below.kind.as_str(), below.line, below.enabled),
            ("A", 6, false)
        );
    }

    #[test]
    fn what_is_no_plan_is_refused_with_its_place() {
        let message = |text: &str| parse(text, None).unwrap_err().to_string();
        assert!(message("").contains("it has no element"));
        assert!(message("<html/>").contains("<html>"));
        assert!(message("<jmeterTestPlan>\n <a></b>").starts_with("line 2, column "));
        assert!(message("<jmeterTestPlan>\n<a>").contains("ends inside <a>"));
        let bomb = "<!DOCTYPE a [<!ENTITY b \"c\">]><jmeterTestPlan>&b;</jmeterTestPlan>";
        assert!(message(bomb).contains("document type"));
        assert!(message("<jmeterTestPlan>&b;</jmeterTestPlan>").contains("not declared"));
        let deep = "<a>".repeat(300) + &"</a>".repeat(300);
        assert!(message(&deep).contains("256 levels"));
    }
}
