//! The language checked against a table of texts, and the index against a scan of all rules.

use octavo_library::LoanPolicyId;
use proptest::prelude::*;
use uuid::Uuid;

use super::check::{FlatRule, flatten};
use super::parser::parse;
use super::syntax::{Criterion, Selection};
use super::*;

const POLICIES: &str = "l 00000000-0000-4000-8000-000000000001 \
    r 00000000-0000-4000-8000-000000000002 n 00000000-0000-4000-8000-000000000003 \
    o 00000000-0000-4000-8000-000000000004 i 00000000-0000-4000-8000-000000000005";

fn id(number: u128) -> Uuid {
    Uuid::from_u128(0x4000_8000_0000_0000_0000 | number)
}

/// Five policies whose loan policy identifies the rule by a number.
fn policies(number: u128) -> String {
    format!(
        "l {} r {} n {} o {} i {}",
        id(number),
        id(2),
        id(3),
        id(4),
        id(5)
    )
}

fn known() -> PolicyIds {
    PolicyIds {
        loan: [id(1)].into(),
        request: [id(2)].into(),
        notice: [id(3)].into(),
        overdue_fine: [id(4)].into(),
        lost_item: [id(5)].into(),
    }
}

#[test]
fn texts_give_the_expected_rules_or_error() {
    let table = include_str!("../../testdata/rules_errors.txt");
    let mut cases = 0;
    for case in table.split(">>> ").skip(1) {
        let (title, rest) = case.split_once('\n').unwrap();
        let (text, expected) = rest.split_once("----\n").unwrap();
        let text = text.replace("$P", POLICIES).replace("\\t", "\t");
        let outcome = match CompiledRules::compile(&text, Some(&known())) {
            Ok(rules) => format!("ok {}", rules.rule_count()),
            Err(error) => format!("{}:{} {}", error.line, error.column, error.message),
        };
        assert_eq!(outcome, expected.trim_end(), "{title}");
        cases += 1;
    }
    assert!(cases > 50, "only {cases} cases were read");
}

#[test]
fn the_error_serialises_to_the_body_of_the_api() {
    let error = CompiledRules::compile("", None).unwrap_err();
    let body = serde_json::to_value(&error).unwrap();
    assert_eq!(body["line"], 1);
    assert_eq!(body["column"], 1);
    assert_eq!(body["message"], "Expected 'priority' but the text ends.");
    assert_eq!(body.as_object().unwrap().len(), 3);
}

#[test]
fn line_ends_of_all_systems_count_lines() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["priority: last-line", "fallback-policy: $P", "", "m"].join(end);
        let error = CompiledRules::compile(&text.replace("$P", POLICIES), None).unwrap_err();
        assert_eq!((error.line, error.column), (4, 2), "{end:?}");
    }
}

#[test]
fn a_text_too_long_is_refused_unread() {
    let error = CompiledRules::compile(&" ".repeat(TEXT_BYTES_MAX + 1), None).unwrap_err();
    assert!(error.message.contains("longer"), "{error}");
}

#[test]
fn deep_nesting_needs_no_stack() {
    let mut text = format!("priority: last-line\nfallback-policy: {POLICIES}\n");
    for depth in 0..2_000 {
        text.push_str(&" ".repeat(depth));
        text.push_str("m all\n");
    }
    text.push_str(&format!("{}g all: {POLICIES}\n", " ".repeat(2_000)));
    assert_eq!(CompiledRules::compile(&text, None).unwrap().rule_count(), 2);
}

/// The place and types asked about in the tables below.
fn criteria() -> Criteria {
    Criteria {
        patron_group: id(0x10).into(),
        material_type: id(0x20).into(),
        loan_type: id(0x30).into(),
        location: id(0x40).into(),
        institution: Some(id(0x50).into()),
        campus: Some(id(0x60).into()),
        library: Some(id(0x70).into()),
    }
}

/// Writes `G`, `M`, `T`, `S`, `A`, `B`, `C` for the values of [`criteria`], `X` for another.
fn expand(line: &str, number: u128) -> String {
    let names = "GMTSABC"
        .chars()
        .zip([0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70]);
    let mut line = line.to_owned();
    for (letter, value) in names.chain([('X', 0x99)]) {
        line = line.replace(letter, &id(value).to_string());
    }
    if line.ends_with(':') {
        format!("{line} {}", policies(number))
    } else {
        line
    }
}

/// Compiles rules, each line ending in `:` getting its line number as loan policy.
fn compile(priority: &str, lines: &[&str]) -> CompiledRules {
    let mut text = format!("priority: {priority}\n");
    let fallback_last = priority == "first-line";
    if !fallback_last {
        text.push_str(&format!("fallback-policy: {}\n", policies(2)));
    }
    let first = if fallback_last { 2 } else { 3 };
    for (number, line) in (first..).zip(lines) {
        text.push_str(&expand(line, number));
        text.push('\n');
    }
    if fallback_last {
        text.push_str(&format!(
            "fallback-policy: {}\n",
            policies(first + lines.len() as u128)
        ));
    }
    CompiledRules::compile(&text, None).unwrap()
}

