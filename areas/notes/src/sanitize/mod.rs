//! Sanitises the HTML of notes. The output is rebuilt from a short list of elements and attributes and
//! everything else becomes text: no markup of the input is copied.

mod allowed;
mod tokens;

use allowed::Element;
use tokens::{Token, Tokens};

/// Maximal nesting; of deeper elements only the text is kept.
const DEPTH_MAX: usize = 100;

/// The content with mod-notes' elements and attributes only, each element closed. A content that
/// is blank stays as it is.
#[must_use]
pub fn sanitized(content: &str) -> String {
    if content.trim().is_empty() {
        return content.to_owned();
    }
    let mut writer = Writer {
        out: String::with_capacity(content.len() + 16),
        open: Vec::new(),
    };
    for token in Tokens::of(content) {
        match token {
            Token::Text(text) => escape(text, &mut writer.out),
            Token::Open { name, attributes } => {
                if let Some(element) = Element::named(&name) {
                    writer.begin(element, &attributes);
                }
            }
            Token::Close(name) => {
                if let Some(element) = Element::named(&name) {
                    writer.end(element);
                }
            }
        }
    }
    writer.close_to(0);
    writer.out
}

struct Writer {
    out: String,
    open: Vec<Element>,
}

impl Writer {
    fn begin(&mut self, element: Element, attributes: &[(String, &str)]) {
        self.make_room(element);
        if self.open.len() >= DEPTH_MAX && !element.is_empty() {
            return;
        }
        self.out.push('<');
        self.out.push_str(element.name());
        let mut written: Vec<&str> = Vec::new();
        for (name, value) in attributes {
            // The first of duplicate attributes wins, as in browsers.
            if element.takes(name, value) && !written.contains(&name.as_str()) {
                written.push(name);
                self.out.push_str(&format!(" {name}=\""));
                escape(value, &mut self.out);
                self.out.push('"');
            }
        }
        self.out.push('>');
        if !element.is_empty() {
            self.open.push(element);
        }
    }

    /// Closes elements that cannot contain this one, as browsers do for omitted end tags.
    fn make_room(&mut self, element: Element) {
        if element.is_block()
            && let Some(at) = self.last(|open| open == Element::P)
        {
            self.close_to(at);
        }
        if element.is_heading() && self.open.last().is_some_and(|open| open.is_heading()) {
            self.close_to(self.open.len() - 1);
        }
        if element == Element::Li {
            let list = self.last(Element::is_list).map_or(0, |at| at + 1);
            if let Some(at) = self.last(|open| open == Element::Li)
                && at >= list
            {
                self.close_to(at);
            }
        }
    }

    fn end(&mut self, element: Element) {
        if let Some(at) = self.last(|open| open == element) {
            self.close_to(at);
        }
    }

    fn last(&self, wanted: impl Fn(Element) -> bool) -> Option<usize> {
        self.open.iter().rposition(|open| wanted(*open))
    }

    fn close_to(&mut self, depth: usize) {
        for element in self.open.drain(depth..).rev() {
            self.out.push_str("</");
            self.out.push_str(element.name());
            self.out.push('>');
        }
    }
}

/// Escapes text so that it is safe between tags and inside quotes. Character references stay as they
/// are.
fn escape(text: &str, out: &mut String) {
    for (at, character) in text.char_indices() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '&' if !is_reference(&text[at + 1..]) => out.push_str("&amp;"),
            other => out.push(other),
        }
    }
}

/// The longest name of a character reference in HTML.
const REFERENCE_CHARS_MAX: usize = 31;

/// Whether what follows an ampersand makes it a character reference.
fn is_reference(rest: &str) -> bool {
    let Some(end) = rest
        .bytes()
        .take(REFERENCE_CHARS_MAX + 1)
        .position(|byte| byte == b';')
    else {
        return false;
    };
    let body = &rest.as_bytes()[..end];
    match body {
        [b'#', b'x' | b'X', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit)
        }
        [b'#', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        [first, rest @ ..] => {
            first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_alphanumeric)
        }
        [] => false,
    }
}

#[cfg(test)]
mod tests;
