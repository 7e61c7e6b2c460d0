//! The workload file as serde types: names and shapes only. `compile` decides their meaning for the
//! driver; `workloads/README.md` explains it to authors.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// A whole workload file, format 1.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadSection {
    /// The version of this format; 1 is the only one so far.
    pub format: Spanned<u32>,
    /// The name used on the command line and in reports.
    pub name: String,
    /// One line for lists of workloads.
    pub title: String,
    /// What is simulated, and the sources of its facts.
    #[serde(default)]
    pub description: String,
    /// What a virtual user does after a failed request.
    #[serde(default)]
    pub on_error: OnError,
    /// Variables with a fixed initial value.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    /// Headers of every request.
    #[serde(default)]
    pub headers: Headers,
    /// Sent once by every virtual user before its first iteration.
    pub login: Option<RequestSection>,
    /// Where rows of test data come from.
    #[serde(default, rename = "feeder")]
    pub feeders: Vec<FeederSection>,
    /// Virtual users who do one part of the work, with a rate of its own.
    #[serde(default, rename = "group")]
    pub groups: Vec<GroupSection>,
    /// Included workloads.
    #[serde(default, rename = "include")]
    pub includes: Vec<IncludeSection>,
    /// The alternatives of an iteration.
    #[serde(default, rename = "branch")]
    pub branches: Vec<BranchSection>,
    /// Named sequences of requests.
    #[serde(default, rename = "transaction")]
    pub transactions: Vec<TransactionSection>,
}

/// Header names with their value templates.
pub type Headers = BTreeMap<String, Spanned<String>>;

/// What follows a failed request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnError {
    /// The iteration ends and the next one starts (JMeter's "start next thread loop").
    #[default]
    NextIteration,
    /// The iteration continues with the next request.
    Continue,
}

/// One alternative of an iteration.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchSection {
    pub name: Spanned<String>,
    /// The share of iterations, relative to the other branches' weights (of its group).
    #[serde(default = "one")]
    pub weight: u32,
    /// The group whose users take it.
    pub group: Option<Spanned<String>>,
    /// The feeders from which an iteration takes one row each before it starts.
    #[serde(default)]
    pub draws: Vec<Spanned<String>>,
    /// The transactions to run, in order, by name.
    pub steps: Vec<Spanned<String>>,
    /// Transactions that each virtual user runs once, before its first iteration of the branch.
    #[serde(default)]
    pub setup: Vec<Spanned<String>>,
    /// Transactions that each virtual user who ran the set-up runs at the end of the run.
    #[serde(default)]
    pub teardown: Vec<Spanned<String>>,
}

/// Virtual users who take only some of the branches.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupSection {
    pub name: Spanned<String>,
    pub virtual_users: Spanned<usize>,
    /// Iterations due a minute, of all users together.
    pub per_minute: Option<Spanned<f64>>,
    /// Requests due a minute, of all users together.
    pub requests_per_minute: Option<Spanned<f64>>,
}

/// An included workload, with all or some of its branches.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IncludeSection {
    /// A built-in workload's name, or a path relative to the folder of this file.
    pub workload: Spanned<String>,
    /// The branches to take; all of them by default.
    pub branches: Option<Vec<TakenSection>>,
    /// The group of the branches that name none.
    pub group: Option<Spanned<String>>,
}

/// A branch of an included workload.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakenSection {
    /// Its name there.
    pub name: Spanned<String>,
    /// Its name here, if different.
    #[serde(rename = "as")]
    pub called: Option<String>,
    /// Its weight here, if different.
    pub weight: Option<u32>,
    /// Its group here.
    pub group: Option<Spanned<String>>,
}

fn one() -> u32 {
    1
}

/// A named sequence of requests whose times are added up.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransactionSection {
    /// The label of the transaction in reports and JTL files.
    pub name: Spanned<String>,
    /// False for requests outside of any transaction in the plan: then only they are reported.
    #[serde(default = "yes")]
    pub summed: bool,
    /// Run only if this holds when its turn comes.
    pub when: Option<Spanned<WhenSection>>,
    /// Headers of these requests, overriding those of the workload.
    #[serde(default)]
    pub headers: Headers,
    /// The requests in order.
    #[serde(rename = "request")]
    pub requests: Vec<RequestSection>,
}

fn yes() -> bool {
    true
}

/// One request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestSection {
    /// The label in reports; requests with equal labels are counted together.
    pub label: String,
    /// Sent only if this holds.
    pub when: Option<Spanned<WhenSection>>,
    /// Variables set before it is sent.
    #[serde(default)]
    pub set: BTreeMap<String, Spanned<String>>,
    /// Method and target, unencoded: `GET /users?query=barcode=="${barcode}"&limit=1`.
    pub send: Spanned<String>,
    /// Headers of this request, overriding those of the transaction and the workload.
    #[serde(default)]
    pub headers: Headers,
    /// The body template.
    pub body: Option<Spanned<String>>,
    /// A file whose bytes are the body; its path is relative to the folder of the workload file.
    pub body_file: Option<Spanned<String>>,
    /// MARC records generated for the body.
    pub body_marc: Option<Spanned<MarcSection>>,
    /// A pause before the request, never part of a measured time.
    #[serde(default)]
    pub think: ThinkSection,
    /// Conditions on the response in addition to a status below 400.
    #[serde(default)]
    pub expect: Vec<Spanned<ExpectSection>>,
    /// Variables extracted from the response.
    #[serde(default)]
    pub extract: Vec<Spanned<ExtractSection>>,
    /// After success, the row drawn from one feeder moves to another.
    pub moves: Option<MoveSection>,
    /// After success, the variables' values become a row of this feeder.
    pub fills: Option<Spanned<String>>,
    /// The request is repeated until a condition holds.
    pub repeat: Option<Spanned<RepeatSection>>,
}

