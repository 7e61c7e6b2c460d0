//! The fingerprint of a load: a checksum of the file's content and of the options.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

const PIECE_BYTES: usize = 1 << 20;

/// The fingerprint of an input and a text of the options. `on_bytes` is called with the size of each
/// piece.
///
/// # Errors
/// When the input cannot be read.
pub fn fingerprint(
    mut input: impl Read,
    options: &str,
    mut on_bytes: impl FnMut(u64),
) -> io::Result<String> {
    let mut sum = Sha256::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match input.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => {
                sum.update(&piece[..length]);
                on_bytes(length as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    // The content is hashed first, so that content and options cannot be confused.
    let content = sum.finalize();
    let whole = Sha256::new()
        .chain_update(content)
        .chain_update(options.as_bytes())
        .finalize();
    Ok(whole.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_and_options_make_it() {
        let of = |content: &[u8], options| fingerprint(content, options, |_| {}).unwrap();
        let one = of(b"records", "instances");
        assert_eq!(one.len(), 64);
        assert_eq!(one, of(b"records", "instances"));
        assert_ne!(one, of(b"records", "holdings"));
        assert_ne!(one, of(b"recordsi", "nstances"));
        let mut bytes = 0;
        let long = vec![7; PIECE_BYTES + 1];
        fingerprint(&long[..], "", |piece| bytes += piece).unwrap();
        assert_eq!(bytes, PIECE_BYTES as u64 + 1);
    }
}
