//! Properties over arbitrary input: no text makes the crate panic, and every tree prints as text
//! that parses back to it.

use octavo_cql::{
    Boolean, Clause, Comparison, Link, Modifier, Node, Operator, Prefix, Query, Relation, SortKey,
    Term, parse,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Text in which CQL's special characters are far more frequent than by chance.
fn text() -> impl Strategy<Value = String> {
    let characters = prop_oneof![
        4 => "[a-z.@0-9]",
        2 => select(r#"()/<>="\*?^ "#.chars().map(String::from).collect::<Vec<_>>()),
        1 => any::<char>().prop_map(String::from),
    ];
    let words = select(vec![
        "and", "OR", "not", "prox", "sortBy", "all", "Any", "within",
    ]);
    prop_oneof![
        vec(characters, 0..8).prop_map(|parts| parts.concat()),
        words.prop_map(str::to_owned),
    ]
}

/// Text a tree may hold: anything but NUL, which no query can hold.
fn name() -> impl Strategy<Value = String> {
    text().prop_map(|text| text.replace('\0', ""))
}

fn term() -> impl Strategy<Value = Term> {
    prop_oneof![
        name().prop_map(|text| Term::new(&text)),
        name().prop_map(|text| Term::exactly(&text)),
    ]
}

fn symbolic() -> impl Strategy<Value = Comparison> {
    use Comparison::{Equal, Exact, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    select(vec![
        Equal,
        Exact,
        NotEqual,
        Less,
        Greater,
        LessEqual,
        GreaterEqual,
    ])
}

fn comparison() -> impl Strategy<Value = Comparison> {
    prop_oneof![
        symbolic(),
        select(vec![Comparison::Adj, Comparison::All, Comparison::Any])
    ]
}

fn modifiers() -> impl Strategy<Value = Vec<Modifier>> {
    let modifier = (name(), option::of((symbolic(), term()))).prop_map(|(name, value)| {
        let (comparison, value) = value.unzip();
        Modifier {
            name,
            comparison,
            value: value.map(|term: Term| term.as_str().to_owned()),
        }
    });
    vec(modifier, 0..3)
}

fn clause() -> impl Strategy<Value = Node> {
    let index = prop_oneof![name(), Just(octavo_cql::SERVER_CHOICE.to_owned())];
    (index, comparison(), modifiers(), term(), any::<usize>()).prop_map(
        |(index, comparison, modifiers, term, offset)| {
            Node::Clause(Clause {
                index,
                relation: Relation {
                    comparison,
                    modifiers,
                },
                term,
                offset,
            })
        },
    )
}

fn node() -> impl Strategy<Value = Node> {
    clause().prop_recursive(5, 40, 6, |inner| {
        let operator = select(vec![Operator::And, Operator::Or, Operator::Not]);
        let link =
            (operator, modifiers(), inner.clone()).prop_map(|(operator, modifiers, operand)| {
                Link {
                    operator,
                    modifiers,
                    operand,
                }
            });
        (inner, vec(link, 1..6)).prop_map(|(first, rest)| {
            Node::Boolean(Boolean {
                first: Box::new(first),
                rest,
            })
        })
    })
}

fn query() -> impl Strategy<Value = Query> {
    let prefix =
        (option::of(name()), name()).prop_map(|(name, identifier)| Prefix { name, identifier });
    let key = (name(), modifiers()).prop_map(|(index, modifiers)| SortKey {
        index,
        modifiers,
        offset: 0,
    });
    (vec(prefix, 0..3), node(), vec(key, 0..3)).prop_map(|(prefixes, root, sort)| Query {
        prefixes,
        root,
        sort,
    })
}

/// Everything a caller does with a text, none of which may panic. A query that parses prints to
/// text that parses to the same query.
fn exercise(text: &str) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(query) => {
            for clause in query.root.clauses() {
                prop_assert!(text.is_char_boundary(clause.offset));
                let _ = (
                    clause.term.pieces(),
                    clause.term.words(),
                    clause.term.literal(),
                );
            }
            let canonical = query.to_string();
            let again = parse(&canonical);
            prop_assert_eq!(again.as_ref(), Ok(&query), "{}", canonical);
            prop_assert_eq!(again.map(|again| again.to_string()), Ok(canonical));
        }
        Err(error) => {
            prop_assert!(text.is_char_boundary(error.offset));
            prop_assert_eq!(error.to_string().lines().count(), 1);
            let drawn = error.render(text);
            prop_assert_eq!(drawn.lines().count(), 3, "{}", drawn);
            prop_assert!(drawn.chars().count() < 600, "{}", drawn);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn trees_print_as_text_that_parses_back(query in query()) {
        let text = query.to_string();
        prop_assert_eq!(parse(&text).map_err(|error| error.render(&text)), Ok(query));
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        exercise(&text)?;
    }

    #[test]
    fn no_soup_of_tokens_panics(parts in vec(text(), 0..24)) {
        exercise(&parts.join(" "))?;
        exercise(&parts.concat())?;
    }

    #[test]
    fn no_cut_or_change_of_a_query_panics(query in query(), at in any::<usize>(), put in text()) {
        let text = query.to_string();
        let ends: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
        let at = ends.get(at % ends.len().max(1)).copied().unwrap_or(0);
        exercise(&text[..at])?;
        exercise(&text[at..])?;
        exercise(&format!("{}{put}{}", &text[..at], &text[at..]))?;
    }

    #[test]
    fn a_masked_text_means_itself(text in any::<String>()) {
        prop_assert_eq!(Term::exactly(&text).literal(), Some(text.clone()));
        let masked = Term::new(&text);
        prop_assert_eq!(&Term::new(masked.as_str()), &masked);
        prop_assert_eq!(masked.literal().is_none(), masked.has_wildcard());
    }
}
