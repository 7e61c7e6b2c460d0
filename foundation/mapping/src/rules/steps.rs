//! Compiles the processing of a value: `rules` with their conditions.

use serde_json::{Map, Value};

use super::compile::Compiling;
use super::entries::list;
use super::{Condition, Step};
use crate::functions::{Function, function};

/// The longest constant value, in characters.
const CONSTANT_MAX: usize = 1_000;

/// The function that matches values with a pattern.
const BY_PATTERN: &str = "set_identifier_type_id_by_value";

/// The most functions in a condition.
const FUNCTIONS_MAX: usize = 20;

pub(super) fn steps(compiling: &mut Compiling, path: &str, given: Option<&Value>) -> Vec<Step> {
    let mut steps = Vec::new();
    for (at, rule) in list(compiling, path, given).iter().enumerate() {
        let path = format!("{path}[{at}]");
        match rule.as_object() {
            Some(rule) => steps.push(step(compiling, &path, rule)),
            None => compiling.problem(&path, "an object is expected"),
        }
    }
    steps
}

fn step(compiling: &mut Compiling, path: &str, rule: &Map<String, Value>) -> Step {
    let constant = constant(compiling, path, rule);
    let place = format!("{path}.conditions");
    if !matches!(rule.get("conditions"), Some(Value::Array(_))) {
        compiling.problem(
            &place,
            "a list of conditions is expected, which may be empty",
        );
    }
    let mut conditions = Vec::new();
    if let Some(Value::Array(_)) = rule.get("conditions") {
        for (at, given) in list(compiling, &place, rule.get("conditions"))
            .iter()
            .enumerate()
        {
            let path = format!("{place}[{at}]");
            match given.as_object() {
                Some(given) => conditions.extend(condition(compiling, &path, given)),
                None => compiling.problem(&path, "an object is expected"),
            }
        }
    }
    Step {
        can_fail: conditions
            .iter()
            .any(|condition| condition.expected.is_some()),
        conditions,
        constant,
    }
}

fn condition(
    compiling: &mut Compiling,
    path: &str,
    given: &Map<String, Value>,
) -> Option<Condition> {
    let parameter = match given.get("parameter") {
        None | Some(Value::Null) => None,
        Some(Value::Object(parameter)) => Some(parameter),
        Some(_) => {
            compiling.problem(&format!("{path}.parameter"), "an object is expected");
            return None;
        }
    };
    let Some(names) = given.get("type").and_then(Value::as_str) else {
        compiling.problem(
            &format!("{path}.type"),
            "the names of functions are expected",
        );
        return None;
    };
    if names.split(',').count() > FUNCTIONS_MAX {
        let problem = format!("at most {FUNCTIONS_MAX} functions are expected");
        compiling.problem(&format!("{path}.type"), problem);
        return None;
    }
    let mut functions: Vec<Function> = Vec::new();
    for name in names.split(',') {
        let has_pattern = name.trim().eq_ignore_ascii_case(BY_PATTERN);
        if has_pattern && !compiling.counts_pattern(&format!("{path}.type")) {
            continue;
        }
        match function(name, parameter) {
            Ok(function) => functions.push(function),
            Err(wrong) => {
                let path = match wrong.parameter {
                    Some(parameter) => format!("{path}.parameter.{parameter}"),
                    None => format!("{path}.type"),
                };
                compiling.problem(&path, wrong.problem);
            }
        }
    }
    Some(Condition {
        functions,
        expected: constant(compiling, path, given),
        // FOLIO tests only whether `LDR` is present, not its value.
        of_leader: given.get("LDR").is_some_and(|leader| !leader.is_null()),
    })
}

/// An optional `value`.
fn constant(compiling: &mut Compiling, path: &str, given: &Map<String, Value>) -> Option<String> {
    match given.get("value") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) if text.len() <= CONSTANT_MAX => Some(text.clone()),
        Some(_) => {
            let problem = format!("a text of at most {CONSTANT_MAX} letters is expected");
            compiling.problem(&format!("{path}.value"), problem);
            None
        }
    }
}
