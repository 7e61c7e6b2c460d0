//! Wishes and the steps that follow from them.

use super::*;

/// `id provides=a:1.0,b:2.0 requires=c:1.0 optional=d:1.0 native`
fn module(line: &str) -> Arc<ModuleDescriptor> {
    let mut words = line.split(' ');
    let mut made = ModuleDescriptor {
        id: words.next().unwrap_or_default().to_owned(),
        ..ModuleDescriptor::default()
    };
    let pairs = |list: &str| -> Vec<(String, String)> {
        let split = |pair: &str| {
            pair.split_once(':')
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
        };
        list.split(',').filter_map(split).collect()
    };
    let references = |list: &str| {
        let pairs = pairs(list).into_iter();
        Some(
            pairs
                .map(|(id, version)| InterfaceReference { id, version })
                .collect(),
        )
    };
    for word in words {
        match word.split_once('=') {
            None => made.native = true,
            Some(("provides", list)) => {
                // The displayed version, and others that are satisfied: `1.0/2.0`.
                let interface = |(id, versions): (String, String)| {
                    let mut versions = versions.split('/').map(str::to_owned);
                    InterfaceDescriptor {
                        id,
                        version: versions.next().unwrap_or_default(),
                        satisfies: versions.collect(),
                        ..InterfaceDescriptor::default()
                    }
                };
                made.provides = Some(pairs(list).into_iter().map(interface).collect());
            }
            Some(("requires", list)) => made.requires = references(list),
            Some((_, list)) => made.optional = references(list),
        }
    }
    Arc::new(made)
}

fn modules(lines: &[&str]) -> Modules {
    lines
        .iter()
        .map(|line| module(line))
        .map(|one| (one.id.clone(), one))
        .collect()
}

const REGISTERED: [&str; 10] = [
    "mod-users-1.0.0 provides=users:1.0 native",
    "mod-loans-1.0.0 provides=loans:1.0 requires=users:1.0 native",
    "mod-st-1.0.0 provides=st:1.0",
    "mod-st-2.0.0 provides=st:2.0",
    "mod-bl-1.0.0 provides=bl:1.0 requires=st:1.0",
    "mod-bl-2.0.0 provides=bl:1.0 requires=st:2.0",
    "mod-people-1.0.0 provides=users:1.1",
    "mod-persons-1.0.0 provides=users:1.2",
    "mod-lost-1.0.0 requires=nothing:1.0",
    "mod-many-1.0.0 requires=st:1.0 optional=bl:2.0",
];

/// `enabled | wishes` gives `steps`, or the message.
fn check(enabled: &[&str], wishes: &[Step], expected: &str) {
    let available = modules(&REGISTERED);
    let enabled: Modules = enabled
        .iter()
        .map(|id| ((*id).to_owned(), Arc::clone(&available[*id])))
        .collect();
    let outcome = match plan(&available, &enabled, wishes.to_vec(), false) {
        Err(message) => message,
        Ok(steps) => {
            let shown: Vec<String> = steps
                .iter()
                .map(|step| {
                    let action = match step.action {
                        Some(Action::Enable) => '+',
                        Some(Action::Disable) => '-',
                        _ => '=',
                    };
                    let from = step.from.as_ref().map(|from| format!("<{from}"));
                    format!("{action}{}{}", step.id, from.unwrap_or_default())
                })
                .collect();
            shown.join(" ")
        }
    };
    assert_eq!(outcome, expected, "{wishes:?}");
}

fn enable(id: &str) -> Step {
    Step::enable(id, None)
}

#[test]
fn what_is_needed_comes_first_and_along() {
    check(
        &[],
        &[enable("mod-bl-1.0.0")],
        "+mod-st-1.0.0 +mod-bl-1.0.0",
    );
    check(&[], &[enable("mod-bl")], "+mod-st-2.0.0 +mod-bl-2.0.0");
    check(
        &[],
        &[enable("mod-loans")],
        "+mod-users-1.0.0 +mod-loans-1.0.0",
    );
    check(
        &["mod-st-1.0.0"],
        &[enable("mod-st-1.0.0")],
        "=mod-st-1.0.0",
    );
}

#[test]
fn an_upgrade_takes_those_along_that_need_it() {
    check(
        &["mod-st-1.0.0", "mod-bl-1.0.0"],
        &[enable("mod-st-2.0.0")],
        "+mod-st-2.0.0<mod-st-1.0.0 +mod-bl-2.0.0<mod-bl-1.0.0",
    );
    check(
        &["mod-st-1.0.0", "mod-bl-1.0.0"],
        &[enable("mod-bl-2.0.0")],
        "+mod-st-2.0.0<mod-st-1.0.0 +mod-bl-2.0.0<mod-bl-1.0.0",
    );
}

#[test]
fn what_nobody_provides_any_more_goes_too() {
    check(
        &["mod-st-1.0.0", "mod-bl-1.0.0"],
        &[Step::disable("mod-st-1.0.0")],
        "-mod-bl-1.0.0 -mod-st-1.0.0",
    );
}

