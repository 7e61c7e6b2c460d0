//! Several processes of this program that generate one load together, when one is not enough.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, anyhow};
use octavo_figures::run::Run;

use super::folder::read_run;
use super::run_arguments::RunArgs;
use crate::drive::{Load, Rate, Stage};

/// A folder for the generators' records, deleted on drop.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // It is not needed any more; the system will clear its temporary folder anyway.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the generators at the same time and merges their results.
pub(super) fn run(arguments: &RunArgs, words: &[String], seed: u64) -> anyhow::Result<Run> {
    let count = arguments.load.generators.get();
    let scratch =
        Scratch(std::env::temp_dir().join(format!("octavo-load-{}", uuid::Uuid::new_v4())));
    std::fs::create_dir(&scratch.0)
        .with_context(|| format!("cannot make the folder {}", scratch.0.display()))?;
    let program = std::env::current_exe().context("cannot find this program's own path")?;
    let mut children = Vec::new();
    for number in 0..count {
        let folder = scratch.0.join(number.to_string());
        let words = part(arguments, words, (number, count), seed, &folder);
        let mut command = Command::new(&program);
        command.args(["workload", "run"]).args(words);
        command.env(PASSWORD, &arguments.target.login.password);
        // Only the first one shows progress; all print their complaints at the end.
        command.stdin(Stdio::null()).stdout(Stdio::null());
        if number > 0 {
            command.stderr(Stdio::piped());
        }
        let child = command.spawn().context("cannot start a generator")?;
        children.push((folder, child));
    }
    let waited: Vec<_> = children
        .into_iter()
        .map(|(folder, child)| finished(&folder, child))
        .collect();
    let runs = waited.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    Ok(Run::merged(runs)?)
}

const PASSWORD: &str = "OCTAVO_WORKLOAD_PASSWORD";

fn finished(folder: &Path, child: Child) -> anyhow::Result<Run> {
    let output = child
        .wait_with_output()
        .context("cannot wait for a generator")?;
    read_run(folder).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        anyhow!(
            "a generator ended without a record ({}): {}",
            output.status,
            said.trim()
        )
    })
}

/// A generator's own arguments: its part of the load, and the file for its record.
fn part(
    arguments: &RunArgs,
    words: &[String],
    (number, count): (usize, usize),
    seed: u64,
    folder: &Path,
) -> Vec<String> {
    let mut own: Vec<String> = Vec::new();
    let mut rest = words.iter().peekable();
    while let Some(word) = rest.next() {
        let (name, joined) = match word.split_once('=') {
            Some((name, _)) => (name, true),
            None => (word.as_str(), false),
        };
        if OWN.contains(&name) {
            if !joined && !ALONE.contains(&name) {
                rest.next_if(|value| *value == "-" || !value.starts_with('-'));
            }
            continue;
        }
        own.push(word.clone());
    }
    let mut add = |name: &str, value: String| own.extend([name.to_owned(), value]);
    let users = |all: usize| all / count + usize::from(number < all % count);
    if arguments.load.stage.is_empty() {
        add(
            "--virtual-users",
            users(arguments.users()).max(1).to_string(),
        );
    }
    if let Some(rate) = arguments.load.rate {
        let part = rate.times(1.0 / count as f64);
        add("--rate", format!("{}..{}", part.from, part.to));
    }
    for stage in &arguments.load.stage {
        add(
            "--stage",
            stage_text(
                stage,
                |all| users(all).max(1),
                |rate| rate.times(1.0 / count as f64),
            ),
        );
    }
    if let Some(iterations) = arguments.load.iterations {
        let all = usize::try_from(iterations).unwrap_or(usize::MAX);
        add("--iterations", users(all).to_string());
    }
    if arguments.load.threads.is_none() {
        let processors =
            std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        add("--threads", (processors / count).max(1).to_string());
    }
    // Each generator makes random choices of its own, and the same ones when it is run again.
    add("--seed", seed.wrapping_add(number as u64).to_string());
    add("--share", format!("{number}/{count}"));
    add("--report", folder.display().to_string());
    own
}

/// Options that are set for each generator, or that only the first process handles.
const OWN: [&str; 22] = [
    "--generators",
    "--virtual-users",
    "-n",
    "--rate",
    "--stage",
    "--iterations",
    "--threads",
    "--seed",
    "--report",
    "--json",
    "--jtl",
    "--history",
    "--page",
    "--wait",
    "--fail-if",
    "--baseline",
    "--compare-with",
    "--password",
    "--probe-pid",
    "--probe-postgres",
    "--probe-prometheus",
    "--probe-log",
];
/// Those of them without a value, or with an optional one.
const ALONE: [&str; 1] = ["--wait"];

fn stage_text(
    stage: &Stage,
    users: impl Fn(usize) -> usize,
    rate: impl Fn(Rate) -> Rate,
) -> String {
    let name = stage
        .name
        .as_ref()
        .map_or(String::new(), |name| format!("{name}: "));
    let load = match stage.load {
        Load::Users { from, to } => format!("{}..{} users", users(from), users(to)),
        Load::Rate(all) => {
            let part = rate(all);
            format!("{}..{}/s", part.from, part.to)
        }
    };
    let pauses = if stage.pauses { "" } else { ", without pauses" };
    let counted = if stage.counted { "" } else { ", not counted" };
    format!(
        "{name}{load} for {}ms{pauses}{counted}",
        stage.length.as_millis()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_generator_has_its_part_of_the_load() {
        let given = words(&[
            "get-items",
            "--generators",
            "3",
            "-n",
            "20",
            "--json=x.json",
            "--duration",
            "9s",
            "--password=x",
            "--iterations",
            "100",
            "--report",
            "out",
        ]);
        let arguments = RunArgs::from_words(&given).unwrap();
        let parts: Vec<RunArgs> = (0..3)
            .map(|number| {
                let words = part(&arguments, &given, (number, 3), 7, Path::new("there"));
                assert!(
                    !words.iter().any(|word| word.contains("password")),
                    "{words:?}"
                );
                RunArgs::from_words(&words).unwrap()
            })
            .collect();
        let users: Vec<_> = parts.iter().map(RunArgs::users).collect();
        assert_eq!(users, [7, 7, 6]);
        let iterations: Vec<_> = parts
            .iter()
            .map(|part| part.load.iterations.unwrap())
            .collect();
        assert_eq!(iterations, [34, 33, 33]);
        assert!(
            parts
                .iter()
                .all(|part| part.output.json.is_none() && part.load.generators.get() == 1)
        );
        assert_eq!(parts[2].load.share, (2, 3));
    }

    #[test]
    fn stages_are_divided_as_they_were_written() {
        let given = words(&[
            "x",
            "--generators",
            "2",
            "--stage",
            "a: 10..30/s for 5s, not counted",
        ]);
        let arguments = RunArgs::from_words(&given).unwrap();
        let words = part(&arguments, &given, (1, 2), 7, Path::new("there"));
        let own = RunArgs::from_words(&words).unwrap();
        assert_eq!(own.load.stage[0].load.to_string(), "5..15/s");
        assert!(!own.load.stage[0].counted);
        assert_eq!(own.load.stage[0].name.as_deref(), Some("a"));
    }
}
