//! A job profile with everything below it, in the form of FOLIO's `profileSnapshotWrapper`.

use serde_json::Value;

use super::parse::MarcRecordKind;

/// A job profile's tree.
#[derive(Debug, Clone)]
pub(crate) struct Tree(pub Value);

/// A profile of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'a>(pub &'a Value);

/// How deep profiles may nest.
const DEPTH_MAX: usize = 32;

impl Tree {
    /// The profile at the top.
    pub(crate) fn root(&self) -> Node<'_> {
        Node(&self.0)
    }

    /// Whether a profile of the tree satisfies a condition.
    pub(crate) fn any(&self, wanted: &dyn Fn(&Node<'_>) -> bool) -> bool {
        fn below(node: Node<'_>, wanted: &dyn Fn(&Node<'_>) -> bool, depth: usize) -> bool {
            depth < DEPTH_MAX
                && node
                    .children()
                    .any(|child| wanted(&child) || below(child, wanted, depth + 1))
        }
        below(self.root(), wanted, 0)
    }

    /// Whether the tree has a match profile.
    pub(crate) fn matches(&self) -> bool {
        self.any(&|node| node.is_match())
    }

    /// Whether the profile is for EDIFACT messages: it makes invoices of them.
    pub(crate) fn is_for_messages(&self) -> bool {
        !self.any(&|node| match node.content_type() {
            "ACTION_PROFILE" => node.text("folioRecord") != "INVOICE",
            "MAPPING_PROFILE" => node.text("incomingRecordType") != "EDIFACT_INVOICE",
            _ => true,
        })
    }

    /// Whether the profile is for records of a kind: each action's entity and each mapping's incoming
    /// record fit it.
    pub(crate) fn is_for(&self, kind: MarcRecordKind) -> bool {
        let entities: &[&str] = match kind {
            MarcRecordKind::Bib => &[
                "MARC_BIBLIOGRAPHIC",
                "INSTANCE",
                "HOLDINGS",
                "ITEM",
                "ORDER",
            ],
            MarcRecordKind::Holdings => &["MARC_HOLDINGS", "HOLDINGS"],
            MarcRecordKind::Authority => &["MARC_AUTHORITY", "AUTHORITY"],
        };
        !self.any(&|node| match node.content_type() {
            "ACTION_PROFILE" => !entities.contains(&node.text("folioRecord")),
            "MAPPING_PROFILE" => node.text("incomingRecordType") != kind.entity(),
            _ => false,
        })
    }
}

impl<'a> Node<'a> {
    /// `JOB_PROFILE`, `MATCH_PROFILE`, `ACTION_PROFILE` or `MAPPING_PROFILE`.
    pub(crate) fn content_type(&self) -> &'a str {
        self.0["contentType"].as_str().unwrap_or_default()
    }

    /// The profile itself.
    pub(crate) fn content(&self) -> &'a Value {
        &self.0["content"]
    }

    /// A text of the profile.
    pub(crate) fn text(&self, name: &str) -> &'a str {
        self.content()[name].as_str().unwrap_or_default()
    }

    /// The profiles below, in order.
    pub(crate) fn children(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let list = self.0["childSnapshotWrappers"].as_array();
        let mut children: Vec<Node<'a>> = list.into_iter().flatten().map(Node).collect();
        children.sort_by_key(|child| child.0["order"].as_i64().unwrap_or(0));
        children.into_iter()
    }

    /// The profiles to execute when its match finds something, or nothing.
    pub(crate) fn reactions(&self, found: bool) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let wanted = if found { "MATCH" } else { "NON_MATCH" };
        self.children()
            .filter(move |child| child.0["reactTo"].as_str().unwrap_or("MATCH") == wanted)
    }

    /// Whether it is a match profile.
    pub(crate) fn is_match(&self) -> bool {
        self.content_type() == "MATCH_PROFILE"
    }

    /// Whether it is this action on this entity.
    pub(crate) fn is_action(&self, action: &str, entity: &str) -> bool {
        self.content_type() == "ACTION_PROFILE"
            && self.text("action") == action
            && self.text("folioRecord") == entity
    }

    /// The mapping of an action.
    pub(crate) fn mapping(&self) -> Option<Node<'a>> {
        self.children()
            .find(|child| child.content_type() == "MAPPING_PROFILE")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tree() -> Tree {
        let action = |order: i64, react: &str, action: &str| {
            json!({"contentType": "ACTION_PROFILE", "order": order, "reactTo": react,
                "content": {"action": action, "folioRecord": "INSTANCE"},
                "childSnapshotWrappers": [{"contentType": "MAPPING_PROFILE",
                    "content": {"incomingRecordType": "MARC_BIBLIOGRAPHIC"}}]})
        };
        Tree(
            json!({"contentType": "JOB_PROFILE", "childSnapshotWrappers": [{
                "contentType": "MATCH_PROFILE", "content": {},
                "childSnapshotWrappers": [action(1, "NON_MATCH", "CREATE"), action(0, "MATCH", "UPDATE")],
            }]}),
        )
    }

    #[test]
    fn reactions_are_distinguished() {
        let tree = tree();
        let found = tree.root().children().next().unwrap();
        let action = |found_it| {
            let mut all = found.reactions(found_it);
            all.next().map(|node| node.text("action").to_owned())
        };
        assert_eq!(action(true).as_deref(), Some("UPDATE"));
        assert_eq!(action(false).as_deref(), Some("CREATE"));
        assert!(tree.matches());
    }

    #[test]
    fn a_profile_is_for_the_records_that_it_names() {
        let tree = tree();
        assert!(tree.is_for(MarcRecordKind::Bib));
        assert!(!tree.is_for(MarcRecordKind::Authority));
        assert!(!tree.is_for(MarcRecordKind::Holdings));
    }
}
