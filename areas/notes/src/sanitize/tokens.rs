//! Splits HTML into tags and text, as browsers do. Never fails: comments, declarations, unterminated
//! tags and the content of scripts and style sheets are dropped, other text is kept.

/// A part of a text.
#[derive(Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// Text; character references are not decoded.
    Text(&'a str),
    /// A tag that begins an element, its names in lower case. Values are not decoded.
    Open {
        name: String,
        attributes: Vec<(String, &'a str)>,
    },
    /// A tag that ends an element.
    Close(String),
}

/// Attributes that one tag may have; further ones are left out.
const ATTRIBUTES_MAX: usize = 50;

/// Elements whose content is code.
const CODE: [&str; 2] = ["script", "style"];

pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text }
    }

    /// Skips up to and including `end`, or everything without one.
    fn skip_past(&mut self, end: &str) {
        self.rest = match self.rest.find(end) {
            Some(at) => &self.rest[at + end.len()..],
            None => "",
        };
    }

    /// Skips the content of a script or style sheet, up to its end tag.
    fn skip_code(&mut self, name: &str) {
        let mut from = 0;
        while let Some(found) = self.rest[from..].find("</") {
            let at = from + found;
            let tag = &self.rest.as_bytes()[at + 2..];
            let named = tag
                .get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
            if named {
                self.rest = &self.rest[at..];
                return;
            }
            from = at + 2;
        }
        self.rest = "";
    }

    /// The tag at the beginning, which `rest` is behind the first bracket of.
    fn tag(&mut self, tag: &'a str) -> Option<Token<'a>> {
        let (is_end, tag) = match tag.strip_prefix('/') {
            Some(tag) => (true, tag),
            None => (false, tag),
        };
        let end = tag.find(ends_name)?;
        let name = tag[..end].to_ascii_lowercase();
        let (attributes, rest) = attributes(&tag[end..])?;
        self.rest = rest;
        if is_end {
            return Some(Token::Close(name));
        }
        if CODE.contains(&name.as_str()) {
            self.skip_code(&name);
        }
        Some(Token::Open { name, attributes })
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            let Some(markup) = self.rest.strip_prefix('<') else {
                let end = self.rest.find('<').unwrap_or(self.rest.len());
                let (text, rest) = self.rest.split_at(end);
                self.rest = rest;
                return Some(Token::Text(text));
            };
            if markup.starts_with("!--") {
                self.skip_past("-->");
            } else if markup.starts_with(['!', '?']) {
                self.skip_past(">");
            } else if begins_tag(markup) {
                match self.tag(markup) {
                    Some(token) => return Some(token),
                    // Unterminated.
                    None => self.rest = "",
                }
            } else {
                let (bracket, rest) = self.rest.split_at(1);
                self.rest = rest;
                return Some(Token::Text(bracket));
            }
        }
    }
}

fn begins_tag(markup: &str) -> bool {
    let name = markup.strip_prefix('/').unwrap_or(markup);
    name.starts_with(|first: char| first.is_ascii_alphabetic())
}

fn ends_name(character: char) -> bool {
    character.is_ascii_whitespace() || matches!(character, '/' | '>')
}

/// The attributes up to the bracket that ends the tag, and what is behind it.
fn attributes(mut tag: &str) -> Option<(Vec<(String, &str)>, &str)> {
    let mut found = Vec::new();
    loop {
        tag = tag.trim_start_matches(|one: char| one.is_ascii_whitespace() || one == '/');
        if let Some(rest) = tag.strip_prefix('>') {
            return Some((found, rest));
        }
        // A name may begin with an equals sign, but not hold one.
        let first = tag.chars().next()?.len_utf8();
        let end = first + tag[first..].find(|one| ends_name(one) || one == '=')?;
        let (name, rest) = tag.split_at(end);
        let (value, rest) = match rest.trim_ascii_start().strip_prefix('=') {
            Some(rest) => value(rest.trim_ascii_start())?,
            None => ("", rest),
        };
        tag = rest;
        if found.len() < ATTRIBUTES_MAX {
            found.push((name.to_ascii_lowercase(), value));
        }
    }
}

/// The value at the beginning, and what is behind it.
fn value(text: &str) -> Option<(&str, &str)> {
    for quote in ['"', '\''] {
        if let Some(quoted) = text.strip_prefix(quote) {
            return quoted.split_once(quote);
        }
    }
    let end = text.find(|one: char| one.is_ascii_whitespace() || one == '>')?;
    Some(text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open<'a>(name: &str, attributes: &[(&str, &'a str)]) -> Token<'a> {
        Token::Open {
            name: name.to_owned(),
            attributes: attributes
                .iter()
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect(),
        }
    }

    #[test]
    fn tags_and_text_are_distinguished() {
        for (text, tokens) in [
            (
                "a < b",
                vec![Token::Text("a "), Token::Text("<"), Token::Text(" b")],
            ),
            ("<P Class=x>", vec![open("p", &[("class", "x")])]),
            (
                "<a href='a>b' rel = \"c\"/>",
                vec![open("a", &[("href", "a>b"), ("rel", "c")])],
            ),
            ("<br/>", vec![open("br", &[])]),
            ("<a =b=c d>", vec![open("a", &[("=b", "c"), ("d", "")])]),
            ("</P x>", vec![Token::Close("p".to_owned())]),
            ("<!-- <p> -->a<!doctype x><?b>", vec![Token::Text("a")]),
            ("<!-- a", vec![]),
            ("<p", vec![]),
            ("<p a='", vec![]),
            (
                "<Script>if (a </b) {}</SCRIPT >c",
                vec![
                    open("script", &[]),
                    Token::Close("script".to_owned()),
                    Token::Text("c"),
                ],
            ),
            ("<style>a{}", vec![open("style", &[])]),
            ("</>", vec![Token::Text("<"), Token::Text("/>")]),
        ] {
            assert_eq!(Tokens::of(text).collect::<Vec<_>>(), tokens, "{text}");
        }
    }
}
