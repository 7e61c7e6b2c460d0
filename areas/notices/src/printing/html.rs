//! From the HTML of a notice to paragraphs of text. Only printable markup is kept: paragraphs, line
//! breaks, headings, lists, cells and bold letters.

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paragraph {
    /// Its pieces, in order.
    pub pieces: Vec<Piece>,
    /// Whether it is a heading.
    pub is_heading: bool,
}

/// Some text of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    /// Whether it is bold.
    pub is_bold: bool,
}

/// Elements whose start and end tags end a paragraph.
const BLOCKS: [&str; 22] = [
    "address",
    "article",
    "blockquote",
    "body",
    "div",
    "dl",
    "dt",
    "dd",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "p",
    "section",
    "table",
    "tr",
];
/// Elements whose content is not text.
const SILENT: [&str; 5] = ["head", "script", "style", "template", "title"];
/// Names of characters.
const NAMES: [(&str, &str); 24] = [
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("nbsp", "\u{a0}"),
    ("ndash", "–"),
    ("mdash", "—"),
    ("copy", "©"),
    ("reg", "®"),
    ("trade", "™"),
    ("euro", "€"),
    ("hellip", "…"),
    ("lsquo", "‘"),
    ("rsquo", "’"),
    ("ldquo", "“"),
    ("rdquo", "”"),
    ("bull", "•"),
    ("auml", "ä"),
    ("ouml", "ö"),
    ("uuml", "ü"),
    ("szlig", "ß"),
    ("eacute", "é"),
    ("egrave", "è"),
];

#[derive(Default)]
struct Reader {
    done: Vec<Paragraph>,
    open: Paragraph,
    bold: usize,
    /// Whether a blank waits for the next word.
    blank: bool,
}

#[must_use]
pub fn paragraphs(html: &str) -> Vec<Paragraph> {
    let mut reader = Reader::default();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        reader.text(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let begins = |one: char| one.is_ascii_alphabetic() || matches!(one, '/' | '!' | '?');
        let tag = rest[1..]
            .starts_with(begins)
            .then(|| rest.find('>'))
            .flatten();
        let Some(end) = tag else {
            reader.text("<");
            rest = &rest[1..];
            continue;
        };
        let name = reader.tag(&rest[1..end]);
        rest = &rest[end + 1..];
        if SILENT.contains(&name.as_str()) {
            rest = behind(rest, &name);
        }
    }
    reader.text(rest);
    reader.end(false);
    reader.done
}

/// The paragraphs of text without notation.
#[must_use]
pub fn lines(text: &str) -> Vec<Paragraph> {
    let paragraph = |line: &str| Paragraph {
        pieces: vec![Piece {
            text: line.to_owned(),
            is_bold: false,
        }],
        is_heading: false,
    };
    text.lines().map(paragraph).collect()
}

/// What follows the end of an element.
fn behind<'a>(rest: &'a str, name: &str) -> &'a str {
    let mut from = 0;
    while let Some(at) = rest[from..].find("</") {
        let after = &rest[from + at + 2..];
        let is_end = after
            .get(..name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name));
        if is_end {
            return after.find('>').map_or("", |end| &after[end + 1..]);
        }
        from += at + 2;
    }
    ""
}

impl Reader {
    /// Takes a tag without its brackets; returns the name of one that opens.
    fn tag(&mut self, tag: &str) -> String {
        let closes = tag.starts_with('/');
        let name = tag.trim_start_matches('/');
        let end = name.find(|one: char| !one.is_ascii_alphanumeric());
        let name = name[..end.unwrap_or(name.len())].to_ascii_lowercase();
        // A blank before bold text is not bold.
        if matches!(name.as_str(), "b" | "strong") && std::mem::take(&mut self.blank) {
            self.push(" ");
        }
        match name.as_str() {
            "b" | "strong" | "th" if closes => self.bold = self.bold.saturating_sub(1),
            "b" | "strong" => self.bold += 1,
            "br" => self.end(true),
            _ => {}
        }
        if BLOCKS.contains(&name.as_str()) {
            self.end(false);
            self.open.is_heading =
                !closes && name.starts_with('h') && name.len() == 2 && name != "hr";
        }
        match name.as_str() {
            "li" if !closes => self.push("• "),
            "th" if !closes => {
                self.cell();
                self.bold += 1;
            }
            "td" if !closes => self.cell(),
            _ => {}
        }
        match closes {
            true => String::new(),
            false => name,
        }
    }

