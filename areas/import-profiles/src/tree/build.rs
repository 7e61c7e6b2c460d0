//! Builds a tree from its rows, without I/O: ids of nodes are arguments.

use std::collections::HashMap;

use octavo_library::{ProfileId, ProfileWrapperId};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{LEVELS_MAX, NODES_MAX};
use crate::kind::{ProfileKind, ReactTo};

/// The root profile of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Root {
    pub profile_id: ProfileId,
    pub kind: ProfileKind,
    /// Its node, when it has one.
    pub wrapper_id: Option<ProfileWrapperId>,
    /// The profile.
    pub content: Value,
}

/// An association: one profile below another. Sorted in the order of siblings.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The node above.
    pub master_wrapper_id: ProfileWrapperId,
    /// The node below.
    pub detail_wrapper_id: ProfileWrapperId,
    /// The profile below.
    pub profile_id: ProfileId,
    pub kind: ProfileKind,
    /// Its position among its siblings.
    pub order: i32,
    /// The required outcome of the match above.
    pub react_to: Option<ReactTo>,
    /// The profile; null when only associations are read.
    pub content: Value,
}

/// Why a tree is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// It has too many nodes.
    #[error("A tree of profiles may have {NODES_MAX} profiles at most")]
    TooManyNodes,
    /// It is too deep, or has a cycle.
    #[error("A tree of profiles may have {LEVELS_MAX} levels at most")]
    TooManyLevels,
}

/// The tree as FOLIO's `profileSnapshotWrapper`.
///
/// # Errors
/// When it is larger than a tree may be.
pub fn build(
    root: Root,
    edges: &[Edge],
    mut new_id: impl FnMut() -> Uuid,
) -> Result<Value, TreeError> {
    let mut below: HashMap<ProfileWrapperId, Vec<&Edge>> = HashMap::new();
    for edge in edges {
        below.entry(edge.master_wrapper_id).or_default().push(edge);
    }
    let mut growing = Growing {
        below,
        nodes: 1,
        new_id: &mut new_id,
    };
    let mut node = growing.node(root.profile_id, root.kind, root.wrapper_id, root.content, 0);
    let children = match root.wrapper_id {
        Some(wrapper) => growing.children(wrapper, 1)?,
        None => Vec::new(),
    };
    node.insert("childSnapshotWrappers".to_owned(), Value::Array(children));
    Ok(Value::Object(node))
}

struct Growing<'a> {
    below: HashMap<ProfileWrapperId, Vec<&'a Edge>>,
    nodes: usize,
    new_id: &'a mut dyn FnMut() -> Uuid,
}

impl Growing<'_> {
    fn children(
        &mut self,
        wrapper: ProfileWrapperId,
        level: usize,
    ) -> Result<Vec<Value>, TreeError> {
        let edges = self.below.get(&wrapper).cloned().unwrap_or_default();
        if !edges.is_empty() && level >= LEVELS_MAX {
            return Err(TreeError::TooManyLevels);
        }
        let mut children = Vec::with_capacity(edges.len());
        for edge in edges {
            self.nodes += 1;
            if self.nodes > NODES_MAX {
                return Err(TreeError::TooManyNodes);
            }
            let wrapper = edge.detail_wrapper_id;
            let mut node = self.node(
                edge.profile_id,
                edge.kind,
                Some(wrapper),
                edge.content.clone(),
                edge.order,
            );
            if let Some(react_to) = edge.react_to {
                node.insert("reactTo".to_owned(), json!(react_to.name()));
            }
            let below = self.children(wrapper, level + 1)?;
            node.insert("childSnapshotWrappers".to_owned(), Value::Array(below));
            children.push(Value::Object(node));
        }
        Ok(children)
    }

    fn node(
        &mut self,
        profile_id: ProfileId,
        kind: ProfileKind,
        wrapper_id: Option<ProfileWrapperId>,
        content: Value,
        order: i32,
    ) -> Map<String, Value> {
        let mut node = Map::new();
        node.insert("id".to_owned(), json!((self.new_id)()));
        node.insert("profileId".to_owned(), json!(profile_id));
        if let Some(wrapper) = wrapper_id {
            node.insert("profileWrapperId".to_owned(), json!(wrapper));
        }
        node.insert("contentType".to_owned(), json!(kind.name()));
        node.insert("content".to_owned(), content);
        node.insert("order".to_owned(), json!(order));
        node
    }
}
