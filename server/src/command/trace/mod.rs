//! `octavo trace`: one request as a tree of stages and SQL with times.

mod picture;
mod svg;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use octavo_driver::cli::TargetArgs;
use octavo_platform::traces::{TRACE_HEADER, TRACE_ID};

use super::target::{Answer, Question, Server, encode};
use picture::{Picture, Spread, Traced};

/// The time-out of one response.
const PATIENCE: Duration = Duration::from_secs(120);
/// The width of a drawing that does not go to a terminal.
const WIDTH: usize = 140;

const HELP: &str = "\
Examples:
  Where the time of a search goes.
    octavo trace 'GET /inventory/items?query=barcode==\"31184000000013\"'
  A check-out, with a picture of it for a browser.
    octavo trace 'POST /circulation/check-out-by-barcode' --svg check-out.svg --body-text \\
        '{\"itemBarcode\": \"…\", \"userBarcode\": \"…\", \"servicePointId\": \"…\"}'
  The median of twenty, and how far they lie apart.
    octavo trace 'GET /users?limit=10' --repeat 20
  Another server, and the statements in full.
    octavo trace 'GET /users' --full --url https://folio.example.org --tenant diku --user admin \\
        --password secret

Blanks and quotes in the path are encoded; what is written with % already stays. The request is real,
and --repeat sends it as often as it says: a check-out lends its item.

An Octavo server shows its stages and statements to users who hold the permission
octavo.trace.get. Of any other FOLIO the drawing has what is measured from outside: the times to
connect, to the first and to the last byte, and those in the header Server-Timing.

A round trip is one request to the database that waited for the response to the one before;
statements that are pipelined share one. Statements are shown with $1 for their values.

Exit status: 0 when there was an answer, whatever its status, 2 when there was none.";

/// Draw one request as a tree of stages and SQL with times.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub struct TraceArgs {
    /// Method and path, as in 'GET /users?query=username=="diku_admin"'; a path alone means GET, or
    /// POST when there is a body
    #[arg(value_name = "REQUEST")]
    pub request: String,
    /// The server and the login
    #[command(flatten)]
    pub target: TargetArgs,
    /// A file with the body to send
    #[arg(long, value_name = "FILE", conflicts_with = "body_text")]
    pub body: Option<PathBuf>,
    /// The body to send
    #[arg(long, value_name = "TEXT")]
    pub body_text: Option<String>,
    /// A further header, as in 'Accept-Language: de'; may be repeated
    #[arg(long, value_parser = header, value_name = "NAME: VALUE")]
    pub header: Vec<(String, String)>,
    /// Send it so many times, draw the one of median time and print how far the times vary
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeat: u16,
    /// Print statements in full instead of shortening them to the terminal's width
    #[arg(long)]
    pub full: bool,
    /// Also draw it into this file, as a picture for a browser
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write it as JSON; without a file (or with -) to standard output instead of the drawing
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
}

fn header(text: &str) -> Result<(String, String), String> {
    let wrong = || format!("write `{text}` as NAME: VALUE");
    let (name, value) = text.split_once(':').ok_or_else(wrong)?;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if !is_name || value.chars().any(char::is_control) {
        return Err(wrong());
    }
    Ok((name.to_owned(), value.trim().to_owned()))
}

/// Runs the command.
///
/// # Errors
/// When there is no response, or a file cannot be written.
pub async fn run(args: TraceArgs) -> anyhow::Result<ExitCode> {
    let question = question(&args)?;
    let mut server = Server::open(&args.target, PATIENCE).await?;
    let picture = traced(&mut server, question, &args).await?;
    let json_to_stdout = args.json.as_deref() == Some(Path::new("-"));
    if !json_to_stdout {
        let width = match (args.full, terminal_size::terminal_size()) {
            (true, _) => usize::MAX,
            (false, Some((width, _))) => usize::from(width.0).max(60),
            (false, None) => WIDTH,
        };
        print(&text::draw(&picture, width))?;
    }
    if let Some(file) = &args.svg {
        write(file, &svg::draw(&picture))?;
    }
    if let Some(file) = &args.json {
        let text = serde_json::to_string_pretty(&picture)? + "\n";
        match json_to_stdout {
            true => print(&text)?,
            false => write(file, &text)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn question(args: &TraceArgs) -> anyhow::Result<Question> {
    let body = match (&args.body, &args.body_text) {
        (Some(file), _) => {
            let read = std::fs::read(file);
            Some(read.with_context(|| format!("{} cannot be read", file.display()))?)
        }
        (None, text) => text.clone().map(String::into_bytes),
    };
    let typed = args.request.trim();
    let (method, path) = match typed.split_once(' ') {
        Some((method, path)) if !method.starts_with('/') => (method, path.trim()),
        _ if body.is_some() => ("POST", typed),
        _ => ("GET", typed),
    };
    if method.is_empty() || !method.bytes().all(|byte| byte.is_ascii_uppercase()) {
        bail!("`{method}` is not a method; write the request as 'GET /users'");
    }
    let mut headers = args.header.clone();
    headers.push((TRACE_HEADER.to_string(), "1".to_owned()));
    Ok(Question {
        method: method.to_owned(),
        target: encode(path)?,
        headers,
        body,
    })
}

/// Sends the request as often as wanted and returns the picture of the one of median time.
async fn traced(
    server: &mut Server,
    question: Question,
    args: &TraceArgs,
) -> anyhow::Result<Picture> {
    let mut asked: Vec<(Duration, Answer, Traced)> = Vec::new();
    for _ in 0..args.repeat {
        let answer = server.ask(&question).await?;
        let trace = trace_of(server, &answer).await?;
        // Connecting happens only once and is not part of the request.
        let took = answer.whole.saturating_sub(answer.connect);
        asked.push((took, answer, trace));
    }
    asked.sort_by_key(|(took, ..)| *took);
    let spread = match &asked[..] {
        [(fastest, ..), .., (slowest, ..)] => Some(Spread::new(*fastest, *slowest, asked.len())),
        _ => None,
    };
    let middle = (asked.len() - 1) / 2;
    let (_, answer, trace) = asked.swap_remove(middle);
    // As it was typed, for the reader.
    let typed = args.request.trim();
    let shown = match typed.starts_with('/') {
        true => format!("{} {typed}", question.method),
        false => typed.to_owned(),
    };
    let place = format!("{}, tenant {}", server.origin(), args.target.login.tenant);
    Ok(Picture::new(shown, place, &answer, spread, trace))
}

/// The server's trace of a request, or the reason why there is none.
async fn trace_of(server: &mut Server, answer: &Answer) -> anyhow::Result<Traced> {
    let Some(id) = answer.header(TRACE_ID.as_str()) else {
        return Ok(match answer.header(TRACE_HEADER.as_str()) {
            Some(why) => Traced::Refused(why),
            None => Traced::Unknown,
        });
    };
    // The server may be anything: only an id goes into the next request.
    if !id
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    {
        return Ok(Traced::Unknown);
    }
    let document = server.read(&format!("/_/octavo/traces/{id}")).await;
    let document = document.context("the trace could not be read")?;
    let document = serde_json::from_slice(&document).context("the trace cannot be understood")?;
    Ok(Traced::Stored(Box::new(document)))
}

/// Prints to standard output; a closed pipe is not an error.
fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
