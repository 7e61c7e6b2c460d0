//! The tree of a profile: what an import carries out, in FOLIO's shape of a profile snapshot.

mod build;

use serde_json::Value;
use uuid::Uuid;

use crate::kind::{ProfileKind, ReactTo};

pub use build::{Edge, Root, TreeError, build};

/// Nodes of a tree at most.
pub const NODES_MAX: usize = 1_000;

/// Levels of a tree at most. What is deeper could not be read back: JSON ends at 128 levels.
pub const LEVELS_MAX: usize = 32;

/// A profile with all that is below it. Its JSON is FOLIO's `profileSnapshotWrapper`.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    json: Value,
}

impl Tree {
    /// The tree of a JSON that this area has made.
    #[must_use]
    pub fn of(json: Value) -> Tree {
        Tree { json }
    }

    /// FOLIO's `profileSnapshotWrapper`.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The same, given away.
    #[must_use]
    pub fn into_json(self) -> Value {
        self.json
    }

    /// The id of the snapshot: another one for each tree that is read, kept with one that is stored.
    #[must_use]
    pub fn id(&self) -> Option<Uuid> {
        self.root().id()
    }

    /// The job profile, or whichever profile the tree was asked for.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node { json: &self.json }
    }

    /// All nodes, each before what is below it.
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
    pub fn profile_id(self) -> Option<Uuid> {
        self.uuid("profileId")
    }

    #[must_use]
    pub fn kind(self) -> Option<ProfileKind> {
        ProfileKind::named(self.json["contentType"].as_str()?)
    }

    /// What the match above has to have found.
    #[must_use]
    pub fn react_to(self) -> Option<ReactTo> {
        ReactTo::named(self.json["reactTo"].as_str()?)
    }

    /// Its place among its siblings.
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

    /// The nodes right below it, in their order.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> {
        let children = self.json["childSnapshotWrappers"].as_array();
        children.into_iter().flatten().map(|json| Node { json })
    }

    /// Those of them that are carried out after this outcome of the match that this node is.
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
