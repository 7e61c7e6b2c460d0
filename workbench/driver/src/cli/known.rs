//! Which requests of a workload a server supports, by the routes in its module descriptors.

use serde::Deserialize;

use crate::session::{Session, SessionError, Target};
use crate::workload::{Request, Workload};

/// The routes of a server.
pub(super) struct ServerRoutes {
    routes: Vec<Route>,
}

struct Route {
    methods: Vec<String>,
    pattern: String,
    /// Whether the pattern is only a path prefix, as in old module descriptors.
    is_prefix: bool,
}

/// The part of a module descriptor with its routes.
#[derive(Deserialize)]
struct Module {
    #[serde(default)]
    provides: Vec<Interface>,
}

#[derive(Deserialize)]
struct Interface {
    #[serde(default)]
    handlers: Vec<Handler>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Handler {
    #[serde(default)]
    methods: Vec<String>,
    path_pattern: Option<String>,
    path: Option<String>,
}

impl ServerRoutes {
    /// Asks a server for the routes of the tenant's modules.
    pub(super) fn ask(target: &Target) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let asked = format!("/_/proxy/tenants/{}/modules?full=true", target.tenant);
        let body = runtime.block_on(async {
            let mut session = Session::open(target).await?;
            session.get(&asked).await
        });
        let body = body.map_err(|error| match error {
            SessionError::Refused { status, .. } => format!(
                "{} does not list its routes: GET {asked} was answered with HTTP {status}. Okapi \
                 does; a FOLIO behind another gateway cannot be asked so.",
                target.url
            ),
            other => other.to_string(),
        })?;
        Self::read(&body).map_err(|error| format!("GET {asked}: {error}"))
    }

    fn read(body: &[u8]) -> Result<Self, serde_json::Error> {
        let modules: Vec<Module> = serde_json::from_slice(body)?;
        let interfaces = modules.into_iter().flat_map(|module| module.provides);
        let handlers = interfaces.flat_map(|interface| interface.handlers);
        let routes = handlers.filter_map(|handler| {
            let is_prefix = handler.path_pattern.is_none();
            Some(Route {
                methods: handler.methods,
                pattern: handler.path_pattern.or(handler.path)?,
                is_prefix,
            })
        });
        Ok(Self {
            routes: routes.collect(),
        })
    }

    /// The requests of a workload without a route, as `METHOD /path`.
    pub(super) fn missing<'k>(&'k self, workload: &'k Workload) -> impl Iterator<Item = String> {
        let transactions = workload.transactions.iter();
        let requests = transactions.flat_map(|one| &one.requests);
        requests
            .filter(|request| !self.knows(request))
            .map(|request| format!("{} {}", request.method, request.path))
    }

    fn knows(&self, request: &Request) -> bool {
        let mut routes = self.routes.iter();
        // A gateway answers preflights itself, for every path that it knows.
        let fits = |route: &Route| {
            let methods = route.methods.iter();
            request.method == "OPTIONS"
                || methods
                    .map(String::as_str)
                    .any(|one| one == "*" || one == request.method)
        };
        routes.any(|route| fits(route) && route.leads_to(&request.path))
    }
}

impl Route {
    /// Whether the route matches the path, which may contain variables.
    fn leads_to(&self, path: &str) -> bool {
        if self.is_prefix {
            return path.starts_with(&self.pattern);
        }
        let mut segments = path.split('/');
        for pattern in self.pattern.split('/') {
            if pattern == "*" {
                return true;
            }
            let Some(segment) = segments.next() else {
                return false;
            };
            let is_open = pattern.starts_with('{') && pattern.ends_with('}');
            if !(is_open && !segment.is_empty() || segment == pattern) {
                return false;
            }
        }
        segments.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::parse;

    #[test]
    fn routes_are_those_of_the_descriptors() {
        let modules = br#"[{"id":"mod-users-1","provides":[{"id":"users","handlers":[
            {"methods":["GET","PUT"],"pathPattern":"/users/{id}"},
            {"methods":["GET"],"pathPattern":"/users"},
            {"methods":["*"],"pathPattern":"/tree/*"},
            {"methods":["GET"],"path":"/old"}]}]},{"id":"mod-empty-1"}]"#;
        let known = ServerRoutes::read(modules).unwrap();
        let text = r#"
            format = 1
            name = "w"
            title = "W"
            [[feeder]]
            name = "f"
            columns = ["id"]
            [[branch]]
            name = "b"
            draws = ["f"]
            steps = ["T"]
            [[transaction]]
            name = "T"
            request = [
              { label = "1", send = "GET /users?query=id==${id}" },
              { label = "2", send = "PUT /users/${id}" },
              { label = "3", send = "DELETE /users/${id}" },
              { label = "4", send = "GET /users/${id}/more" },
              { label = "5", send = "OPTIONS /users/${id}" },
              { label = "6", send = "POST /tree/a/b" },
              { label = "7", send = "GET /old/x" },
              { label = "8", send = "GET /groups" },
            ]
        "#;
        let workload = parse("w.toml", text).unwrap();
        let missing: Vec<_> = known.missing(&workload).collect();
        let expected = [
            "DELETE /users/${id}",
            "GET /users/${id}/more",
            "GET /groups",
        ];
        assert_eq!(missing, expected);
        assert!(ServerRoutes::read(b"{}").is_err());
    }
}
