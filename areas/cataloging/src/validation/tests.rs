//! Issues that the validation finds in records.

use super::*;

fn checked(line: &str) -> Checked {
    let (tag, rest) = line.split_once(' ').unwrap_or((line, ""));
    let content = if tag.starts_with("00") {
        Content::Control(rest.to_owned())
    } else {
        let mut pieces = rest.split('$');
        let head: Vec<char> = pieces.next().unwrap_or_default().chars().collect();
        let at = |index: usize| head.get(index).copied().unwrap_or(' ');
        let subfields = pieces.filter_map(|piece| {
            let code = piece.chars().next()?;
            Some((code, piece[1..].to_owned()))
        });
        Content::Data([at(0), at(1)], subfields.collect())
    };
    Checked {
        tag: tag.to_owned(),
        content,
    }
}

const LEADER: &str = "00000cam a2200000   4500";

#[track_caller]
fn said(kind: RecordKind, text: &str, expected: &[&str]) {
    let fields: Vec<Checked> = text.lines().map(checked).collect();
    let found = issues(kind, LEADER, &fields, None);
    let reported: Vec<String> = found
        .iter()
        .map(|issue| {
            let grave = if issue.severity == Severity::Error {
                "!"
            } else {
                "?"
            };
            format!("{} {grave} {} {}", issue.tag, issue.rule, issue.message)
        })
        .collect();
    assert_eq!(reported, expected);
}

#[test]
fn a_good_record_is_said_nothing_of() {
    said(
        RecordKind::Bib,
        "001 in1\n008 x\n100 1 $aA\n245 10$aT$cC\n650  0$aS$xX$xY\n880 10$6245-01$aT\n999 ff$i1$s2",
        &[],
    );
    said(RecordKind::Holdings, "999 zz", &[]);
    said(RecordKind::Authority, "001 n1\n008 x\n100 1 $aA", &[]);
}

#[test]
fn what_is_missing_is_reported() {
    said(
        RecordKind::Bib,
        "008  \n650  0$aS",
        &[
            "001[0] ! missingField Field 001 is required.",
            "008[0] ! missingField Field 008 is required.",
            "245[0] ! missingField Field 245 is required.",
        ],
    );
    said(
        RecordKind::Authority,
        "001 n1\n008 x",
        &["1XX[0] ! nonRepeatableRequired1XXField Field 1XX is non-repeatable and required."],
    );
}

#[test]
fn repeated_and_unknown_parts_are_reported() {
    said(
        RecordKind::Bib,
        "001 in1\n008 x\n100 1 $aA\n110 2 $aB\n245 10$aT$aU$y5\n245 10$aT\n24 00$aX\n698  0$aX",
        &[
            "24[0] ! invalidFieldTag Tag must contain three characters and can only accept \
             numbers 0-9.",
            "24[0] ? undefinedField Field is undefined.",
            "698[0] ? undefinedField Field is undefined.",
            "100[0] ! nonRepeatable1XXField Field 1XX is non-repeatable.",
            "110[0] ! nonRepeatable1XXField Field 1XX is non-repeatable.",
            "245[0] ! nonRepeatableSubfield Subfield 'a' is non-repeatable.",
            "245[0] ? undefinedSubfield Subfield 'y' is undefined.",
            "245[1] ! nonRepeatableField Field is non-repeatable.",
        ],
    );
}

#[test]
fn indicators_are_letters_digits_or_blank_and_defined() {
    said(
        RecordKind::Bib,
        "001 in1\n008 x\n245 4A$aT\n500 1 $aN",
        &[
            "245[0] ? undefinedIndicatorCode First Indicator '4' is undefined.",
            "245[0] ! invalidIndicator Indicator must contain one character and can only accept \
             numbers 0-9, letters a-z or a '\\'.",
            "500[0] ? undefinedIndicatorCode First Indicator '1' is undefined.",
        ],
    );
}

#[test]
fn an_issue_is_reported_with_its_help() {
    let found = issues(
        RecordKind::Bib,
        LEADER,
        &[checked("001 a"), checked("008 b")],
        None,
    );
    assert_eq!(
        found[0].to_json(),
        json!({
            "tag": "245[0]", "severity": "error", "definitionType": "field",
            "helpUrl": "https://www.loc.gov/marc/bibliographic/bd245.html",
            "message": "Field 245 is required.",
        })
    );
}

#[test]
fn warnings_hide_no_error_and_very_many_are_limited() {
    let count = 300_000;
    // Unknown subfields are warnings, the second $c and all after it errors.
    let subfields = ["y", "c"].map(|code| format!("${code}x").repeat(count));
    let fields = [
        checked("008 x"),
        checked(&format!("245 10$aT{}", subfields.concat())),
        checked("245 10$aT"),
    ];
    let begun = std::time::Instant::now();
    let found = issues(RecordKind::Bib, LEADER, &fields, Some("001"));
    let of = |severity| {
        found
            .iter()
            .filter(|issue| issue.severity == severity)
            .count()
    };
    assert_eq!(of(Severity::Warning), ISSUES_MAX);
    assert_eq!(of(Severity::Error), ISSUES_MAX);
    // Each code looked for among all before it, it would take minutes.
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());

    let many = ["$yx".repeat(ISSUES_MAX + 1), "$cx".repeat(2)].concat();
    let fields = [checked("008 x"), checked(&format!("245 10$aT{many}"))];
    let found = issues(RecordKind::Bib, LEADER, &fields, Some("001"));
    let last = found.last().expect("an issue");
    assert_eq!(last.message, "Subfield 'c' is non-repeatable.");
}

#[test]
fn a_field_that_is_added_is_not_missed() {
    let fields = [checked("008 x"), checked("245 10$aT")];
    let tags = |added| {
        let found = issues(RecordKind::Bib, LEADER, &fields, added).into_iter();
        found.map(|issue| issue.tag).collect::<Vec<_>>()
    };
    assert_eq!(tags(None), ["001[0]"]);
    assert_eq!(tags(Some("001")), [""; 0]);
}

#[test]
fn leaders_are_looked_at_position_by_position() {
    let wrong = |kind, leader: &str| wrong_leader(kind, leader).map(|(_, sentence)| sentence);
    assert_eq!(wrong(RecordKind::Bib, LEADER), None);
    assert_eq!(wrong(RecordKind::Bib, "00000cam\\a2200000\\\\\\4500"), None);
    assert_eq!(
        wrong(RecordKind::Holdings, "00000nu\\\\a2200000un\\4500"),
        None
    );
    assert_eq!(
        wrong(RecordKind::Authority, "00000nz  a2200000n  4500"),
        None
    );
    let reported = |kind, leader: &str| wrong(kind, leader).expect("a sentence");
    assert_eq!(reported(RecordKind::Bib, "0"), "Wrong leader length");
    assert_eq!(
        reported(RecordKind::Bib, "0000xcam a2200000   4500"),
        "0-5 positions must be a number"
    );
    assert_eq!(
        reported(RecordKind::Bib, "00000xam a2200000   4500"),
        "Wrong value 'x', on position 5. Allowed only: [a, c, d, n, p]"
    );
    let filled = filled_leader(RecordKind::Bib, "00000cam a1300000   9999");
    assert_eq!(filled, "00000cam a2200000   4500");
    let filled = filled_leader(RecordKind::Authority, "00000naxxa2200000n x4500");
    assert_eq!(filled, "00000nz\\\\a2200000n \\4500");
}
