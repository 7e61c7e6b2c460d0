//! The rejected users of a load: the first ones are printed, all are written to a file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context as _;
use octavo_user_import::rules::mapping::Failed;

/// The most users that are printed; the others are counted.
const SHOWN_MAX: u64 = 20;

/// Where problems are written. The terminal shows positions and reasons, no names.
pub(super) struct UserProblems {
    errors: Option<BufWriter<File>>,
    found: u64,
    failure: Option<std::io::Error>,
}

impl UserProblems {
    pub(super) fn open(errors: Option<&Path>) -> anyhow::Result<UserProblems> {
        let file = errors.map(|path| {
            File::create(path)
                .map(BufWriter::new)
                .with_context(|| format!("{} cannot be written", path.display()))
        });
        let mut errors = file.transpose()?;
        if let Some(errors) = &mut errors {
            writeln!(errors, "position\texternalSystemId\tusername\treason")?;
        }
        Ok(UserProblems {
            errors,
            found: 0,
            failure: None,
        })
    }

    pub(super) fn add(&mut self, position: u64, failed: &Failed) {
        self.found += 1;
        if self.found <= SHOWN_MAX {
            let reason = one_line(&failed.message);
            eprintln!("  user {position} set aside: {reason}");
        }
        if let Some(errors) = &mut self.errors {
            let written = writeln!(
                errors,
                "{position}\t{}\t{}\t{}",
                one_line(&failed.external_id),
                one_line(&failed.username),
                one_line(&failed.message)
            );
            if let Err(error) = written {
                self.failure.get_or_insert(error);
            }
        }
    }

    /// Prints how many problems were not shown, and returns an error if the file could not be
    /// written.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        if self.found > SHOWN_MAX {
            eprintln!("  and {} more set aside", self.found - SHOWN_MAX);
        }
        if let Some(errors) = &mut self.errors
            && let Err(error) = errors.flush()
        {
            self.failure.get_or_insert(error);
        }
        match self.failure {
            None => Ok(()),
            Some(error) => {
                Err(anyhow::Error::new(error).context("the file of errors cannot be written"))
            }
        }
    }
}

/// The text without characters that would end its line or column.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}
