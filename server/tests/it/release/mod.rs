//! A new tenant compared with FOLIO's release, table by table: interfaces with versions and
//! dependencies, routes with their permissions, permissions, and the rows that modules load.
//! Differences are listed in docs/compatibility/r1-2025-differences.tsv, each with its reason.

mod first_requests;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use octavo_platform::Composition;
use octavo_records::Tenant;
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};

use octavo_server_testkit::{composition, start};

/// The rows of a table below its header; missing cells are empty.
fn rows<const COLUMNS: usize>(name: &str) -> Vec<[String; COLUMNS]> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("docs/compatibility").join(name);
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    };
    text.lines().skip(1).map(row).collect()
}

/// Known differences from the release.
struct Differences {
    rows: Vec<[String; 4]>,
    met: HashSet<usize>,
}

impl Differences {
    fn read() -> Differences {
        Differences {
            rows: rows("r1-2025-differences.tsv"),
            met: HashSet::new(),
        }
    }

    fn knows(&mut self, what: &str, module: &str, name: &str) -> bool {
        let at = self.rows.iter().position(|[kind, of, named, why]| {
            kind == what && of == module && named == name && !why.is_empty()
        });
        self.met.extend(at);
        at.is_some()
    }

    /// Listed differences of these kinds that no longer exist.
    fn outdated(&self, kinds: &[&str]) -> Vec<String> {
        let rows = self.rows.iter().enumerate();
        rows.filter(|(at, row)| kinds.contains(&row[0].as_str()) && !self.met.contains(at))
            .map(|(_, row)| format!("is no difference any more: {}", row[..3].join(" ")))
            .collect()
    }
}

fn report(faults: Vec<String>) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn operating() -> Composition {
    let mut composition = composition();
    composition.governance.operators = vec!["diku".to_owned()];
    composition
}

async fn operated() -> (Library, Client) {
    let library = start(operating).await;
    let admin = library.client().await;
    (library, admin)
}

/// The descriptors of a tenant's modules, by product.
async fn descriptors(admin: &Client) -> BTreeMap<String, Value> {
    let path = "/_/proxy/tenants/diku/modules?full=true";
    let list = admin.get(path).await.expect(200).json();
    let list = list.as_array().expect("a list").iter();
    list.map(|one| (product(one["id"].as_str().expect("an id")), one.clone()))
        .collect()
}

/// `mod-users` of `mod-users-19.5.4`.
fn product(id: &str) -> String {
    let end = id.rfind('-').expect("a version");
    id[..end].to_owned()
}

fn names(list: &Value) -> BTreeSet<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(|one| one.as_str().map(str::to_owned))
        .collect()
}

fn words(cell: &str) -> BTreeSet<String> {
    cell.split_whitespace().map(str::to_owned).collect()
}

#[tokio::test]
async fn modules_interfaces_and_needs_are_those_of_the_release() {
    let (_library, admin) = operated().await;
    let ours = descriptors(&admin).await;
    let mut known = Differences::read();
    let mut faults = Vec::new();
    let facts = rows::<4>("r1-2025-interfaces.tsv");
    let mut needs: BTreeMap<&str, BTreeSet<(String, String, String)>> = BTreeMap::new();
    for [id, kind, interface, version] in &facts {
        // The gateway has a version of its own.
        let module = ours.get(&product(id)).filter(|one| one["name"] != "okapi");
        let Some(module) = module else {
            continue;
        };
        if module["id"] != id.as_str() {
            faults.push(format!("{id} is {}", module["id"]));
        }
        let product = module["name"].as_str().expect("a name");
        if kind != "provides" {
            let own = needs.entry(product).or_default();
            if !known.knows("need", product, interface) {
                own.insert((kind.clone(), interface.clone(), version.clone()));
            }
            continue;
        }
        let provided = module["provides"].as_array().into_iter().flatten();
        let found = provided.clone().find(|one| one["id"] == interface.as_str());
        match found {
            Some(one) if one["version"] == version.as_str() => {}
            Some(one) => faults.push(format!("{id}: {interface} is {}", one["version"])),
            None if known.knows("interface", product, interface) => {}
            None => faults.push(format!("{id} does not provide {interface} {version}")),
        }
    }
    for (product, module) in ours.iter().filter(|(name, _)| name.starts_with("mod-")) {
        // There may be other interfaces; those that only the gateway calls have to be the
        // release's.
        let provided = module["provides"].as_array().into_iter().flatten();
        for one in provided.filter(|one| one["interfaceType"] == "system") {
            let id = one["id"].as_str().expect("an id");
            let theirs = |[of, kind, name, _]: &[String; 4]| {
                *of == module["id"] && kind == "provides" && name == id
            };
            if !facts.iter().any(theirs) && !known.knows("interface", product, id) {
                faults.push(format!(
                    "{product} provides {id}, which the release has not"
                ));
            }
        }
        let mut own = BTreeSet::new();
        for (kind, list) in [
            ("requires", &module["requires"]),
            ("optional", &module["optional"]),
        ] {
            let list = list.as_array().into_iter().flatten();
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            own.extend(list.map(|one| (kind.to_owned(), text(&one["id"]), text(&one["version"]))));
        }
        let theirs = needs.remove(product.as_str()).unwrap_or_default();
        let odd = own.symmetric_difference(&theirs);
        faults.extend(odd.map(|one| format!("{product} needs: {one:?}")));
    }
    faults.extend(known.outdated(&["interface", "need"]));
    report(faults);
}

