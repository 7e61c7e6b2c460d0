//! Comments in JSON, which some of FOLIO's parsers ignore: `/* ... */` and `// ...` outside of
//! strings.

/// The same bytes with blanks in place of comments, so that positions stay the same.
pub(crate) fn blanked(body: &[u8]) -> Vec<u8> {
    let mut out = body.to_vec();
    let mut at = 0;
    while let Some(byte) = body.get(at) {
        at = match (byte, body.get(at + 1)) {
            (b'"', _) => behind_text(body, at + 1),
            (b'/', Some(b'/')) => {
                let end = find(body, at, b"\n").unwrap_or(body.len());
                out[at..end].fill(b' ');
                end
            }
            (b'/', Some(b'*')) => match find(body, at + 2, b"*/") {
                Some(end) => {
                    out[at..end + 2].fill(b' ');
                    end + 2
                }
                // An unterminated comment stays, so that the parser rejects it.
                None => return out,
            },
            _ => at + 1,
        };
    }
    out
}

/// The position behind the quotation mark that ends a string.
fn behind_text(body: &[u8], mut at: usize) -> usize {
    while let Some(byte) = body.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    body.len()
}

fn find(body: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = body.get(from..)?;
    let found = rest.windows(wanted.len()).position(|some| some == wanted);
    found.map(|at| from + at)
}
