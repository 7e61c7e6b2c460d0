//! What an area declares to the platform: its FOLIO modules with their interfaces, routes,
//! collections and reference data. Module descriptors are derived from this, never written twice.

use std::sync::Arc;

use http::Method;
use octavo_records::Collection;

use crate::identity::ModulePermissions;
use crate::permission_set::{self, PermissionSet};
use crate::records_http::Hooks;
use crate::reference::ReferenceData;
use crate::route::{Access, Content, Handler, Route};
use crate::timer::Timer;

/// One FOLIO back-end module that this process serves natively.
#[derive(Debug)]
pub struct Module {
    /// FOLIO's name, `mod-users`.
    pub name: &'static str,
    /// The FOLIO version whose behaviour is followed, `19.5.0`.
    pub version: &'static str,
    /// The record types it owns.
    pub collections: Vec<Arc<Collection>>,
    /// What it provides.
    pub interfaces: Vec<Interface>,
    /// The records every tenant starts with.
    pub reference: Vec<ReferenceData>,
    /// SQL that belongs to the area alone (functions, sequences), run once for each tenant after
    /// its tables exist. `{schema}` stands for the tenant's schema.
    pub migrations: Vec<(&'static str, &'static str)>,
    /// The permissions it defines, sets among them.
    pub permissions: Vec<PermissionSet>,
    /// What it does by itself now and then, for each tenant (FOLIO's `_timer`).
    pub timers: Vec<Timer>,
    /// The interfaces that it needs, by id and versions.
    pub requires: Vec<(&'static str, &'static str)>,
    /// The interfaces that it uses where they are there.
    pub optional: Vec<(&'static str, &'static str)>,
    /// Interfaces that only the gateway calls in FOLIO, by id and version, where they do not follow
    /// from what is declared otherwise.
    pub system: Vec<(&'static str, &'static str)>,
    /// Tables of its migrations whose rows go with its records when it is purged.
    pub tables: Vec<&'static str>,
    /// Tables of other areas that its statements read.
    pub reads: Vec<&'static str>,
    /// Tables of other areas that its statements write, and may read.
    pub writes: Vec<&'static str>,
}

/// A named, versioned set of routes.
#[derive(Debug)]
pub struct Interface {
    /// FOLIO's id, `item-storage`.
    pub id: &'static str,
    /// Its version in the release that is followed, `10.2`.
    pub version: &'static str,
    /// Versions of other releases that it satisfies, too, `11.2`: whoever needs one of them is served,
    /// and descriptors show the release's.
    pub satisfies: &'static [&'static str],
    /// Whether several modules may provide it for one tenant at once (FOLIO's `multiple`).
    pub multiple: bool,
    /// Its routes.
    pub routes: Vec<Route>,
}

impl Module {
    /// A module without anything yet.
    #[must_use]
    pub fn new(name: &'static str, version: &'static str) -> Module {
        Module {
            name,
            version,
            collections: Vec::new(),
            interfaces: Vec::new(),
            reference: Vec::new(),
            migrations: Vec::new(),
            permissions: Vec::new(),
            timers: Vec::new(),
            requires: Vec::new(),
            optional: Vec::new(),
            system: Vec::new(),
            tables: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
        }
    }

    /// An interface of the gateway's own, `_tenant` of another version than most have.
    #[must_use]
    pub fn system(mut self, interface: &'static str, version: &'static str) -> Module {
        self.system.push((interface, version));
        self
    }

    /// A table of its migrations that is emptied when it is purged.
    #[must_use]
    pub fn emptying(mut self, table: &'static str) -> Module {
        self.tables.push(table);
        self
    }

    /// Says which tables of other areas its statements read, as words.
    #[must_use]
    pub fn reads(mut self, tables: &'static str) -> Module {
        self.reads.extend(tables.split_whitespace());
        self
    }

    /// Says which tables of other areas its statements write, as words; it may read these, too.
    #[must_use]
    pub fn writes(mut self, tables: &'static str) -> Module {
        self.writes.extend(tables.split_whitespace());
        self
    }

