//! One table from method and path to route, built at start.

use std::collections::HashMap;
use std::sync::Arc;

use http::Method;
use octavo_records::{Catalog, Collection};

use crate::audit;
use crate::module::Module;
use crate::records_http::Hooks;
use crate::route::{Access, Content, Handler, Operation};

/// A route ready to be served.
#[derive(Debug)]
pub struct Endpoint {
    pub access: Access,
    /// FOLIO's pattern.
    pub pattern: &'static str,
    pub interface: &'static str,
    pub module: String,
    pub method: Method,
    /// Permissions that the handler checks if the user has them.
    pub desired: &'static [&'static str],
    pub target: Target,
    /// Whether the handler reads the body as a stream.
    pub streamed: bool,
    /// Whether it returns patron records, of which bulk reads are logged.
    pub patrons: bool,
    /// Whether it may write a collection whose reads are cached: then every process must have received the
    /// invalidation before its response is sent.
    pub invalidates_cache: bool,
    /// The declared body and answer.
    pub takes: Option<Content>,
    pub answers: Option<Content>,
}

impl Endpoint {
    /// Method and pattern: `GET /users/{id}`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.pattern)
    }
}

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
    paths: matchit::Router<Methods>,
}

/// The routes of one path by method. Several modules may have the same one where their interfaces say so
/// (`multiple`): a request names its module, and without a name the first serves it.
type Methods = HashMap<Method, Vec<Arc<Endpoint>>>;

/// The result of a look-up.
#[derive(Debug)]
pub enum RouteMatch {
    /// A route, with the values of its pattern's segments.
    Route(Arc<Endpoint>, Vec<(String, String)>),
    /// No route; as in Okapi, a path that exists only with other methods is not found either.
    Nothing,
}

impl RouteMatch {
    /// Whether the route is public.
    #[must_use]
    pub fn is_public(&self) -> bool {
        matches!(self, RouteMatch::Route(endpoint, _) if endpoint.access == Access::Public)
    }
}

impl Router {
    /// Builds the table from the modules' declarations.
    ///
    /// # Errors
    /// Names two routes that collide, or a route on an undeclared table.
    pub fn new(modules: &[Module], catalog: &Catalog) -> Result<Router, String> {
        let mut by_path: HashMap<&'static str, Methods> = HashMap::new();
        let mut is_shared = HashMap::new();
        let interfaces = modules
            .iter()
            .flat_map(|module| module.interfaces.iter().map(move |one| (module, one)));
        let routes = interfaces.flat_map(|(module, interface)| {
            interface
                .routes
                .iter()
                .map(move |route| (module, interface, route))
        });
        let cached = cached_paths(modules, catalog);
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
                invalidates_cache: route.method != Method::GET
                    && cached
                        .iter()
                        .any(|path| is_at_or_below(route.pattern, path)),
                patrons: audit::is_of_patrons(&route.method, route.pattern),
                takes: route.takes,
                answers: route.answers,
            });
            let methods = by_path.entry(route.pattern).or_default();
            let same = methods.entry(route.method.clone()).or_default();
            let all_share = is_shared
                .entry(endpoint.name())
                .or_insert(interface.multiple);
            *all_share &= interface.multiple;
            let has_it = |one: &Arc<Endpoint>| one.module == endpoint.module;
            if !same.is_empty() && (!*all_share || same.iter().any(has_it)) {
                return Err(format!(
                    "{} {} is declared twice",
                    route.method, route.pattern
                ));
            }
            same.push(endpoint);
        }
        let mut paths = matchit::Router::new();
        for (pattern, methods) in by_path {
            paths
                .insert(pattern, methods)
                .map_err(|error| format!("{pattern}: {error}"))?;
        }
        Ok(Router { paths })
    }

    /// The route of a request, which may name the module that it means.
    #[must_use]
    pub fn find(&self, method: &Method, path: &str, module: Option<&str>) -> RouteMatch {
        let trimmed = path
            .strip_suffix('/')
            .filter(|rest| !rest.is_empty())
            .unwrap_or(path);
        let Ok(found) = self.paths.at(trimmed) else {
            return RouteMatch::Nothing;
        };
        let endpoints = found.value.get(method).map_or(&[][..], Vec::as_slice);
        let named = module.and_then(|module| endpoints.iter().find(|one| one.module == module));
        let Some(endpoint) = named.or(endpoints.first()) else {
            return RouteMatch::Nothing;
        };
        let mut segments = Vec::with_capacity(found.params.len());
        for (name, value) in found.params.iter() {
            let Ok(value) = percent_encoding::percent_decode_str(value).decode_utf8() else {
                return RouteMatch::Nothing;
            };
            // No stored name contains NUL, and PostgreSQL rejects it as a parameter.
            if value.contains('\0') {
                return RouteMatch::Nothing;
            }
            segments.push((name.to_owned(), value.into_owned()));
        }
        RouteMatch::Route(Arc::clone(endpoint), segments)
    }
}

/// The paths of the lists of collections whose reads are cached. Routes at and below them write these
/// collections, by generic operations or functions of their own.
fn cached_paths(modules: &[Module], catalog: &Catalog) -> Vec<&'static str> {
    let routes = modules
        .iter()
        .flat_map(|module| &module.interfaces)
        .flat_map(|interface| &interface.routes);
    let listed = routes.filter(|route| match &route.handler {
        Handler::Records(Operation::List, table) => catalog
            .get(table)
            .is_some_and(|collection| collection.reads_cached),
        _ => false,
    });
    listed.map(|route| route.pattern).collect()
}

fn is_at_or_below(pattern: &str, path: &str) -> bool {
    let rest = pattern.strip_prefix(path);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
