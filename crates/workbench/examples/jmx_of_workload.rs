//! Writes a workload as a JMeter plan, so that JMeter can do the very same (perf/agreement,
//! perf/generator): paths, headers, bodies, pauses, assertions, extractions, feeders, branches.
//!
//! ```text
//! cargo run --release --package octavo-workbench --example jmx_of_workload -- \
//!     workloads/check-in-check-out.toml --feeder users=users.csv … > plan.jmx
//! ```
//!
//! All elements are JMeter's own; a workload that uses what is not known here is refused. Run the plan
//! with `-Duser.timezone=UTC`. Two things JMeter cannot do: rows of an exclusive feeder do not go round
//! (a user without a row ends), and branches are controllers by percentage, so that an iteration may
//! hold none or several of them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;
use serde::Deserialize;

/// Write a workload as a JMeter plan.
#[derive(Parser)]
struct Arguments {
    /// The workload's file
    workload: PathBuf,
    #[arg(long, default_value = "http://127.0.0.1:9130")]
    url: String,
    #[arg(long, default_value = "diku")]
    tenant: String,
    #[arg(long, default_value = "diku_admin")]
    user: String,
    #[arg(long, default_value = "admin")]
    password: String,
    #[arg(long, default_value_t = 8)]
    virtual_users: u32,
    /// Seconds
    #[arg(long, default_value_t = 1)]
    ramp_up: u32,
    /// Seconds
    #[arg(long, default_value_t = 60)]
    duration: u32,
    /// Leave the pauses out
    #[arg(long)]
    no_pauses: bool,
    /// A feeder's CSV file, with a header line: NAME=FILE
    #[arg(long)]
    feeder: Vec<String>,
}

