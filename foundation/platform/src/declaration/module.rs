//! What an area declares to the platform: its FOLIO modules with their interfaces, routes,
//! collections and reference data. Module descriptors are derived from this, never written twice.

use std::any::Any;
use std::sync::Arc;

use http::Method;
use octavo_records::{Collection, Provided};

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
    pub interfaces: Vec<Interface>,
    /// The reference data of new tenants.
    pub reference: Vec<ReferenceData>,
    /// SQL that belongs to the area alone (functions, sequences), run once for each tenant after
    /// its tables exist. `{schema}` stands for the tenant's schema.
    pub migrations: Vec<(&'static str, &'static str)>,
    /// The permissions it defines, sets among them.
    pub permissions: Vec<PermissionSet>,
    /// What runs periodically for each tenant (FOLIO's `_timer`).
    pub timers: Vec<Timer>,
    /// The interfaces that it depends on, by id and versions.
    pub requires: Vec<(&'static str, &'static str)>,
    /// The interfaces that it uses if they are provided.
    pub optional: Vec<(&'static str, &'static str)>,
    /// Interfaces that in FOLIO only the gateway calls, by id and version, where they do not follow
    /// from other declarations.
    pub system: Vec<(&'static str, &'static str)>,
    /// Tables of its migrations that are emptied when the module is purged.
    pub tables: Vec<&'static str>,
    /// Tables of other areas that its statements read.
    pub reads: Vec<&'static str>,
    /// Tables of other areas that its statements write, and may read.
    pub writes: Vec<&'static str>,
    /// The shapes of bodies and answers that are no records, by name.
    pub shapes: Vec<(&'static str, &'static str)>,
    /// What it gives to areas before it.
    pub provided: Provided,
    /// Routes whose contents are declared but which it does not have.
    pub(crate) strays: Vec<String>,
}

/// A named, versioned set of routes.
#[derive(Debug)]
pub struct Interface {
    /// FOLIO's id, `item-storage`.
    pub id: &'static str,
    /// Its version in the release that is followed, `10.2`.
    pub version: &'static str,
    /// Versions of other releases that it satisfies as well, `11.2`. Dependencies on them are met,
    /// while descriptors show `version`.
    pub satisfies: &'static [&'static str],
    /// Whether several modules may provide it for one tenant at once (FOLIO's `multiple`).
    pub multiple: bool,
    pub routes: Vec<Route>,
}

