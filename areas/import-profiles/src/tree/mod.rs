//! The tree of a profile, which an import executes, in the form of FOLIO's profile snapshot.

mod build;

use octavo_library::ProfileId;
use serde_json::Value;
use uuid::Uuid;

use crate::kind::{ProfileKind, ReactTo};

pub use build::{Edge, Root, TreeError, build};

/// Maximal number of nodes.
pub const NODES_MAX: usize = 1_000;

/// Maximal depth. Deeper trees could not be parsed again: JSON's limit is 128 levels, and each node
/// takes several.
pub const LEVELS_MAX: usize = 32;

/// A profile with all that is below it. Its JSON is FOLIO's `profileSnapshotWrapper`.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    json: Value,
}

impl Tree {
    /// The tree of JSON written by this area.
    #[must_use]
    pub fn of(json: Value) -> Tree {
        Tree { json }
    }

    /// FOLIO's `profileSnapshotWrapper`.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The same, consuming the tree.
    #[must_use]
    pub fn into_json(self) -> Value {
        self.json
    }

    /// The snapshot's id: stored for snapshots, new for each read of a current tree.
    #[must_use]
    pub fn id(&self) -> Option<Uuid> {
        self.root().id()
    }

    /// The job profile, or whichever profile the tree was asked for.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node { json: &self.json }
    }

    /// All nodes, parents first.
    #[must_use]
    pub fn nodes(&self) -> Vec<Node<'_>> {
        let mut nodes = Vec::new();
        let mut waiting = vec![self.root()];
        while let Some(node) = waiting.pop() {
            let mut below: Vec<_> = node.children().collect();
            below.reverse();
            waiting.extend(below);
            nodes.push(node);
        }
        nodes
    }
}

/// One profile in a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node<'a> {
    json: &'a Value,
}

impl<'a> Node<'a> {
    /// The id of the node in this snapshot.
    #[must_use]
    pub fn id(self) -> Option<Uuid> {
        self.uuid("id")
    }

    #[must_use]
    pub fn profile_id(self) -> Option<ProfileId> {
        self.uuid("profileId").map(ProfileId::from)
    }

    #[must_use]
    pub fn kind(self) -> Option<ProfileKind> {
        ProfileKind::named(self.json["contentType"].as_str()?)
    }

    /// The required outcome of the match above.
    #[must_use]
    pub fn react_to(self) -> Option<ReactTo> {
        ReactTo::named(self.json["reactTo"].as_str()?)
    }

    /// Its position among its siblings.
    #[must_use]
    pub fn order(self) -> i64 {
        self.json["order"].as_i64().unwrap_or(0)
    }

    /// The profile itself.
    #[must_use]
    pub fn content(self) -> &'a Value {
        &self.json["content"]
    }

    /// A text of the profile, `action` or `folioRecord`.
    #[must_use]
    pub fn text(self, property: &str) -> Option<&'a str> {
        self.content()[property].as_str()
    }

    /// The nodes directly below it, in order.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> {
        let children = self.json["childSnapshotWrappers"].as_array();
        children.into_iter().flatten().map(|json| Node { json })
    }

    /// Those that are executed after this outcome of this match.
    pub fn reacting(self, to: ReactTo) -> impl Iterator<Item = Node<'a>> {
        self.children()
            .filter(move |child| child.react_to() == Some(to))
    }

    /// The mapping profile of an action.
    #[must_use]
    pub fn mapping(self) -> Option<Node<'a>> {
        let mut children = self.children();
        children.find(|child| child.kind() == Some(ProfileKind::Mapping))
    }

    fn uuid(self, property: &str) -> Option<Uuid> {
        Uuid::try_parse(self.json[property].as_str()?).ok()
    }
}

#[cfg(test)]
mod tests;
