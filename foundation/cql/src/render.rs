//! Prints the line of the query that an error is about, with a caret below the position.

use std::ops::Range;

use crate::error::{Error, floor_boundary, printable};

/// Widest piece of the line drawn, in characters.
const WIDTH: usize = 76;

/// How much of a clipped line stays visible before the caret, in characters.
const BEFORE: usize = 48;

impl Error {
    /// The error as `Display` gives it, then the line of `source` with a caret below the position.
    ///
    /// `source` is the text that was parsed; with another text the caret may stand anywhere. Long
    /// lines are clipped around the caret. Wide characters count as one column.
    ///
    /// ```
    /// let text = "title=war and";
    /// let error = octavo_cql::parse(text).unwrap_err();
    /// let drawn = error.render(text);
    /// assert!(drawn.ends_with("\n  | title=war and\n  |              ^\n"), "{drawn}");
    /// ```
    #[must_use]
    pub fn render(&self, source: &str) -> String {
        let offset = floor_boundary(source, self.offset);
        let start = source[..offset]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let end = source[offset..]
            .find('\n')
            .map_or(source.len(), |newline| offset + newline);
        // One character more than can be drawn shows whether the line continues, without scanning a
        // megabyte of line.
        let after: Vec<char> = source[offset..end].chars().take(WIDTH + 1).collect();
        let mut line: Vec<char> = source[start..offset]
            .chars()
            .rev()
            .take(WIDTH + 1)
            .collect();
        line.reverse();
        let caret = line.len();
        line.extend(after);
        let shown = window(line.len(), caret);

        let mut drawn = format!("{self}\n  | ");
        drawn.push_str(if shown.start > 0 { "…" } else { "" });
        drawn.extend(line[shown.clone()].iter().copied().map(printable));
        drawn.push_str(if shown.end < line.len() { "…" } else { "" });
        let indent = caret - shown.start + usize::from(shown.start > 0);
        drawn.push_str(&format!("\n  | {}^\n", " ".repeat(indent)));
        drawn
    }
}

/// The range of characters of a line of `length` that is drawn, so that the caret is among them.
fn window(length: usize, caret: usize) -> Range<usize> {
    if length <= WIDTH {
        return 0..length;
    }
    let start = caret.saturating_sub(BEFORE).min(length - WIDTH);
    start..start + WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, parse};

    /// The characters of the drawn line, and the column of the caret in it.
    fn draw(text: &str, offset: usize) -> (String, usize) {
        let drawn = Error::new(ErrorKind::Unexpected, text, offset).render(text);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 3, "{drawn}");
        (lines[1][4..].to_owned(), lines[2].chars().count() - 5)
    }

    #[test]
    fn only_the_line_concerned_is_drawn() {
        assert_eq!(draw("ab\ncdé\tf\ngh", 6), ("cdé f".into(), 2));
        assert_eq!(draw("ab\ncd", 2), ("ab".into(), 2));
        assert_eq!(draw("", 0), (String::new(), 0));
    }

    #[test]
    fn long_lines_are_clipped_on_both_sides() {
        let text = format!("{}X{}", "a".repeat(500), "b".repeat(500));
        let (line, caret) = draw(&text, 500);
        assert_eq!(line.chars().count(), WIDTH + 2);
        assert_eq!(line.chars().nth(caret), Some('X'));
        assert!(line.starts_with('…') && line.ends_with('…'));

        let (line, caret) = draw(&text, 0);
        assert!(!line.starts_with('…') && line.ends_with('…') && caret == 0);
        let (line, caret) = draw(&text, text.len());
        assert!(line.starts_with('…') && !line.ends_with('…') && caret == WIDTH + 1);
    }

    #[test]
    fn another_text_does_not_panic() {
        let error = parse("title = war and").unwrap_err();
        for other in ["", "ä", "ääääääää", "\n\n\n"] {
            assert!(error.render(other).contains('^'));
        }
    }
}
