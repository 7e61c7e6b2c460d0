//! Which settings a caller may see, as a predicate that a search is joined with.

use std::collections::BTreeMap;

use octavo_records::Index;
use octavo_records::plan::{Plan, Predicate, TextMatch};
use uuid::Uuid;

use super::rights::Rights;

/// Restricts a search to the settings that a caller with these rights may read; `None` when there can be
/// none.
#[must_use]
pub fn restricted(
    plan: Plan,
    scopes: &BTreeMap<&str, Rights>,
    caller: Option<Uuid>,
) -> Option<Plan> {
    let visible = visible(scopes, caller)?;
    let predicate = match plan.predicate {
        Predicate::Everything => visible,
        asked => Predicate::All(vec![visible, asked]),
    };
    Some(Plan { predicate, ..plan })
}

/// Scopes with the same rights are looked up as one list.
fn visible(scopes: &BTreeMap<&str, Rights>, caller: Option<Uuid>) -> Option<Predicate> {
    let mut alike: BTreeMap<Rights, Vec<String>> = BTreeMap::new();
    for (scope, rights) in scopes {
        alike.entry(*rights).or_default().push((*scope).to_owned());
    }
    let mut parts = Vec::new();
    for (rights, scopes) in alike {
        let owned = Predicate::Present("userId".to_owned());
        if rights.global && rights.users {
            parts.push(in_scopes(scopes));
            continue;
        }
        if rights.global {
            parts.push(Predicate::Except(
                Box::new(in_scopes(scopes.clone())),
                Box::new(owned.clone()),
            ));
        }
        if rights.users {
            parts.push(Predicate::All(vec![in_scopes(scopes), owned]));
        } else if let (true, Some(caller)) = (rights.owner, caller) {
            parts.push(Predicate::All(vec![in_scopes(scopes), owned_by(caller)]));
        }
    }
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(Predicate::Any(parts)),
    }
}

fn in_scopes(scopes: Vec<String>) -> Predicate {
    // The declared index takes its text from SQL: the name of the column here.
    let index = Index::plain("scope").case_sensitive().keep_accents();
    Predicate::TextIn(TextMatch::declared(index, "=", ""), scopes)
}

fn owned_by(user: Uuid) -> Predicate {
    Predicate::Text(TextMatch::declared(
        Index::plain("userId"),
        "=",
        user.to_string(),
    ))
}

#[cfg(test)]
mod tests {
    use octavo_records::expression;

    use super::*;
    use crate::app::rights::readable;
    use crate::collections;

    fn parts(names: &[&str], caller: Option<Uuid>) -> Option<Predicate> {
        visible(&readable(names.iter().copied()), caller)
    }

    #[test]
    fn scopes_are_looked_up_by_the_declared_index() {
        let declared = collections::settings();
        let declared = declared.indexes.iter().find(|index| index.field == "scope");
        let used = Index::plain("scope").case_sensitive().keep_accents();
        let bare = |index| expression::key(index).replace(['(', ')'], "");
        assert_eq!(declared.map(bare), Some(bare(&used)));
    }

    #[test]
    fn what_may_be_seen_follows_from_the_rights() {
        let me = Uuid::from_u128(1);
        let list =
            |scopes: &[&str]| in_scopes(scopes.iter().map(|one| (*one).to_owned()).collect());
        assert_eq!(parts(&[], Some(me)), None);
        assert_eq!(
            parts(
                &[
                    "mod-settings.global.read.a",
                    "mod-settings.users.read.a",
                    "mod-settings.global.read.b",
                    "mod-settings.users.read.b",
                ],
                None
            ),
            Some(list(&["a", "b"]))
        );
        assert_eq!(
            parts(&["mod-settings.owner.read.a"], Some(me)),
            Some(Predicate::All(vec![list(&["a"]), owned_by(me)]))
        );
        assert_eq!(parts(&["mod-settings.owner.read.a"], None), None);
        let Some(Predicate::Any(parts)) = parts(
            &["mod-settings.global.read.a", "mod-settings.owner.read.a"],
            Some(me),
        ) else {
            panic!("the tenant's and one's own")
        };
        assert_eq!(parts.len(), 2);
    }
}