/// A route without the names of its parameters.
fn place(method: &str, path: &str) -> (String, String) {
    let segments = path.trim_end_matches('*').split('/').map(|segment| {
        if segment.starts_with('{') {
            "{}".to_owned()
        } else {
            segment.to_owned()
        }
    });
    (method.to_owned(), segments.collect::<Vec<_>>().join("/"))
}

#[tokio::test]
async fn routes_ask_for_the_permissions_of_the_release() {
    let (_library, admin) = operated().await;
    let ours = descriptors(&admin).await;
    let mut served = HashMap::new();
    for (product, module) in &ours {
        for interface in module["provides"].as_array().into_iter().flatten() {
            for route in interface["handlers"].as_array().into_iter().flatten() {
                let id = interface["id"].as_str().unwrap_or_default();
                let path = route["pathPattern"].as_str().unwrap_or_default();
                for method in names(&route["methods"]) {
                    let rights = (
                        names(&route["permissionsRequired"]),
                        names(&route["permissionsDesired"]),
                    );
                    let key = (product.clone(), id.to_owned(), place(&method, path));
                    served.insert(key, rights);
                }
            }
        }
    }
    let mut known = Differences::read();
    let mut faults = Vec::new();
    for [module, interface, method, path, required, desired] in rows::<6>("r1-2025-routes.tsv") {
        let key = (module.clone(), interface.clone(), place(&method, &path));
        let named = format!("{method} {path}");
        match served.get(&key) {
            None if known.knows("interface", &module, &interface) => {}
            None if known.knows("route", &module, &named) => {}
            None => faults.push(format!("{module} {interface} does not serve {named}")),
            Some((needed, looked_at)) => {
                let same = *needed == words(&required) && looked_at.is_superset(&words(&desired));
                if !same && !known.knows("rights", &module, &named) {
                    faults.push(format!(
                        "{module}: {named} asks for {needed:?} and looks at {looked_at:?}, not {required} \
                         and {desired}"
                    ));
                }
            }
        }
    }
    faults.extend(known.outdated(&["route", "rights"]));
    report(faults);
}

