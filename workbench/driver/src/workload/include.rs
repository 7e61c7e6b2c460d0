//! The files of a workload: the one that was named, and its includes, recursively. Reads all of
//! them; `compile` decides their meaning.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::compile::fault;
use super::format::{BranchSection, IncludeSection, TakenSection, WorkloadSection};
use super::source::{BUILT_IN, Fault, WorkloadError, place, read_file};

/// The deepest nesting of includes.
const DEPTH_MAX: usize = 8;
/// The most files of one workload.
const FILES_MAX: usize = 64;

/// A workload file and its includes.
#[derive(Debug)]
pub(super) struct Source {
    /// Its path or built-in name, for messages.
    pub(super) file: String,
    pub(super) text: String,
    /// The folder of its relative paths; built-in files have none.
    pub(super) folder: Option<PathBuf>,
    pub(super) section: WorkloadSection,
    /// In the order of its includes.
    pub(super) included: Vec<Source>,
}

/// The chain of includes from the first file to the present one.
struct IncludeChain {
    names: Vec<String>,
    files: usize,
}

impl Source {
    /// Reads the text of a file and its includes.
    pub(super) fn read(
        file: &str,
        text: &str,
        folder: Option<PathBuf>,
    ) -> Result<Self, WorkloadError> {
        let mut chain = IncludeChain {
            names: vec![file.to_owned()],
            files: 1,
        };
        Self::read_within(file.to_owned(), text.to_owned(), folder, &mut chain)
    }

    fn read_within(
        file: String,
        text: String,
        folder: Option<PathBuf>,
        chain: &mut IncludeChain,
    ) -> Result<Self, WorkloadError> {
        let parsed = toml::from_str::<WorkloadSection>(&text);
        let section = parsed.map_err(|error| {
            let (message, span) = (error.message().to_owned(), error.span());
            place(&file, &text, Fault { message, span })
        })?;
        let mut source = Source {
            file,
            text,
            folder,
            section,
            included: Vec::new(),
        };
        for number in 0..source.section.includes.len() {
            let included = source.include(number, chain)?;
            let checked = source.section.includes[number].check(&included);
            checked.map_err(|fault| source.place(fault))?;
            source.included.push(included);
        }
        source.check_names().map_err(|fault| source.place(fault))?;
        Ok(source)
    }

    fn check_names(&self) -> Result<(), Fault> {
        let mut seen = HashSet::new();
        let message = |name: &str| {
            format!("a second branch `{name}`; an included one gets another name with `as`")
        };
        for branch in &self.section.branches {
            let name = branch.name.get_ref();
            if !seen.insert(name.clone()) {
                return Err(fault(branch.name.span(), message(name)));
            }
        }
        for (include, source) in self.section.includes.iter().zip(&self.included) {
            for (_, name) in include.taken(source) {
                if seen.contains(&name) {
                    return Err(fault(include.workload.span(), message(&name)));
                }
                seen.insert(name);
            }
        }
        match self.section.branches.is_empty() && self.included.is_empty() {
            true => Err(Fault {
                message: "a workload needs a [[branch]] or an [[include]]".to_owned(),
                span: None,
            }),
            false => Ok(()),
        }
    }

    fn include(&self, number: usize, chain: &mut IncludeChain) -> Result<Source, WorkloadError> {
        let include = &self.section.includes[number];
        let (name, span) = (include.workload.get_ref(), include.workload.span());
        let wrong = |message: String| self.place(fault(span.clone(), message));
        let (file, text, folder) = self.find(name).map_err(&wrong)?;
        let earlier = self.included.iter().any(|other| other.file == file);
        if earlier {
            let message =
                format!("`{name}` is included twice; name all its branches in one include");
            return Err(wrong(message));
        }
        if chain.names.contains(&file) {
            let way = chain.names.join(" → ");
            return Err(wrong(format!(
                "this include goes in a circle: {way} → {file}"
            )));
        }
        chain.files += 1;
        if chain.names.len() > DEPTH_MAX || chain.files > FILES_MAX {
            return Err(wrong(format!(
                "too many includes: at most {DEPTH_MAX} within each other and {FILES_MAX} files in all"
            )));
        }
        chain.names.push(file.clone());
        let source = Source::read_within(file, text, folder, chain)?;
        chain.names.pop();
        Ok(source)
    }

