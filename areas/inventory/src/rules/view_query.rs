//! CQL in the words of a view: its fields stand for those of the record type that is searched. Pure.

use octavo_cql::{Node, Query};

/// The query with other names for fields, where `renamed` has one. What is no CQL stays as it is:
/// whoever plans it says what is wrong with it.
#[must_use]
pub fn renamed(query: &str, renamed: fn(&str) -> Option<String>) -> String {
    let Ok(mut parsed) = octavo_cql::parse(query) else {
        return query.to_owned();
    };
    rename(&mut parsed, renamed);
    parsed.to_string()
}

fn rename(query: &mut Query, renamed: fn(&str) -> Option<String>) {
    visit(&mut query.root, renamed);
    for key in &mut query.sort {
        if let Some(name) = renamed(&key.index) {
            key.index = name;
        }
    }
}

fn visit(node: &mut Node, renamed: fn(&str) -> Option<String>) {
    match node {
        Node::Clause(clause) => {
            if let Some(name) = renamed(&clause.index) {
                clause.index = name;
            }
        }
        Node::Boolean(boolean) => {
            visit(&mut boolean.first, renamed);
            for link in &mut boolean.rest {
                visit(&mut link.operand, renamed);
            }
        }
    }
}

/// `/inventory-view/instances`: an instance lies under `instance`, and has its id under another name.
#[must_use]
pub fn of_inventory_view(field: &str) -> Option<String> {
    if field == "instanceId" {
        return Some("id".to_owned());
    }
    if let Some(rest) = field.strip_prefix("instance.") {
        return Some(rest.to_owned());
    }
    let rest = field.strip_prefix("items.")?;
    Some(format!("item.{rest}"))
}

/// `/record-bulk/ids`: bulk editing calls items what the record types call an item.
#[must_use]
pub fn of_record_bulk(field: &str) -> Option<String> {
    (field == "items.effectiveLocationId").then(|| "item.effectiveLocationId".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_view_become_those_of_the_record_type() {
        for (sent, searched) in [
            ("instanceId==7", "id==7"),
            (
                "instance.source==MARC and items.barcode==\"1 2\"",
                "source==MARC and item.barcode==\"1 2\"",
            ),
            (
                "title=a sortby instance.title/sort.descending",
                "title=a sortby title/sort.descending",
            ),
        ] {
            let parsed = |text: &str| octavo_cql::parse(text).expect("CQL");
            let renamed = renamed(sent, of_inventory_view);
            assert_eq!(parsed(&renamed), parsed(searched), "{sent}");
        }
    }

    #[test]
    fn bulk_editing_searches_the_items_place_and_nothing_else_changes() {
        let sent = "items.effectiveLocationId==7 and items.barcode==1";
        let expected = octavo_cql::parse("item.effectiveLocationId==7 and items.barcode==1");
        assert_eq!(octavo_cql::parse(&renamed(sent, of_record_bulk)), expected);
    }

    #[test]
    fn what_is_no_query_stays_for_whoever_says_so() {
        assert_eq!(renamed("title ==", of_inventory_view), "title ==");
    }
}
