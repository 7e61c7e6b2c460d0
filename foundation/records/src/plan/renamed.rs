//! CQL with the field names of a view, translated into those of the record type that is searched.

use octavo_cql::{Node, Query};

/// A query with other names for fields, where `name` returns one. Malformed CQL stays as it is: the
/// planner reports the error.
#[must_use]
pub fn renamed(query: &str, name: fn(&str) -> Option<String>) -> String {
    let Ok(Query {
        prefixes,
        mut root,
        mut sort,
    }) = octavo_cql::parse(query)
    else {
        return query.to_owned();
    };
    visit(&mut root, name);
    for key in &mut sort {
        if let Some(other) = name(&key.index) {
            key.index = other;
        }
    }
    let query = Query {
        prefixes,
        root,
        sort,
    };
    query.to_string()
}

/// Recurses as deep as the parser lets a query nest.
fn visit(node: &mut Node, name: fn(&str) -> Option<String>) {
    match node {
        Node::Clause(clause) => {
            if let Some(other) = name(&clause.index) {
                clause.index = other;
            }
        }
        Node::Boolean(boolean) => {
            visit(&mut boolean.first, name);
            for link in &mut boolean.rest {
                visit(&mut link.operand, name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn under_item(field: &str) -> Option<String> {
        field
            .strip_prefix("items.")
            .map(|rest| format!("item.{rest}"))
    }

    #[test]
    fn fields_get_other_names_wherever_they_stand() {
        let parsed = |text: &str| octavo_cql::parse(text).expect("CQL");
        for (sent, searched) in [
            ("items.a==7", "item.a==7"),
            ("title=items.a", "title=items.a"),
            (
                "a=1 and (items.b==\"1 2\" or c=3) not items.d<>4",
                "a=1 and (item.b==\"1 2\" or c=3) not item.d<>4",
            ),
            (
                "a=1 sortby items.b/sort.descending c",
                "a=1 sortby item.b/sort.descending c",
            ),
            ("items.a==(1 or 2)", "item.a==(1 or 2)"),
        ] {
            assert_eq!(
                parsed(&renamed(sent, under_item)),
                parsed(searched),
                "{sent}"
            );
        }
        assert_eq!(renamed("items.a ==", under_item), "items.a ==");
    }
}