#[test]
fn the_right_line_wins() {
    const LETTERS: &str = "t, s, c, b, a, m, g";
    let table: &[(&str, &[&str], u32)] = &[
        ("last-line", &[], 2),
        ("last-line", &["m M:", "g G:"], 4),
        ("last-line", &["m M:", "g X:"], 3),
        ("first-line", &["m M:", "g G:"], 2),
        ("first-line", &["m X:", "g X:"], 4),
        // The heavier letter wins over the later line: t before g.
        (LETTERS, &["t T:", "g G:"], 3),
        (LETTERS, &["g G:", "t T:"], 4),
        // Same heaviest letter: more criteria win.
        (LETTERS, &["t T + g G:", "t T:"], 3),
        // Same letters and number: the later line.
        (LETTERS, &["t T + g G:", "t T + g G:"], 4),
        // `all` counts for the priority as if it named something.
        (LETTERS, &["t all + g G:", "m M + g G:"], 3),
        // All places are one criterion: m and g (two) beat a, b, c and s (one).
        (
            "number-of-criteria, last-line",
            &["m M + g G:", "a A + b B + c C + s S:"],
            3,
        ),
        ("number-of-criteria, last-line", &["a A + b B:", "s S:"], 4),
        ("number-of-criteria, first-line", &["a A + b B:", "s S:"], 3),
        // First by number, then by letter; and the other way round.
        (
            "number-of-criteria, criterium(t,s,c,b,a,m,g), last-line",
            &["m M + g G:", "t T:"],
            3,
        ),
        (
            "criterium(t,s,c,b,a,m,g), number-of-criteria, last-line",
            &["m M + g G:", "t T:"],
            4,
        ),
        ("criterium(t,s,c,b,a,m,g), first-line", &["t T:", "t T:"], 3),
        // Nesting: the parent's condition holds for the child and counts for its score.
        (LETTERS, &["t T", "  g G:", "m M:"], 4),
        (LETTERS, &["t X", "  g G:", "m M:"], 5),
        (LETTERS, &["t T:", "  g G:"], 4),
        (LETTERS, &["t T:", "  g X:"], 3),
        (LETTERS, &["t T", "  g X:", "  m M:"], 5),
        // Exclusion.
        ("last-line", &["m !X:"], 3),
        ("last-line", &["m !M:"], 2),
        ("last-line", &["m !X !M:"], 2),
        // A name that is not an id: asked for never, excluded without effect.
        ("last-line", &["m book:"], 2),
        ("last-line", &["m !book:"], 3),
        ("last-line", &["m book M:"], 3),
        // Conditions on one criterion join: one of both lists, minus the excluded.
        ("last-line", &["m M X + m X:"], 2),
        ("last-line", &["m M X + m M:"], 3),
        ("last-line", &["m M X + m !M:"], 2),
    ];
    for (priority, lines, expected) in table {
        let found = compile(priority, lines).match_loan_policy(&criteria());
        assert_eq!(found.line, *expected, "{priority}: {lines:?}");
        assert_eq!(
            found.policy_id,
            LoanPolicyId::from(id(u128::from(*expected))),
            "{priority}: {lines:?}"
        );
    }
}

#[test]
fn an_unknown_place_matches_no_rule_about_institution_campus_or_library() {
    let unknown = Criteria {
        institution: None,
        campus: None,
        library: None,
        ..criteria()
    };
    for line in ["a A:", "b B:", "c C:", "a all:", "b !X:", "m M + c all:"] {
        let rules = compile("last-line", &[line]);
        assert_eq!(rules.match_loan_policy(&criteria()).line, 3, "{line}");
        assert_eq!(rules.match_loan_policy(&unknown).line, 2, "{line}");
    }
    assert_eq!(
        compile("last-line", &["s S:"])
            .match_loan_policy(&unknown)
            .line,
        3
    );
}

#[test]
fn every_kind_has_its_policy_and_only_loans_tell_conditions() {
    let rules = compile("last-line", &["t T", "  g all:"]);
    let loan = rules.match_loan_policy(&criteria());
    let conditions = MatchConditions {
        material_type_match: false,
        loan_type_match: true,
        patron_group_match: true,
    };
    assert_eq!(
        loan,
        Match {
            policy_id: LoanPolicyId::from(id(4)),
            line: 4,
            conditions
        }
    );
    let others = [
        PolicyKind::Request,
        PolicyKind::Notice,
        PolicyKind::OverdueFine,
        PolicyKind::LostItem,
    ];
    let others = others.map(|kind| rules.match_policy(kind, &criteria()));
    for (found, number) in others.into_iter().zip(2..) {
        let conditions = MatchConditions::default();
        assert_eq!(
            found,
            Match {
                policy_id: id(number),
                line: 4,
                conditions
            }
        );
    }
}

#[test]
fn all_matches_come_best_first_and_end_with_the_fallback() {
    let rules = compile("t, s, c, b, a, m, g", &["g G:", "t T:", "m X:", "m M:"]);
    let lines: Vec<u32> = rules
        .match_all(PolicyKind::Loan, &criteria())
        .map(|found| found.line)
        .collect();
    assert_eq!(lines, [4, 6, 3, 2]);
}

