//! Versions of interfaces, such as `16.5`, and their compatibility.

/// Whether `provided` satisfies `required`, which may list several versions separated by blanks:
/// the major number is the same, and the rest is not lower.
#[must_use]
pub fn serves(provided: &str, required: &str) -> bool {
    let Some(provided) = parts(provided) else {
        return false;
    };
    required.split(' ').filter_map(parts).any(|required| {
        provided.0 == required.0 && (provided.1, provided.2) >= (required.1, required.2)
    })
}

/// The numbers of a version with two or three of them; a missing third one counts as lower than
/// any.
#[must_use]
pub fn parts(version: &str) -> Option<(i64, i64, i64)> {
    let mut numbers = version.split('.').map(|part| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<i64>().ok()).flatten()
    });
    let (major, minor) = (numbers.next()??, numbers.next()??);
    let patch = match numbers.next() {
        None => -1,
        Some(number) => number?,
    };
    numbers.next().is_none().then_some((major, minor, patch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_is_the_same_and_the_rest_not_lower() {
        for (provided, required, expected) in [
            ("16.5", "16.0", true),
            ("16.5", "16.5", true),
            ("16.5", "16.6", false),
            ("17.0", "16.0", false),
            ("17.0", "15.0 16.0 17.0", true),
            ("1.2.3", "1.2", true),
            ("1.2", "1.2.3", false),
            ("1.2.3", "1.2.4", false),
            ("1.2.4", "1.2.3", true),
            ("x", "1.0", false),
        ] {
            assert_eq!(
                serves(provided, required),
                expected,
                "{provided} {required}"
            );
        }
        for wrong in ["1", "1.2.3.4", "1.x", "", "1..2"] {
            assert_eq!(parts(wrong), None, "{wrong}");
        }
    }
}