    /// FOLIO's id of the module, name and version: `mod-users-19.5.0`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// What it brings to a tenant's permissions.
    #[must_use]
    pub fn brings(&self) -> ModulePermissions {
        ModulePermissions {
            module_id: self.id(),
            permissions: self.permissions.clone(),
            replaces: None,
        }
    }

    /// Adds permissions as [`permission_set::table`] reads them.
    #[must_use]
    pub fn permissions(mut self, table: &'static str) -> Module {
        self.permissions.extend(permission_set::table(table));
        self
    }

    /// Adds something that is done now and then.
    #[must_use]
    pub fn timer(mut self, timer: Timer) -> Module {
        self.timers.push(timer);
        self
    }

    /// Says that the module needs an interface.
    #[must_use]
    pub fn requires(mut self, interface: &'static str, version: &'static str) -> Module {
        self.requires.push((interface, version));
        self
    }

    /// Says that the module uses an interface where it is there.
    #[must_use]
    pub fn optional(mut self, interface: &'static str, version: &'static str) -> Module {
        self.optional.push((interface, version));
        self
    }

    /// Says what the module needs and uses, as a table: `requires` or `optional`, an interface, and
    /// the versions of it that will do, with tabs between.
    #[must_use]
    pub fn needs(mut self, table: &'static str) -> Module {
        for line in table.lines() {
            let mut cells = line.split('\t');
            let (kind, id, version) = (cells.next(), cells.next(), cells.next());
            if let (Some(kind), Some(id), Some(version)) = (kind, id, version) {
                match kind {
                    "requires" => self.requires.push((id, version)),
                    "optional" => self.optional.push((id, version)),
                    // The head of the table.
                    _ => {}
                }
            }
        }
        self
    }

    /// Adds a record type. Order matters: a collection comes after those it refers to.
    #[must_use]
    pub fn collection(mut self, collection: Collection) -> Module {
        self.collections.push(Arc::new(collection));
        self
    }

    /// Adds an interface.
    #[must_use]
    pub fn interface(mut self, interface: Interface) -> Module {
        self.interfaces.push(interface);
        self
    }

    /// Adds reference data.
    #[must_use]
    pub fn reference(mut self, data: ReferenceData) -> Module {
        self.reference.push(data);
        self
    }

    /// Adds the area's own SQL, run once for each tenant under this name.
    #[must_use]
    pub fn migration(mut self, name: &'static str, sql: &'static str) -> Module {
        self.migrations.push((name, sql));
        self
    }
}

impl Interface {
    /// An interface without routes yet.
    #[must_use]
    pub fn new(id: &'static str, version: &'static str) -> Interface {
        Interface {
            id,
            version,
            satisfies: &[],
            multiple: false,
            routes: Vec::new(),
        }
    }

