//! A compiled workload: names resolved to numbers, templates and paths parsed. Immutable and
//! shared by all virtual users.

use std::time::Duration;

use rand::Rng;
use rand::rngs::SmallRng;

use super::check::{Check, Extract};
use super::format::{OnError, Sharing, Together};
use super::json_path::JsonPath;
use super::template::Template;
use super::variables::Names;

/// A workload ready to run.
#[derive(Debug, Clone)]
pub struct Workload {
    /// The name used on the command line and in reports.
    pub name: String,
    /// One line saying what it imitates.
    pub title: String,
    /// What is imitated and where its facts come from.
    pub description: String,
    /// What follows a failed request.
    pub on_error: OnError,
    /// The variables and where they are set.
    pub names: Names,
    /// The variables that the driver itself sets.
    pub inputs: Inputs,
    /// Variables with a fixed first value.
    pub initial: Vec<(usize, String)>,
    /// What each virtual user sends first.
    pub login: Option<Request>,
    /// The sources of test data.
    pub feeders: Vec<FeederSpec>,
    /// The alternatives of an iteration; never empty.
    pub branches: Vec<Branch>,
    /// The sequences of requests.
    pub transactions: Vec<Transaction>,
}

/// Slots of the variables that the driver sets from its own options.
#[derive(Debug, Clone, Copy)]
pub struct Inputs {
    /// `${host}`: host and port of the server.
    pub host: usize,
    /// `${prefix}`: the path part of the server's address, mostly empty.
    pub prefix: usize,
    /// `${tenant}`
    pub tenant: usize,
    /// `${username}`
    pub username: usize,
    /// `${password}`
    pub password: usize,
}

/// One alternative of an iteration.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The name used in reports and notes.
    pub name: String,
    /// The share of iterations, relative to the other branches' weights.
    pub weight: u32,
    /// Feeders, by number.
    pub draws: Vec<usize>,
    /// Transactions, by number.
    pub steps: Vec<usize>,
}

/// A named sequence of requests.
#[derive(Debug, Clone)]
pub struct Transaction {
    /// The label.
    pub name: String,
    /// Whether the sum of its requests' times is itself a result.
    pub summed: bool,
    /// The requests in order.
    pub requests: Vec<Request>,
}

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The label; requests of one transaction with equal labels are counted together.
    pub label: String,
    /// The method in capitals.
    pub method: String,
    /// Request line and headers up to, but not including, the blank line.
    pub head: Template,
    /// The body; its length header is made when it is rendered.
    pub body: Option<Template>,
    /// The pause before.
    pub think: Think,
    /// Conditions on the answer.
    pub checks: Vec<Check>,
    /// Variables taken from the answer.
    pub extracts: Vec<Extract>,
    /// Where a drawn row goes after success.
    pub moves: Option<Move>,
}

impl Request {
    /// Whether a server may safely receive this request twice.
    pub fn is_repeatable(&self) -> bool {
        self.method != "POST" && self.method != "PATCH"
    }
}

/// A pause: a constant part and a uniformly distributed part, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Think {
    /// Always waited.
    pub constant_ms: u32,
    /// The upper end of what is waited in addition.
    pub uniform_ms: u32,
}

impl Think {
    /// One pause; `None` when the request has none.
    pub fn pause(self, random: &mut SmallRng) -> Option<Duration> {
        if self.constant_ms == 0 && self.uniform_ms == 0 {
            return None;
        }
        let uniform_us = random.random_range(0..=u64::from(self.uniform_ms) * 1000);
        Some(Duration::from_micros(
            u64::from(self.constant_ms) * 1000 + uniform_us,
        ))
    }
}

/// A row drawn from `from` is put back into `to`.
#[derive(Debug, Clone, Copy)]
pub struct Move {
    /// Feeder number.
    pub from: usize,
    /// Feeder number.
    pub to: usize,
}

/// A source of rows.
#[derive(Debug, Clone)]
pub struct FeederSpec {
    /// The name, also that of its command line option.
    pub name: String,
    /// The columns' names.
    pub columns: Vec<String>,
    /// The variables that a row sets, one a column.
    pub slots: Vec<usize>,
    /// Whether several virtual users may hold one row.
    pub sharing: Sharing,
    /// Makes one row of several.
    pub together: Option<Together>,
    /// How to fill it from the tenant.
    pub tenant: Option<TenantSource>,
}

/// A list of the tenant's API that gives rows.
#[derive(Debug, Clone)]
pub struct TenantSource {
    /// Encoded path and query, without `limit` and `offset`.
    pub target: String,
    /// The property that holds the records.
    pub collection: String,
    /// Column number and the path of its value in a record.
    pub columns: Vec<(usize, JsonPath)>,
    /// Records without a value at one of these are left out.
    pub requires: Vec<JsonPath>,
    /// Records whose date here has passed are left out.
    pub not_past: Option<JsonPath>,
    /// Columns from a second list.
    pub lookup: Option<Lookup>,
    /// The most rows to read.
    pub at_most: usize,
}

/// A second list that completes rows.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// The column number whose values are looked up.
    pub by: usize,
    /// Unencoded path and query with `${keys}`.
    pub path: String,
    /// The property that holds the records.
    pub collection: String,
    /// Where the looked-up value stands in a record.
    pub key: JsonPath,
    /// Column number and the path of its value.
    pub columns: Vec<(usize, JsonPath)>,
}
