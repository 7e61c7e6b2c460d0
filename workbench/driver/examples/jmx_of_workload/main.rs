//! Converts a workload to a JMeter plan, so that JMeter can run the same load (perf/agreement,
//! perf/generator): paths, headers, bodies, pauses, assertions, extractions, feeders, branches.
//!
//! ```text
//! cargo run --release --package octavo-driver --example jmx_of_workload -- \
//!     workloads/check-in-check-out.toml --feeder users=users.csv … > plan.jmx
//! ```
//!  All elements are JMeter's own; a workload with unsupported features is refused. Run the plan
//! with `-Duser.timezone=UTC`. Two things JMeter cannot do: rows of an exclusive feeder are not
//! reused (a user without a row ends), and branches are controllers by percentage, so that an
//! iteration may run none or several of them.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Parser;

mod property;
mod sampler;
mod workload;

use property::{escaped, flag, list, text};
use workload::{Branch, Feeder, OnError, Sharing, Transaction, Workload};

/// Convert a workload to a JMeter plan.
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

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let text = std::fs::read_to_string(&arguments.workload)
        .with_context(|| format!("cannot read {}", arguments.workload.display()))?;
    let workload: Workload = toml::from_str(&text).with_context(|| {
        format!(
            "{} cannot be converted to a JMeter plan",
            arguments.workload.display()
        )
    })?;
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

/// The plan written so far.
#[derive(Default)]
struct Plan {
    out: String,
}

impl Plan {
    /// An element with its properties and children.
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
