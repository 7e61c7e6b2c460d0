//! A virtual user's own copy of the workload's requests, with everything that stays the same for it
//! (host, tenant, token) already written out, so that a request without changing parts is one copy.

use std::io::Write;

use rand::rngs::SmallRng;

use crate::workload::{Body, Request, Template, Variables, Workload};

/// One request as this virtual user sends it.
pub(super) struct OwnRequest {
    head: Template,
    body: Option<Body>,
}

impl OwnRequest {
    /// Folds what will not change any more.
    pub(super) fn new(request: &Request, workload: &Workload, variables: &Variables) -> Self {
        let constant = |slot| workload.names.is_constant(slot);
        Self {
            head: request.head.fold(variables, constant),
            body: request
                .body
                .as_ref()
                .map(|body| body.fold(variables, constant)),
        }
    }

    /// Writes the whole request into `out`, replacing what was there.
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
