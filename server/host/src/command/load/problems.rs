//! The rejected records of a load: the first ones are printed, all are written to files.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context as _;
use octavo_data_import::load::LoadProblem;

/// The most problems that are printed; the others are counted.
const SHOWN_MAX: u64 = 20;

/// Where problems are written. Each run rewrites the files: a resumed load writes the earlier
/// problems again.
pub(super) struct Problems {
    errors: Option<BufWriter<File>>,
    rejects: Option<BufWriter<File>>,
    shown: u64,
    found: u64,
    failure: Option<std::io::Error>,
}

impl Problems {
    pub(super) fn open(errors: Option<&Path>, rejects: Option<&Path>) -> anyhow::Result<Problems> {
        let create = |path: Option<&Path>| {
            path.map(|path| {
                File::create(path)
                    .map(BufWriter::new)
                    .with_context(|| format!("{} cannot be written", path.display()))
            })
            .transpose()
        };
        let mut problems = Problems {
            errors: create(errors)?,
            rejects: create(rejects)?,
            shown: 0,
            found: 0,
            failure: None,
        };
        if let Some(errors) = &mut problems.errors {
            writeln!(errors, "position\tbyte offset\t001\treason")?;
        }
        Ok(problems)
    }

    /// Adds a problem; it is printed only if it is new.
    pub(super) fn add(&mut self, problem: &LoadProblem, is_new: bool) {
        if let Err(error) = self.write(problem) {
            self.failure.get_or_insert(error);
        }
        if !is_new {
            return;
        }
        self.found += 1;
        if self.shown < SHOWN_MAX {
            self.shown += 1;
            let position = problem.position;
            eprintln!(
                "  record {position} set aside: {}",
                one_line(&problem.reason)
            );
        }
    }

    fn write(&mut self, problem: &LoadProblem) -> std::io::Result<()> {
        if let Some(errors) = &mut self.errors {
            writeln!(
                errors,
                "{}\t{}\t{}\t{}",
                problem.position,
                problem.byte_offset,
                one_line(&problem.control_number),
                one_line(&problem.reason)
            )?;
        }
        if let Some(rejects) = &mut self.rejects {
            rejects.write_all(&problem.bytes)?;
        }
        Ok(())
    }

    /// Prints how many problems were not shown, and returns an error if the files could not be
    /// written.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        if self.found > self.shown {
            eprintln!("  and {} more set aside", self.found - self.shown);
        }
        for file in [&mut self.errors, &mut self.rejects].into_iter().flatten() {
            if let Err(error) = file.flush() {
                self.failure.get_or_insert(error);
            }
        }
        match self.failure {
            None => Ok(()),
            Some(error) => Err(anyhow::Error::new(error)
                .context("the file of errors or rejects cannot be written")),
        }
    }
}

/// The text without characters that would end its line or column.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}
