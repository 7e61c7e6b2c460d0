//! The server's description of itself: `GET /_/openapi.json`, an OpenAPI 3.1 document built from
//! the native modules' declarations, and `GET /_/openapi`, a page to read it with. Remote modules
//! are not included: only their descriptors are known.

mod document;
mod endpoints;
mod operation;
mod page;
mod schema;
mod typed;
mod types;
mod typescript;

use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};

use self::document::{Document, Part, Written};
use crate::call::Call;
use crate::compose::own_modules;
use crate::contents::Contents;
use crate::error::ApiError;
use crate::module::{Interface, Module};
use crate::respond::empty;
use crate::route::Handler;

pub use typed::{Share, Typed};

/// The description outside of a server, for commands.
#[derive(Debug)]
pub struct Description(Document);

impl Description {
    /// Describes these modules and those that every platform has.
    ///
    /// # Errors
    /// When their declarations of bodies and answers conflict.
    pub fn of(mut modules: Vec<Module>) -> Result<Description, String> {
        modules.extend(own_modules());
        let contents = Contents::of(&modules)?;
        Ok(Description(Document::of(&modules, &contents)))
    }

    /// The OpenAPI document.
    #[must_use]
    pub fn json(&self) -> Bytes {
        self.0.part(&Part::default()).bytes
    }

    /// How many bodies and answers have a type.
    #[must_use]
    pub fn typed(&self) -> Typed {
        Typed::of(&self.0)
    }

    /// TypeScript of these operations, one `METHOD path` a line.
    ///
    /// # Errors
    /// Names an operation that is not served.
    pub fn typescript(&self, operations: &str) -> Result<String, String> {
        typescript::written(&self.0, operations)
    }
}

/// The routes to the description; they are public, since it contains nothing that a user may not
/// know.
#[must_use]
pub(crate) fn interface() -> Interface {
    // Built at the first request, from the modules of the platform that serves it.
    let made: Arc<OnceLock<Document>> = Arc::default();
    let described = move |call: Call| {
        let made = Arc::clone(&made);
        async move {
            let platform = &call.platform;
            let describe = || Document::of(&platform.registry.modules, &platform.contents);
            let document = made.get_or_init(describe);
            let part = Part {
                module: call.parameter("module")?,
                interface: call.parameter("interface")?,
                path: call.parameter("path")?,
            };
            let mut response = unless_known(&call, document.part(&part));
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, json);
            Ok(response)
        }
    };
    Interface::new("octavo-openapi", "1.0")
        .public(Method::GET, "/_/openapi.json", Handler::call(described))
        .public(Method::GET, "/_/openapi", Handler::call(shown))
}

async fn shown(call: Call) -> Result<Response, ApiError> {
    let (page, policy) = page::page();
    let mut response = unless_known(&call, page.clone());
    let headers = response.headers_mut();
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    headers.insert(header::CONTENT_TYPE, html);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    // The page sends the token that is typed into it, so it must not be framed.
    let frames = HeaderValue::from_static("DENY");
    headers.insert(header::X_FRAME_OPTIONS, frames);
    Ok(response)
}

/// 304 when the client has this version already.
fn unless_known(call: &Call, written: Written) -> Response {
    let known = call.headers.get_all(header::IF_NONE_MATCH).iter();
    let known = known
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .any(|one| one.trim().trim_start_matches("W/") == written.tag || one.trim() == "*");
    let mut response = match known {
        true => empty(StatusCode::NOT_MODIFIED),
        false => Response::new(Body::from(written.bytes)),
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, written.tag);
    // Clients may store it, but have to revalidate: the answer is mostly 304.
    let again = HeaderValue::from_static("no-cache");
    headers.insert(header::CACHE_CONTROL, again);
    response
}