#[tokio::test]
async fn a_new_tenant_has_the_permissions_of_the_release() {
    let (library, _) = operated().await;
    let schema = library.tenant().schema().to_owned();
    let sql = format!("SELECT jsonb FROM {schema}.permissions");
    let database = &library.platform.store.database;
    let stored = database.query(&sql, &[]).await.expect("permissions");
    let stored: HashMap<String, Value> = stored
        .iter()
        .map(|row| row.get::<_, Value>(0))
        .map(|one| {
            (
                one["permissionName"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
                one,
            )
        })
        .collect();
    let mut known = Differences::read();
    let mut faults = Vec::new();
    for [module, name, parts, visible, _] in rows::<5>("r1-2025-permissions.tsv") {
        let Some(own) = stored.get(&name) else {
            if !known.knows("permission", &module, &name) {
                faults.push(format!("{module} does not define {name}"));
            }
            continue;
        };
        let held = names(&own["subPermissions"]);
        // Our sets also contain permissions that the release does not have.
        let lacks: Vec<_> = words(&parts).difference(&held).cloned().collect();
        if !lacks.is_empty() {
            faults.push(format!("{name} lacks {lacks:?}"));
        }
        if own["visible"].as_bool().unwrap_or_default() != (visible == "true") {
            faults.push(format!("{name} is visible: {}", own["visible"]));
        }
    }
    faults.extend(known.outdated(&["permission"]));
    report(faults);
}

/// The number of records in each of a tenant's tables.
async fn counts(library: &Library, tenant: &str) -> BTreeMap<String, i64> {
    let schema = Tenant::new(tenant).expect("an id").schema().to_owned();
    let database = &library.platform.store.database;
    let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = $1 \
               AND tablename <> 'outbox' AND tablename NOT LIKE 'octavo%'";
    let tables = database.query(sql, &[&schema]).await.expect("tables");
    let mut counts = BTreeMap::new();
    for row in &tables {
        let table: String = row.get(0);
        let sql = format!("SELECT count(*) FROM {schema}.{table}");
        let rows = database.query(&sql, &[]).await.expect("a count");
        counts.insert(table, rows[0].get(0));
    }
    counts
}

/// Enables or disables everything that is served natively, as FOLIO's set-up scripts do.
async fn all(admin: &Client, action: &str) -> Value {
    let list = match action {
        "disable" => "/_/proxy/tenants/other/modules",
        _ => "/_/proxy/modules",
    };
    let modules = admin.get(list).await.expect(200).json();
    let modules = modules.as_array().expect("a list").iter();
    let steps = modules.map(|one| json!({"id": one["id"], "action": action}));
    steps.collect()
}

#[tokio::test]
async fn rows_of_every_enabling_come_without_reference_data_and_the_others_with_it() {
    let allowing = || {
        let mut composition = operating();
        composition.governance.allow_disable_auth = true;
        composition
    };
    let library = start(allowing).await;
    let admin = library.client().await;
    let tenant = json!({"id": "other"});
    let _ = admin.post("/_/proxy/tenants", &tenant).await.expect(201);
    let install = "/_/proxy/tenants/other/install";
    let _ = admin
        .post(install, &all(&admin, "enable").await)
        .await
        .expect(200);
    let schema = Tenant::new("other").expect("an id").schema().to_owned();
    let database = &library.platform.store.database;
    let mut faults = Vec::new();
    let mut known = Differences::read();
    for [module, table, id, name] in rows::<4>("r1-2025-always-rows.tsv") {
        let sql = format!(
            "SELECT count(*) FROM {schema}.{table} \
             WHERE $1 IN ('', id::text) AND ($1 <> '' OR $2 IN (jsonb->>'name', jsonb->>'label'))"
        );
        let found = database.query(&sql, &[&id, &name]).await.expect(&table);
        let found: i64 = found[0].get(0);
        if found != 1 && !known.knows("row", &module, &format!("{table} {id}{name}")) {
            faults.push(format!("{module}: {found} of {table} {id} {name}"));
        }
    }
    faults.extend(known.outdated(&["row"]));
    report(faults);
    let without = counts(&library, "other").await;
    for table in [
        "material_type",
        "loan_type",
        "groups",
        "loan_policy",
        "request_policy",
    ] {
        assert_eq!(without[table], 0, "{table}");
    }
    assert_eq!(without["identifier_type"], 6);
    assert_eq!(without["instance_format"], 1);

    // Disabled and enabled with the parameter, the modules load their reference data.
    let _ = admin
        .post(install, &all(&admin, "disable").await)
        .await
        .expect(200);
    let loading = format!("{install}?tenantParameters=loadReference%3Dtrue");
    let _ = admin
        .post(&loading, &all(&admin, "enable").await)
        .await
        .expect(200);
    let with = counts(&library, "other").await;
    assert_eq!(with["identifier_type"], 30);
    let template = counts(&library, "diku").await;
    for (table, count) in &with {
        // Tables in which a tenant with an administrator differs.
        let of_users = [
            "auth",
            "users",
            "permissions_users",
            "octavo",
            "permissions",
        ];
        if !of_users.iter().any(|prefix| table.starts_with(prefix)) {
            assert_eq!(Some(count), template.get(table), "{table}");
        }
    }
    // With the gateway itself in the list, everything is deleted; enabled again, everything is
    // loaded.
    let purging = format!("{install}?purge=true");
    let _ = admin
        .post(&purging, &all(&admin, "disable").await)
        .await
        .expect(200);
    let gone = counts(&library, "other").await;
    for table in [
        "material_type",
        "identifier_type",
        "staff_slips",
        "job_profiles",
    ] {
        assert_eq!(gone[table], 0, "{table}");
    }
    let _ = admin
        .post(&loading, &all(&admin, "enable").await)
        .await
        .expect(200);
    assert_eq!(counts(&library, "other").await, with);
}

#[tokio::test]
async fn one_module_brings_what_it_needs() {
    let (_library, admin) = operated().await;
    let tenant = json!({"id": "other"});
    let _ = admin.post("/_/proxy/tenants", &tenant).await.expect(201);
    let simulate = "/_/proxy/tenants/other/install?simulate=true";
    let wish = json!([{"id": "mod-circulation", "action": "enable"}]);
    let steps = admin.post(simulate, &wish).await.expect(200).json();
    let order: Vec<String> = steps
        .as_array()
        .expect("steps")
        .iter()
        .map(|step| product(step["id"].as_str().expect("an id")))
        .collect();
    let at = |name: &str| order.iter().position(|one| one == name).expect(name);
    assert_eq!(at("mod-circulation"), order.len() - 1);
    for needed in [
        "mod-inventory-storage",
        "mod-users",
        "mod-circulation-storage",
        "mod-calendar",
    ] {
        assert!(at(needed) < at("mod-circulation"), "{order:?}");
    }
    let modules = "/_/proxy/tenants/other/modules";
    let enabled = admin.get(modules).await.expect(200).json();
    assert_eq!(
        enabled.as_array().map(Vec::len),
        Some(2),
        "nothing was done: {enabled}"
    );
}

/// A module of the release that is not served natively, with the dependencies of its descriptor.
fn described(facts: &[[String; 4]], id: &str) -> Value {
    let of = |kind: &str| -> Vec<Value> {
        let own = facts.iter().filter(|row| row[0] == id && row[1] == kind);
        // Interfaces that only the gateway calls have a type, which the facts leave out.
        own.filter(|row| !row[2].starts_with('_'))
            .map(|row| json!({"id": row[2], "version": row[3]}))
            .collect()
    };
    let (provides, requires, optional) = (of("provides"), of("requires"), of("optional"));
    json!({"id": id, "provides": provides, "requires": requires, "optional": optional})
}

#[tokio::test]
async fn modules_of_the_release_are_registered_when_their_needs_are_served() {
    let (_library, admin) = operated().await;
    let facts = rows::<4>("r1-2025-interfaces.tsv");
    let native: BTreeSet<String> = descriptors(&admin).await.into_keys().collect();
    let mut known = Differences::read();
    let modules = facts.iter().map(|row| row[0].clone());
    // Modules that replace native ones on Eureka do not belong to this platform.
    let modules = modules.filter(|id| !id.contains("keycloak"));
    let (served, ours): (BTreeSet<String>, BTreeSet<String>) =
        modules.partition(|id| !native.contains(&product(id)));
    let mut named = Vec::new();
    let mut fit: Vec<Value> = Vec::new();
    for id in &served {
        match known.knows("needs", &product(id), "") {
            true => named.push(id),
            false => fit.push(described(&facts, id)),
        }
    }
    // The descriptors of a whole release contain natively served modules, too.
    fit.extend(ours.iter().map(|id| described(&facts, id)));
    let import = "/_/proxy/import/modules";
    let answer = admin.post(import, &Value::Array(fit)).await;
    assert_eq!(answer.status, 204, "{}", answer.text);
    for id in named {
        let refused = admin
            .post("/_/proxy/modules", &described(&facts, id))
            .await
            .expect(400);
        assert!(
            refused.text.contains(" requires ") || refused.text.contains("Need"),
            "{}",
            refused.text
        );
        let row = known
            .rows
            .iter()
            .find(|row| row[0] == "needs" && row[1] == product(id));
        let lacking = &row.expect("a row")[3];
        assert!(
            refused.text.contains(lacking.as_str()),
            "{id}: {}",
            refused.text
        );
    }
    report(known.outdated(&["needs"]));
}
