//! Compiled queries, and refused ones.

use super::*;

fn compiled(text: &str) -> InstanceQuery {
    compile(text, "diku").unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
}

fn refused(text: &str) -> Fault {
    compile(text, "diku").expect_err(text)
}

fn word(text: &str, starting: bool) -> Word {
    Word {
        text: text.to_owned(),
        starting,
    }
}

#[test]
fn words_are_all_wanted_or_one_or_a_phrase() {
    let title = |any, words| Condition::Words {
        text: Text::Title,
        any,
        words,
    };
    for (text, any, words) in [
        (
            "title all \"war pea*\"",
            false,
            vec![word("war", false), word("pea", true)],
        ),
        (
            "title = \"war peace\"",
            false,
            vec![word("war", false), word("peace", false)],
        ),
        (
            "title any \"war peace\"",
            true,
            vec![word("war", false), word("peace", false)],
        ),
        (
            "title == \"war peace\"",
            false,
            vec![word("war peace", false)],
        ),
    ] {
        assert_eq!(
            compiled(text).parts[0].condition,
            title(any, words),
            "{text}"
        );
    }
    assert_eq!(
        compiled("title = *").parts[0].condition,
        Condition::Everything
    );
}

#[test]
fn numbers_are_found_however_they_are_written() {
    for (text, tag, value, starting) in [
        (
            "isbn = \"978-0-12-34567 (pbk)\"",
            "isbn",
            "97801234567",
            false,
        ),
        ("isbn = 978012*", "isbn", "978012", true),
        ("issn == 1234-567X", "issn", "1234567X", false),
        ("oclc = ocm00012345", "oclc", "12345", false),
        ("identifiers.value == \"a b\"", "identifier", "a b", false),
    ] {
        let wanted = Condition::Terms {
            tag,
            in_words: false,
            any: false,
            words: vec![word(value, starting)],
        };
        assert_eq!(compiled(text).parts[0].condition, wanted, "{text}");
    }
}

#[test]
fn a_wildcard_elsewhere_than_at_the_end_of_a_word_is_about_whole_values() {
    for (text, pattern, letters) in [
        ("title all \"*war\"", "%war", Some("war")),
        ("title = \"W*r and Pea?e\"", "W%r and Pea_e", Some("and")),
        ("title == \"*100% é w*r\"", "%100\\% é w%r", None),
    ] {
        let wanted = Condition::ValueLike {
            hint: letters.map(|letters| (Text::Title, letters.to_owned())),
            paths: paths(Text::Title),
            pattern: pattern.to_owned(),
        };
        assert_eq!(compiled(text).parts[0].condition, wanted, "{text}");
    }
    let isbn = Condition::TermLike {
        tag: "isbn",
        pattern: "%0306%".to_owned(),
    };
    assert_eq!(compiled("isbn=\"*0-306*\"").parts[0].condition, isbn);
    // Without a star a question mark is one.
    let title = compiled("title == \"what?\"");
    let words = vec![word("what?", false)];
    let wanted = Condition::Words {
        text: Text::Title,
        any: false,
        words,
    };
    assert_eq!(title.parts[0].condition, wanted);
    for text in [
        "id==*00*",
        "instanceTypeId==3*",
        "languages==\"e*\"",
        "items.id=*f*",
    ] {
        let condition = &compiled(text).parts[0].condition;
        assert!(
            matches!(condition, Condition::Column(_, Test::Like(_))),
            "{text}: {condition:?}"
        );
    }
}

#[test]
fn a_filter_knows_its_field_and_values() {
    let wanted =
        compiled("keyword all war and languages==(\"eng\" or \"ger\") and items.status.name==X");
    let told: Vec<_> = wanted
        .parts
        .iter()
        .map(|part| (part.field.as_deref(), part.values.join(" ")))
        .collect();
    assert_eq!(
        told,
        [
            (Some("keyword"), "war".to_owned()),
            (Some("languages"), "eng ger".to_owned()),
            (Some("item.status.name"), "X".to_owned()),
        ]
    );
    let negated = compiled("cql.allRecords=1 not source==FOLIO");
    assert_eq!(negated.parts.len(), 1);
    assert_eq!(negated.parts[0].field, None);
}

#[test]
fn wrong_queries_are_refused_with_what_is_wrong() {
    for (text, message, key, value) in [
        (
            "colour==red",
            "Invalid search field provided in the CQL query",
            "field",
            "colour",
        ),
        (
            "title==a sortBy colour",
            "Sort field not found or cannot be used.",
            "sortField",
            "colour",
        ),
        (
            "title > a",
            "Failed to parse CQL query. Comparator '>' is not supported.",
            "field",
            "title",
        ),
        (
            "staffSuppress==perhaps",
            "Invalid boolean value: perhaps",
            "field",
            "staffSuppress",
        ),
    ] {
        assert_eq!(refused(text), Fault::of(message, key, value), "{text}");
    }
    assert!(
        refused("title all (")
            .message
            .starts_with("Failed to parse CQL query")
    );
}

#[test]
fn ids_that_are_none_find_nothing() {
    for text in [
        "id==x",
        "instanceTypeId==\"1 2\"",
        "tenantId==other",
        "shared==true",
    ] {
        assert_eq!(
            compiled(text).parts[0].condition,
            Condition::Nothing,
            "{text}"
        );
    }
}

#[test]
fn the_order_is_asked_for() {
    let wanted = compiled("title=a sortBy metadata.updatedDate/sort.descending title");
    let told: Vec<_> = wanted
        .sort
        .iter()
        .map(|one| (one.by, one.descending))
        .collect();
    assert_eq!(told, [(SortBy::Updated, true), (SortBy::Title, false)]);
}
