//! What expressions match, as Java's do.

use super::{Budget, Expression, TooCostly};

fn matches(expression: &str, text: &str) -> bool {
    let read = Expression::read(expression, "a.b").expect(expression);
    read.matches(text, &mut Budget::default())
        .expect(expression)
}

#[test]
fn whole_texts_match() {
    for (expression, good, bad) in [
        (
            "^.{8,}$",
            &["abcdefgh", "abcdefghi"][..],
            &["abcdefg", "abcdefgh\n"][..],
        ),
        (
            "(?=.*[a-z])(?=.*[A-Z]).+",
            &["aB", "Ba1"],
            &["ab", "AB", ""],
        ),
        ("(?=.*\\d).+", &["a1"], &["ab", "a٣"]),
        (
            "(?=.*[!\"#$%&'()*+,-./:;<=>?@\\[\\]^_`{|}~]).+",
            &["a-", "[", "a]", "^"],
            &["a", "\\", "ä"],
        ),
        (
            "^(?:(?!<USER_NAME>).)+$",
            &["axb", "a.c", "A.b"],
            &["a.b", "xa.by", ""],
        ),
        ("\\Q<USER_NAME>(\\E", &["a.b("], &["axb("]),
        ("[<USER_NAME>]+", &["ab.", "."], &["c"]),
        ("^(?:(.)(?!\\1))*$", &["abab", "", "a"], &["aa", "abb"]),
        ("[^\\s]+", &["ab"], &["a b", ""]),
        ("^(?:(?!\\s{2,}).)+$", &["a b"], &["a  b", "a \tb"]),
        (
            "^(?:(?!qwe)(?!ol.)(?!p;/).)+$",
            &["qw"],
            &["1qwe2", "xolx", "p;/"],
        ),
        ("a|bc|", &["a", "bc", ""], &["b", "abc"]),
        ("(a*)*b", &["b", "aab"], &["a"]),
        ("(a|ab)(c|bcd)(d*)", &["abcd", "acd"], &["abcb"]),
        ("a{2,3}?b", &["aab", "aaab"], &["ab", "aaaab"]),
        ("a*+a", &[], &["aaa"]),
        ("(?>a|ab)c", &["ac"], &["abc"]),
        ("(?i)straße|x", &["STRAßE", "X"], &["STRASSE"]),
        ("a(?i:b)c", &["aBc"], &["aBC"]),
        ("(?s).", &["\n"], &["ab"]),
        ("(?<one>a|b)\\k<one>", &["aa", "bb"], &["ab"]),
        ("(?<=x)y|x(?<!y)y", &["xy"], &["y"]),
        ("\\w+(?<!\\d{2})", &["a1", "ab"], &["a12"]),
        ("\\bab\\b", &["ab"], &["abc"]),
        ("[a-z&&[^aeiou]]+", &["bcd"], &["abc"]),
        ("[]a-]+", &["]a-"], &["b"]),
        ("\\p{Upper}\\P{Alpha}\\p{L}", &["A1ä"], &["Äaa"]),
        ("\\x41\\u0042\\.\\\\", &["AB.\\"], &["ABx\\"]),
        ("ab$\\n", &["ab\n"], &["ab"]),
        ("", &[""], &["a"]),
        ("(|a)+", &["", "aa"], &["b"]),
        ("\\p{Punct}{1}", &["-"], &["a"]),
    ] {
        for text in good {
            assert!(matches(expression, text), "{expression} {text:?}");
        }
        for text in bad {
            assert!(!matches(expression, text), "{expression} {text:?}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused() {
    for (expression, at) in [
        ("(a", 3),
        ("a)", 2),
        ("*a", 2),
        ("[a", 3),
        ("a{x}", 5),
        ("a{2,1}", 7),
        ("a{5000}", 8),
        ("\\2", 3),
        ("\\p{Cherokee}", 13),
        ("\\y", 3),
        ("[z-a]", 5),
        ("(?x)a", 4),
        ("\\", 2),
        ("(?<n", 5),
        ("((((a{1000}){1000}){1000}){1000}){1000}", 1),
    ] {
        let fault = Expression::read(expression, "").expect_err(expression);
        assert_eq!(fault.at, at, "{expression}: {fault}");
    }
    let deep = format!("{}{}", "(?:".repeat(2_000), ")".repeat(1_000));
    assert!(Expression::read(&deep, "").is_err());
    assert!(Expression::read(&"[".repeat(3_000), "").is_err());
    assert!(Expression::read(&"a".repeat(5_000), "").is_err());
}

#[test]
fn what_never_ends_is_ended() {
    let read = Expression::read("(a+)+b", "").expect("an expression");
    let outcome = read.matches(&"a".repeat(100), &mut Budget::default());
    assert_eq!(outcome, Err(TooCostly));
}
