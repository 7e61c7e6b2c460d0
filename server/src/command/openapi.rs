//! The description of the routes, without a server: OpenAPI, TypeScript, and how much has types.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use octavo_host::compose::modules;
use octavo_platform::openapi::Description;

/// Without options it prints the OpenAPI document.
#[derive(Debug, Args)]
pub struct OpenApiArgs {
    /// Write TypeScript types to this file, of the operations in operations.txt beside it (one
    /// `METHOD path` a line).
    #[arg(long, value_name = "FILE")]
    types: Option<PathBuf>,
    /// Count the bodies and answers that have a type.
    #[arg(long, conflicts_with = "types")]
    count: bool,
}

/// Writes what is asked for.
///
/// # Errors
/// When a file cannot be read or written, or names an operation that is not served.
pub fn run(args: &OpenApiArgs) -> anyhow::Result<ExitCode> {
    let description = Description::of(modules()).map_err(|error| anyhow!(error))?;
    let mut out = std::io::stdout().lock();
    match &args.types {
        Some(file) => {
            let list = file.with_file_name("operations.txt");
            let operations = fs::read_to_string(&list)
                .with_context(|| format!("cannot read {}", list.display()))?;
            let text = description
                .typescript(&operations)
                .map_err(|error| anyhow!("{}: {error}", list.display()))?;
            fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
        }
        None if args.count => writeln!(out, "{}", description.typed())?,
        None => {
            out.write_all(&description.json())?;
            writeln!(out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
