//! Text for XML documents.

/// Text escaped for an element or attribute; characters that XML forbids are replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_any_kind_stands_in_xml() {
        let given = "a<b & \"c\"\u{1}\u{ffff}\nd";
        assert_eq!(
            escaped(given),
            "a&lt;b &amp; &quot;c&quot;\u{fffd}\u{fffd}\nd"
        );
    }
}
