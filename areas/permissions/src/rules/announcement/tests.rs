//! Announcements as tables: what is stored, what is announced, what changes.

use super::*;

fn set(name: &str, parts: &[&str]) -> PermissionSet {
    PermissionSet {
        permission_name: name.to_owned(),
        display_name: Some(format!("Show {name}")),
        sub_permissions: parts.iter().map(|part| (*part).to_owned()).collect(),
        ..PermissionSet::default()
    }
}

fn replacing(name: &str, olds: &[&str]) -> PermissionSet {
    PermissionSet {
        replaces: olds.iter().map(|old| (*old).to_owned()).collect(),
        ..set(name, &[])
    }
}

fn module(id: &str, permissions: Vec<PermissionSet>) -> ModulePermissions {
    ModulePermissions {
        module_id: id.to_owned(),
        permissions,
        replaces: None,
    }
}

/// A tenant's definitions, to which announcements are made.
#[derive(Default)]
struct Shelf(BTreeMap<String, Map<String, Value>>);

impl Shelf {
    fn announce(&mut self, modules: &[ModulePermissions]) -> Result<Changes, Refusal> {
        let stored = self.0.values().cloned().collect();
        let changes = changes(stored, modules, Uuid::new_v4)?;
        for one in &changes.definitions {
            let name = one["permissionName"].as_str().expect("a name").to_owned();
            self.0.insert(name, one.clone());
        }
        Ok(changes)
    }

    fn made_by_library(&mut self, name: &str, parts: &[&str]) {
        let mut made = blank(Uuid::new_v4(), name);
        made.set("mutable", Some(json!(true)));
        made.set("dummy", Some(json!(false)));
        made.set("subPermissions", Some(json!(parts)));
        self.0.insert(name.to_owned(), made.document);
    }

    fn at(&self, name: &str, property: &str) -> Value {
        self.0[name].get(property).cloned().unwrap_or(Value::Null)
    }
}

#[test]
fn ids_are_taken_apart_where_the_version_begins() {
    for (id, name, version) in [
        ("mod-users-19.5.0", "mod-users", Some("19.5.0")),
        (
            "mod-users-bl-7.10.0-SNAPSHOT.12",
            "mod-users-bl",
            Some("7.10.0-SNAPSHOT.12"),
        ),
        ("folio_users-12.0.0", "folio_users", Some("12.0.0")),
        ("mod-users", "mod-users", None),
        ("", "", None),
        ("-", "-", None),
    ] {
        assert_eq!(name_and_version(id), (name, version), "{id}");
    }
}

#[test]
fn what_is_announced_is_defined_and_the_same_again_changes_nothing() {
    let mut shelf = Shelf::default();
    let mut visible = set("a.all", &["a.get", "a.put", "a.get"]);
    visible.visible = Some(true);
    let announced = [module(
        "mod-a-1.0.0",
        vec![visible, set("a.get", &[]), set("a.put", &[])],
    )];
    assert_eq!(
        shelf.announce(&announced).expect("done").definitions.len(),
        3
    );
    assert_eq!(
        shelf.at("a.all", "subPermissions"),
        json!(["a.get", "a.put"])
    );
    assert_eq!(shelf.at("a.all", "visible"), json!(true));
    assert_eq!(shelf.at("a.get", "visible"), json!(false));
    assert_eq!(shelf.at("a.get", "childOf"), json!(["a.all"]));
    assert_eq!(shelf.at("a.get", "mutable"), json!(false));
    assert_eq!(shelf.at("a.get", "dummy"), json!(false));
    assert_eq!(shelf.at("a.get", "moduleName"), json!("mod-a"));
    assert_eq!(shelf.at("a.get", "moduleVersion"), json!("1.0.0"));
    assert_eq!(
        shelf.announce(&announced).expect("done"),
        Changes::default()
    );
}

#[test]
fn what_nobody_defined_is_stood_in_for_until_somebody_does() {
    let mut shelf = Shelf::default();
    shelf
        .announce(&[module("mod-a-1.0.0", vec![set("a.all", &["b.get"])])])
        .expect("done");
    assert_eq!(shelf.at("b.get", "dummy"), json!(true));
    assert_eq!(shelf.at("b.get", "childOf"), json!(["a.all"]));
    let id = shelf.at("b.get", "id");
    shelf
        .announce(&[module("mod-b-1.0.0", vec![set("b.get", &[])])])
        .expect("done");
    assert_eq!(shelf.at("b.get", "dummy"), json!(false));
    assert_eq!(shelf.at("b.get", "childOf"), json!(["a.all"]));
    assert_eq!(shelf.at("b.get", "id"), id);
}

