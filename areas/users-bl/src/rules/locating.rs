//! The properties that a user who forgot something is searched by.

/// The entries of the configuration's module `USERSBL` that name properties: for passwords.
pub const PASSWORD_CODES: [&str; 3] = ["userName", "phoneNumber", "email"];
/// The same, for user names.
pub const USERNAME_CODES: [&str; 2] = ["phoneNumber", "email"];

/// Where nothing is configured.
const DEFAULT: [&str; 4] = [
    "personal.email",
    "personal.phone",
    "personal.mobilePhone",
    "username",
];
/// Upper bound of the configured properties.
const PROPERTIES_MAX: usize = 10;

/// The properties named in the values of entries, without duplicates: words with dots, separated by
/// anything.
#[must_use]
pub fn properties(values: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let words = values.iter().flat_map(|value| {
        value.split(|character: char| {
            !(character.is_ascii_alphanumeric() || character == '_' || character == '.')
        })
    });
    for word in words.filter(|word| !word.is_empty()) {
        if !found.iter().any(|known| known == word) && found.len() < PROPERTIES_MAX {
            found.push(word.to_owned());
        }
    }
    if values.is_empty() {
        found = DEFAULT.iter().map(|&name| name.to_owned()).collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::properties;

    fn of(values: &[&str]) -> Vec<String> {
        let values: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
        properties(&values)
    }

    #[test]
    fn properties_are_words_with_dots() {
        let default = of(&[]);
        assert_eq!(default.len(), 4);
        assert_eq!(
            of(&["personal.phone, personal.mobilePhone", "username;username"]),
            ["personal.phone", "personal.mobilePhone", "username"]
        );
        assert!(of(&["--"]).is_empty());
        let many: Vec<String> = (0..30).map(|at| format!("p{at}")).collect();
        assert_eq!(properties(&many).len(), 10);
    }
}
