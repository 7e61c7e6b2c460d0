//! The request that is repeated: its head and, with a body, the Content-Length, which is known only
//! when the body is rendered. Knows nothing of connections.

use std::io::Write;

use rand::rngs::SmallRng;

use super::{HammerError, HammerOptions};
use crate::session::Session;
use crate::workload::{Encoding, Names, Template, TemplateError, Variables};

/// The largest body: each connection holds one.
const BODY_BYTES_MAX: u64 = 64 << 20;

/// The request with placeholders for the values of a row.
pub(super) struct RequestTemplate {
    /// From the method to the last header; with a body, without the blank line after it.
    head: Template,
    body: Option<Template>,
    /// Whether it may be sent again when a kept-alive connection turns out to be closed.
    pub(super) repeatable: bool,
}

impl RequestTemplate {
    /// Parses the templates in the options, and registers the variables they use.
    pub(super) fn new(
        options: &HammerOptions,
        session: &Session,
        names: &mut Names,
    ) -> Result<RequestTemplate, HammerError> {
        let path = &options.path_template;
        if !path.starts_with('/') || path.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
            return Err(HammerError::Options(format!(
                "--path-template `{path}` must begin with `/` and be percent-encoded (a blank is \
                 %20)"
            )));
        }
        let target = Template::parse(path, Encoding::Path, true, names)
            .map_err(|reason| refused("--path-template", reason))?;
        let body = body(options, names)?;
        let method = method(options, body.is_some())?;
        let endpoint = session.endpoint();
        let mut head = Template::default();
        head.push_literal(format!("{method} {}", endpoint.prefix).as_bytes());
        head.append(target);
        let tenant = &options.target.tenant;
        let (host, token) = (&endpoint.host, session.token());
        let headers = format!(
            " HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\nX-Okapi-Tenant: {tenant}\r\n\
             X-Okapi-Token: {token}\r\n"
        );
        head.push_literal(headers.as_bytes());
        match &body {
            Some(_) => head.push_literal(b"Content-Type: application/json\r\n"),
            None => head.push_literal(b"\r\n"),
        }
        Ok(RequestTemplate {
            head,
            body,
            repeatable: matches!(method, "GET" | "HEAD" | "OPTIONS"),
        })
    }

    /// Writes a request with these values to `out`, replacing its content; `body` is a reused
    /// buffer.
    pub(super) fn render(
        &self,
        variables: &Variables,
        random: &mut SmallRng,
        body: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) {
        out.clear();
        self.head.render(variables, random, out);
        if let Some(template) = &self.body {
            body.clear();
            template.render(variables, random, body);
            // Writing to a Vec cannot fail.
            let _ = write!(out, "Content-Length: {}\r\n\r\n", body.len());
            out.extend_from_slice(body);
        }
    }
}

fn refused(option: &'static str, reason: TemplateError) -> HammerError {
    HammerError::Template { option, reason }
}

fn method(options: &HammerOptions, has_body: bool) -> Result<&str, HammerError> {
    let Some(method) = options.method.as_deref() else {
        return Ok(if has_body { "POST" } else { "GET" });
    };
    if method.is_empty() || !method.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err(HammerError::Options(format!(
            "--method `{method}` must be in capitals, for instance PUT"
        )));
    }
    Ok(method)
}

fn body(options: &HammerOptions, names: &mut Names) -> Result<Option<Template>, HammerError> {
    let Some(file) = &options.body_template else {
        return Ok(None);
    };
    let unreadable = |why: String| {
        HammerError::Options(format!(
            "cannot read --body-template {}: {why}",
            file.display()
        ))
    };
    let size = std::fs::metadata(file).map_err(|error| unreadable(error.to_string()))?;
    if size.len() > BODY_BYTES_MAX {
        return Err(unreadable(format!(
            "it is larger than {BODY_BYTES_MAX} bytes"
        )));
    }
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    Template::parse(&text, Encoding::Json, true, names)
        .map(Some)
        .map_err(|reason| refused("--body-template", reason))
}
