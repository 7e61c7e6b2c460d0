//! Joins the rows of a report: they arrive from the database in chunks of any size and get commas
//! between them.

/// Puts commas between adjacent JSON objects.
#[derive(Debug, Clone, Copy, Default)]
pub struct Commas {
    depth: usize,
    in_text: bool,
    escaped: bool,
    any: bool,
}

impl Commas {
    /// The next piece with its commas.
    #[must_use]
    pub fn between(&mut self, piece: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(piece.len() + 64);
        for byte in piece {
            if self.in_text {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_text = false,
                    _ => {}
                }
            } else {
                match byte {
                    b'"' => self.in_text = true,
                    b'{' => {
                        if self.depth == 0 && self.any {
                            out.push(b',');
                        }
                        self.any = true;
                        self.depth += 1;
                    }
                    b'}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
            }
            out.push(*byte);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn rows_are_parted_wherever_the_pieces_end() {
        let rows = [
            json!({"a": "}{\\\"{", "b": {"c": {}}}),
            json!({}),
            json!({"d": "\\"}),
        ];
        let text: String = rows.iter().map(ToString::to_string).collect();
        for size in 1..text.len() {
            let mut commas = Commas::default();
            let pieces = text.as_bytes().chunks(size);
            let body: Vec<u8> = pieces.flat_map(|piece| commas.between(piece)).collect();
            let read: Value =
                serde_json::from_slice(&[b"[", &body[..], b"]"].concat()).expect("an array");
            assert_eq!(read, json!(rows), "{size}");
        }
        assert!(Commas::default().between(b"").is_empty());
    }
}
