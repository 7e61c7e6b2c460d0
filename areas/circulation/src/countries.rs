//! The English names of countries by their codes (ISO 3166-1), as slips print them.

const NAMES: &str = include_str!("reference/countries.tsv");

/// The name of a country by its code of two capital letters.
#[must_use]
pub fn name(code: &str) -> Option<&'static str> {
    let named = |line: &'static str| line.split_once('\t').filter(|(known, _)| *known == code);
    NAMES.lines().find_map(named).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_names_and_each_stands_once_in_order() {
        assert_eq!(name("DE"), Some("Germany"));
        assert_eq!(name("ZW"), Some("Zimbabwe"));
        assert_eq!(name("de"), None);
        assert_eq!(name(""), None);
        let codes: Vec<&str> = NAMES.lines().filter_map(|line| line.get(..2)).collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.is_sorted_by(|one, next| one < next));
    }
}
