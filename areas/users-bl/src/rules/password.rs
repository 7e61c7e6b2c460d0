//! The rules that FOLIO gives every tenant for passwords, in its order and with its codes.
//!
//! Keyboard sequences, repeated characters and single blanks are rules of FOLIO's that are off
//! unless a library turns them on, so that they are none here. Whether a password is known from
//! leaks is asked of a service on the internet there and not at all here.

/// The code for a password that the user has or had of late.
pub const USED_BEFORE: &str = "password.lastTenPasswords.invalid";

/// Characters of a password at least.
const CHARACTERS_MIN: usize = 8;

/// The first rule that a password breaks, by FOLIO's code. FOLIO stops at the first too.
#[must_use]
pub fn broken_rule(password: &str, username: Option<&str>) -> Option<&'static str> {
    let rules: [(bool, &'static str); 6] = [
        (
            !password.contains(ends_line) && password.chars().count() >= CHARACTERS_MIN,
            "password.length.invalid",
        ),
        (
            has(password, |one| one.is_ascii_lowercase())
                && has(password, |one| one.is_ascii_uppercase()),
            "password.alphabetical.invalid",
        ),
        (
            has(password, |one| one.is_ascii_digit()),
            "password.number.invalid",
        ),
        (
            has(password, |one| one.is_ascii_punctuation() && one != '\\'),
            "password.specialCharacter.invalid",
        ),
        (
            !username.is_some_and(|name| !name.is_empty() && password.contains(name)),
            "password.usernameDuplicate.invalid",
        ),
        (
            !consecutive_blanks(password),
            "password.consecutiveWhitespaces.invalid",
        ),
    ];
    rules.iter().find(|(kept, _)| !kept).map(|(_, code)| *code)
}

fn has(password: &str, wanted: impl Fn(char) -> bool) -> bool {
    password.chars().any(wanted)
}

/// The characters that a dot of the rules' regular expressions does not stand for.
fn ends_line(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn consecutive_blanks(password: &str) -> bool {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r');
    password
        .as_bytes()
        .windows(2)
        .any(|pair| pair.iter().all(blank))
}

#[cfg(test)]
mod tests {
    use super::broken_rule;

    #[test]
    fn the_first_broken_rule_is_told() {
        for (password, code) in [
            ("Passw0rd!", None),
            ("Pass w0rd!", None),
            ("Päßw0rd!Ü", None),
            ("Pw0rd!", Some("length")),
            ("", Some("length")),
            ("Passw0rd!\n", Some("length")),
            ("passw0rd!", Some("alphabetical")),
            ("PASSW0RD!", Some("alphabetical")),
            ("ÄÖÜäöü123!", Some("alphabetical")),
            ("Password!", Some("number")),
            ("Password٣!", Some("number")),
            ("Passw0rds", Some("specialCharacter")),
            ("Passw0rd\\", Some("specialCharacter")),
            ("1ada!Passw", Some("usernameDuplicate")),
            ("1Ada!Passw", None),
            ("Pass  w0rd!", Some("consecutiveWhitespaces")),
            ("Pass \tw0rd!", Some("consecutiveWhitespaces")),
            // In order: the length first.
            ("ada", Some("length")),
        ] {
            let expected = code.map(|code| format!("password.{code}.invalid"));
            let broken = broken_rule(password, Some("ada"));
            assert_eq!(broken, expected.as_deref(), "{password:?}");
        }
        assert_eq!(broken_rule("1ada!Passw", None), None);
        assert_eq!(broken_rule("Passw0rd!", Some("")), None);
    }
}
