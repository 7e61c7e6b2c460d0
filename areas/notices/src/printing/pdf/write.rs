//! Pages of text as a PDF. Not compressed: the database compresses it.

use super::super::font::byte;
use super::super::layout::{PAGE, Placed};

/// A document while its objects are written, one after the other.
#[derive(Debug)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    /// Where each object begins; the first is number one.
    places: Vec<Option<usize>>,
}

impl Writer {
    pub(super) fn new() -> Writer {
        Writer {
            // Non-ASCII bytes after the percent sign mark the file as binary.
            bytes: b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec(),
            places: Vec::new(),
        }
    }

    /// A number for an object that is written later.
    pub(super) fn reserve(&mut self) -> usize {
        self.places.push(None);
        self.places.len()
    }

    pub(super) fn object(&mut self, number: usize, body: &[u8]) {
        self.places[number - 1] = Some(self.bytes.len());
        self.add(format!("{number} 0 obj\n").as_bytes());
        self.add(body);
        self.add(b"\nendobj\n");
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The document, whose catalog is the object of this number.
    pub(super) fn finish(mut self, catalog: usize) -> Vec<u8> {
        let begin = self.bytes.len();
        let count = self.places.len() + 1;
        self.add(format!("xref\n0 {count}\n0000000000 65535 f \n").as_bytes());
        for place in std::mem::take(&mut self.places) {
            let line = match place {
                Some(place) => format!("{place:010} 00000 n \n"),
                None => "0000000000 65535 f \n".to_owned(),
            };
            self.add(line.as_bytes());
        }
        let trailer = format!("trailer\n<< /Size {count} /Root {catalog} 0 R >>\n");
        self.add(trailer.as_bytes());
        self.add(format!("startxref\n{begin}\n%%EOF\n").as_bytes());
        self.bytes
    }
}

/// A PDF of pages.
#[must_use]
pub fn document(pages: &[Vec<Placed>]) -> Vec<u8> {
    let mut writer = Writer::new();
    let [catalog, tree, plain, bold] = [(); 4].map(|()| writer.reserve());
    writer.object(
        catalog,
        format!("<< /Type /Catalog /Pages {tree} 0 R >>").as_bytes(),
    );
    for (number, name) in [(plain, "Helvetica"), (bold, "Helvetica-Bold")] {
        let font = format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        );
        writer.object(number, font.as_bytes());
    }
    let mut kids = Vec::new();
    for page in pages {
        let [leaf, content] = [(); 2].map(|()| writer.reserve());
        let text = shown(page);
        let mut stream = format!("<< /Length {} >>\nstream\n", text.len()).into_bytes();
        stream.extend_from_slice(&text);
        stream.extend_from_slice(b"\nendstream");
        writer.object(content, &stream);
        let page = format!(
            "<< /Type /Page /Parent {tree} 0 R /Contents {content} 0 R \
             /Resources << /Font << /F1 {plain} 0 R /F2 {bold} 0 R >> >> >>"
        );
        writer.object(leaf, page.as_bytes());
        kids.push(format!("{leaf} 0 R"));
    }
    let (wide, high) = PAGE;
    let pages = format!(
        "<< /Type /Pages /MediaBox [0 0 {wide} {high}] /Count {} /Kids [{}] >>",
        kids.len(),
        kids.join(" ")
    );
    writer.object(tree, pages.as_bytes());
    writer.finish(catalog)
}

/// What a page shows, in PDF's notation.
fn shown(page: &[Placed]) -> Vec<u8> {
    let mut shown = b"BT\n".to_vec();
    for one in page {
        let font = match one.is_bold {
            true => "F2",
            false => "F1",
        };
        let (x, y, size) = (one.x, one.y, one.size);
        shown.extend_from_slice(
            format!("/{font} {size:.0} Tf 1 0 0 1 {x:.2} {y:.2} Tm (").as_bytes(),
        );
        for one in one.text.chars() {
            match byte(one) {
                special @ (b'(' | b')' | b'\\') => shown.extend_from_slice(&[b'\\', special]),
                ascii @ b' '..=b'~' => shown.push(ascii),
                other => shown.extend_from_slice(format!("\\{other:03o}").as_bytes()),
            }
        }
        shown.extend_from_slice(b") Tj\n");
    }
    shown.extend_from_slice(b"ET");
    shown
}
