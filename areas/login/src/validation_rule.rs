//! Validation rules for passwords: reading and checking them. No I/O.

use octavo_records::Violation;
use serde_json::{Map, Value};

use crate::expression::{Budget, Expression, USER_NAME};

/// Maximal length of a name, that of FOLIO's column.
const NAME_MAX: usize = 256;
/// Of the name of a module, and of a code.
const CODE_MAX: usize = 128;

/// The path of the password history: FOLIO's only programmatic default rule.
pub const HISTORY_PATH: &str = "/authn/password/repeatable";

#[derive(Debug, Clone)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// The code reported when a password violates it.
    pub code: String,
    /// Whether a violation ends the check.
    pub is_strong: bool,
    /// How it is checked.
    pub means: CheckMethod,
}

/// How a rule is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckMethod {
    /// The whole password has to match the expression.
    Expression(String),
    /// The password must not be the current one or a recent one.
    History,
    /// A module is called at this path.
    Asked(String),
    /// FOLIO would ask an internet service about leaked passwords, which this process never does.
    Leaks,
}

impl Rule {
    #[must_use]
    pub fn of(stored: &Value) -> Rule {
        let text = |name: &str| stored[name].as_str().unwrap_or_default().to_owned();
        let means = match stored["type"].as_str() {
            Some("Programmatic") => match text("implementationReference").as_str() {
                HISTORY_PATH => CheckMethod::History,
                path => CheckMethod::Asked(path.to_owned()),
            },
            Some("PwnedPassword") => CheckMethod::Leaks,
            _ => CheckMethod::Expression(text("expression")),
        };
        Rule {
            name: text("name"),
            code: text("errMessageId"),
            is_strong: stored["validationType"] != "Soft",
            means,
        }
    }
}

/// FOLIO's default rules, which a new tenant gets.
pub const SHIPPED: &str = include_str!("reference/validationrules.json");

/// The enabled default rules, in their order.
#[must_use]
pub fn shipped() -> Vec<Value> {
    let rules: Vec<Value> =
        serde_json::from_str(SHIPPED).expect("invariant: the shipped rules are JSON");
    let on = rules.into_iter().filter(|one| one["state"] == "Enabled");
    on.collect()
}

/// Whether a password satisfies an expression. No password satisfies an invalid expression, or one that
/// takes too many steps.
#[must_use]
pub fn keeps(
    expression: &str,
    user_name: Option<&str>,
    password: &str,
    budget: &mut Budget,
) -> bool {
    // Without a username the rule about the name in the password is satisfied.
    if expression.trim().is_empty() || user_name.is_none() && expression.contains(USER_NAME) {
        return true;
    }
    match Expression::read(expression, user_name.unwrap_or_default()) {
        Ok(read) => read.matches(password, budget) == Ok(true),
        Err(_) => false,
    }
}

/// The errors of a rule that the shape cannot express.
#[must_use]
pub fn faults(rule: &Map<String, Value>) -> Vec<Violation> {
    let text = |name: &str| rule.get(name).and_then(Value::as_str).unwrap_or_default();
    let fault = |name: &str, message: String| Violation {
        message,
        code: "-1",
        path: name.to_owned(),
        value: text(name).to_owned(),
    };
    let mut faults = Vec::new();
    for (name, most) in [
        ("name", NAME_MAX),
        ("moduleName", CODE_MAX),
        ("errMessageId", CODE_MAX),
    ] {
        if text(name).trim().is_empty() {
            faults.push(fault(name, "must not be null".to_owned()));
        }
        if text(name).chars().count() > most {
            faults.push(fault(name, format!("has at most {most} characters")));
        }
    }
    if text("type") == "RegExp"
        && let Err(error) = Expression::read(text("expression"), "user")
    {
        faults.push(fault("expression", format!("is no expression: {error}")));
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The code of the first shipped expression that a password breaks.
    fn broken(password: &str, name: Option<&str>) -> Option<String> {
        let shipped = shipped();
        let mut rules = shipped.iter().map(Rule::of);
        let mut budget = Budget::default();
        let broken = rules.find(|rule| match &rule.means {
            CheckMethod::Expression(text) => !keeps(text, name, password, &mut budget),
            _ => false,
        });
        broken.map(|rule| rule.code)
    }

    #[test]
    fn the_first_broken_rule_is_reported() {
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
            assert_eq!(broken(password, Some("ada")), expected, "{password:?}");
        }
        assert_eq!(broken("1ada!Passw", None), None);
        // A name is not an expression.
        assert_eq!(broken("1ada!Passw", Some("a.a")), None);
    }

    #[test]
    fn invalid_rules_are_reported() {
        let rule = json!({"name": "n".repeat(257), "moduleName": "m", "type": "RegExp",
                          "expression": "(a"});
        let Value::Object(rule) = rule else {
            panic!("a rule is an object");
        };
        let paths: Vec<String> = faults(&rule).into_iter().map(|one| one.path).collect();
        assert_eq!(paths, ["name", "errMessageId", "expression"]);
    }

    #[test]
    fn rules_have_their_means() {
        let of = |kind: &str, path: &str| {
            Rule::of(&json!({"type": kind, "implementationReference": path})).means
        };
        assert_eq!(of("Programmatic", HISTORY_PATH), CheckMethod::History);
        assert_eq!(
            of("Programmatic", "/a"),
            CheckMethod::Asked("/a".to_owned())
        );
        assert_eq!(of("PwnedPassword", ""), CheckMethod::Leaks);
        assert_eq!(of("RegExp", ""), CheckMethod::Expression(String::new()));
    }
}
