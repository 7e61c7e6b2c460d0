//! The parts of a workload file that a JMeter plan can express; anything else is refused.

use std::collections::BTreeMap;

use serde::Deserialize;

pub(super) type Headers = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Workload {
    pub(super) format: u32,
    pub(super) name: String,
    pub(super) title: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) on_error: OnError,
    #[serde(default)]
    pub(super) variables: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) headers: Headers,
    pub(super) login: Option<Request>,
    #[serde(default)]
    pub(super) feeder: Vec<Feeder>,
    pub(super) branch: Vec<Branch>,
    pub(super) transaction: Vec<Transaction>,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum OnError {
    #[default]
    NextIteration,
    Continue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Feeder {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    #[serde(default)]
    pub(super) rows: Sharing,
    #[serde(rename = "tenant")]
    _tenant: Option<toml::Value>,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sharing {
    #[default]
    Exclusive,
    Shared,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Branch {
    pub(super) name: String,
    #[serde(default = "one")]
    pub(super) weight: u32,
    #[serde(default)]
    pub(super) draws: Vec<String>,
    pub(super) steps: Vec<String>,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Transaction {
    pub(super) name: String,
    #[serde(default = "yes")]
    pub(super) summed: bool,
    #[serde(default)]
    pub(super) headers: Headers,
    pub(super) request: Vec<Request>,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) label: String,
    pub(super) send: String,
    #[serde(default)]
    pub(super) headers: Headers,
    pub(super) body: Option<String>,
    #[serde(default)]
    pub(super) think: Think,
    #[serde(default)]
    pub(super) expect: Vec<Expect>,
    #[serde(default)]
    pub(super) extract: Vec<Extract>,
    #[serde(rename = "moves")]
    _moves: Option<toml::Value>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Think {
    pub(super) constant_ms: u32,
    pub(super) uniform_ms: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    pub(super) json: Option<String>,
    pub(super) is: Option<String>,
    pub(super) status: Option<u16>,
    pub(super) body_contains: Option<String>,
    pub(super) body_lacks: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Extract {
    pub(super) variable: String,
    pub(super) json: Option<String>,
    pub(super) header: Option<String>,
    #[serde(rename = "match")]
    pub(super) pick: Option<String>,
    #[serde(default)]
    pub(super) default: String,
}

impl Workload {
    pub(super) fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.branch.iter().filter(|branch| branch.weight > 0)
    }
}
