//! Parses a file of ids incrementally, line by line. Pure.

use uuid::Uuid;

/// Maximal number of bytes of a line that are kept; no id is as long.
const LINE_BYTES_MAX: usize = 400;
/// Characters of an invalid line kept for the log.
const SHOWN_CHARS: usize = 100;

/// The lines parsed so far.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct IdLines {
    /// The ids, in their order.
    pub ids: Vec<Uuid>,
    /// Invalid lines, shortened.
    pub invalid: Vec<String>,
    /// How many lines there were.
    pub lines: i64,
    line: Vec<u8>,
    is_begun: bool,
}

impl IdLines {
    /// Takes the next bytes.
    pub fn take(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let content = piece.strip_suffix(b"\n");
            let room = LINE_BYTES_MAX.saturating_sub(self.line.len());
            let kept = content.unwrap_or(piece);
            self.line
                .extend_from_slice(kept.get(..room).unwrap_or(kept));
            self.is_begun = true;
            if content.is_some() {
                self.end();
            }
        }
    }

    /// Ends the current line.
    pub fn end(&mut self) {
        if !self.is_begun {
            return;
        }
        let line = std::mem::take(&mut self.line);
        self.is_begun = false;
        self.lines += 1;
        let text = String::from_utf8_lossy(&line).replace('"', "");
        let text = text.trim_start_matches('\u{feff}').trim();
        match Uuid::try_parse(text) {
            Ok(id) if text.len() == 36 => self.ids.push(id),
            _ => self.invalid.push(text.chars().take(SHOWN_CHARS).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_however_their_bytes_come() {
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let long = "x".repeat(10_000);
        let file = format!(
            "\u{feff}\"{one}\"\r\nno id\n\n{long}\n{}\n {two} ",
            one.simple()
        );
        let mut whole = IdLines::default();
        whole.take(file.as_bytes());
        whole.end();
        assert_eq!(whole.ids, [one, two]);
        assert_eq!(whole.lines, 6);
        let shown = [
            "no id".to_owned(),
            String::new(),
            "x".repeat(SHOWN_CHARS),
            one.simple().to_string(),
        ];
        assert_eq!(whole.invalid, shown);
        let mut bytewise = IdLines::default();
        for byte in file.as_bytes() {
            bytewise.take(&[*byte]);
        }
        assert!(bytewise.line.len() <= LINE_BYTES_MAX);
        bytewise.end();
        assert_eq!(bytewise, whole);
        let mut ended = IdLines::default();
        ended.take(b"a\n");
        ended.end();
        ended.end();
        assert_eq!(ended.lines, 1);
    }
}
