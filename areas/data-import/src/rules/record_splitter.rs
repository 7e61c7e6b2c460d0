//! Splits a file into records incrementally: returns the records that end in a piece, and how far they
//! reach.

use super::parse::Format;

/// The records of a piece.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Where each record begins and ends.
    pub records: Vec<(usize, usize)>,
    /// The end of the processed part.
    pub done: usize,
}

/// The records that end in a piece, at most `most`. With `is_last` the rest is a record too, however
/// broken.
pub(crate) fn cut(format: Format, piece: &[u8], most: usize, is_last: bool) -> Cut {
    match format {
        Format::Raw => raw(piece, most, is_last),
        Format::Json => json(piece, most, is_last),
        Format::Xml => xml(piece, most, is_last),
        // An interchange is one whole: its beginning says how its messages are to be read.
        Format::Edifact => {
            let mut cut = Cut::default();
            leave(&mut cut, piece, 0, is_last);
            cut
        }
    }
}

/// The messages of an interchange as interchanges of their own, in the usual notation; what cannot be split is
/// one.
pub(crate) fn split_messages(bytes: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(bytes);
    let segments = octavo_edifact::parse(&text);
    match segments.and_then(|segments| octavo_edifact::messages(&segments)) {
        Ok(messages) if messages.len() > 1 => {
            let written = messages.iter().map(octavo_edifact::Message::write);
            written.map(String::into_bytes).collect()
        }
        _ => vec![bytes.to_vec()],
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0 || byte == 0x1A
}

/// A record ends with 0x1D; line ends between records are ignored.
fn raw(piece: &[u8], most: usize, is_last: bool) -> Cut {
    let mut cut = Cut::default();
    while cut.records.len() < most {
        let rest = &piece[cut.done..];
        let skipped = rest
            .iter()
            .position(|byte| !matches!(byte, b'\r' | b'\n' | 0 | 0x1A))
            .unwrap_or(rest.len());
        let begin = cut.done + skipped;
        let Some(length) = piece[begin..].iter().position(|byte| *byte == 0x1D) else {
            leave(&mut cut, piece, begin, is_last);
            break;
        };
        cut.done = begin + length + 1;
        cut.records.push((begin, cut.done));
    }
    cut
}

/// The rest of the file: a record that is not complete, or nothing.
fn leave(cut: &mut Cut, piece: &[u8], begin: usize, is_last: bool) {
    if piece[begin..].iter().all(|byte| is_blank(*byte)) {
        cut.done = piece.len();
    } else if is_last {
        cut.records.push((begin, piece.len()));
        cut.done = piece.len();
    } else {
        cut.done = begin;
    }
}

/// Objects, whether in a list or one after another.
fn json(piece: &[u8], most: usize, is_last: bool) -> Cut {
    let mut cut = Cut::default();
    let (mut depth, mut begin, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for (at, byte) in piece.iter().enumerate() {
        if in_text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_text = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' if depth > 0 => in_text = true,
            b'{' => {
                if depth == 0 {
                    begin = at;
                }
                depth += 1;
            }
            b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    cut.done = at + 1;
                    cut.records.push((begin, cut.done));
                    if cut.records.len() == most {
                        return cut;
                    }
                }
            }
            _ => {}
        }
    }
    if depth > 0 {
        leave(&mut cut, piece, begin, is_last);
    } else {
        let rest = piece[cut.done..].iter();
        let stray = rest.filter(|byte| !is_blank(**byte) && !matches!(byte, b'[' | b']' | b','));
        match stray.count() {
            0 => cut.done = piece.len(),
            _ => {
                let begin = cut.done;
                leave(&mut cut, piece, begin, is_last);
            }
        }
    }
    cut
}

/// Elements `record`, whatever their prefix.
fn xml(piece: &[u8], most: usize, is_last: bool) -> Cut {
    let mut cut = Cut::default();
    let mut at = 0;
    while cut.records.len() < most {
        let Some((begin, name)) = tag(piece, at, false) else {
            // A tag may begin at the very end of the piece.
            let open = piece[at..].iter().rposition(|byte| *byte == b'<');
            cut.done = match open {
                Some(open) if !is_last && piece.len() - (at + open) < TAG_BYTES => at + open,
                _ => piece.len(),
            };
            return cut;
        };
        let Some((close, _)) = tag(piece, name, true) else {
            leave(&mut cut, piece, begin, is_last);
            return cut;
        };
        let Some(end) = piece[close..].iter().position(|byte| *byte == b'>') else {
            leave(&mut cut, piece, begin, is_last);
            return cut;
        };
        at = close + end + 1;
        cut.done = at;
        cut.records.push((begin, at));
    }
    cut
}

/// The longest incomplete tag that is carried over to the next piece.
const TAG_BYTES: usize = 256;

/// The next opening or closing tag of a record from a place on: where it begins, and where its name ends.
fn tag(piece: &[u8], from: usize, closing: bool) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        at += piece.get(at..)?.iter().position(|byte| *byte == b'<')?;
        let mut name = at + 1;
        if piece.get(name) == Some(&b'/') {
            if !closing {
                at += 1;
                continue;
            }
            name += 1;
        } else if closing {
            at += 1;
            continue;
        }
        let length = piece[name..]
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))?;
        let word = &piece[name..name + length];
        let local = word
            .iter()
            .rposition(|byte| *byte == b':')
            .map_or(0, |colon| colon + 1);
        if &word[local..] == b"record" {
            return Some((at, name + length));
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn all(format: Format, text: &str, step: usize) -> Vec<String> {
        let bytes = text.as_bytes();
        let (mut from, mut to, mut found) = (0, step.min(bytes.len()), Vec::new());
        loop {
            let is_last = to == bytes.len();
            let piece = &bytes[from..to];
            let cut = cut(format, piece, 2, is_last);
            for (begin, end) in &cut.records {
                found.push(String::from_utf8_lossy(&piece[*begin..*end]).into_owned());
            }
            from += cut.done;
            if is_last && (from == bytes.len() || cut.records.is_empty()) {
                return found;
            }
            to = (to + step).min(bytes.len());
        }
    }

    #[test]
    fn the_same_records_come_whatever_the_pieces() {
        for step in [1, 2, 7, 1_000] {
            assert_eq!(
                all(Format::Raw, "a\x1D\r\nbb\x1D\n\nccc", step),
                ["a\x1D", "bb\x1D", "ccc"]
            );
            let json = "[{\"a\":\"}\\\"{\"}, {\"b\":{}}\n]";
            assert_eq!(
                all(Format::Json, json, step),
                ["{\"a\":\"}\\\"{\"}", "{\"b\":{}}"]
            );
            let xml = "<?xml?><m:collection><m:record a='1'><x/></m:record>\n<records/>\
                       <record></record></m:collection>";
            assert_eq!(
                all(Format::Xml, xml, step),
                ["<m:record a='1'><x/></m:record>", "<record></record>"],
                "{step}"
            );
        }
    }

    #[test]
    fn what_is_broken_off_is_a_record_too() {
        assert_eq!(
            all(Format::Json, "{\"a\":1}{\"b\"", 100),
            ["{\"a\":1}", "{\"b\""]
        );
        assert_eq!(all(Format::Xml, "<record><x>", 100), ["<record><x>"]);
        assert!(all(Format::Raw, "\n\n", 1).is_empty());
        assert!(all(Format::Xml, "<collection></collection>", 5).is_empty());
    }
}
