//! Compiles the transactions of a workload file to those of a plan: resolves names, parses
//! templates, rejects contradictions with their position in the text. Conditions are in
//! `compile_conditions`.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;

use super::body::Body;
use super::format::{
    Headers, MarcSection, MoveSection, OnError, RequestSection, TransactionSection,
};
use super::json_path::JsonPath;
use super::marc::{FIELDS_MAX, MarcRecords, RECORDS_MAX};
use super::plan::{FeederSpec, Move, Request, Think, Transaction};
use super::source::Fault;
use super::target::split_target;
use super::template::{Encoding, Template};
use super::variables::Names;

const METHODS: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"];
/// The largest body file.
const BODY_FILE_BYTES_MAX: u64 = 64 << 20;

pub(super) fn fault(span: Range<usize>, message: impl Into<String>) -> Fault {
    Fault {
        message: message.into(),
        span: Some(span),
    }
}

/// Whether an extracted variable is set once at login or repeatedly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lifetime {
    Once,
    Iteration,
}

/// Compiles the requests of one file.
pub(super) struct Compiler<'w> {
    pub(super) names: &'w mut Names,
    /// The feeders of this file.
    pub(super) feeders: &'w [FeederSpec],
    /// The number of the first of them in the plan.
    pub(super) first_feeder: usize,
    /// Headers of all requests.
    pub(super) common: &'w Headers,
    /// What follows a failed request.
    pub(super) on_error: OnError,
    /// The folder of body files' paths; built-in workloads have none.
    pub(super) folder: Option<&'w Path>,
}