/// The straightforward reading: ask every rule, take the greatest score.
fn scan(rules: &[FlatRule], criteria: &Criteria) -> Vec<u32> {
    let mut found: Vec<&FlatRule> = rules.iter().filter(|rule| holds(rule, criteria)).collect();
    found.sort_by_key(|rule| -rule.score);
    found.into_iter().map(|rule| rule.line).collect()
}

fn holds(rule: &FlatRule, criteria: &Criteria) -> bool {
    rule.conditions.iter().all(|condition| {
        let value = match condition.criterion {
            Criterion::PatronGroup => Some(criteria.patron_group.uuid()),
            Criterion::MaterialType => Some(criteria.material_type.uuid()),
            Criterion::LoanType => Some(criteria.loan_type.uuid()),
            Criterion::Institution => criteria.institution.map(Uuid::from),
            Criterion::Campus => criteria.campus.map(Uuid::from),
            Criterion::Library => criteria.library.map(Uuid::from),
            Criterion::Location => Some(criteria.location.uuid()),
        };
        let Some(value) = value.map(|value| value.to_string()) else {
            return false;
        };
        match &condition.selection {
            Selection::All => true,
            Selection::AnyOf(names) => names.contains(&value),
            Selection::NoneOf(names) => !names.contains(&value),
        }
    })
}

fn selection() -> impl Strategy<Value = String> {
    let names = || prop::collection::vec(0..4_u128, 1..3);
    prop_oneof![
        1 => Just("all".to_owned()),
        4 => names().prop_map(|n| n.iter().map(|n| id(*n).to_string()).collect::<Vec<_>>().join(" ")),
        2 => names().prop_map(|n| n.iter().map(|n| format!("!{}", id(*n))).collect::<Vec<_>>().join(" ")),
        1 => Just("book !dvd".replace(" !dvd", "")),
    ]
}

fn rule_lines() -> impl Strategy<Value = Vec<(usize, String)>> {
    let condition = (
        prop::sample::select(vec!['g', 'm', 't', 'a', 'b', 'c', 's']),
        selection(),
    )
        .prop_map(|(letter, selection)| format!("{letter} {selection}"));
    let line = (
        0..3_usize,
        prop::collection::vec(condition, 1..4).prop_map(|c| c.join(" + ")),
    );
    prop::collection::vec(line, 0..150)
}

/// A text of nested rules; a line is never indented more than one step below the last.
fn text(priority: &str, lines: &[(usize, String)]) -> String {
    let fallback = format!("fallback-policy: {POLICIES}\n");
    let first_line = priority == "first-line";
    let mut text = format!("priority: {priority}\n");
    if !first_line {
        text.push_str(&fallback);
    }
    let mut depth = 0;
    for (number, (wanted, conditions)) in lines.iter().enumerate() {
        depth = if number == 0 {
            0
        } else {
            (*wanted).min(depth + 1)
        };
        text.push_str(&format!("{}{conditions}: {POLICIES}\n", "  ".repeat(depth)));
    }
    if first_line {
        text.push_str(&fallback);
    }
    text
}

fn some_criteria() -> impl Strategy<Value = Criteria> {
    let place = || prop::option::weighted(0.9, 0..4_u128);
    (
        (0..4_u128, 0..4_u128, 0..4_u128, 0..4_u128),
        place(),
        place(),
        place(),
    )
        .prop_map(
            |((group, material, loan, location), institution, campus, library)| Criteria {
                patron_group: id(group).into(),
                material_type: id(material).into(),
                loan_type: id(loan).into(),
                location: id(location).into(),
                institution: institution.map(|number| id(number).into()),
                campus: campus.map(|number| id(number).into()),
                library: library.map(|number| id(number).into()),
            },
        )
}

proptest! {
    #[test]
    fn the_index_finds_what_a_scan_finds(
        lines in rule_lines(),
        priority in prop::sample::select(vec![
            "first-line",
            "last-line",
            "g, m, t, a, b, c, s",
            "number-of-criteria, first-line",
            "number-of-criteria, criterium(s, c, b, a, t, m, g), last-line",
        ]),
        asked in prop::collection::vec(some_criteria(), 1..20),
    ) {
        let text = text(priority, &lines);
        let flat = flatten(&parse(&text).unwrap(), None).unwrap();
        let rules = CompiledRules::compile(&text, None).unwrap();
        for criteria in asked {
            let found: Vec<u32> =
                rules.match_all(PolicyKind::Loan, &criteria).map(|m| m.line).collect();
            prop_assert_eq!(&found, &scan(&flat, &criteria));
            prop_assert_eq!(rules.match_loan_policy(&criteria).line, found[0]);
        }
    }

    #[test]
    fn no_text_panics(text in "[a-z0-9 !+:,()#/\\n\\t-]{0,200}") {
        let _ = CompiledRules::compile(&text, None);
        let _ = CompiledRules::compile(&format!("priority: last-line\nfallback-policy: {POLICIES}\n{text}"), None);
    }

    #[test]
    fn no_unicode_panics(text in "\\PC{0,80}") {
        let _ = CompiledRules::compile(&text, None);
    }
}
