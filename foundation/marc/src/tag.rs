//! Field tags.

use std::fmt;

/// A field's tag: three ASCII letters or digits, such as `245`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag([u8; 3]);

impl Tag {
    /// The tag of this text, unless it is not three ASCII letters or digits.
    pub fn new(text: &str) -> Option<Tag> {
        Tag::from_bytes(text.as_bytes())
    }

    /// The tag of these bytes, unless they are not three ASCII letters or digits.
    pub fn from_bytes(bytes: &[u8]) -> Option<Tag> {
        let tag: [u8; 3] = bytes.try_into().ok()?;
        tag.iter()
            .all(u8::is_ascii_alphanumeric)
            .then_some(Tag(tag))
    }

    /// The tag as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("invariant: a tag is ASCII")
    }

    /// Whether fields of this tag hold a bare value (001 to 009) instead of subfields.
    pub fn is_control(&self) -> bool {
        self.0.starts_with(b"00")
    }
}

impl PartialEq<str> for Tag {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Tag {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
