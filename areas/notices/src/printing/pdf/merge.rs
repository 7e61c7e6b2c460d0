//! Several PDFs as one: the pages of all, in order. Bookmarks, forms and other things of whole documents
//! are left out.

use std::collections::BTreeMap;

use super::read::{Document, read};
use super::token::{TokenKind, next, number, reference, value};
use super::write::Writer;

/// A document to merge.
#[derive(Debug)]
pub struct Part {
    document: Document,
    /// The number of the root of its pages.
    tree: usize,
    count: usize,
}

impl Part {
    /// Reads a PDF; `None` when its pages cannot be found.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Part> {
        let mut document = read(bytes)?;
        let catalog = document.objects.remove(&document.catalog?)?;
        let (tree, _) = reference(&catalog, value(&catalog, b"/Pages")?)?;
        let pages = document.objects.get(&tree)?;
        let count = number(pages, value(pages, b"/Count")?)?;
        value(pages, b"/Kids")?;
        Some(Part {
            document,
            tree,
            count,
        })
    }
}

/// One PDF of all pages.
#[must_use]
pub fn merged(parts: &[Part]) -> Vec<u8> {
    let mut writer = Writer::new();
    let [catalog, tree] = [(); 2].map(|()| writer.reserve());
    let mut kids = Vec::new();
    let mut count = 0_usize;
    for part in parts {
        let numbers: BTreeMap<usize, usize> = part
            .document
            .objects
            .keys()
            .map(|number| (*number, writer.reserve()))
            .collect();
        for (number, body) in &part.document.objects {
            let mut body = renumbered(body, &numbers);
            if *number == part.tree {
                body = below(&body, tree);
                kids.push(format!("{} 0 R", numbers[number]));
            }
            writer.object(numbers[number], &body);
        }
        count = count.saturating_add(part.count);
    }
    writer.object(
        catalog,
        format!("<< /Type /Catalog /Pages {tree} 0 R >>").as_bytes(),
    );
    let pages = format!(
        "<< /Type /Pages /Count {count} /Kids [{}] >>",
        kids.join(" ")
    );
    writer.object(tree, pages.as_bytes());
    writer.finish(catalog)
}

/// A dictionary with a parent.
fn below(body: &[u8], parent: usize) -> Vec<u8> {
    let open = next(body, 0).filter(|token| token.kind == TokenKind::Open);
    let Some(open) = open else {
        return body.to_vec();
    };
    let mut with = body[..open.end].to_vec();
    with.extend_from_slice(format!(" /Parent {parent} 0 R ").as_bytes());
    with.extend_from_slice(&body[open.end..]);
    with
}

/// An object whose references name objects by their new numbers; `null` those that do not exist.
fn renumbered(body: &[u8], numbers: &BTreeMap<usize, usize>) -> Vec<u8> {
    let mut made = Vec::with_capacity(body.len() + 16);
    let mut copied = 0;
    let mut at = 0;
    while let Some(token) = next(body, at) {
        at = token.end;
        // What is in a stream stays as it is.
        if &body[token.begin..token.end] == b"stream" {
            break;
        }
        if let Some((target, end)) = reference(body, token) {
            made.extend_from_slice(&body[copied..token.begin]);
            match numbers.get(&target) {
                Some(number) => made.extend_from_slice(format!("{number} 0 R").as_bytes()),
                None => made.extend_from_slice(b"null"),
            }
            (at, copied) = (end, end);
        }
    }
    made.extend_from_slice(&body[copied..]);
    made
}

#[cfg(test)]
mod tests {
    use super::super::super::html::paragraphs;
    use super::super::super::layout::pages;
    use super::super::write::document;
    use super::*;

    fn letter(html: &str) -> Vec<u8> {
        document(&pages(&paragraphs(html)))
    }

    fn text(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| *byte as char).collect()
    }

    #[test]
    fn letters_are_put_together_in_order() {
        let letters = [letter("<p>Dear <b>Ada</b> (é)</p>"), letter("Dear Bob")];
        assert!(text(&letters[0]).contains("(Dear ) Tj"));
        assert!(text(&letters[0]).contains("\\(\\351\\)"));
        let parts: Vec<Part> = letters.iter().filter_map(|one| Part::read(one)).collect();
        assert_eq!(parts.len(), 2);
        let all = merged(&parts);
        let shown = text(&all);
        assert!(shown.find("Ada").expect("the first") < shown.find("Bob").expect("the second"));
        assert!(shown.contains("/Count 2 /Kids ["));
        // A merged document can be merged again.
        let part = Part::read(&all).expect("a document");
        assert_eq!(part.count, 2);
        let twice = merged(&[part, Part::read(&letters[1]).expect("a document")]);
        assert_eq!(Part::read(&twice).expect("a document").count, 3);
    }

    #[test]
    fn every_reference_of_what_is_written_leads_somewhere() {
        let letters = [letter("a"), letter("b")];
        let parts: Vec<Part> = letters.iter().filter_map(|one| Part::read(one)).collect();
        let all = merged(&parts);
        let document = read(&all).expect("a document");
        for (number, body) in &document.objects {
            let mut at = 0;
            while let Some(token) = next(body, at) {
                at = token.end;
                if let Some((target, end)) = reference(body, token) {
                    assert!(document.objects.contains_key(&target), "{number}: {target}");
                    at = end;
                }
            }
        }
        let begin = text(&all).rfind("startxref").expect("an index");
        let place: usize = text(&all[begin..])
            .lines()
            .nth(1)
            .and_then(|line| line.parse().ok())
            .expect("a place");
        assert!(all[place..].starts_with(b"xref"));
    }

    #[test]
    fn documents_of_others_are_read() {
        let strange = b"%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 9 0 R/Names 77 0 R>>endobj\n\
            9 0 obj\n<</Count 1/Kids[4 0 R]/Type/Pages>>\nendobj\n\
            4 0 obj<</Type/Page/Parent 9 0 R/Contents 5 0 R/Note(\\(1 0 R)>>endobj\n\
            5 0 obj<</Length 6 0 R>>stream\r\n9 0 R endobj \xff\nendstream\nendobj\n6 0 obj 15 endobj\n\
            trailer<</Root 1 0 R>>";
        let part = Part::read(strange).expect("a document");
        assert_eq!(part.count, 1);
        let shown = text(&merged(&[part]));
        assert!(
            shown.contains("\r\n9 0 R endobj \u{ff}\nendstream"),
            "{shown}"
        );
        assert!(shown.contains("(\\(1 0 R)"), "{shown}");
        for none in [
            &b""[..],
            b"no document",
            b"%PDF-1.4",
            b"%PDF-1.4 1 0 obj <<",
            b"%PDF-1.4 1 0 obj<</Pages 1 0 R>>endobj trailer<</Root 1 0 R>>",
            b"%PDF-1.4 1 0 obj<</Pages 2 0 R>>endobj trailer<</Root 1 0 R/Encrypt 3 0 R>>",
            b"%PDF-1.4 ( ((",
        ] {
            assert!(Part::read(none).is_none(), "{}", text(none));
        }
        // Whatever is cut off or changed, nothing breaks.
        let whole = letter("Dear Ada");
        for at in 0..whole.len() {
            let _ = Part::read(&whole[..at]);
            let mut other = whole.clone();
            other[at] = b'<';
            if let Some(part) = Part::read(&other) {
                let _ = merged(&[part]);
            }
        }
    }
}
