//! Limits on the length of a text or list and on the size of a number. FOLIO checks these after
//! parsing. It ignores a number's fraction in doing so, and so does this.

use serde_json::Value;

/// The upper limit in FOLIO's message where none is declared.
const SIZE_MAX: u64 = 2_147_483_647;
const SIZE: &str = "jakarta.validation.constraints.Size.message";
const LEAST: &str = "jakarta.validation.constraints.DecimalMin.message";
const MOST: &str = "jakarta.validation.constraints.DecimalMax.message";

/// What is declared of a property's value in addition to its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The lowest number.
    pub from: Option<i64>,
    /// The highest number.
    pub to: Option<i64>,
    /// The shortest and the longest text or list, in characters or elements.
    pub size: Option<(u64, u64)>,
}

impl Limits {
    /// FOLIO's message and code for a value that exceeds a limit.
    pub(super) fn refuse(&self, value: &Value) -> Option<(String, &'static str)> {
        let size = match value {
            Value::String(text) => Some(text.encode_utf16().count()),
            Value::Array(elements) => Some(elements.len()),
            _ => None,
        };
        if let (Some((least, most)), Some(size)) = (self.size, size)
            && !(least..=most).contains(&(size as u64))
        {
            return Some((format!("size must be between {least} and {most}"), SIZE));
        }
        let number = value.as_i64()?;
        match (self.from, self.to) {
            (Some(least), _) if number < least => {
                Some((format!("must be greater than or equal to {least}"), LEAST))
            }
            (_, Some(most)) if number > most => {
                Some((format!("must be less than or equal to {most}"), MOST))
            }
            _ => None,
        }
    }

    /// Parses a word of a declaration and its arguments: `from 1`, `to 9`, `size 0..4`, `size 1..`.
    pub(super) fn set<'a>(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = &'a str>,
    ) -> Option<()> {
        let value = rest.next()?;
        match word {
            "from" => self.from = Some(value.parse().ok()?),
            "to" => self.to = Some(value.parse().ok()?),
            "size" => {
                let (least, most) = value.split_once("..")?;
                let most = match most {
                    "" => SIZE_MAX,
                    most => most.parse().ok()?,
                };
                self.size = Some((least.parse().ok()?, most));
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Shape, ValueKind};
    use super::*;

    #[test]
    fn limits_are_read_and_held() {
        let shape = "limit integer from 1 to 9\nname string size 2..3\n\
                     list array of string size 1.. one of a | b\npart object\n  count integer from 0\n";
        let shape = Shape::parse(shape).expect("well formed");
        assert!(matches!(shape.kind_at("list"), Some(ValueKind::Array(_))));
        for (document, path, message, code) in [
            (
                json!({"limit": 0}),
                "limit",
                "must be greater than or equal to 1",
                LEAST,
            ),
            (
                json!({"limit": "10"}),
                "limit",
                "must be less than or equal to 9",
                MOST,
            ),
            (
                json!({"name": "a"}),
                "name",
                "size must be between 2 and 3",
                SIZE,
            ),
            (
                json!({"name": "aébc"}),
                "name",
                "size must be between 2 and 3",
                SIZE,
            ),
            (
                json!({"list": []}),
                "list",
                "size must be between 1 and 2147483647",
                SIZE,
            ),
            (
                json!({"part": {"count": -1}}),
                "part.count",
                "must be greater than or equal to 0",
                LEAST,
            ),
        ] {
            let mut sent = document.clone();
            let wrong = shape.check(&mut sent).expect_err("beyond a limit");
            assert_eq!(wrong.len(), 1, "{document}");
            let found = (
                wrong[0].path.as_str(),
                wrong[0].message.as_str(),
                wrong[0].code,
            );
            assert_eq!(found, (path, message, code), "{document}");
        }
        let mut fits = json!({"limit": 9, "name": "éé", "list": ["a"], "part": {"count": 0}});
        assert_eq!(shape.check(&mut fits), Ok(()));
        assert_eq!(shape.check(&mut json!({"name": null})), Ok(()));
    }

    #[test]
    fn a_limit_says_what_it_is() {
        for line in [
            "a integer from",
            "a integer to x",
            "a string size 3",
            "a string size ..x",
        ] {
            assert!(Shape::parse(line).is_err(), "{line}");
        }
    }
}