impl Compiler<'_> {
    pub(super) fn transactions(
        &mut self,
        sections: Vec<TransactionSection>,
    ) -> Result<Vec<Transaction>, Fault> {
        let mut transactions: Vec<Transaction> = Vec::new();
        for section in sections {
            let name = section.name.get_ref().clone();
            if transactions.iter().any(|other| other.name == name) {
                return Err(fault(
                    section.name.span(),
                    format!("a second transaction `{name}`"),
                ));
            }
            if section.requests.is_empty() {
                return Err(fault(section.name.span(), "a transaction without requests"));
            }
            let when = section.when.as_ref().map(|when| self.when(when));
            let when = when.transpose()?;
            let mut requests: Vec<Request> = Vec::new();
            for request in section.requests {
                let repeat = request.repeat.as_ref().map(Spanned::span);
                let request = self.request(request, &section.headers, Lifetime::Iteration)?;
                if let (Some(repeat), Some(span)) = (&request.repeat, repeat) {
                    check_repeated(&requests, repeat.requests, span)?;
                }
                requests.push(request);
            }
            transactions.push(Transaction {
                name,
                summed: section.summed,
                when,
                on_error: self.on_error,
                requests,
            });
        }
        Ok(transactions)
    }

    pub(super) fn request(
        &mut self,
        section: RequestSection,
        outer: &Headers,
        lifetime: Lifetime,
    ) -> Result<Request, Fault> {
        let (method, target) = self.request_line(&section.send)?;
        let (_, written) = section.send.get_ref().split_once(' ').unwrap_or_default();
        let path = split_target(written).0.to_owned();
        let headers = merge([self.common, outer, &section.headers]);
        let when = section.when.as_ref().map(|when| self.when(when));
        let when = when.transpose()?;
        let mut sets = Vec::new();
        for (name, value) in &section.set {
            let value = self.template(value, Encoding::Raw)?;
            sets.push((self.names.set_often(name), value));
        }
        let body = self.body(&section)?;
        let head = self.head(&method, target, &headers, body.is_some())?;
        let mut checks = Vec::new();
        for expect in &section.expect {
            checks.push(self.check(expect)?);
        }
        let mut extracts = Vec::new();
        for extract in section.extract {
            extracts.push(self.extract(extract, lifetime)?);
        }
        let moves = section.moves.map(|moves| self.moves(&moves)).transpose()?;
        let fills = section.fills.map(|fills| self.fills(&fills)).transpose()?;
        let repeat = section.repeat.map(|repeat| self.repeat(&repeat));
        let repeat = repeat.transpose()?;
        let think = Think {
            constant_ms: section.think.constant_ms,
            uniform_ms: section.think.uniform_ms,
        };
        Ok(Request {
            label: section.label,
            when,
            sets,
            method,
            path,
            head,
            body,
            think,
            checks,
            extracts,
            moves,
            fills,
            repeat,
        })
    }

    fn body(&mut self, section: &RequestSection) -> Result<Option<Body>, Fault> {
        match (&section.body, &section.body_file, &section.body_marc) {
            (None, None, None) => Ok(None),
            (Some(text), None, None) => Ok(Some(Body::Text(self.template(text, Encoding::Json)?))),
            (None, Some(file), None) => Ok(Some(self.body_file(file)?)),
            (None, None, Some(marc)) => Ok(Some(self.body_marc(marc)?)),
            _ => Err(fault(
                section.send.span(),
                "give one of `body`, `body_file`, `body_marc`",
            )),
        }
    }

    fn body_file(&self, file: &Spanned<String>) -> Result<Body, Fault> {
        let fail = |message: String| fault(file.span(), message);
        let folder = self
            .folder
            .ok_or_else(|| fail("a built-in workload has no files".to_owned()))?;
        let path = folder.join(file.get_ref());
        let unreadable = |error| fail(format!("cannot read {}: {error}", path.display()));
        let length = std::fs::metadata(&path).map_err(unreadable)?.len();
        if length > BODY_FILE_BYTES_MAX {
            let shown = path.display();
            return Err(fail(format!(
                "{shown} has {length} bytes; a body has at most {BODY_FILE_BYTES_MAX}"
            )));
        }
        let bytes = std::fs::read(&path).map_err(unreadable)?;
        Ok(Body::File(bytes.into()))
    }

    fn body_marc(&mut self, section: &Spanned<MarcSection>) -> Result<Body, Fault> {
        let MarcSection { records, fields } = section.get_ref();
        let counted =
            (1..=RECORDS_MAX).contains(records) && (1..=FIELDS_MAX).contains(&fields.len());
        if !counted {
            return Err(fault(
                section.span(),
                format!("a body has 1 to {RECORDS_MAX} records of 1 to {FIELDS_MAX} fields"),
            ));
        }
        let mut marc = MarcRecords::new(*records);
        for field in fields {
            let added = marc.add(field.get_ref(), self.names);
            added.map_err(|error| fault(field.span(), error.to_string()))?;
        }
        Ok(Body::Marc(marc))
    }

    /// `GET /path?name=value&…` → the method and the encoded target.
    fn request_line(&mut self, send: &Spanned<String>) -> Result<(String, Template), Fault> {
        let fail = |message: &str| fault(send.span(), message);
        let (method, target) = send
            .get_ref()
            .split_once(' ')
            .ok_or_else(|| fail("expected `METHOD /path`"))?;
        if !METHODS.contains(&method) {
            return Err(fail(&format!(
                "`{method}` is none of {}",
                METHODS.join(", ")
            )));
        }
        if !target.starts_with('/') {
            return Err(fail("the path must begin with `/`"));
        }
        let (path, query) = split_target(target);
        let mut template = self.part(send, path, Encoding::Path)?;
        for (at, (name, value)) in query.into_iter().enumerate() {
            template.push_literal(if at == 0 { b"?" } else { b"&" });
            template.append(self.part(send, name, Encoding::Query)?);
            if let Some(value) = value {
                template.push_literal(b"=");
                template.append(self.part(send, value, Encoding::Query)?);
            }
        }
        Ok((method.to_owned(), template))
    }

    fn head(
        &mut self,
        method: &str,
        target: Template,
        headers: &[(String, Spanned<String>)],
        has_body: bool,
    ) -> Result<Template, Fault> {
        let mut head = Template::default();
        head.push_literal(format!("{method} ").as_bytes());
        head.append(self.plain("${prefix}")?);
        head.append(target);
        head.push_literal(b" HTTP/1.1\r\nHost: ");
        head.append(self.plain("${host}")?);
        head.push_literal(b"\r\nConnection: keep-alive\r\n");
        for (name, value) in headers {
            if name.is_empty() || !name.bytes().all(is_token) {
                return Err(fault(value.span(), format!("`{name}` is no header name")));
            }
            head.push_literal(format!("{name}: ").as_bytes());
            head.append(self.template(value, Encoding::Header)?);
            head.push_literal(b"\r\n");
        }
        // The content type that JMeter's HTTP client sends for a raw body when the plan sets none.
        if has_body
            && !headers
                .iter()
                .any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        {
            head.push_literal(b"Content-Type: text/plain; charset=UTF-8\r\n");
        }
        if !has_body && ["POST", "PUT", "PATCH"].contains(&method) {
            head.push_literal(b"Content-Length: 0\r\n");
        }
        Ok(head)
    }

    fn moves(&self, section: &MoveSection) -> Result<Move, Fault> {
        let from = self.feeder(&section.from)?;
        let to = self.feeder(&section.to)?;
        if self.feeders[from].columns.len() != self.feeders[to].columns.len() {
            return Err(fault(
                section.to.span(),
                "both feeders must have equally many columns",
            ));
        }
        Ok(Move {
            from: self.first_feeder + from,
            to: self.first_feeder + to,
        })
    }

    fn fills(&self, name: &Spanned<String>) -> Result<usize, Fault> {
        let feeder = self.feeder(name)?;
        match self.feeders[feeder].starts_empty {
            true => Ok(self.first_feeder + feeder),
            false => Err(fault(
                name.span(),
                format!("the feeder `{}` needs starts_empty = true", name.get_ref()),
            )),
        }
    }

    /// The number of a feeder within this file.
    pub(super) fn feeder(&self, name: &Spanned<String>) -> Result<usize, Fault> {
        let mut feeders = self.feeders.iter();
        let found = feeders.position(|feeder| feeder.name == *name.get_ref());
        found.ok_or_else(|| {
            let message = format!("there is no feeder `{}`", name.get_ref());
            fault(name.span(), message)
        })
    }

    pub(super) fn template(
        &mut self,
        text: &Spanned<String>,
        encoding: Encoding,
    ) -> Result<Template, Fault> {
        self.part(text, text.get_ref(), encoding)
    }

    pub(super) fn part(
        &mut self,
        at: &Spanned<String>,
        text: &str,
        encoding: Encoding,
    ) -> Result<Template, Fault> {
        Template::parse(text, encoding, false, self.names)
            .map_err(|error| fault(at.span(), error.to_string()))
    }

    fn plain(&mut self, text: &str) -> Result<Template, Fault> {
        Template::parse(text, Encoding::Header, true, self.names).map_err(|error| Fault {
            message: error.to_string(),
            span: None,
        })
    }
}

/// The requests that are repeated with a request come before it in its transaction, and are not
/// repeated themselves.
fn check_repeated(before: &[Request], requests: usize, span: Range<usize>) -> Result<(), Fault> {
    let others = requests.checked_sub(1).and_then(|others| {
        let first = before.len().checked_sub(others)?;
        before.get(first..)
    });
    match others {
        None => Err(fault(
            span,
            "`requests` counts this request and those before it in the transaction, from 1",
        )),
        Some(others) if others.iter().any(|one| one.repeat.is_some()) => Err(fault(
            span,
            "a request that is repeated is among those that are repeated with this one",
        )),
        Some(_) => Ok(()),
    }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Later lists win, ignoring the case of names.
fn merge(lists: [&Headers; 3]) -> Vec<(String, Spanned<String>)> {
    let mut merged: Vec<(String, Spanned<String>)> = Vec::new();
    for (name, value) in lists.into_iter().flatten() {
        merged.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        merged.push((name.clone(), value.clone()));
    }
    merged
}

pub(super) fn json_path(text: &str, span: Range<usize>) -> Result<JsonPath, Fault> {
    JsonPath::parse(text).map_err(|error| fault(span, error.to_string()))
}
