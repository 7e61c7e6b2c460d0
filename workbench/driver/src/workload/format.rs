//! The workload file as serde reads it: names and shapes only, no meaning. What the fields mean to
//! the driver is decided in `compile`; what they mean to an author is told in `workloads/README.md`.

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
    /// What is imitated and where its facts come from.
    #[serde(default)]
    pub description: String,
    /// What a virtual user does after a failed request.
    #[serde(default)]
    pub on_error: OnError,
    /// Variables with a fixed first value.
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
    /// Other workloads whose branches are taken.
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
    /// The iteration ends there and the next one starts (JMeter's "start next thread loop").
    #[default]
    NextIteration,
    /// The iteration goes on with the next request.
    Continue,
}

/// One alternative of an iteration.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchSection {
    /// The name used in reports and notes.
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
    /// Transactions that each virtual user runs once, before it takes the branch for the first time.
    #[serde(default)]
    pub setup: Vec<Spanned<String>>,
    /// Transactions that each virtual user who ran the set-up runs when the run is over.
    #[serde(default)]
    pub teardown: Vec<Spanned<String>>,
}

/// Virtual users who take some of the branches only.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupSection {
    /// The name by which branches name it.
    pub name: Spanned<String>,
    /// How many.
    pub virtual_users: Spanned<usize>,
    /// Iterations that are due a minute, of all of them together.
    pub per_minute: Option<Spanned<f64>>,
    /// Requests that are due a minute, of all of them together.
    pub requests_per_minute: Option<Spanned<f64>>,
}

/// Another workload, all or some of whose branches are taken.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IncludeSection {
    /// A built-in workload's name, or a path that begins at the folder of this file.
    pub workload: Spanned<String>,
    /// The branches to take; all of them when left out.
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
    /// Its name here, when it has another one.
    #[serde(rename = "as")]
    pub called: Option<String>,
    /// Its weight here, when it has another one.
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
    /// False for requests that a plan keeps outside any transaction: then only they are reported.
    #[serde(default = "yes")]
    pub summed: bool,
    /// Run only if this holds when its turn comes.
    pub when: Option<Spanned<WhenSection>>,
    /// Headers of these requests, over those of the workload.
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
    /// Headers of this request, over those of the transaction and the workload.
    #[serde(default)]
    pub headers: Headers,
    /// The body template.
    pub body: Option<Spanned<String>>,
    /// A file whose bytes are the body; its path begins at the folder of the workload file.
    pub body_file: Option<Spanned<String>>,
    /// MARC records made up for the body.
    pub body_marc: Option<Spanned<MarcSection>>,
    /// A pause before the request, never part of a measured time.
    #[serde(default)]
    pub think: ThinkSection,
    /// Conditions on the answer besides a status below 400.
    #[serde(default)]
    pub expect: Vec<Spanned<ExpectSection>>,
    /// Variables taken from the answer.
    #[serde(default)]
    pub extract: Vec<Spanned<ExtractSection>>,
    /// After success, the row drawn from one feeder goes back into another.
    pub moves: Option<MoveSection>,
    /// After success, the variables' values become a row of this feeder.
    pub fills: Option<Spanned<String>>,
    /// Sent again until something is so.
    pub repeat: Option<Spanned<RepeatSection>>,
}

/// A condition on a variable; exactly one of `is` and `is_not` must be given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhenSection {
    /// The variable.
    pub variable: String,
    /// The text that it must be.
    pub is: Option<String>,
    /// The text that it must not be.
    pub is_not: Option<String>,
}

/// MARC records that are made up for a body, in ISO 2709.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarcSection {
    /// How many.
    pub records: usize,
    /// The fields of each: tag, a blank, and the data (`001 oct${letters(8)}`) or both indicators
    /// and the subfields (`245 10$aA title$cA. Author`).
    pub fields: Vec<Spanned<String>>,
}

/// A request that is sent again and again until something is so.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatSection {
    /// What must be so of its answer.
    pub until: Spanned<ExpectSection>,
    /// How many requests are sent again: this one and those just before it.
    #[serde(default = "one")]
    pub requests: u32,
    /// The pause before it is sent again, which is always made.
    pub every_ms: u32,
    /// How often it is sent at most; after that it has failed.
    pub at_most: u32,
}

