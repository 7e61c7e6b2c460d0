//! Controllers of which only one runs at a time: conditions that compare one variable with
//! different texts, and shares in per cent.

use std::collections::BTreeMap;

use super::tree::Element;
use super::values::Values;

/// One of several controllers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Alternative {
    pub(super) share: f64,
    /// The share in which none runs; set on the last one.
    pub(super) rest: f64,
    pub(super) is_first: bool,
    pub(super) is_last: bool,
    /// Whether the shares are not in the plan.
    pub(super) is_guess: bool,
}

/// The alternatives among siblings, by their positions.
pub(super) fn alternatives(siblings: &[Element], values: &Values) -> BTreeMap<usize, Alternative> {
    let mut found = BTreeMap::new();
    let mut run: Vec<(usize, Test)> = Vec::new();
    for (at, element) in siblings.iter().enumerate().filter(|(_, one)| one.enabled) {
        let test = test(element, values);
        let continues_group = match (&test, run.last()) {
            (Some(test), Some((_, last))) => test.belongs_to(last),
            _ => false,
        };
        // Configuration between two controllers does not separate them.
        let is_step = element.short_kind().ends_with("Controller")
            || element.short_kind().contains("Sampler");
        if !continues_group && is_step {
            close(&mut run, values, &mut found);
        }
        if let Some(test) = test {
            run.push((at, test));
        }
    }
    close(&mut run, values, &mut found);
    found
}

enum Test {
    Share(f64),
    Equality { variable: String, text: String },
}

impl Test {
    fn belongs_to(&self, other: &Test) -> bool {
        match (self, other) {
            (Test::Share(_), Test::Share(_)) => true,
            (
                Test::Equality { variable, .. },
                Test::Equality {
                    variable: other, ..
                },
            ) => variable == other,
            _ => false,
        }
    }
}

fn close(run: &mut Vec<(usize, Test)>, values: &Values, found: &mut BTreeMap<usize, Alternative>) {
    let run = std::mem::take(run);
    let texts: Vec<&str> = run
        .iter()
        .filter_map(|(_, test)| match test {
            Test::Equality { text, .. } => Some(text.as_str()),
            Test::Share(_) => None,
        })
        .collect();
    let is_distinct = texts
        .iter()
        .enumerate()
        .all(|(at, text)| !texts[..at].contains(text));
    let (shares, rest, is_guess): (Vec<f64>, f64, bool) = match texts.is_empty() {
        false if texts.len() < 2 || !is_distinct => return,
        false => match values.distribution(texts.len()) {
            Some(weights) => (weights.into_iter().map(f64::from).collect(), 0.0, false),
            None => (vec![1.0; texts.len()], 0.0, true),
        },
        true => {
            let shares: Vec<f64> = run
                .iter()
                .filter_map(|(_, test)| match test {
                    Test::Share(share) => Some(*share),
                    Test::Equality { .. } => None,
                })
                .collect();
            let sum: f64 = shares.iter().sum();
            // Above 100 they overlap, which a choice between them cannot express.
            if shares.is_empty() || sum > 100.001 || sum <= 0.0 {
                return;
            }
            (shares, (100.0 - sum).max(0.0), false)
        }
    };
    let last = run.len().saturating_sub(1);
    for (number, ((at, _), share)) in run.iter().zip(shares).enumerate() {
        let alternative = Alternative {
            share,
            rest: if rest > 0.001 { rest } else { 0.0 },
            is_first: number == 0,
            is_last: number == last,
            is_guess,
        };
        found.insert(*at, alternative);
    }
}

fn test(element: &Element, values: &Values) -> Option<Test> {
    match element.short_kind() {
        "ThroughputController" => {
            let is_share = element.text("ThroughputController.style").trim() == "1";
            let share = values.constant(element.text("ThroughputController.percentThroughput"))?;
            let share: f64 = share.trim().parse().ok()?;
            (is_share && share.is_finite() && share >= 0.0).then_some(Test::Share(share))
        }
        "IfController" => {
            let (variable, text) = equality(element.text("IfController.condition"))?;
            Some(Test::Equality { variable, text })
        }
        _ => None,
    }
}

/// `"${a}" == "b"`, `vars.get("a").equals("b")` and their like.
fn equality(condition: &str) -> Option<(String, String)> {
    let compares = condition.contains("==") || condition.contains(".equals(");
    let more = ["!", "&&", "||", "<", ">", " + "];
    if !compares || more.iter().any(|sign| condition.contains(sign)) {
        return None;
    }
    let mut rest = condition;
    for wrapper in ["${__jexl3(", "${__jexl2(", "${__groovy(", "${__javaScript("] {
        rest = rest.trim().strip_prefix(wrapper).unwrap_or(rest);
    }
    let variable = match rest.split_once("vars.get(") {
        Some((_, after)) => quoted(after)?.0.to_owned(),
        None => {
            let (_, after) = rest.split_once("${")?;
            after.split_once('}')?.0.to_owned()
        }
    };
    let mut texts = Vec::new();
    while let Some((text, after)) = quoted(rest) {
        if text != variable && !text.contains("${") {
            texts.push(text.to_owned());
        }
        rest = after;
    }
    match texts.len() {
        1 => Some((variable, texts.remove(0))),
        _ => None,
    }
}

/// The first quoted text, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let start = text.find(['"', '\''])?;
    let quote = &text[start..start + 1];
    text[start + 1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equalities_are_seen_in_the_ways_plans_write_them() {
        let check = |condition: &str, expected: Option<(&str, &str)>| {
            let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
            assert_eq!(equality(condition), expected, "{condition}");
        };
        let desk = Some(("go", "checkin"));
        check("\"${go}\" == \"checkin\"", desk);
        check("${__jexl3((\"${go}\" == \"checkin\"),)}", desk);
        check("${__groovy(vars.get(\"go\").equals(\"checkin\");)}", desk);
        check("${__groovy(vars.get('go') == 'checkin')}", desk);
        check("${__groovy(\"checkin\".equals(vars.get(\"go\")))}", desk);
        check("${__groovy(!vars.get(\"go\").equals(\"checkin\"))}", None);
        check("${go}", None);
        check("\"${a}\" == \"${b}\"", None);
    }
}
