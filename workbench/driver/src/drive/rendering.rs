//! A virtual user's own copy of the workload's requests, with all constant parts (host, tenant,
//! token) already rendered, so that a request without variable parts is one copy.

use std::io::Write;

use rand::rngs::SmallRng;

use crate::workload::{Body, Request, Template, Variables, Workload};

/// One request as this virtual user sends it.
pub(super) struct OwnRequest {
    head: Template,
    body: Option<Body>,
}

impl OwnRequest {
    /// Renders the constant parts.
    pub(super) fn new(request: &Request, workload: &Workload, variables: &Variables) -> Self {
        let constant = |slot| workload.names.is_constant(slot);
        Self {
            head: request.head.fold(variables, &constant),
            body: request
                .body
                .as_ref()
                .map(|body| body.fold(variables, constant)),
        }
    }

    /// Writes the whole request to `out`, replacing its content.
    pub(super) fn render(
        &self,
        variables: &Variables,
        random: &mut SmallRng,
        body_space: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) {
        out.clear();
        self.head.render(variables, random, out);
        match &self.body {
            None => out.extend_from_slice(b"\r\n"),
            Some(body) => {
                body_space.clear();
                body.render(variables, random, body_space);
                // Writing into a vector cannot fail.
                let _ = write!(out, "Content-Length: {}\r\n\r\n", body_space.len());
                out.extend_from_slice(body_space);
            }
        }
    }
}

/// All requests of all transactions.
pub(super) fn own_requests(workload: &Workload, variables: &Variables) -> Vec<Vec<OwnRequest>> {
    let transactions = workload.transactions.iter().map(|transaction| {
        let requests = transaction.requests.iter();
        requests
            .map(|request| OwnRequest::new(request, workload, variables))
            .collect()
    });
    transactions.collect()
}
