//! `octavo profile`: a flame graph of a running server.

mod flame;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use octavo_workbench::cli::TargetArgs;

use super::target::{Answer, Question, Server};
use crate::profile::Folded;
use flame::Flame;

/// The server needs a while after the profile to find the functions' names.
const EXTRA: Duration = Duration::from_secs(120);

/// Draw a flame graph of a running server.
#[derive(Debug, Subcommand)]
pub enum ProfileCommand {
    /// Where the processor time of its threads goes
    #[command(after_long_help = CPU_HELP)]
    Cpu(CpuArgs),
}

const CPU_HELP: &str = "\
Examples:
  Half a minute of the server on this machine, while a run puts load on it.
    octavo workload run check-in-check-out --duration 60s &
    octavo profile cpu
  Ten seconds of another one, into a file of one's own, and the stacks as text for other tools.
    octavo profile cpu --seconds 10 --output search.svg --folded search.txt \\
        --url https://folio.example.org --tenant diku --user admin --password secret

The picture opens in a browser: a click enlarges a function, Ctrl-F or the field searches, and the
width of a box is the share of the samples in which its function was at work or had called what was.
Threads that wait take no processor time and are not seen; for those see `octavo trace`.

The user needs the permission octavo.profile.get. A server takes one profile at a time, and gives it
up when this command ends early. Sampling 99 times a second costs the server about a hundredth of
its processor time; without a profile it costs nothing.

Exit status: 0 when the picture was written, 2 else.";

/// What is sampled, where the picture goes.
#[derive(Debug, Args)]
pub struct CpuArgs {
    /// Seconds to sample
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=300))]
    pub seconds: u32,
    /// Samples in a second of processor time
    #[arg(long, default_value_t = 99, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999))]
    pub frequency: u32,
    /// The picture
    #[arg(long, short = 'o', default_value = "flame.svg", value_name = "FILE")]
    pub output: PathBuf,
    /// Write the stacks as text too, one a line, as flame graph tools read them
    #[arg(long, value_name = "FILE")]
    pub folded: Option<PathBuf>,
    /// The server and the login
    #[command(flatten)]
    pub target: TargetArgs,
}

/// Runs it.
///
/// # Errors
/// When there is no profile, or a file cannot be written.
pub async fn run(command: ProfileCommand) -> anyhow::Result<ExitCode> {
    let ProfileCommand::Cpu(args) = command;
    // Half a minute is long to learn that a file cannot be written.
    let mut output = create(&args.output)?;
    let mut stacks = args.folded.as_deref().map(create).transpose()?;
    let patience = Duration::from_secs(args.seconds.into()) + EXTRA;
    let mut server = Server::open(&args.target, patience).await?;
    eprintln!("sampling {} for {} s", server.origin(), args.seconds);
    let target = format!(
        "/_/octavo/profile/cpu?seconds={}&frequency={}",
        args.seconds, args.frequency
    );
    let question = Question {
        method: "GET".to_owned(),
        target,
        headers: Vec::new(),
        body: None,
    };
    let answer = server.ask(&question).await?;
    let text = taken(&answer)?;
    let folded = Folded::parse(&text);
    if folded.total() == 0 {
        bail!(
            "the server did nothing in these {} s; put load on it",
            args.seconds
        );
    }
    let flame = Flame {
        title: format!(
            "Processor time of {}, {} s at {} Hz",
            server.origin(),
            args.seconds,
            args.frequency
        ),
        unit: "samples",
        folded: &folded,
    };
    output
        .write_all(flame.draw().as_bytes())
        .with_context(|| cannot_write(&args.output))?;
    if let (Some(file), Some(name)) = (&mut stacks, &args.folded) {
        file.write_all(text.as_bytes())
            .with_context(|| cannot_write(name))?;
    }
    println!("{}: {} samples", args.output.display(), folded.total());
    Ok(ExitCode::SUCCESS)
}

fn create(file: &Path) -> anyhow::Result<std::fs::File> {
    std::fs::File::create(file).with_context(|| cannot_write(file))
}

fn cannot_write(file: &Path) -> String {
    format!("cannot write {}", file.display())
}

/// The stacks, or what the server says instead.
fn taken(answer: &Answer) -> anyhow::Result<String> {
    let said = answer.beginning();
    match answer.status {
        200 => Ok(String::from_utf8_lossy(&answer.body).into_owned()),
        404 => bail!("the server takes no profiles (HTTP 404: {said}); only an Octavo server does"),
        403 => bail!("{said}. Give the user the permission octavo.profile.get"),
        status => bail!("HTTP {status}: {said}"),
    }
}