    /// The file that an include names: its name for messages, its text, its folder.
    fn find(&self, name: &str) -> Result<(String, String, Option<PathBuf>), String> {
        if let Some(built_in) = BUILT_IN.iter().find(|one| one.name == name) {
            return Ok((built_in.name.to_owned(), built_in.text.to_owned(), None));
        }
        let known = || BUILT_IN.map(|one| one.name).join(", ");
        let Some(folder) = self.folder.as_ref().filter(|_| name.ends_with(".toml")) else {
            let known = known();
            return Err(format!(
                "there is no workload `{name}`; built in are {known}, and a name ending in .toml is \
                 a file beside this one"
            ));
        };
        let path = folder.join(name);
        let file = path.display().to_string();
        let text = read_file(&path).map_err(|error| format!("cannot read {file}: {error}"))?;
        let folder = path.parent().map(Path::to_owned);
        Ok((file, text, folder))
    }

    /// An error in this file with its line and column.
    pub(super) fn place(&self, fault: Fault) -> WorkloadError {
        place(&self.file, &self.text, fault)
    }

    /// The names of the branches that it offers, its own and included ones.
    pub(super) fn offered(&self) -> Vec<String> {
        let own = self.section.branches.iter();
        let mut names: Vec<_> = own.map(|one| one.name.get_ref().clone()).collect();
        for (include, source) in self.section.includes.iter().zip(&self.included) {
            names.extend(include.taken(source).into_iter().map(|(_, name)| name));
        }
        names
    }

    /// The weight of a branch that it offers.
    pub(super) fn weight(&self, name: &str) -> Option<u32> {
        let mut own = self.section.branches.iter();
        if let Some(own) = own.find(|one| one.name.get_ref() == name) {
            return Some(own.weight);
        }
        let mut included = self.section.includes.iter().zip(&self.included);
        included.find_map(|(include, source)| {
            let taken = include.taken(source).into_iter();
            let (there, _) = taken.clone().find(|(_, here)| here == name)?;
            let weight = include.section(&there).and_then(|one| one.weight);
            weight.or_else(|| source.weight(&there))
        })
    }

    /// Removes transactions and feeders that none of the remaining branches needs.
    pub(super) fn prune(&mut self, keeps: impl Fn(&BranchSection) -> bool) {
        let section = &mut self.section;
        section.branches.retain(keeps);
        let branches = section.branches.iter();
        let steps =
            branches.flat_map(|one| one.steps.iter().chain(&one.setup).chain(&one.teardown));
        let steps: HashSet<String> = steps.map(|one| one.get_ref().clone()).collect();
        let transactions = &mut section.transactions;
        transactions.retain(|one| steps.contains(one.name.get_ref()));
        let branches = section.branches.iter();
        let mut feeders: HashSet<String> = branches
            .flat_map(|one| one.draws.iter().map(|draw| draw.get_ref().clone()))
            .collect();
        for request in section.transactions.iter().flat_map(|one| &one.requests) {
            feeders.extend(request.fills.iter().map(|one| one.get_ref().clone()));
            if let Some(moves) = &request.moves {
                let ends = [&moves.from, &moves.to];
                feeders.extend(ends.map(|one| one.get_ref().clone()));
            }
        }
        let all = &mut section.feeders;
        all.retain(|one| feeders.contains(one.name.get_ref()));
    }
}

impl IncludeSection {
    /// The include's section for a branch, by its name in the included file.
    pub(super) fn section(&self, there: &str) -> Option<&TakenSection> {
        let mut sections = self.branches.iter().flatten();
        sections.find(|one| one.name.get_ref() == there)
    }

    fn check(&self, source: &Source) -> Result<(), Fault> {
        let offered = source.offered();
        for section in self.branches.iter().flatten() {
            let name = section.name.get_ref();
            if !offered.contains(name) {
                let known = offered.join(", ");
                let message = format!("there is no branch `{name}`; there are {known}");
                return Err(fault(section.name.span(), message));
            }
        }
        Ok(())
    }

    /// The branches that are taken: their names in the included file and here.
    pub(super) fn taken(&self, source: &Source) -> Vec<(String, String)> {
        match &self.branches {
            None => {
                let names = source.offered().into_iter();
                names.map(|name| (name.clone(), name)).collect()
            }
            Some(branches) => branches
                .iter()
                .map(|one| {
                    let name = one.name.get_ref().clone();
                    let called = one.called.clone().unwrap_or_else(|| name.clone());
                    (name, called)
                })
                .collect(),
        }
    }
}