/// A pause: constant part plus a uniformly distributed part.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThinkSection {
    /// Milliseconds that are always waited.
    #[serde(default)]
    pub constant_ms: u32,
    /// Milliseconds of which a uniformly distributed part is waited in addition.
    #[serde(default)]
    pub uniform_ms: u32,
}

/// One condition on an answer; exactly one of the subjects must be given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectSection {
    /// A JSONPath into the body, judged by `is`, `equals` or `one_of`.
    pub json: Option<String>,
    /// A header's name in any case, judged by `is`, `equals` or `one_of`.
    pub header: Option<String>,
    /// How the value must be; "present" when nothing else is given.
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
    /// The only right one.
    One(u16),
    /// Each of them is right.
    Several(Vec<u16>),
}

/// How a value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueIs {
    /// There is at least one.
    Present,
    /// There is none.
    Absent,
    /// It is a number of decimal digits only.
    WholeNumber,
}

/// One variable taken from an answer; exactly one of `json`, `header` and `cookie` must be given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractSection {
    /// The variable to set.
    pub variable: String,
    /// A JSONPath into the body.
    pub json: Option<String>,
    /// A response header's name, in any case.
    pub header: Option<String>,
    /// The name of a cookie that the answer sets.
    pub cookie: Option<String>,
    /// Members of the JSON object found that get another value, by their dotted names.
    #[serde(default)]
    pub change: BTreeMap<String, String>,
    /// Which of several matches is taken.
    #[serde(default, rename = "match")]
    pub pick: Pick,
    /// The value when nothing matches; without it the variable becomes empty.
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

/// Where a drawn row goes once the request has succeeded.
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
    /// The name, also that of its command line option.
    pub name: Spanned<String>,
    /// The variables that a row sets, in the order of the CSV's columns.
    pub columns: Vec<String>,
    /// Whether several virtual users may hold one row at a time.
    #[serde(default)]
    pub rows: Sharing,
    /// Makes one row of several.
    pub together: Option<Spanned<Together>>,
    /// Has no rows at first: requests fill it.
    #[serde(default)]
    pub starts_empty: bool,
    /// How to fill it from the tenant when no CSV file is given.
    pub tenant: Option<TenantSection>,
}

/// Several rows of a source as one, each column's values in one text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    /// How many.
    pub rows: usize,
    /// What stands between the values.
    pub between: String,
}

/// Whether a row may be held by several virtual users at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// A row belongs to one virtual user until its iteration ends.
    #[default]
    Exclusive,
    /// Rows are handed out in turn to whoever asks.
    Shared,
}

/// How a feeder is filled over the tenant's own API before the measurement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TenantSection {
    /// The list to read, unencoded, without `limit` and `offset`.
    pub path: Spanned<String>,
    /// The property of the answer that holds the records.
    pub collection: String,
    /// Where in a record each column's value is found; records without one of them are left out.
    pub columns: BTreeMap<String, Spanned<String>>,
    /// Left out are records without a value at one of these paths.
    #[serde(default)]
    pub requires: Vec<Spanned<String>>,
    /// Left out are records whose date at this path has passed.
    pub not_past: Option<Spanned<String>>,
    /// Columns that must be read from a second list.
    pub lookup: Option<LookupSection>,
    /// The most rows to read.
    #[serde(default = "default_cap")]
    pub at_most: usize,
}

fn default_cap() -> usize {
    20_000
}

/// A second list that completes the rows of the first.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookupSection {
    /// The column whose values are looked up.
    pub by: Spanned<String>,
    /// The list to read; `${keys}` becomes the values joined by ` or `.
    pub path: Spanned<String>,
    /// The property of the answer that holds the records.
    pub collection: String,
    /// Where in a looked-up record the value of `by` stands.
    pub key: Spanned<String>,
    /// The columns that the looked-up record gives.
    pub columns: BTreeMap<String, Spanned<String>>,
}