type Headers = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Workload {
    format: u32,
    name: String,
    title: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    on_error: OnError,
    #[serde(default)]
    variables: BTreeMap<String, String>,
    #[serde(default)]
    headers: Headers,
    login: Option<Request>,
    #[serde(default)]
    feeder: Vec<Feeder>,
    branch: Vec<Branch>,
    transaction: Vec<Transaction>,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum OnError {
    #[default]
    NextIteration,
    Continue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Feeder {
    name: String,
    columns: Vec<String>,
    #[serde(default)]
    rows: Sharing,
    #[serde(rename = "tenant")]
    _tenant: Option<toml::Value>,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Sharing {
    #[default]
    Exclusive,
    Shared,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Branch {
    name: String,
    #[serde(default = "one")]
    weight: u32,
    #[serde(default)]
    draws: Vec<String>,
    steps: Vec<String>,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Transaction {
    name: String,
    #[serde(default = "yes")]
    summed: bool,
    #[serde(default)]
    headers: Headers,
    request: Vec<Request>,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    label: String,
    send: String,
    #[serde(default)]
    headers: Headers,
    body: Option<String>,
    #[serde(default)]
    think: Think,
    #[serde(default)]
    expect: Vec<Expect>,
    #[serde(default)]
    extract: Vec<Extract>,
    #[serde(rename = "moves")]
    _moves: Option<toml::Value>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Think {
    constant_ms: u32,
    uniform_ms: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    json: Option<String>,
    is: Option<String>,
    status: Option<u16>,
    body_contains: Option<String>,
    body_lacks: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Extract {
    variable: String,
    json: Option<String>,
    header: Option<String>,
    #[serde(rename = "match")]
    pick: Option<String>,
    #[serde(default)]
    default: String,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let text = std::fs::read_to_string(&arguments.workload)
        .with_context(|| format!("cannot read {}", arguments.workload.display()))?;
    let workload: Workload = toml::from_str(&text)
        .with_context(|| format!("{} cannot be told to JMeter", arguments.workload.display()))?;
    let mut plan = Plan::default();
    plan.out.push_str(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <jmeterTestPlan version=\"1.2\" properties=\"5.0\" jmeter=\"5.6.3\">\n<hashTree>\n",
    );
    plan.workload(&workload, &arguments)?;
    plan.out.push_str("</hashTree>\n</jmeterTestPlan>\n");
    print!("{}", plan.out);
    Ok(())
}

/// The plan as far as it is written.
#[derive(Default)]
struct Plan {
    out: String,
}

impl Plan {
    /// An element with its properties and the tree below it.
    fn element(
        &mut self,
        [class, gui, name]: [&str; 3],
        properties: &[String],
        below: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let name = escaped(name);
        writeln!(
            self.out,
            "<{class} guiclass=\"{gui}\" testclass=\"{class}\" testname=\"{name}\">"
        )?;
        for property in properties {
            writeln!(self.out, "{property}")?;
        }
        writeln!(self.out, "</{class}>\n<hashTree>")?;
        below(self)?;
        writeln!(self.out, "</hashTree>")?;
        Ok(())
    }

    fn leaf(&mut self, element: [&str; 3], properties: &[String]) -> Result<()> {
        self.element(element, properties, |_| Ok(()))
    }

    fn workload(&mut self, workload: &Workload, arguments: &Arguments) -> Result<()> {
        if workload.format != 1 {
            bail!("format 1 is known here, not {}", workload.format);
        }
        let about = format!("{}\n{}", workload.title, workload.description);
        let properties = [
            text("TestPlan.comments", &about),
            text("TestPlan.functional_mode", "false"),
            variables(workload, arguments),
        ];
        let name = ["TestPlan", "TestPlanGui", &workload.name];
        self.element(name, &properties, |plan| {
            plan.defaults(arguments)?;
            plan.users(workload, arguments)
        })
    }

    fn defaults(&mut self, arguments: &Arguments) -> Result<()> {
        let (scheme, rest) = arguments
            .url
            .split_once("://")
            .context("--url is http://host:port")?;
        let (host, port) = rest.split_once(':').unwrap_or((rest, ""));
        self.leaf(
            ["ConfigTestElement", "HttpDefaultsGui", "Server"],
            &[
                text("HTTPSampler.protocol", scheme),
                text("HTTPSampler.domain", host),
                text("HTTPSampler.port", port),
                text("HTTPSampler.implementation", "HttpClient4"),
                list(
                    "HTTPsampler.Arguments",
                    "Arguments",
                    "Arguments.arguments",
                    "",
                ),
            ],
        )
    }

    fn users(&mut self, workload: &Workload, arguments: &Arguments) -> Result<()> {
        let on_error = match workload.on_error {
            OnError::NextIteration => "startnextloop",
            OnError::Continue => "continue",
        };
        let forever = "<elementProp name=\"ThreadGroup.main_controller\" elementType=\"LoopController\">\
             <boolProp name=\"LoopController.continue_forever\">false</boolProp>\
             <intProp name=\"LoopController.loops\">-1</intProp></elementProp>";
        let properties = [
            text("ThreadGroup.on_sample_error", on_error),
            forever.to_owned(),
            text(
                "ThreadGroup.num_threads",
                &arguments.virtual_users.to_string(),
            ),
            text("ThreadGroup.ramp_time", &arguments.ramp_up.to_string()),
            flag("ThreadGroup.scheduler", true),
            text("ThreadGroup.duration", &arguments.duration.to_string()),
            text("ThreadGroup.delay", ""),
            // Keeps the connection from one iteration to the next, as browsers do.
            flag("ThreadGroup.same_user_on_next_iteration", true),
        ];
        let group = ["ThreadGroup", "ThreadGroupGui", "User-flow"];
        self.element(group, &properties, |plan| {
            if let Some(login) = &workload.login {
                let once = ["OnceOnlyController", "OnceOnlyControllerGui", "Login"];
                plan.element(once, &[], |plan| {
                    plan.request(login, &[&workload.headers], arguments)
                })?;
            }
            let total: u32 = workload.branches().map(|branch| branch.weight).sum();
            for branch in workload.branches() {
                plan.branch(branch, total, workload, arguments)?;
            }
            Ok(())
        })
    }

    fn branch(
        &mut self,
        branch: &Branch,
        total: u32,
        workload: &Workload,
        arguments: &Arguments,
    ) -> Result<()> {
        let percent = f64::from(branch.weight) * 100.0 / f64::from(total.max(1));
        let share = format!(
            "<FloatProperty><name>ThroughputController.percentThroughput</name>\
             <value>{percent:.4}</value><savedValue>0.0</savedValue></FloatProperty>"
        );
        let by_share = [
            "<intProp name=\"ThroughputController.style\">1</intProp>".to_owned(),
            flag("ThroughputController.perThread", false),
            "<intProp name=\"ThroughputController.maxThroughput\">1</intProp>".to_owned(),
            share,
        ];
        let below = |plan: &mut Self| {
            for name in &branch.draws {
                let mut feeders = workload.feeder.iter();
                let feeder = feeders.find(|feeder| feeder.name == *name);
                plan.feeder(feeder.context("a branch draws from no feeder")?, arguments)?;
            }
            for name in &branch.steps {
                let mut transactions = workload.transaction.iter();
                let found = transactions.find(|transaction| transaction.name == *name);
                let transaction = found.context("a branch steps to no transaction")?;
                plan.transaction(transaction, workload, arguments)?;
            }
            Ok(())
        };
        if branch.weight == total {
            let alone = ["GenericController", "LogicControllerGui", &branch.name];
            return self.element(alone, &[], below);
        }
        let controller = [
            "ThroughputController",
            "ThroughputControllerGui",
            &branch.name,
        ];
        self.element(controller, &by_share, below)
    }

    fn feeder(&mut self, feeder: &Feeder, arguments: &Arguments) -> Result<()> {
        let mut files = arguments.feeder.iter();
        let file = files.find_map(|given| {
            let (name, file) = given.split_once('=')?;
            (name == feeder.name).then_some(file)
        });
        let Some(file) = file else {
            bail!("give --feeder {}=FILE.csv", feeder.name);
        };
        let shared = feeder.rows == Sharing::Shared;
        self.leaf(
            ["CSVDataSet", "TestBeanGUI", &feeder.name],
            &[
                text("filename", file),
                text("fileEncoding", "UTF-8"),
                text("variableNames", &feeder.columns.join(",")),
                text("delimiter", ","),
                flag("ignoreFirstLine", true),
                flag("quotedData", true),
                flag("recycle", shared),
                flag("stopThread", !shared),
                text("shareMode", "shareMode.all"),
            ],
        )
    }

    fn transaction(
        &mut self,
        transaction: &Transaction,
        workload: &Workload,
        arguments: &Arguments,
    ) -> Result<()> {
        let requests = |plan: &mut Self| {
            for request in &transaction.request {
                plan.request(
                    request,
                    &[&workload.headers, &transaction.headers],
                    arguments,
                )?;
            }
            Ok(())
        };
        if !transaction.summed {
            let plain = ["GenericController", "LogicControllerGui", &transaction.name];
            return self.element(plain, &[], requests);
        }
        let controller = [
            "TransactionController",
            "TransactionControllerGui",
            &transaction.name,
        ];
        let properties = [
            flag("TransactionController.parent", false),
            flag("TransactionController.includeTimers", false),
        ];
        self.element(controller, &properties, requests)
    }

    fn request(
        &mut self,
        request: &Request,
        outer: &[&Headers],
        arguments: &Arguments,
    ) -> Result<()> {
        let (method, target) = request
            .send
            .split_once(' ')
            .context("`send` is METHOD /path")?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let with_query_in_path = request.body.is_some() && !query.is_empty();
        if with_query_in_path {
            bail!(
                "{}: a body and a query together are not known here",
                request.label
            );
        }
        let items = match &request.body {
            Some(body) => argument("", &in_jmeter(body)?, false, true),
            None => query
                .split('&')
                .filter(|part| !part.is_empty())
                .map(|part| {
                    let (name, value) = part.split_once('=').unwrap_or((part, ""));
                    let (name, value) = (in_jmeter(name)?, in_jmeter(value)?);
                    Ok(argument(&name, &value, true, part.contains('=')))
                })
                .collect::<Result<String>>()?,
        };
        let properties = [
            text("HTTPSampler.path", &in_jmeter(path)?),
            text("HTTPSampler.method", method),
            flag("HTTPSampler.follow_redirects", false),
            flag("HTTPSampler.auto_redirects", false),
            flag("HTTPSampler.use_keepalive", true),
            flag("HTTPSampler.postBodyRaw", request.body.is_some()),
            list(
                "HTTPsampler.Arguments",
                "Arguments",
                "Arguments.arguments",
                &items,
            ),
        ];
        let sampler = ["HTTPSamplerProxy", "HttpTestSampleGui", &request.label];
        self.element(sampler, &properties, |plan| {
            plan.headers(outer, &request.headers)?;
            if !arguments.no_pauses {
                plan.pause(&request.think)?;
            }
            for expect in &request.expect {
                plan.expect(expect)?;
            }
            for extract in &request.extract {
                plan.extract(extract)?;
            }
            Ok(())
        })
    }

    /// One manager with what holds for this request, which costs JMeter less than several.
    fn headers(&mut self, outer: &[&Headers], own: &Headers) -> Result<()> {
        let mut merged: BTreeMap<String, (&str, &str)> = BTreeMap::new();
        for (name, value) in outer.iter().copied().chain([own]).flatten() {
            merged.insert(name.to_lowercase(), (name, value));
        }
        let mut items = String::new();
        for (name, value) in merged.values() {
            write!(
                items,
                "<elementProp name=\"\" elementType=\"Header\">{}{}</elementProp>",
                text("Header.name", name),
                text("Header.value", &in_jmeter(value)?)
            )?;
        }
        let items =
            format!("<collectionProp name=\"HeaderManager.headers\">{items}</collectionProp>");
        self.leaf(["HeaderManager", "HeaderPanel", "Headers"], &[items])
    }

    fn pause(&mut self, think: &Think) -> Result<()> {
        if think.constant_ms == 0 && think.uniform_ms == 0 {
            return Ok(());
        }
        self.leaf(
            ["UniformRandomTimer", "UniformRandomTimerGui", "Pause"],
            &[
                text("ConstantTimer.delay", &think.constant_ms.to_string()),
                text("RandomTimer.range", &format!("{}.0", think.uniform_ms)),
            ],
        )
    }

    fn expect(&mut self, expect: &Expect) -> Result<()> {
        match expect {
            Expect {
                json: Some(path),
                is,
                ..
            } => {
                let (validated, inverted, value) = match is.as_deref() {
                    None | Some("present") => (false, false, ""),
                    Some("absent") => (false, true, ""),
                    Some("whole-number") => (true, false, "[0-9]+"),
                    Some(other) => bail!("`is = \"{other}\"` is not known here"),
                };
                self.leaf(
                    ["JSONPathAssertion", "JSONPathAssertionGui", "JSON"],
                    &[
                        text("JSON_PATH", path),
                        text("EXPECTED_VALUE", value),
                        flag("JSONVALIDATION", validated),
                        flag("EXPECT_NULL", false),
                        flag("INVERT", inverted),
                        flag("ISREGEX", true),
                    ],
                )
            }
            Expect {
                status: Some(status),
                ..
            } => self.response("response_code", 8, &status.to_string(), *status >= 400),
            Expect {
                body_contains: Some(wanted),
                ..
            } => self.response("response_data", 16, wanted, false),
            Expect {
                body_lacks: Some(unwanted),
                ..
            } => self.response("response_data", 16 | 4, unwanted, false),
            _ => bail!("an `expect` without a subject that is known here"),
        }
    }

    /// 8 is JMeter's "equals", 16 its "substring", 4 its "not".
    fn response(&mut self, field: &str, kind: u8, value: &str, error_wanted: bool) -> Result<()> {
        let strings = format!(
            "<collectionProp name=\"Asserion.test_strings\">{}</collectionProp>",
            text("0", value)
        );
        self.leaf(
            ["ResponseAssertion", "AssertionGui", "Response"],
            &[
                strings,
                text("Assertion.test_field", &format!("Assertion.{field}")),
                flag("Assertion.assume_success", error_wanted),
                format!("<intProp name=\"Assertion.test_type\">{kind}</intProp>"),
            ],
        )
    }

    fn extract(&mut self, extract: &Extract) -> Result<()> {
        let number = match extract.pick.as_deref() {
            None | Some("first") => "1",
            Some("random") => "0",
            Some(other) => bail!("`match = \"{other}\"` is not known here"),
        };
        match (&extract.json, &extract.header) {
            (Some(path), None) => self.leaf(
                [
                    "JSONPostProcessor",
                    "JSONPostProcessorGui",
                    &extract.variable,
                ],
                &[
                    text("JSONPostProcessor.referenceNames", &extract.variable),
                    text("JSONPostProcessor.jsonPathExprs", path),
                    text("JSONPostProcessor.match_numbers", number),
                    text("JSONPostProcessor.defaultValues", &extract.default),
                ],
            ),
            (None, Some(header)) => self.leaf(
                ["RegexExtractor", "RegexExtractorGui", &extract.variable],
                &[
                    text("RegexExtractor.useHeaders", "true"),
                    text("RegexExtractor.refname", &extract.variable),
                    text("RegexExtractor.regex", &header_pattern(header)),
                    text("RegexExtractor.template", "$1$"),
                    text("RegexExtractor.default", &extract.default),
                    text("RegexExtractor.match_number", number),
                ],
            ),
            _ => bail!("an `extract` needs either `json` or `header`"),
        }
    }
}

impl Workload {
    fn branches(&self) -> impl Iterator<Item = &Branch> {
        self.branch.iter().filter(|branch| branch.weight > 0)
    }
}

/// A header's line in any case of letters, with its value as the first group.
fn header_pattern(name: &str) -> String {
    let mut pattern = String::new();
    for letter in name.chars() {
        match letter.is_ascii_alphabetic() {
            true => {
                let (upper, lower) = (letter.to_ascii_uppercase(), letter.to_ascii_lowercase());
                pattern.extend(['[', upper, lower, ']']);
            }
            false => pattern.push(letter),
        }
    }
    pattern + ": *(\\S+)"
}

fn variables(workload: &Workload, arguments: &Arguments) -> String {
    let own = [
        ("prefix", ""),
        ("tenant", &arguments.tenant),
        ("username", &arguments.user),
        ("password", &arguments.password),
    ];
    let given = workload.variables.iter();
    let given = given.map(|(name, value)| (name.as_str(), value.as_str()));
    let items: String = own
        .into_iter()
        .chain(given)
        .map(|(name, value)| {
            format!(
                "<elementProp name=\"{0}\" elementType=\"Argument\">{1}{2}{3}</elementProp>",
                escaped(name),
                text("Argument.name", name),
                text("Argument.value", value),
                text("Argument.metadata", "=")
            )
        })
        .collect();
    list(
        "TestPlan.user_defined_variables",
        "Arguments",
        "Arguments.arguments",
        &items,
    )
}

fn argument(name: &str, value: &str, encoded: bool, with_equals: bool) -> String {
    format!(
        "<elementProp name=\"{}\" elementType=\"HTTPArgument\">{}{}{}{}{}</elementProp>",
        escaped(name),
        flag("HTTPArgument.always_encode", encoded),
        text("Argument.name", name),
        text("Argument.value", value),
        text("Argument.metadata", "="),
        flag("HTTPArgument.use_equals", with_equals)
    )
}

/// Variables are written alike; functions have other names there.
fn in_jmeter(template: &str) -> Result<String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("${") {
        let (inside, after) = after.split_once('}').context("`${` is not closed")?;
        out.push_str(before);
        match inside {
            "uuid()" => out.push_str("${__UUID()}"),
            "time()" => out.push_str("${__time(yyyy-MM-dd'T'HH:mm:ss.SSS'Z',)}"),
            "time_12h()" => out.push_str("${__time(yyyy-MM-dd'T'hh:mm:ss'Z',)}"),
            call if call.contains('(') => bail!("`${{{call}}}` is not known here"),
            variable => write!(out, "${{{variable}}}")?,
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

fn text(name: &str, value: &str) -> String {
    format!(
        "<stringProp name=\"{name}\">{}</stringProp>",
        escaped(value)
    )
}

fn flag(name: &str, value: bool) -> String {
    format!("<boolProp name=\"{name}\">{value}</boolProp>")
}

fn list(name: &str, class: &str, collection: &str, items: &str) -> String {
    format!(
        "<elementProp name=\"{name}\" elementType=\"{class}\">\
         <collectionProp name=\"{collection}\">{items}</collectionProp></elementProp>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