    /// Separates the cells of a row.
    fn cell(&mut self) {
        self.blank = false;
        if !self.open.pieces.is_empty() {
            self.push("\u{a0}\u{a0}\u{a0}");
        }
    }

    fn text(&mut self, text: &str) {
        for one in decoded(text).chars() {
            // A no-break space counts as a letter.
            if one.is_whitespace() && one != '\u{a0}' {
                self.blank |= !self.open.pieces.is_empty();
                continue;
            }
            if std::mem::take(&mut self.blank) {
                self.push(" ");
            }
            let mut letter = [0; 4];
            self.push(one.encode_utf8(&mut letter));
        }
    }

    fn push(&mut self, text: &str) {
        let is_bold = self.bold > 0 || self.open.is_heading;
        match self.open.pieces.last_mut() {
            Some(last) if last.is_bold == is_bold => last.text.push_str(text),
            _ => self.open.pieces.push(Piece {
                text: text.to_owned(),
                is_bold,
            }),
        }
    }

    /// Ends the paragraph. An empty one is kept where a break asks for it.
    fn end(&mut self, keeps_empty: bool) {
        self.blank = false;
        let open = std::mem::take(&mut self.open);
        if keeps_empty || !open.pieces.is_empty() {
            self.done.push(open);
        }
    }
}

/// Text with the characters that names and numbers stand for.
fn decoded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((character(&rest[..end])?, end))) {
            Some((one, end)) => {
                plain.push_str(&one);
                rest = &rest[end + 1..];
            }
            None => plain.push('&'),
        }
    }
    plain.push_str(rest);
    plain
}

fn character(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else {
        let known = NAMES.iter().find(|(known, _)| *known == name);
        return known.map(|(_, text)| (*text).to_owned());
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> Vec<String> {
        let text = |one: &Paragraph| {
            let piece = |piece: &Piece| match piece.is_bold {
                true => format!("*{}*", piece.text),
                false => piece.text.clone(),
            };
            one.pieces.iter().map(piece).collect::<String>()
        };
        paragraphs(html).iter().map(text).collect()
    }

    #[test]
    fn html_becomes_paragraphs() {
        for (html, expected) in [
            (
                "<p>Dear <b>Ada</b>,</p>\n<p>your  loan\nis due.</p>",
                &["Dear *Ada*,", "your loan is due."][..],
            ),
            ("one<br>two<br/><br>three", &["one", "two", "", "three"]),
            ("<ul><li>a</li><li>b</li></ul>", &["• a", "• b"]),
            ("<h1>Title</h1>text", &["*Title*", "text"]),
            (
                "<table><tr><th>a</th><td>b</td></tr></table>",
                &["*a*\u{a0}\u{a0}\u{a0}b"],
            ),
            (
                "<head><title>x</title></head><style>p{}</style>y<!-- z -->",
                &["y"],
            ),
            (
                "a &lt; b &amp;&#233;&#xE9;&nbsp;&nope; & c",
                &["a < b &éé\u{a0}&nope; & c"],
            ),
            ("1 < 2 > 1 <", &["1 < 2 > 1 <"]),
            ("<div><span>a</span><span> b</span></div>", &["a b"]),
            ("<script>never", &[]),
            ("", &[]),
        ] {
            assert_eq!(shown(html), expected, "{html}");
        }
        assert_eq!(lines("a\n\n b").len(), 3);
    }
}
