//! `octavo profile`: a flame graph of a running server.

mod flame;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};
use octavo_driver::cli::TargetArgs;

use super::target::{Answer, Question, Server};
use flame::{Flame, Unit};
use octavo_host::profile::Folded;

const IDLE: &str = "no sample: the server did next to nothing; put load on it";
const NOTHING_HELD: &str =
    "no sample: of what was allocated meanwhile nothing large is still held; sample longer";
/// The time that the server needs after the profile to resolve the functions' names.
const EXTRA: Duration = Duration::from_secs(120);

/// Draw a flame graph of a running server.
#[derive(Debug, Subcommand)]
pub enum ProfileCommand {
    /// Where the processor time of its threads goes
    #[command(after_long_help = CPU_HELP)]
    Cpu(CpuArgs),
    /// What allocates its memory, or holds it
    #[command(after_long_help = HEAP_HELP)]
    Heap(HeapArgs),
}

const CPU_HELP: &str = "\
Examples:
  Half a minute of the server on this machine, while a run puts load on it.
    octavo workload run check-in-check-out --duration 60s &
    octavo profile cpu
  Ten seconds of another one, into a file of one's own, and the stacks as text for other tools.
    octavo profile cpu --seconds 10 --output search.svg --folded search.txt \\
        --url https://folio.example.org --tenant diku --user admin --password secret

The picture opens in a browser: a click enlarges a function, Ctrl-F searches, and the width of a box
is the share of the samples in which its function was at work or had called what was. Threads that
wait take no processor time and are not seen; for those see `octavo trace`.

The user needs the permission octavo.profile.get. A server takes one profile at a time, and gives it
up when this command ends early. Without a profile it costs the server nothing.

Exit status: 0 when the picture was written, 2 else.";

const HEAP_HELP: &str = "\
Examples:
  Who allocates while a run puts load on the server.
    octavo workload run check-in-check-out --duration 60s &
    octavo profile heap
  What of it is still held after two minutes: what leaks is among this.
    octavo profile heap --seconds 120 --count held --output held.svg

One allocation in each half a mebibyte is sampled, and counted for those that were not: the numbers
are estimates, good for what is large. Memory that was allocated before is not seen.

The user needs the permission octavo.profile.get. A server takes one profile at a time, and gives it
up when this command ends early.

Exit status: 0 when the picture was written, 2 else.";

#[derive(Debug, Args)]
pub struct CpuArgs {
    /// Samples in a second of processor time; the system's timer gives some 250 at most
    #[arg(long, default_value_t = 99, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=999))]
    pub frequency: u32,
    #[command(flatten)]
    pub profile: ProfileArgs,
}

#[derive(Debug, Args)]
pub struct HeapArgs {
    /// Which of the memory allocated in these seconds is counted
    #[arg(long, value_enum, default_value = "allocated")]
    pub count: Count,
    #[command(flatten)]
    pub profile: ProfileArgs,
}

/// Which memory is counted.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Count {
    /// All of it
    Allocated,
    /// What was still allocated at the end
    Held,
}

/// The arguments of all profiles.
#[derive(Debug, Args)]
pub struct ProfileArgs {
    /// Seconds to sample
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=300))]
    pub seconds: u32,
    /// The file for the picture
    #[arg(long, short = 'o', default_value = "flame.svg", value_name = "FILE")]
    pub output: PathBuf,
    /// Also write the stacks as text, one a line, in the format of flame graph tools
    #[arg(long, value_name = "FILE")]
    pub folded: Option<PathBuf>,
    #[command(flatten)]
    pub target: TargetArgs,
}

/// The request and the title of its picture.
struct ProfileRequest {
    target: String,
    /// The message when there are no stacks.
    nothing: &'static str,
    title: String,
    unit: Unit,
}

/// Runs the command.
///
/// # Errors
/// When there is no profile, or a file cannot be written.
pub async fn run(command: ProfileCommand) -> anyhow::Result<ExitCode> {
    let (args, wanted) = match command {
        ProfileCommand::Cpu(args) => {
            let (seconds, frequency) = (args.profile.seconds, args.frequency);
            let wanted = ProfileRequest {
                target: format!("/_/octavo/profile/cpu?seconds={seconds}&frequency={frequency}"),
                nothing: IDLE,
                title: format!("Processor time, {seconds} s at {frequency} Hz"),
                unit: Unit::Samples,
            };
            (args.profile, wanted)
        }
        ProfileCommand::Heap(args) => {
            let seconds = args.profile.seconds;
            let (count, title, nothing) = match args.count {
                Count::Allocated => ("allocated", "Memory allocated", IDLE),
                Count::Held => ("held", "Memory allocated and still held", NOTHING_HELD),
            };
            let wanted = ProfileRequest {
                target: format!("/_/octavo/profile/heap?seconds={seconds}&count={count}"),
                nothing,
                title: format!("{title}, {seconds} s"),
                unit: Unit::Bytes,
            };
            (args.profile, wanted)
        }
    };
    take(&args, wanted).await?;
    Ok(ExitCode::SUCCESS)
}

async fn take(args: &ProfileArgs, wanted: ProfileRequest) -> anyhow::Result<()> {
    // Created first: after half a minute it would be late to learn that a file cannot be written.
    let mut output = create(&args.output)?;
    let mut stacks = args.folded.as_deref().map(create).transpose()?;
    let patience = Duration::from_secs(args.seconds.into()) + EXTRA;
    let mut server = Server::open(&args.target, patience).await?;
    eprintln!("sampling {} for {} s", server.origin(), args.seconds);
    let question = Question {
        method: "GET".to_owned(),
        target: wanted.target,
        headers: Vec::new(),
        body: None,
    };
    let answer = server.ask(&question).await?;
    let text = taken(&answer)?;
    let folded = Folded::parse(&text);
    if folded.total() == 0 {
        bail!("{} ({} s)", wanted.nothing, args.seconds);
    }
    let flame = Flame {
        title: format!("{} of {}", wanted.title, server.origin()),
        unit: wanted.unit,
        folded: &folded,
    };
    output
        .write_all(flame.draw().as_bytes())
        .with_context(|| cannot_write(&args.output))?;
    if let (Some(file), Some(name)) = (&mut stacks, &args.folded) {
        file.write_all(text.as_bytes())
            .with_context(|| cannot_write(name))?;
    }
    let (file, amount) = (args.output.display(), wanted.unit.amount(folded.total()));
    println!("{file}: {amount}");
    Ok(())
}

fn create(file: &Path) -> anyhow::Result<std::fs::File> {
    std::fs::File::create(file).with_context(|| cannot_write(file))
}

fn cannot_write(file: &Path) -> String {
    format!("cannot write {}", file.display())
}

/// The stacks, or the server's error.
fn taken(answer: &Answer) -> anyhow::Result<String> {
    let said = answer.beginning();
    match answer.status {
        200 => Ok(String::from_utf8_lossy(&answer.body).into_owned()),
        404 => bail!("the server has no profiles (HTTP 404: {said}); only an Octavo server does"),
        403 => bail!("{said}. Give the user the permission octavo.profile.get"),
        status => bail!("HTTP {status}: {said}"),
    }
}
