//! From the sections of a workload file to a plan: names resolved, templates and paths parsed,
//! contradictions refused with their place in the text.

use std::ops::Range;

use toml::Spanned;

use super::check::{Check, Extract, Place};
use super::compile_feeders::feeders;
use super::format::{
    BranchSection, ExpectSection, ExtractSection, Headers, JsonIs, MoveSection, RequestSection,
    TransactionSection, WorkloadSection,
};
use super::json_path::JsonPath;
use super::plan::{Branch, FeederSpec, Inputs, Move, Request, Think, Transaction, Workload};
use super::source::Fault;
use super::target::split_target;
use super::template::{Encoding, Template};
use super::variables::Names;

const METHODS: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"];

pub(super) fn fault(span: Range<usize>, message: impl Into<String>) -> Fault {
    Fault {
        message: message.into(),
        span: Some(span),
    }
}

/// Compiles a file's sections; `text` is the file, to point at misspelt variables.
pub(super) fn workload(section: WorkloadSection, text: &str) -> Result<Workload, Fault> {
    if *section.format.get_ref() != 1 {
        return Err(fault(
            section.format.span(),
            "this program reads format 1 only",
        ));
    }
    let mut names = Names::default();
    let inputs = Inputs {
        host: names.set_once("host"),
        prefix: names.set_once("prefix"),
        tenant: names.set_once("tenant"),
        username: names.set_once("username"),
        password: names.set_once("password"),
    };
    let initial = section
        .variables
        .iter()
        .map(|(name, value)| (names.set_once(name), value.clone()))
        .collect();
    let feeders = feeders(section.feeders, &mut names)?;
    let mut compiler = Compiler {
        names,
        feeders: &feeders,
        common: &section.headers,
    };
    let login = match section.login {
        Some(request) => Some(compiler.request(request, &Headers::new(), Lifetime::Once)?),
        None => None,
    };
    let transactions = compiler.transactions(section.transactions)?;
    let branches = branches(section.branches, &feeders, &transactions)?;
    let names = compiler.names;
    if let Some(name) = names.never_set() {
        let reference = format!("${{{name}}}");
        let start = text.find(&reference).unwrap_or(0);
        return Err(fault(
            start..start,
            format!("nothing sets the variable `{reference}`"),
        ));
    }
    let WorkloadSection {
        name,
        title,
        description,
        on_error,
        ..
    } = section;
    Ok(Workload {
        name,
        title,
        description,
        on_error,
        names,
        inputs,
        initial,
        login,
        feeders,
        branches,
        transactions,
    })
}

/// Whether an extracted variable is set once at login or again and again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifetime {
    Once,
    Iteration,
}

struct Compiler<'w> {
    names: Names,
    feeders: &'w [FeederSpec],
    common: &'w Headers,
}

