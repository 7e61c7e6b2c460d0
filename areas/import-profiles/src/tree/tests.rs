//! Trees of rows.

use octavo_library::{ProfileId, ProfileWrapperId};
use serde_json::json;
use uuid::Uuid;

use super::*;

fn id(number: u128) -> ProfileId {
    ProfileId::from_u128(number)
}

fn node(number: u128) -> ProfileWrapperId {
    ProfileWrapperId::from_u128(number)
}

fn root() -> Root {
    Root {
        profile_id: id(1),
        kind: ProfileKind::Job,
        wrapper_id: Some(node(101)),
        content: json!({"name": "job"}),
    }
}

fn edge(master: u128, detail: u128, kind: ProfileKind, order: i32) -> Edge {
    Edge {
        master_wrapper_id: node(100 + master),
        detail_wrapper_id: node(100 + detail),
        profile_id: id(detail),
        kind,
        order,
        react_to: None,
        content: json!({"name": detail}),
    }
}

#[test]
fn reactions_to_a_match_are_distinguished() {
    let matching = |edge: Edge, to| Edge {
        react_to: Some(to),
        ..edge
    };
    let edges = [
        edge(1, 2, ProfileKind::Match, 0),
        matching(edge(2, 3, ProfileKind::Action, 0), ReactTo::Match),
        matching(edge(2, 4, ProfileKind::Action, 0), ReactTo::NonMatch),
        edge(3, 5, ProfileKind::Mapping, 0),
    ];
    let tree = Tree::of(build(root(), &edges, Uuid::new_v4).expect("a small tree"));
    let matched = tree.root().children().next().expect("the match");
    assert_eq!(matched.kind(), Some(ProfileKind::Match));
    let ids = |to| -> Vec<_> { matched.reacting(to).filter_map(Node::profile_id).collect() };
    assert_eq!(ids(ReactTo::Match), [id(3)]);
    assert_eq!(ids(ReactTo::NonMatch), [id(4)]);
    let action = matched.reacting(ReactTo::Match).next().expect("the action");
    assert_eq!(action.mapping().and_then(Node::profile_id), Some(id(5)));
    let all: Vec<_> = tree
        .nodes()
        .into_iter()
        .filter_map(Node::profile_id)
        .collect();
    assert_eq!(all, [id(1), id(2), id(3), id(5), id(4)]);
}

#[test]
fn what_leads_back_to_itself_ends() {
    let edges = [
        edge(1, 2, ProfileKind::Match, 0),
        edge(2, 3, ProfileKind::Match, 0),
        edge(3, 2, ProfileKind::Match, 0),
    ];
    assert_eq!(
        build(root(), &edges, Uuid::nil),
        Err(TreeError::TooManyLevels)
    );
}

#[test]
fn what_doubles_on_each_level_ends() {
    let mut edges = vec![edge(1, 2, ProfileKind::Match, 0)];
    for level in 2..20 {
        edges.push(edge(level, level + 1, ProfileKind::Match, 0));
        edges.push(edge(level, level + 1, ProfileKind::Match, 1));
    }
    assert_eq!(
        build(root(), &edges, Uuid::nil),
        Err(TreeError::TooManyNodes)
    );
}
