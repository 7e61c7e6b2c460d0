//! Sanitised contents, and properties that hold for any content.

use proptest::prelude::*;

use super::sanitized;

#[test]
fn what_notes_may_hold_stays() {
    for content in [
        "Plain text",
        " ",
        "<p class=\"x\">A <strong>b</strong> <em>c</em> <u>d</u></p>",
        "<h1>1</h1><h2>2</h2><h3>3</h3>",
        "<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>",
        "a<br>b",
        "<a href=\"https://example.org/?a=1&amp;b=2\" rel=\"noopener\" target=\"_blank\">x</a>",
        "1 &lt; 2 &amp;&nbsp;&#8364;&#x20AC;",
    ] {
        assert_eq!(sanitized(content), content);
    }
}

#[test]
fn everything_else_goes_and_its_text_stays() {
    for (content, left) in [
        ("<div>a<span>b</span></div>", "ab"),
        ("a<script>alert('<p>')</script>b", "ab"),
        ("<style>p{}</style>a", "a"),
        (
            "<p onclick=\"x()\" style='a' class=b>a</p>",
            "<p class=\"b\">a</p>",
        ),
        ("<a href=\"javascript:x()\" id=1>a</a>", "<a>a</a>"),
        ("<img src=x onerror=alert(1)>", ""),
        (
            "<p class='a\"><img>'>b",
            "<p class=\"a&quot;&gt;&lt;img&gt;\">b</p>",
        ),
        ("<p class=1 class=2>", "<p class=\"1\"></p>"),
        (
            "a < b & c > d \"e\"",
            "a &lt; b &amp; c &gt; d &quot;e&quot;",
        ),
        (
            "&nothing &;&#;&#x;&a-b;",
            "&amp;nothing &amp;;&amp;#;&amp;#x;&amp;a-b;",
        ),
        ("<!-- a -->b", "b"),
        ("a<p", "a"),
    ] {
        assert_eq!(sanitized(content), left, "{content}");
    }
}

#[test]
fn elements_are_closed_where_they_have_to_be() {
    for (content, closed) in [
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        (
            "<p><em>a<ul><li>b<li>c",
            "<p><em>a</em></p><ul><li>b</li><li>c</li></ul>",
        ),
        (
            "<ul><li>a<ul><li>b</ul><li>c</ul>",
            "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
        ),
        ("<h1>a<h2>b", "<h1>a</h1><h2>b</h2>"),
        ("</p>a</em>", "a"),
        (
            "<strong><em>a</strong>b</em>",
            "<strong><em>a</em></strong>b",
        ),
        ("a</br>b<br/>", "ab<br>"),
    ] {
        assert_eq!(sanitized(content), closed, "{content}");
    }
}

#[test]
fn deep_nesting_ends() {
    let deep = "<em>".repeat(100_000);
    let left = sanitized(&deep);
    assert_eq!(left.len(), 100 * "<em></em>".len());
}

/// Fragments that are significant in HTML.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<",
        ">",
        "/",
        "=",
        "\"",
        "'",
        "&",
        ";",
        "#",
        " ",
        "!",
        "--",
        "?",
        "p",
        "a",
        "br",
        "li",
        "ul",
        "em",
        "h1",
        "script",
        "style",
        "img",
        "svg",
        "href",
        "class",
        "onclick",
        "javascript:",
        "https:",
        "&lt;",
        "&#60;",
        "é",
        "\n",
        "<p>",
        "</p>",
        "<a href=",
        "<li>",
        "<ul>",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        "<![CDATA[",
        "]]>",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// The tags in it, each from bracket to bracket.
fn tags(html: &str) -> Vec<&str> {
    let starts = html.match_indices('<').map(|(at, _)| &html[at..]);
    starts
        .map(|rest| rest.split_inclusive('>').next().unwrap_or_default())
        .collect()
}

proptest! {
    #[test]
    fn nothing_but_the_known_elements_is_ever_written(content in pieces()) {
        let left = sanitized(&content);
        // Cleaning it again changes nothing: it reads as it was meant.
        prop_assert_eq!(&sanitized(&left), &left);
        if content.trim().is_empty() {
            return Ok(());
        }
        let mut open = Vec::new();
        for tag in tags(&left) {
            let inner = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>'));
            let inner = inner.expect("brackets come in pairs");
            let name = inner.trim_start_matches('/').split(' ').next().unwrap_or_default();
            prop_assert!(super::Element::named(name).is_some(), "{} in {}", tag, left);
            if inner.starts_with('/') {
                prop_assert_eq!(open.pop(), Some(name));
            } else if name != "br" {
                open.push(name);
            }
            let lower = inner.to_ascii_lowercase();
// Quotes inside of values are written otherwise, so that these are attributes.
            prop_assert!(!lower.contains(" onclick=\""));
            prop_assert!(!lower.contains(" href=\"javascript:"));
        }
        prop_assert!(open.is_empty());
        let brackets = |mark| left.matches(mark).count();
        prop_assert_eq!(brackets('<'), brackets('>'));
    }

    #[test]
    fn no_text_makes_it_fail(content in ".{0,200}") {
        let left = sanitized(&content);
        prop_assert_eq!(&sanitized(&left), &left);
    }
}