impl Compiler<'_> {
    fn transactions(
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
            let mut requests = Vec::new();
            for request in section.requests {
                requests.push(self.request(request, &section.headers, Lifetime::Iteration)?);
            }
            transactions.push(Transaction {
                name,
                summed: section.summed,
                requests,
            });
        }
        Ok(transactions)
    }

    fn request(
        &mut self,
        section: RequestSection,
        outer: &Headers,
        lifetime: Lifetime,
    ) -> Result<Request, Fault> {
        let (method, target) = self.request_line(&section.send)?;
        let headers = merge([self.common, outer, &section.headers]);
        let body = match &section.body {
            Some(body) => Some(self.template(body, Encoding::Json)?),
            None => None,
        };
        let head = self.head(&method, target, &headers, body.is_some())?;
        let mut checks = Vec::new();
        for expect in &section.expect {
            checks.push(check(expect)?);
        }
        let mut extracts = Vec::new();
        for extract in section.extract {
            extracts.push(self.extract(extract, lifetime)?);
        }
        let moves = section.moves.map(|moves| self.moves(&moves)).transpose()?;
        let think = Think {
            constant_ms: section.think.constant_ms,
            uniform_ms: section.think.uniform_ms,
        };
        Ok(Request {
            label: section.label,
            method,
            head,
            body,
            think,
            checks,
            extracts,
            moves,
        })
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
        // What JMeter's HTTP client says of a raw body when the plan gives it no content type.
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

    fn extract(
        &mut self,
        section: Spanned<ExtractSection>,
        lifetime: Lifetime,
    ) -> Result<Extract, Fault> {
        let span = section.span();
        let section = section.into_inner();
        let from = match (section.json, section.header) {
            (Some(path), None) => Place::Json(json_path(&path, span)?),
            (None, Some(header)) => Place::Header(header),
            _ => return Err(fault(span, "give either `json` or `header`")),
        };
        let slot = match lifetime {
            Lifetime::Once => self.names.set_once(&section.variable),
            Lifetime::Iteration => self.names.set_often(&section.variable),
        };
        Ok(Extract {
            slot,
            from,
            pick: section.pick,
            default: section.default,
        })
    }

    fn moves(&self, section: &MoveSection) -> Result<Move, Fault> {
        let from = feeder(self.feeders, &section.from)?;
        let to = feeder(self.feeders, &section.to)?;
        if self.feeders[from].columns.len() != self.feeders[to].columns.len() {
            return Err(fault(
                section.to.span(),
                "both feeders must have equally many columns",
            ));
        }
        Ok(Move { from, to })
    }

    fn template(&mut self, text: &Spanned<String>, encoding: Encoding) -> Result<Template, Fault> {
        self.part(text, text.get_ref(), encoding)
    }

    fn part(
        &mut self,
        at: &Spanned<String>,
        text: &str,
        encoding: Encoding,
    ) -> Result<Template, Fault> {
        Template::parse(text, encoding, false, &mut self.names)
            .map_err(|error| fault(at.span(), error.to_string()))
    }

    fn plain(&mut self, text: &str) -> Result<Template, Fault> {
        Template::parse(text, Encoding::Header, true, &mut self.names).map_err(|error| Fault {
            message: error.to_string(),
            span: None,
        })
    }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Later lists win, whatever case their names are in.
fn merge(lists: [&Headers; 3]) -> Vec<(String, Spanned<String>)> {
    let mut merged: Vec<(String, Spanned<String>)> = Vec::new();
    for (name, value) in lists.into_iter().flatten() {
        merged.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        merged.push((name.clone(), value.clone()));
    }
    merged
}

fn check(section: &Spanned<ExpectSection>) -> Result<Check, Fault> {
    let span = section.span();
    match section.get_ref() {
        ExpectSection {
            json: Some(path),
            is,
            status: None,
            body_contains: None,
            body_lacks: None,
        } => Ok(Check::Json(
            json_path(path, span)?,
            is.unwrap_or(JsonIs::Present),
        )),
        ExpectSection { is: Some(_), .. } => Err(fault(span, "`is` needs `json`")),
        ExpectSection {
            status: Some(status),
            json: None,
            body_contains: None,
            body_lacks: None,
            ..
        } => Ok(Check::Status(*status)),
        ExpectSection {
            body_contains: Some(text),
            json: None,
            status: None,
            body_lacks: None,
            ..
        } => Ok(Check::BodyContains(text.clone())),
        ExpectSection {
            body_lacks: Some(text),
            json: None,
            status: None,
            body_contains: None,
            ..
        } => Ok(Check::BodyLacks(text.clone())),
        _ => Err(fault(
            span,
            "give one of `json`, `status`, `body_contains`, `body_lacks`",
        )),
    }
}

pub(super) fn json_path(text: &str, span: Range<usize>) -> Result<JsonPath, Fault> {
    JsonPath::parse(text).map_err(|error| fault(span, error.to_string()))
}

fn feeder(feeders: &[FeederSpec], name: &Spanned<String>) -> Result<usize, Fault> {
    feeders
        .iter()
        .position(|feeder| feeder.name == *name.get_ref())
        .ok_or_else(|| {
            fault(
                name.span(),
                format!("there is no feeder `{}`", name.get_ref()),
            )
        })
}

fn branches(
    sections: Vec<BranchSection>,
    feeders: &[FeederSpec],
    transactions: &[Transaction],
) -> Result<Vec<Branch>, Fault> {
    let total: u64 = sections.iter().map(|branch| u64::from(branch.weight)).sum();
    if total == 0 || total > u64::from(u32::MAX) {
        return Err(Fault {
            message: "a workload needs a branch with a weight".into(),
            span: None,
        });
    }
    let mut branches = Vec::new();
    for section in sections {
        let mut steps = Vec::new();
        for step in &section.steps {
            let found = transactions
                .iter()
                .position(|one| one.name == *step.get_ref());
            steps.push(found.ok_or_else(|| {
                fault(
                    step.span(),
                    format!("there is no transaction `{}`", step.get_ref()),
                )
            })?);
        }
        let mut draws = Vec::new();
        for draw in &section.draws {
            let number = feeder(feeders, draw)?;
            if draws.contains(&number) {
                return Err(fault(draw.span(), "a branch draws one row from a feeder"));
            }
            draws.push(number);
        }
        branches.push(Branch {
            name: section.name,
            weight: section.weight,
            draws,
            steps,
        });
    }
    Ok(branches)
}
