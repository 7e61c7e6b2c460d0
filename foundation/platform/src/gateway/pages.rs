//! Pages that the program serves beside FOLIO's API, such as the staff client. They are found before
//! the tenant and the user are: a browser whose log-in has expired still has to get the page to log in.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::response::Response;
use http::request::Parts;

use crate::platform::Platform;

/// The future of a page.
pub type PageAnswer<'a> = Pin<Box<dyn Future<Output = Response> + Send + 'a>>;

/// Who serves pages.
pub trait Pages: Debug + Send + Sync {
    /// The page for this request; none when the request is one to the API.
    fn find<'a>(&self, platform: &'a Arc<Platform>, request: &Parts) -> Option<PageAnswer<'a>>;
}
