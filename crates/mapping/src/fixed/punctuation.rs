//! Taking off the punctuation that cataloguing rules put between elements.

/// Punctuation that announces the next element.
const ANNOUNCING: [char; 6] = [';', ':', ',', '/', '+', '='];

/// Without white space, and without punctuation at the end that announces another element.
pub(super) fn trim_announcing(text: &str) -> &str {
    text.trim()
        .trim_end_matches(|c: char| ANNOUNCING.contains(&c) || c.is_whitespace())
}

/// Without white space and a full stop at the end; an ellipsis stays.
pub(super) fn trim_period(text: &str) -> &str {
    let text = text.trim();
    match text.strip_suffix('.') {
        Some(rest) if !rest.ends_with('.') => rest.trim_end(),
        _ => text,
    }
}

/// A name without punctuation at its end, except what belongs to it: the full stop of an initial,
/// the hyphen of an open date.
pub(super) fn trim_name(text: &str) -> &str {
    let text = trim_announcing(text);
    if ends_with_initial(text) {
        text
    } else {
        trim_period(text)
    }
}

fn ends_with_initial(text: &str) -> bool {
    let word = text
        .rsplit([' ', '-', '.'])
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    text.ends_with('.') && (word.chars().count() == 1 || matches!(word, "Jr" | "Sr"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_what_belongs_to_them() {
        for (name, trimmed) in [
            ("Holm, Ida, 1955-", "Holm, Ida, 1955-"),
            ("Holm, Ida,", "Holm, Ida"),
            ("Holm, I. B.,", "Holm, I. B."),
            ("Lind, J.-P.", "Lind, J.-P."),
            ("Lind, Per, Jr.", "Lind, Per, Jr."),
            ("Glass Society.", "Glass Society"),
            (" . ", ""),
            ("", ""),
        ] {
            assert_eq!(trim_name(name), trimmed);
        }
    }

    #[test]
    fn periods_and_announcements_go() {
        assert_eq!(trim_period(" A note. "), "A note");
        assert_eq!(trim_period("To be continued..."), "To be continued...");
        assert_eq!(trim_announcing("Oslo : "), "Oslo");
        assert_eq!(trim_announcing("2nd ed. /"), "2nd ed.");
    }
}
