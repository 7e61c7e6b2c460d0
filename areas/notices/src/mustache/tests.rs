//! What templates give, case by case.

use serde_json::{Value, json};

use super::*;

fn rendered(template: &str, context: &Value) -> String {
    let parsed = Mustache::parse(template).unwrap_or_else(|error| panic!("{template}: {error}"));
    parsed.render(context, &|_| false).expect(template)
}

#[test]
fn tokens_sections_and_loops() {
    let context = json!({
        "user": {"firstName": "Ada", "name": {"last": "Lovelace"}},
        "loans": [{"title": "A"}, {"title": "B", "user": {"firstName": "Bob"}}],
        "none": [], "no": false, "blank": "", "nothing": null, "zero": 0, "empty": {},
        "n": 12, "f": 1.5, "words": ["x", "y"], "html": "<b>O'Hara & \"co\"</b>",
    });
    for (template, expected) in [
        ("", ""),
        ("plain } text } {", "plain } text } {"),
        (
            "Dear {{user.firstName}} {{ user.name.last }}!",
            "Dear Ada Lovelace!",
        ),
        (
            "{{user.middleName}}{{absent}}{{absent.deep}}{{n.deep}}|",
            "|",
        ),
        (
            "{{html}}",
            "&lt;b&gt;O&#39;Hara &amp; &quot;co&quot;&lt;/b&gt;",
        ),
        (
            "{{{html}}}|{{&html}}",
            "<b>O'Hara & \"co\"</b>|<b>O'Hara & \"co\"</b>",
        ),
        (
            "{{#loans}}{{title}}:{{user.firstName}};{{/loans}}",
            "A:Ada;B:Bob;",
        ),
        ("{{#words}}{{.}},{{/words}}", "x,y,"),
        ("{{#none}}x{{/none}}{{^none}}none{{/none}}", "none"),
        (
            "{{#no}}x{{/no}}{{#blank}}x{{/blank}}{{#nothing}}x{{/nothing}}",
            "",
        ),
        (
            "{{#zero}}zero{{/zero}}{{#empty}}object{{/empty}}",
            "zeroobject",
        ),
        ("{{^absent}}none{{/absent}}{{#absent}}x{{/absent}}", "none"),
        (
            "{{#user}}{{#name}}{{last}} {{firstName}}{{/name}}{{/user}}",
            "Lovelace Ada",
        ),
        (
            "{{n}} {{f}} {{words}} {{user}}",
            "12 1.5 [x, y] {firstName&#61;Ada, name&#61;{last&#61;Lovelace}}",
        ),
        ("a{{! a comment\n over lines }}b", "ab"),
        ("{{=<% %>=}}<% n %> {{n}}<%={{ }}=%>{{n}}", "12 {{n}}12"),
    ] {
        assert_eq!(rendered(template, &context), expected, "{template}");
    }
}

#[test]
fn a_section_on_a_line_of_its_own_leaves_no_line() {
    let context = json!({"loans": [{"t": "A"}, {"t": "B"}]});
    let template = "Loans:\n  {{#loans}}\r\n- {{t}}\n{{/loans}}\nend\n{{! done }}";
    assert_eq!(rendered(template, &context), "Loans:\n- A\n- B\nend\n");
    let inline = "x {{#loans}}\n{{t}}{{/loans}}\n";
    assert_eq!(rendered(inline, &context), "x \nA\nB\n");
    // A value's line stays, blanks and all.
    assert_eq!(rendered(" {{absent}} \n", &context), "  \n");
}

#[test]
fn names_that_are_raw_are_not_escaped() {
    let parsed = Mustache::parse("{{a.b}}{{c}}").expect("it is a template");
    let context = json!({"a": {"b": "<x>"}, "c": "<y>"});
    let text = parsed.render(&context, &|name| name == "a.b");
    assert_eq!(text.as_deref(), Ok("<x>&lt;y&gt;"));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (template, line, column, part) in [
        ("a\nb {{user", 2, 3, "not closed"),
        ("{{{user}}", 1, 1, "end it with }}}"),
        ("{{#loans}}\n{{title}}", 1, 1, "{{/loans}}"),
        ("é{{/loans}}", 1, 2, "was not begun"),
        (
            "{{#a}}{{#b}}{{/a}}{{/b}}",
            1,
            13,
            "{{#b}} is to be ended first",
        ),
        ("{{}}", 1, 1, "no name"),
        ("{{a b}}", 1, 1, "no name"),
        ("{{> footer}}", 1, 1, "not supported"),
        ("{{=<%=}}", 1, 1, "delimiters"),
        ("{{#}}x{{/}}", 1, 1, "no name"),
    ] {
        let error = Mustache::parse(template).expect_err(template);
        assert_eq!(
            (error.line, error.column),
            (line, column),
            "{template}: {error}"
        );
        assert!(error.message.contains(part), "{template}: {error}");
    }
}

#[test]
fn size_nesting_and_work_are_bounded() {
    let deep = "{{#a}}".repeat(NESTING_MAX + 1);
    assert!(
        Mustache::parse(&deep)
            .expect_err("too deep")
            .message
            .contains("deep")
    );
    let many = "{{a}}".repeat(TAGS_MAX + 1);
    assert!(
        Mustache::parse(&many)
            .expect_err("too many")
            .message
            .contains("tags")
    );
    let long = "x".repeat(TEMPLATE_BYTES_MAX + 1);
    assert!(
        Mustache::parse(&long)
            .expect_err("too long")
            .message
            .contains("bytes")
    );
    let elements = vec![json!(1); 1_000];
    let context = json!({"a": elements});
    let looping = Mustache::parse("{{#a}}{{#a}}{{/a}}{{/a}}").expect("a template");
    let outcome = looping.render(&context, &|_| false);
    assert_eq!(outcome, Err(RenderError::TooManySteps));
    let writing = format!("{{{{#a}}}}{}{{{{/a}}}}", "y".repeat(10_000));
    let writing = Mustache::parse(&writing).expect("a template");
    assert_eq!(
        writing.render(&context, &|_| false),
        Err(RenderError::TooLong)
    );
}

#[test]
fn no_text_makes_it_panic() {
    let pieces = [
        "{{", "}}", "{", "}", "#", "/", "^", "=", "a", " ", "\n", "é", "!", ">", ".",
    ];
    let mut state = 7_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        if let Ok(parsed) = Mustache::parse(&text) {
            let _ = parsed.render(&json!({"a": [{"a": "é"}]}), &|_| false);
        }
    }
}
