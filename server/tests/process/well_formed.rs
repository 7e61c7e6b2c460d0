//! Checks generated pictures: whether they are well-formed XML, and their tooltips.

use quick_xml::Reader;
use quick_xml::events::Event;

/// The texts of all `title` elements of a document that must be well formed.
pub fn well_formed(document: &str) -> Vec<String> {
    let mut reader = Reader::from_str(document);
    let mut open = Vec::new();
    let mut titles = Vec::new();
    let mut title: Option<String> = None;
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) => {
                open.push(start.name().as_ref().to_vec());
                if start.name().as_ref() == b"title" {
                    title = Some(String::new());
                }
                for attribute in start.attributes() {
                    let _ = attribute.expect("a well-formed attribute");
                }
            }
            Event::End(_) => {
                let _ = open.pop();
                titles.extend(title.take());
            }
            Event::Text(text) => {
                if let Some(title) = &mut title {
                    title.push_str(&text.decode().expect("UTF-8"));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    assert!(document.contains("<svg "), "no picture");
    titles
}