/// A condition on a variable; exactly one of `is` and `is_not` must be given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhenSection {
    pub variable: String,
    /// The text that it must be.
    pub is: Option<String>,
    /// The text that it must not be.
    pub is_not: Option<String>,
}

/// MARC records that are generated for a body, in ISO 2709.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarcSection {
    pub records: usize,
    /// The fields of each: tag, a blank, and the data (`001 oct${letters(8)}`) or both indicators
    /// and the subfields (`245 10$aA title$cA. Author`).
    pub fields: Vec<Spanned<String>>,
}

/// Repeats a request until a condition holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatSection {
    /// The condition on its response.
    pub until: Spanned<ExpectSection>,
    /// How many requests are repeated: this one and those just before it.
    #[serde(default = "one")]
    pub requests: u32,
    /// The pause before a repetition, which is never skipped.
    pub every_ms: u32,
    /// The most attempts; after that the request has failed.
    pub at_most: u32,
}

/// A pause: constant part plus a uniformly distributed part.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThinkSection {
    /// Milliseconds that are always waited.
    #[serde(default)]
    pub constant_ms: u32,
    /// The upper bound of a uniformly distributed additional wait, in milliseconds.
    #[serde(default)]
    pub uniform_ms: u32,
}

/// One condition on a response; exactly one of the subjects must be given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectSection {
    /// A JSONPath into the body, checked by `is`, `equals` or `one_of`.
    pub json: Option<String>,
    /// A header's name ignoring case, checked by `is`, `equals` or `one_of`.
    pub header: Option<String>,
    /// The expected kind of value; "present" when nothing else is given.
    pub is: Option<ValueIs>,
    /// The text that the value must be.
    pub equals: Option<String>,
    /// The texts of which the value must be one.
    pub one_of: Option<Vec<String>>,
    /// The exact status code, or several of which it must be one.
    pub status: Option<Statuses>,
    /// Text that the body must contain.
    pub body_contains: Option<String>,
    /// Text that the body must not contain.
    pub body_lacks: Option<String>,
}

/// One status code or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Statuses {
    One(u16),
    /// Any of these.
    Several(Vec<u16>),
}

/// The expected kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueIs {
    Present,
    Absent,
    /// Decimal digits only.
    WholeNumber,
}

/// One variable extracted from a response; exactly one of `json`, `header` and `cookie` must be
/// given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractSection {
    pub variable: String,
    /// A JSONPath into the body.
    pub json: Option<String>,
    /// A response header's name, ignoring case.
    pub header: Option<String>,
    /// The name of a cookie that the response sets.
    pub cookie: Option<String>,
    /// Members of the extracted JSON object that get another value, by their dotted names.
    #[serde(default)]
    pub change: BTreeMap<String, String>,
    /// Which of several matches is taken.
    #[serde(default, rename = "match")]
    pub pick: Pick,
    /// The value without a match; by default empty.
    #[serde(default)]
    pub default: String,
}

/// Which of several matches is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    /// The first in document order.
    #[default]
    First,
    /// Any, each with the same probability.
    Random,
}

/// The feeder that receives a drawn row once the request has succeeded.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveSection {
    /// The feeder from which the row was drawn.
    pub from: Spanned<String>,
    /// The feeder that receives it when the iteration ends.
    pub to: Spanned<String>,
}

/// A source of rows of test data.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeederSection {
    /// Its name, and that of its command line option.
    pub name: Spanned<String>,
    /// The variables that a row sets, in the order of the CSV's columns.
    pub columns: Vec<String>,
    /// Whether several virtual users may hold one row at a time.
    #[serde(default)]
    pub rows: Sharing,
    /// Joins several rows into one.
    pub together: Option<Spanned<Together>>,
    /// Whether it has no rows at first: requests fill it.
    #[serde(default)]
    pub starts_empty: bool,
    /// How to fill it from the tenant without a CSV file.
    pub tenant: Option<TenantSection>,
}

/// Joins several rows of a source into one, each column's values in one text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    pub rows: usize,
    /// The separator between the values.
    pub between: String,
}

/// Whether a row may be held by several virtual users at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// A row belongs to one virtual user until its iteration ends.
    #[default]
    Exclusive,
    /// Rows are handed out in turn to all users.
    Shared,
}

/// How a feeder is filled over the tenant's API before the measurement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TenantSection {
    /// The list to read, unencoded, without `limit` and `offset`.
    pub path: Spanned<String>,
    /// The property of the response that holds the records.
    pub collection: String,
    /// The path of each column's value in a record; records without one of them are left out.
    pub columns: BTreeMap<String, Spanned<String>>,
    /// Records without a value at one of these paths are left out.
    #[serde(default)]
    pub requires: Vec<Spanned<String>>,
    /// Records whose date at this path has passed are left out.
    pub not_past: Option<Spanned<String>>,
    /// Columns from a second list.
    pub lookup: Option<LookupSection>,
    /// The most rows to read.
    #[serde(default = "default_cap")]
    pub at_most: usize,
}

fn default_cap() -> usize {
    20_000
}

/// A second list with further columns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookupSection {
    /// The column whose values are looked up.
    pub by: Spanned<String>,
    /// The list to read; `${keys}` becomes the values joined by ` or `.
    pub path: Spanned<String>,
    /// The property of the response that holds the records.
    pub collection: String,
    /// The path of the value of `by` in a record of the second list.
    pub key: Spanned<String>,
    /// The columns from the second list.
    pub columns: BTreeMap<String, Spanned<String>>,
}
