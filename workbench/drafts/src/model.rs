//! A workload while a draft is built. Its texts are templates of the workload language:
//! `${variable}`, `${uuid()}`, `${time()}`.

use std::collections::BTreeMap;

/// A pause before a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Think {
    pub(crate) constant_ms: u64,
    pub(crate) uniform_ms: u64,
}

impl Think {
    pub(crate) fn plus(self, other: Think) -> Think {
        Think {
            constant_ms: self.constant_ms.saturating_add(other.constant_ms),
            uniform_ms: self.uniform_ms.saturating_add(other.uniform_ms),
        }
    }
}

/// A condition on a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expect {
    Present(String),
    Absent(String),
    WholeNumber(String),
    Status(u16),
    Contains(String),
    Lacks(String),
}

/// The source of an extracted value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ValueSource {
    Json(String),
    Header(String),
}

/// A variable extracted from a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Extract {
    pub(crate) variable: String,
    pub(crate) from: ValueSource,
    pub(crate) random: bool,
    pub(crate) default: String,
}

/// One request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Call {
    pub(crate) label: String,
    pub(crate) method: String,
    /// Path and query, unencoded.
    pub(crate) target: String,
    /// Names differ, ignoring case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Option<String>,
    pub(crate) think: Think,
    pub(crate) expect: Vec<Expect>,
    pub(crate) extract: Vec<Extract>,
    /// The line in the plan; 0 for none.
    pub(crate) line: usize,
}

impl PartialEq for Call {
    /// Equal when the same is sent and checked, whatever the line.
    fn eq(&self, other: &Call) -> bool {
        self.label == other.label
            && self.method == other.method
            && self.target == other.target
            && self.headers == other.headers
            && self.body == other.body
            && self.think == other.think
            && self.expect == other.expect
            && self.extract == other.extract
    }
}

impl Call {
    /// All texts that may contain variables.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let values = self.headers.iter().map(|(_, value)| value.as_str());
        std::iter::once(self.target.as_str())
            .chain(values)
            .chain(self.body.as_deref())
    }

    /// The same, mutable.
    pub(crate) fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let values = self.headers.iter_mut().map(|(_, value)| value);
        std::iter::once(&mut self.target)
            .chain(values)
            .chain(&mut self.body)
    }
}

/// A named sequence of requests.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Transaction {
    pub(crate) name: String,
    pub(crate) summed: bool,
    pub(crate) calls: Vec<Call>,
}

/// An alternative of an iteration.
#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub(crate) name: String,
    pub(crate) weight: u32,
    pub(crate) draws: Vec<String>,
    pub(crate) steps: Vec<String>,
}

/// A source of rows.
#[derive(Debug, Clone)]
pub(crate) struct Feeder {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    pub(crate) shared: bool,
    /// The plan's name of the file.
    pub(crate) file: String,
    pub(crate) line: usize,
}

/// The whole workload.
#[derive(Debug, Default)]
pub(crate) struct Workload {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) continues_after_error: bool,
    /// Known values of variables; only those in use are written.
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) login: Option<Call>,
    pub(crate) feeders: Vec<Feeder>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) transactions: Vec<Transaction>,
}

impl Workload {
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Call> {
        let steps = self.transactions.iter().flat_map(|one| &one.calls);
        self.login.iter().chain(steps)
    }

    pub(crate) fn calls_mut(&mut self) -> impl Iterator<Item = &mut Call> {
        let steps = self.transactions.iter_mut().flat_map(|one| &mut one.calls);
        self.login.iter_mut().chain(steps)
    }
}