impl Module {
    /// A module without content.
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
            shapes: Vec::new(),
            provided: Provided::default(),
            strays: Vec::new(),
        }
    }

    /// Adds an interface that only the gateway calls, such as `_tenant` in an unusual version.
    #[must_use]
    pub fn system(mut self, interface: &'static str, version: &'static str) -> Module {
        self.system.push((interface, version));
        self
    }

    /// Adds a table of its migrations that is emptied when the module is purged.
    #[must_use]
    pub fn emptying(mut self, table: &'static str) -> Module {
        self.tables.push(table);
        self
    }

    /// Declares the tables of other areas that its statements read, separated by blanks.
    #[must_use]
    pub fn reads(mut self, tables: &'static str) -> Module {
        self.reads.extend(tables.split_whitespace());
        self
    }

    /// Declares the tables of other areas that its statements write and may read, separated by
    /// blanks.
    #[must_use]
    pub fn writes(mut self, tables: &'static str) -> Module {
        self.writes.extend(tables.split_whitespace());
        self
    }

    /// Gives an earlier area what that calls without knowing whose it is: one value of each type, found by
    /// `Catalog::provided`.
    #[must_use]
    pub fn providing<T: Any + Send + Sync>(mut self, value: T) -> Module {
        self.provided.add(value);
        self
    }

    /// Adds shapes of bodies and answers, by name.
    #[must_use]
    pub fn shapes(mut self, shapes: &[(&'static str, &'static str)]) -> Module {
        self.shapes.extend(shapes);
        self
    }

    /// Declares the bodies and answers of routes that were added before, as a table: method, path,
    /// shape of the body, shape of successful answers, separated by tabs; the first line is its
    /// header.
    #[must_use]
    pub fn contents(mut self, table: &'static str) -> Module {
        let shape = |cell: Option<&'static str>| {
            let name = cell.filter(|name| !name.is_empty());
            name.map(Content::Shape)
        };
        for line in table.lines().skip(1) {
            let mut cells = line.split('\t');
            let (method, path) = (
                cells.next().unwrap_or_default(),
                cells.next().unwrap_or_default(),
            );
            let (takes, answers) = (shape(cells.next()), shape(cells.next()));
            let mut routes = self.interfaces.iter_mut().flat_map(|one| &mut one.routes);
            match routes.find(|route| route.method == method && route.pattern == path) {
                Some(route) => {
                    route.takes = takes.or(route.takes);
                    route.answers = answers.or(route.answers);
                }
                None => self.strays.push(format!("{method} {path}")),
            }
        }
        self
    }

    /// FOLIO's id of the module, name and version: `mod-users-19.5.0`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// The permissions that it defines for a tenant.
    #[must_use]
    pub fn brings(&self) -> ModulePermissions {
        ModulePermissions {
            module_id: self.id(),
            permissions: self.permissions.clone(),
            replaces: None,
        }
    }

    /// Adds permissions from the format of [`permission_set::table`].
    #[must_use]
    pub fn permissions(mut self, table: &'static str) -> Module {
        self.permissions.extend(permission_set::table(table));
        self
    }

    /// Adds a timer.
    #[must_use]
    pub fn timer(mut self, timer: Timer) -> Module {
        self.timers.push(timer);
        self
    }

    /// Declares a dependency on an interface.
    #[must_use]
    pub fn requires(mut self, interface: &'static str, version: &'static str) -> Module {
        self.requires.push((interface, version));
        self
    }

    /// Declares an optional dependency on an interface.
    #[must_use]
    pub fn optional(mut self, interface: &'static str, version: &'static str) -> Module {
        self.optional.push((interface, version));
        self
    }

    /// Declares dependencies as a table: `requires` or `optional`, an interface, and its accepted
    /// versions, separated by tabs.
    #[must_use]
    pub fn needs(mut self, table: &'static str) -> Module {
        for line in table.lines() {
            let mut cells = line.split('\t');
            let (kind, id, version) = (cells.next(), cells.next(), cells.next());
            if let (Some(kind), Some(id), Some(version)) = (kind, id, version) {
                match kind {
                    "requires" => self.requires.push((id, version)),
                    "optional" => self.optional.push((id, version)),
                    // The table's header.
                    _ => {}
                }
            }
        }
        self
    }

    /// Adds a record type. A collection has to follow those it refers to.
    #[must_use]
    pub fn collection(mut self, collection: Collection) -> Module {
        self.collections.push(Arc::new(collection));
        self
    }

    #[must_use]
    pub fn interface(mut self, interface: Interface) -> Module {
        self.interfaces.push(interface);
        self
    }

    #[must_use]
    pub fn reference(mut self, data: ReferenceData) -> Module {
        self.reference.push(data);
        self
    }

    /// Adds SQL of the area, run once for each tenant under this name.
    #[must_use]
    pub fn migration(mut self, name: &'static str, sql: &'static str) -> Module {
        self.migrations.push((name, sql));
        self
    }
}

impl Interface {
    /// An interface without routes.
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

    /// Declares the versions of other releases that it satisfies as well.
    #[must_use]
    pub fn satisfying(mut self, versions: &'static [&'static str]) -> Interface {
        self.satisfies = versions;
        self
    }

    /// Lets several modules provide this interface for one tenant; a request names the one it
    /// means.
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

    /// Adds a public route, which needs no token.
    #[must_use]
    pub fn public(self, method: Method, pattern: &'static str, handler: Handler) -> Interface {
        self.push(method, pattern, Access::Public, handler)
    }

    /// Adds a route for any logged-in user (FOLIO requires no permission for it).
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

    /// Sets hooks of the generic operations among the last added routes at `path` and `path/{…}`.
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

    /// Sets the permissions that the last added route's handler checks if the user has them
    /// (FOLIO's `permissionsDesired`).
    #[must_use]
    pub fn desiring(mut self, permissions: &'static [&'static str]) -> Interface {
        if let Some(route) = self.routes.last_mut() {
            route.desired = permissions;
        }
        self
    }

    /// Lets the last added route's handler read the body as a stream, with `Call::upload`: for
    /// bodies that are too large for memory. The handler limits their size and number.
    #[must_use]
    pub fn streaming(mut self) -> Interface {
        if let Some(route) = self.routes.last_mut() {
            route.streamed = true;
        }
        self
    }

    /// Declares the request body of the last added route, for the OpenAPI description, where its
    /// handler is an area's own function.
    #[must_use]
    pub fn taking(mut self, content: Content) -> Interface {
        if let Some(route) = self.routes.last_mut() {
            route.takes = Some(content);
        }
        self
    }

    /// Declares the body of successful responses likewise; a list also takes the parameters of
    /// lists.
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
