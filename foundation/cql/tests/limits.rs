//! Large and hostile queries: long chains cost no stack, and exceeding a limit is an error.

#![allow(clippy::unwrap_used, reason = "tests panic rather than return errors")]

use octavo_cql::limits::{MAX_CLAUSES, MAX_DEPTH, MAX_LENGTH};
use octavo_cql::{ErrorKind, Node, Operator, parse};

fn kind(text: &str) -> ErrorKind {
    let error = parse(text).unwrap_err();
    assert!(error.render(text).chars().count() < 600);
    error.kind
}

/// Runs on a stack far smaller than that of any server thread.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn a_long_chain_needs_no_stack() {
    on_a_small_stack(|| {
        let ids: Vec<String> = (0..MAX_CLAUSES)
            .map(|number| format!("id{number}"))
            .collect();
        let mixed = ids
            .chunks(2)
            .map(|pair| pair.join(" and "))
            .collect::<Vec<_>>()
            .join(" or ");
        for list in [ids.join(" or "), mixed] {
            let query = parse(&format!("id==({list})")).unwrap();
            assert_eq!(query.root.clauses().count(), MAX_CLAUSES);
            let copy = query.clone();
            assert_eq!(parse(&query.to_string()).unwrap(), copy);
            assert!(format!("{copy:?}").len() > MAX_CLAUSES);
        }
    });
}

#[test]
fn parentheses_nest_up_to_the_limit() {
    on_a_small_stack(|| {
        for open in ["(", "a=(", "x and ("] {
            let nested = |depth: usize| format!("{}z{}", open.repeat(depth), ")".repeat(depth));
            let query = parse(&nested(MAX_DEPTH)).unwrap();
            assert_eq!(parse(&query.to_string()).unwrap(), query.clone());
            assert_eq!(kind(&nested(MAX_DEPTH + 1)), ErrorKind::TooDeep);
            assert_eq!(
                kind(&open.repeat(MAX_LENGTH / open.len())),
                ErrorKind::TooDeep
            );
        }
    });
}

#[test]
fn length_is_limited() {
    let text = "x".repeat(MAX_LENGTH);
    assert!(parse(&text).is_ok());
    assert_eq!(kind(&format!("{text}x")), ErrorKind::TooLong);
    assert_eq!(kind(&"é".repeat(MAX_LENGTH)), ErrorKind::TooLong);
}

#[test]
fn clauses_are_counted() {
    let chain = |count: usize| vec!["x"; count].join(" or ");
    assert!(parse(&chain(MAX_CLAUSES)).is_ok());
    assert_eq!(kind(&chain(MAX_CLAUSES + 1)), ErrorKind::TooManyClauses);
}

#[test]
fn copies_of_index_and_modifiers_are_limited() {
    let list = vec!["x"; 1000].join(" or ");
    assert_eq!(
        kind(&format!("{}=({list})", "i".repeat(100_000))),
        ErrorKind::ScopeTooLong
    );
    assert_eq!(
        kind(&format!("i=/m=\"{}\"({list})", "v".repeat(100_000))),
        ErrorKind::ScopeTooLong
    );
    assert_eq!(
        kind(&format!("i={}x", "/m".repeat(MAX_LENGTH / 4))),
        ErrorKind::ScopeTooLong
    );
}

#[test]
fn nul_is_refused_where_it_stands() {
    let error = parse("title=\"a\n\0b\"").unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::NulCharacter, 9));
    assert_eq!((error.line, error.column), (2, 1));
}

#[test]
fn blanks_around_a_query_say_nothing() {
    assert_eq!(parse(" \t\r\n a == b \n "), parse("a==b"));
    assert_eq!(parse(" ").unwrap_err().offset, 1);
}

#[test]
fn offsets_lead_back_into_the_text() {
    let text = "title=(war or date>1900) and query=owner==x sortby date title/asc";
    let query = parse(text).unwrap();
    let at = |offset: usize| &text[offset..offset + 4];
    let clauses: Vec<_> = query
        .root
        .clauses()
        .map(|clause| at(clause.offset))
        .collect();
    assert_eq!(clauses, ["war ", "date", "owne"]);
    let keys: Vec<_> = query.sort.iter().map(|key| at(key.offset)).collect();
    assert_eq!(keys, ["date", "titl"]);
}

#[test]
fn joining_by_hand_gives_the_tree_of_the_text() {
    let node = |text: &str| parse(text).unwrap().root;
    let joined = node("a")
        .join(Operator::Or, node("b=1"))
        .join(Operator::Not, node("c and d"));
    assert_eq!(joined, node("a or b=1 not (c and d)"));
    assert!(matches!(joined, Node::Boolean(chain) if chain.rest.len() == 2));
}