    /// Says which versions of other releases it satisfies, too.
    #[must_use]
    pub fn satisfying(mut self, versions: &'static [&'static str]) -> Interface {
        self.satisfies = versions;
        self
    }

    /// Several modules may provide this interface at once; a request says which it means.
    #[must_use]
    pub fn multiple(mut self) -> Interface {
        self.multiple = true;
        self
    }

    /// Adds a route that needs a permission.
    #[must_use]
    pub fn route(
        self,
        method: Method,
        pattern: &'static str,
        permission: &str,
        handler: Handler,
    ) -> Interface {
        let access = Access::Permission(permission.to_owned());
        self.push(method, pattern, access, handler)
    }

    /// Adds a route that anyone may call, token or not.
    #[must_use]
    pub fn public(self, method: Method, pattern: &'static str, handler: Handler) -> Interface {
        self.push(method, pattern, Access::Public, handler)
    }

    /// Adds a route that any logged-in user may call (FOLIO requires no permission for it).
    #[must_use]
    pub fn logged_in(self, method: Method, pattern: &'static str, handler: Handler) -> Interface {
        self.push(method, pattern, Access::LoggedIn, handler)
    }

    fn push(
        mut self,
        method: Method,
        pattern: &'static str,
        access: Access,
        handler: Handler,
    ) -> Interface {
        self.routes.push(Route {
            method,
            pattern,
            access,
            desired: &[],
            handler,
            hooks: &Hooks::NONE,
            streamed: false,
            takes: None,
            answers: None,
        });
        self
    }

    /// Gives hooks to the generic operations that the last added routes at `path` and `path/{…}` are.
    #[must_use]
    pub fn hooked(mut self, path: &'static str, hooks: &'static Hooks) -> Interface {
        let is_below = |pattern: &str| {
            let rest = pattern.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("/{"))
        };
        for route in self.routes.iter_mut().rev() {
            if !is_below(route.pattern) {
                break;
            }
            route.hooks = hooks;
        }
        self
    }

    /// Names permissions that the last added route's handler looks at when the user has them
    /// (FOLIO's `permissionsDesired`).
    #[must_use]
    pub fn desiring(mut self, permissions: &'static [&'static str]) -> Interface {
        if let Some(route) = self.routes.last_mut() {
            route.desired = permissions;
        }
        self
    }

    /// Lets the last added route's handler read the body as it comes, with `Call::upload`: for what is
    /// too large to be held in memory. The handler bounds how much it takes, and how many at once.
    #[must_use]
    pub fn streaming(mut self) -> Interface {
        if let Some(route) = self.routes.last_mut() {
            route.streamed = true;
        }
        self
    }

    /// Says what the body of requests to the last added route holds, where its handler is the area's
    /// own. It is told in the server's description of itself.
    #[must_use]
    pub fn taking(mut self, content: Content) -> Interface {
        if let Some(route) = self.routes.last_mut() {
            route.takes = Some(content);
        }
        self
    }

    /// Says the same of the bodies of good answers; a list takes the parameters of lists, too.
    #[must_use]
    pub fn answering(mut self, content: Content) -> Interface {
        if let Some(route) = self.routes.last_mut() {
            route.answers = Some(content);
        }
        self
    }

    /// Adds FOLIO's five routes for a collection: list and create at `path`, read, replace and
    /// delete at `path/{id}`, with the permissions `stem.collection.get`, `stem.item.post`,
    /// `stem.item.get`, `stem.item.put` and `stem.item.delete`.
    #[must_use]
    pub fn records(self, path: &'static str, table: &'static str, stem: &str) -> Interface {
        self.readable(path, table, stem)
            .route(
                Method::POST,
                path,
                &format!("{stem}.item.post"),
                Handler::create(table),
            )
            .by_id(
                Method::PUT,
                path,
                &format!("{stem}.item.put"),
                Handler::replace(table),
            )
            .by_id(
                Method::DELETE,
                path,
                &format!("{stem}.item.delete"),
                Handler::delete(table),
            )
    }

    /// Adds only the two reading routes of [`Interface::records`].
    #[must_use]
    pub fn readable(self, path: &'static str, table: &'static str, stem: &str) -> Interface {
        self.route(
            Method::GET,
            path,
            &format!("{stem}.collection.get"),
            Handler::list(table),
        )
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.item.get"),
            Handler::read(table),
        )
    }

    /// Adds `DELETE path?query=` with the given permission.
    #[must_use]
    pub fn delete_by_query(
        self,
        path: &'static str,
        table: &'static str,
        permission: &str,
    ) -> Interface {
        self.route(
            Method::DELETE,
            path,
            permission,
            Handler::delete_by_query(table),
        )
    }

    /// Adds `DELETE path`, which deletes all records, or those that `query=` finds.
    #[must_use]
    pub fn clear(self, path: &'static str, table: &'static str, permission: &str) -> Interface {
        self.route(Method::DELETE, path, permission, Handler::clear(table))
    }

    /// Adds a route at `path/{id}`.
    #[must_use]
    pub fn by_id(
        self,
        method: Method,
        path: &'static str,
        permission: &str,
        handler: Handler,
    ) -> Interface {
        // Patterns live as long as the process, like the routes made of them.
        let pattern: &'static str = Box::leak(format!("{path}/{{id}}").into_boxed_str());
        self.route(method, pattern, permission, handler)
    }
}
