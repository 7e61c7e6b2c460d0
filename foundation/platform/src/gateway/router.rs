//! One table of (method, path) to route, made once at start.

use std::collections::HashMap;
use std::sync::Arc;

use http::Method;
use octavo_records::{Catalog, Collection};

use crate::audit;
use crate::module::Module;
use crate::records_http::Hooks;
use crate::route::{Access, Handler, Operation};

/// A route ready to be served.
#[derive(Debug)]
pub struct Endpoint {
    /// Who may call it.
    pub access: Access,
    /// FOLIO's pattern.
    pub pattern: &'static str,
    /// The interface that it belongs to.
    pub interface: &'static str,
    /// The module that declares it.
    pub module: String,
    /// Its method.
    pub method: Method,
    /// Permissions the handler looks at when the user has them.
    pub desired: &'static [&'static str],
    /// What answers.
    pub target: Target,
    /// Whether the handler reads the body as it comes.
    pub streamed: bool,
    /// Whether it gives records of patrons, of which those who take many are noted.
    pub patrons: bool,
}

impl Endpoint {
    /// Method and pattern: `GET /users/{id}`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.pattern)
    }
}

/// What answers a request.
#[derive(Debug)]
pub enum Target {
    /// A generic operation on a collection.
    Records(Operation, Arc<Collection>, &'static Hooks),
    /// A function of an area.
    Call(Handler),
}

/// All routes.
#[derive(Debug)]
pub struct Router {
    paths: matchit::Router<HashMap<Method, Arc<Endpoint>>>,
}

/// What a path leads to.
#[derive(Debug)]
pub enum RouteMatch {
    /// A route, with the values of its pattern's segments.
    Route(Arc<Endpoint>, Vec<(String, String)>),
    /// Nothing; a path that is known with other methods only is nothing too, as in Okapi.
    Nothing,
}

impl RouteMatch {
    /// Whether it is a route that anyone may call.
    #[must_use]
    pub fn is_public(&self) -> bool {
        matches!(self, RouteMatch::Route(endpoint, _) if endpoint.access == Access::Public)
    }
}

impl Router {
    /// Makes the table from what the modules declare.
    ///
    /// # Errors
    /// Names two routes that collide, or a route on a table that no module declares.
    pub fn new(modules: &[Module], catalog: &Catalog) -> Result<Router, String> {
        let mut by_path: HashMap<&'static str, HashMap<Method, Arc<Endpoint>>> = HashMap::new();
        let interfaces = modules
            .iter()
            .flat_map(|module| module.interfaces.iter().map(move |one| (module, one)));
        let routes = interfaces.flat_map(|(module, interface)| {
            interface
                .routes
                .iter()
                .map(move |route| (module, interface, route))
        });
        for (module, interface, route) in routes {
            let target = match &route.handler {
                Handler::Records(operation, table) => {
                    let collection = catalog.get(table).ok_or_else(|| {
                        format!(
                            "{} {} serves the unknown table {table}",
                            route.method, route.pattern
                        )
                    })?;
                    Target::Records(*operation, Arc::clone(collection), route.hooks)
                }
                other => Target::Call(other.clone()),
            };
            let endpoint = Arc::new(Endpoint {
                access: route.access.clone(),
                pattern: route.pattern,
                interface: interface.id,
                module: module.id(),
                method: route.method.clone(),
                desired: route.desired,
                target,
                streamed: route.streamed,
                patrons: audit::is_of_patrons(&route.method, route.pattern),
            });
            let methods = by_path.entry(route.pattern).or_default();
            if methods.insert(route.method.clone(), endpoint).is_some() {
                return Err(format!(
                    "{} {} is declared twice",
                    route.method, route.pattern
                ));
            }
        }
        let mut paths = matchit::Router::new();
        for (pattern, methods) in by_path {
            paths
                .insert(pattern, methods)
                .map_err(|error| format!("{pattern}: {error}"))?;
        }
        Ok(Router { paths })
    }

    /// The route of a request.
    #[must_use]
    pub fn find(&self, method: &Method, path: &str) -> RouteMatch {
        let trimmed = path
            .strip_suffix('/')
            .filter(|rest| !rest.is_empty())
            .unwrap_or(path);
        let Ok(found) = self.paths.at(trimmed) else {
            return RouteMatch::Nothing;
        };
        let Some(endpoint) = found.value.get(method) else {
            return RouteMatch::Nothing;
        };
        let mut segments = Vec::with_capacity(found.params.len());
        for (name, value) in found.params.iter() {
            let Ok(value) = percent_encoding::percent_decode_str(value).decode_utf8() else {
                return RouteMatch::Nothing;
            };
            // No record has it in its name, and no statement takes it.
            if value.contains('\0') {
                return RouteMatch::Nothing;
            }
            segments.push((name.to_owned(), value.into_owned()));
        }
        RouteMatch::Route(Arc::clone(endpoint), segments)
    }
}
