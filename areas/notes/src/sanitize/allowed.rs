//! The elements and attributes that mod-notes allows.

/// An element that a note may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    P,
    Strong,
    Em,
    A,
    U,
    Ol,
    Ul,
    Li,
    H1,
    H2,
    H3,
    Br,
}

impl Element {
    const ALL: [Element; 12] = [
        Element::P,
        Element::Strong,
        Element::Em,
        Element::A,
        Element::U,
        Element::Ol,
        Element::Ul,
        Element::Li,
        Element::H1,
        Element::H2,
        Element::H3,
        Element::Br,
    ];

    pub(super) fn named(name: &str) -> Option<Element> {
        Element::ALL
            .into_iter()
            .find(|element| element.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Element::P => "p",
            Element::Strong => "strong",
            Element::Em => "em",
            Element::A => "a",
            Element::U => "u",
            Element::Ol => "ol",
            Element::Ul => "ul",
            Element::Li => "li",
            Element::H1 => "h1",
            Element::H2 => "h2",
            Element::H3 => "h3",
            Element::Br => "br",
        }
    }

    /// It has no content and no end tag.
    pub(super) fn is_empty(self) -> bool {
        self == Element::Br
    }

    pub(super) fn is_list(self) -> bool {
        matches!(self, Element::Ol | Element::Ul)
    }

    pub(super) fn is_heading(self) -> bool {
        matches!(self, Element::H1 | Element::H2 | Element::H3)
    }

    /// No paragraph can hold it.
    pub(super) fn is_block(self) -> bool {
        self == Element::P || self.is_list() || self.is_heading()
    }

    /// Whether it may have this attribute with this (undecoded) value.
    pub(super) fn takes(self, attribute: &str, value: &str) -> bool {
        match (self, attribute) {
            (_, "class") | (Element::A, "rel" | "target") => true,
            (Element::A, "href") => is_harmless(value),
            _ => false,
        }
    }
}

/// Allowed schemes of links. FOLIO allows any, even `javascript:`.
const SCHEMES: [&str; 5] = ["http", "https", "mailto", "tel", "ftp"];

/// Whether an address cannot run code: it has an allowed scheme or none. Character references are
/// refused before the scheme's end, since they could hide another scheme.
fn is_harmless(address: &str) -> bool {
    let end = address.find(['/', '?', '#']).unwrap_or(address.len());
    let head = &address[..end];
    if head.contains(['&', '<', '>', '"']) {
        return false;
    }
    let Some((scheme, _)) = head.split_once(':') else {
        return true;
    };
    let visible = |character: &char| !character.is_control() && !character.is_whitespace();
    let scheme: String = scheme.chars().filter(visible).collect();
    SCHEMES.contains(&scheme.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executable_addresses_are_distinguished_from_links() {
        for (address, harmless) in [
            ("https://example.org/?a=1&b=javascript:", true),
            ("HTTP://example.org", true),
            ("mailto:desk@example.org", true),
            ("/relative:path", true),
            ("page?x=a:b", true),
            ("#part", true),
            ("", true),
            ("javascript:alert(1)", false),
            (" java\tscript:alert(1)", false),
            ("javascript&#58;alert(1)", false),
            ("&#106;avascript:alert(1)", false),
            ("data:text/html,x", false),
            ("vbscript:x", false),
            ("\u{1}javascript:x", false),
        ] {
            assert_eq!(is_harmless(address), harmless, "{address:?}");
        }
    }
}