#[test]
fn a_remote_module_takes_over_what_a_native_one_provides() {
    check(
        &["mod-users-1.0.0"],
        &[enable("mod-people")],
        "+mod-people-1.0.0",
    );
    // Two remote modules collide: the one that no wish names is removed.
    check(
        &["mod-users-1.0.0", "mod-people-1.0.0"],
        &[enable("mod-persons")],
        "+mod-persons-1.0.0 -mod-people-1.0.0",
    );
    check(
        &[],
        &[enable("mod-people"), enable("mod-persons")],
        "Multiple modules mod-people-1.0.0, mod-persons-1.0.0 provide interface users",
    );
}

#[test]
fn an_interface_serves_all_versions_that_it_satisfies() {
    let all = [
        "mod-items-1.0.0 provides=items:10.2/11.2 native",
        "mod-old-1.0.0 requires=items:9.0",
        "mod-now-1.0.0 requires=items:10.2",
        "mod-new-1.0.0 requires=items:11.1",
        "mod-next-1.0.0 requires=items:11.3",
    ];
    let expected = "Incompatible version for module mod-next-1.0.0 interface items. Need 11.3. \
                Have 10.2/mod-items-1.0.0";
    assert_eq!(missing(&modules(&all[2..4])).lines().count(), 2);
    assert_eq!(missing(&modules(&[all[0], all[2], all[3]])), "");
    assert_eq!(missing(&modules(&[all[0], all[4]])), expected);
    assert_eq!(
        faults(&modules(&[all[0], all[2], all[3]])),
        Vec::<String>::new()
    );
    assert_eq!(faults(&modules(&[all[0], all[4]])), [expected]);
    let steps = plan(
        &modules(&all),
        &Modules::new(),
        vec![enable("mod-new")],
        false,
    );
    let ids: Vec<String> = steps
        .expect("steps")
        .into_iter()
        .map(|step| step.id)
        .collect();
    assert_eq!(ids, ["mod-items-1.0.0", "mod-new-1.0.0"]);
}

#[test]
fn native_modules_go_on_beside_one_that_took_over_in_another_version() {
    let all = modules(&[
        "mod-users-1.0.0 provides=users:1.0 native",
        "mod-loans-1.0.0 provides=loans:1.0 requires=users:1.0 native",
        "mod-guests-1.0.0 requires=users:1.0",
        "mod-people-3.0.0 provides=users:3.0",
    ]);
    let with = |ids: &[&str]| -> Modules {
        let taken = ids
            .iter()
            .map(|id| ((*id).to_owned(), Arc::clone(&all[*id])));
        taken.collect()
    };
    let natives = ["mod-users-1.0.0", "mod-loans-1.0.0", "mod-people-3.0.0"];
    assert_eq!(faults(&with(&natives)), Vec::<String>::new());
    // One remote module calls another.
    assert_eq!(
        faults(&with(&[
            "mod-users-1.0.0",
            "mod-guests-1.0.0",
            "mod-people-3.0.0"
        ]))
        .len(),
        1
    );
    let steps = plan(
        &all,
        &with(&natives[..2]),
        vec![enable("mod-people")],
        false,
    );
    assert_eq!(steps.expect("steps").len(), 1);
}

#[test]
fn what_cannot_be_is_reported_in_okapis_words() {
    check(
        &[],
        &[enable("mod-none-1.0.0")],
        "Module mod-none-1.0.0 not found",
    );
    check(
        &[],
        &[Step::disable("mod-st-1.0.0")],
        "Module mod-st-1.0.0 not found",
    );
    check(
        &[],
        &[enable("mod-lost-1.0.0")],
        "interface nothing required by module mod-lost-1.0.0 not found",
    );
    check(
        &[],
        &[enable("mod-st-1.0.0"), enable("mod-st-2.0.0")],
        "Cannot remove module mod-st-1.0.0 which is explicitly given",
    );
    check(
        &[],
        &[enable("mod-many-1.0.0"), enable("mod-bl-1.0.0")],
        "Incompatible version for module mod-many-1.0.0 interface bl. Need 2.0. Have 1.0/mod-bl-1.0.0",
    );
}

#[test]
fn registered_modules_miss_nothing_or_it_is_reported() {
    let all = modules(&REGISTERED);
    assert_eq!(
        missing(&all),
        "Missing dependency: mod-lost-1.0.0 requires nothing: 1.0\n\
         Incompatible version for module mod-many-1.0.0 interface bl. Need 2.0. \
         Have 1.0/mod-bl-1.0.0 1.0/mod-bl-2.0.0"
    );
    assert_eq!(faults(&modules(&REGISTERED[..2])), Vec::<String>::new());
    assert_eq!(
        faults(&modules(&REGISTERED[1..2])),
        ["interface users required by module mod-loans-1.0.0 not found"]
    );
}
