//! The staff client (`ui/`) within the program: its built files are embedded and served at `/staff/`.
//! Knows nothing of the API that the client calls.

mod files;
mod installation;
mod page;

use std::sync::Arc;

use http::request::Parts;
use octavo_platform::Platform;
use octavo_platform::gateway::pages::{PageAnswer, Pages};

use crate::files::EMBEDDED;
use crate::page::{Found, find};

/// The pages of the staff client.
#[derive(Debug, Clone, Copy, Default)]
pub struct StaffClient;

impl Pages for StaffClient {
    fn find<'a>(&self, platform: &'a Arc<Platform>, request: &Parts) -> Option<PageAnswer<'a>> {
        match find(EMBEDDED, request)? {
            Found::Installation => Some(Box::pin(installation::describe(platform))),
            Found::Page(response) => Some(Box::pin(std::future::ready(response))),
        }
    }
}
