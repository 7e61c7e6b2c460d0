//! Lays paragraphs out on pages.

use super::font::width;
use super::html::{Paragraph, Piece};

/// A4 in points.
pub const PAGE: (f32, f32) = (595.0, 842.0);
const MARGIN: f32 = 56.0;
const SIZE: f32 = 11.0;
const HEADING_SIZE: f32 = 15.0;
/// From one line to the next, in sizes.
const LEADING: f32 = 1.3;

/// Text at its place, from the lower left corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// How far to the right.
    pub x: f32,
    /// How far up.
    pub y: f32,
    /// In points.
    pub size: f32,
    /// Whether it is bold.
    pub is_bold: bool,
    pub text: String,
}

struct Setter {
    pages: Vec<Vec<Placed>>,
    y: f32,
    x: f32,
}

/// The pages of paragraphs; at least one.
#[must_use]
pub fn pages(paragraphs: &[Paragraph]) -> Vec<Vec<Placed>> {
    let mut setter = Setter {
        pages: vec![Vec::new()],
        y: PAGE.1 - MARGIN,
        x: MARGIN,
    };
    for paragraph in paragraphs {
        let size = match paragraph.is_heading {
            true => HEADING_SIZE,
            false => SIZE,
        };
        setter.line(size);
        for piece in &paragraph.pieces {
            setter.piece(piece, size);
        }
    }
    setter.pages
}

impl Setter {
    /// Begins a line, on another page when this one is full.
    fn line(&mut self, size: f32) {
        self.y -= size * LEADING;
        self.x = MARGIN;
        if self.y < MARGIN {
            self.pages.push(Vec::new());
            self.y = PAGE.1 - MARGIN - size * LEADING;
        }
    }

    fn piece(&mut self, piece: &Piece, size: f32) {
        for word in piece.text.split_inclusive(' ') {
            let wide = |text: &str| -> f32 {
                let widths = text.chars().map(|one| width(one, size, piece.is_bold));
                widths.sum()
            };
            let right = PAGE.0 - MARGIN;
            let room = right - MARGIN;
            // The blank after a word may exceed the margin.
            if self.x > MARGIN && self.x + wide(word.trim_end_matches(' ')) > right {
                self.line(size);
            }
            if wide(word) <= room {
                self.put(word, wide(word), size, piece.is_bold);
                continue;
            }
            for one in word.chars() {
                let wide = width(one, size, piece.is_bold);
                if self.x + wide > right {
                    self.line(size);
                }
                self.put(one.encode_utf8(&mut [0; 4]), wide, size, piece.is_bold);
            }
        }
    }

    fn put(&mut self, text: &str, wide: f32, size: f32, is_bold: bool) {
        let (x, y) = (self.x, self.y);
        self.x += wide;
        let Some(page) = self.pages.last_mut() else {
            return;
        };
        match page.last_mut() {
            // Adjacent text of one line and style is joined into one piece.
            Some(last) if last.y == y && last.x < x && last.is_bold == is_bold => {
                last.text.push_str(text);
            }
            _ => page.push(Placed {
                x,
                y,
                size,
                is_bold,
                text: text.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::html::lines;
    use super::*;

    #[test]
    fn lines_break_within_the_margins_and_pages_after_lines() {
        let long = "word ".repeat(2_000);
        let made = pages(&lines(&long));
        assert!(made.len() > 1, "{}", made.len());
        let words: usize = made
            .iter()
            .flatten()
            .map(|one| one.text.split_whitespace().count())
            .sum();
        assert_eq!(words, 2_000);
        let unbroken = pages(&lines(&"x".repeat(500)));
        assert!(unbroken[0].len() > 4);
        for one in made.iter().chain(&unbroken).flatten() {
            let end: f32 = one
                .text
                .trim_end()
                .chars()
                .map(|c| width(c, one.size, false))
                .sum();
            assert!(
                one.x >= MARGIN && one.x + end <= PAGE.0 - MARGIN + 0.1,
                "{one:?}"
            );
            assert!(one.y >= MARGIN && one.y <= PAGE.1 - MARGIN, "{one:?}");
        }
        assert_eq!(pages(&[]).len(), 1);
    }
}