#[test]
fn what_the_next_version_lacks_is_deprecated_and_may_come_back() {
    let mut shelf = Shelf::default();
    let both = vec![set("a.get", &[]), set("a.put", &[])];
    shelf
        .announce(&[module("mod-a-1.0.0", both.clone())])
        .expect("done");
    shelf
        .announce(&[module("mod-a-1.1.0", vec![set("a.get", &[])])])
        .expect("done");
    assert_eq!(shelf.at("a.put", "deprecated"), json!(true));
    assert_eq!(
        shelf.at("a.put", "displayName"),
        json!("(deprecated) Show a.put")
    );
    assert_eq!(shelf.at("a.get", "moduleVersion"), json!("1.1.0"));
    // Disabled, and disabled again: the name is marked once.
    for _ in 0..2 {
        shelf
            .announce(&[module("mod-a-1.1.0", vec![])])
            .expect("done");
    }
    assert_eq!(
        shelf.at("a.get", "displayName"),
        json!("(deprecated) Show a.get")
    );
    shelf
        .announce(&[module("mod-a-1.2.0", both)])
        .expect("done");
    for name in ["a.get", "a.put"] {
        assert_eq!(shelf.at(name, "deprecated"), json!(false));
        assert_eq!(shelf.at(name, "displayName"), json!(format!("Show {name}")));
    }
}

#[test]
fn a_replaced_permission_leads_to_the_new_one_once() {
    let mut shelf = Shelf::default();
    shelf
        .announce(&[module(
            "mod-a-1.0.0",
            vec![set("a.old", &[]), set("a.kept", &[])],
        )])
        .expect("done");
    shelf.made_by_library("desk", &["a.old"]);
    let next = [module(
        "mod-a-2.0.0",
        vec![
            replacing("a.new", &["a.old", "a.kept", "unknown"]),
            set("a.kept", &[]),
        ],
    )];
    let changes = shelf.announce(&next).expect("done");
    let names = |old: &str, new: &str| (old.to_owned(), new.to_owned());
    assert_eq!(
        changes.replaced,
        [names("a.old", "a.new"), names("a.kept", "a.new")]
    );
    assert_eq!(
        shelf.at("desk", "subPermissions"),
        json!(["a.old", "a.new"])
    );
    assert_eq!(shelf.at("a.new", "childOf"), json!(["desk"]));
    assert_eq!(shelf.at("a.old", "deprecated"), json!(true));
    // It is announced still.
    assert_eq!(shelf.at("a.kept", "deprecated"), json!(false));
    let again = [module("mod-a-2.0.1", next[0].permissions.clone())];
    assert_eq!(shelf.announce(&again).expect("done").replaced, []);
}

#[test]
fn names_of_others_are_left_to_them() {
    let mut shelf = Shelf::default();
    shelf.made_by_library("desk", &[]);
    let refused = shelf.announce(&[module("mod-a-1.0.0", vec![set("desk", &[])])]);
    assert_eq!(refused, Err(Refusal::TakenByLibrary("desk".to_owned())));
    shelf
        .announce(&[module("mod-a-1.0.0", vec![set("a.get", &[])])])
        .expect("done");
    let taker = module("mod-b-1.0.0", vec![set("a.get", &[])]);
    assert_eq!(
        shelf.announce(std::slice::from_ref(&taker)),
        Err(Refusal::TakenByModule {
            permission: "a.get".to_owned(),
            module: "mod-a".to_owned()
        })
    );
    // In the place of the other, or once the other gave it up, in whatever order both are announced.
    let instead = ModulePermissions {
        replaces: Some("mod-a-1.0.0".to_owned()),
        ..taker.clone()
    };
    let mut other = Shelf(shelf.0.clone());
    other.announce(&[instead]).expect("done");
    assert_eq!(other.at("a.get", "moduleName"), json!("mod-b"));
    shelf
        .announce(&[taker, module("mod-a-2.0.0", vec![])])
        .expect("done");
    assert_eq!(shelf.at("a.get", "moduleName"), json!("mod-b"));
    assert_eq!(shelf.at("a.get", "deprecated"), json!(false));
}

#[test]
fn names_that_differ_by_case_are_two() {
    let mut shelf = Shelf::default();
    shelf
        .announce(&[module(
            "mod-a-1.0.0",
            vec![set("a.get", &[]), set("A.get", &[])],
        )])
        .expect("done");
    assert_eq!(shelf.0.len(), 2);
}

#[test]
fn sets_that_would_hold_themselves_are_refused() {
    let mut shelf = Shelf::default();
    let refused = shelf.announce(&[module(
        "mod-a-1.0.0",
        vec![set("a", &["b"]), set("b", &["a"])],
    )]);
    assert!(matches!(refused, Err(Refusal::Cycle(_))), "{refused:?}");
    shelf
        .announce(&[module("mod-a-1.0.0", vec![set("a", &["b"])])])
        .expect("done");
    let refused = shelf.announce(&[module("mod-b-1.0.0", vec![set("b", &["a"])])]);
    assert!(matches!(refused, Err(Refusal::Cycle(_))), "{refused:?}");
}
