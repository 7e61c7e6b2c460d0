//! Assembles a plan from a workload's files: the branches that are taken, their groups, and
//! everything they need.

use std::collections::HashSet;
use std::ops::Range;

use toml::Spanned;

use super::compile::{Compiler, Lifetime, fault};
use super::compile_feeders::feeders;
use super::format::{BranchSection, GroupSection, Headers, IncludeSection};
use super::include::Source;
use super::plan::{Branch, Group, Inputs, Pace, Request, Workload};
use super::source::{Fault, WorkloadError};
use super::variables::Names;

/// The most virtual users of one workload.
const USERS_MAX: usize = 100_000;
/// The highest rate a minute.
const RATE_MAX: f64 = 60e6;
/// The most branches of one workload.
const BRANCHES_MAX: usize = 1_000;

/// How a branch is taken over.
#[derive(Debug, Clone)]
struct BranchUse {
    /// Its name in the file that defines it.
    name: String,
    /// Its name in the plan.
    called: String,
    /// Its weight, if it is not its own.
    weight: Option<u32>,
    group: Option<usize>,
}

/// Makes a plan from a file and its includes; with `only`, from these branches alone.
pub(super) fn assemble(mut root: Source, only: &[String]) -> Result<Workload, WorkloadError> {
    check_only(&root, only)?;
    let groups = groups(&root).map_err(|fault| root.place(fault))?;
    let taken = taken_by_root(&root, &groups, only)?;
    let mut assembler = Assembler::new();
    let login = assembler.login(&mut root)?;
    let (name, title) = (root.section.name.clone(), root.section.title.clone());
    let description = root.section.description.clone();
    assembler.add(root, &taken, only.is_empty(), true)?;
    assembler.check_variables()?;
    let (groups, branches) = used_groups(groups, assembler.branches);
    Ok(Workload {
        name,
        title,
        description,
        names: assembler.names,
        inputs: assembler.inputs,
        initial: assembler.initial,
        login,
        feeders: assembler.feeders,
        groups,
        branches,
        transactions: assembler.transactions,
    })
}

fn check_only(root: &Source, only: &[String]) -> Result<(), WorkloadError> {
    let offered = root.offered();
    match only.iter().find(|name| !offered.contains(name)) {
        None => Ok(()),
        Some(name) => Err(WorkloadError::NoBranch {
            workload: root.section.name.clone(),
            name: name.clone(),
            known: offered.join(", "),
        }),
    }
}

fn groups(root: &Source) -> Result<Vec<Group>, Fault> {
    let mut groups: Vec<Group> = Vec::new();
    for section in &root.section.groups {
        let name = section.name.get_ref().clone();
        if groups.iter().any(|other| other.name == name) {
            let message = format!("a second group `{name}`");
            return Err(fault(section.name.span(), message));
        }
        let virtual_users = *section.virtual_users.get_ref();
        let before: usize = groups.iter().map(|group| group.virtual_users).sum();
        if virtual_users == 0 || virtual_users > USERS_MAX - before {
            let message =
                format!("a group has 1 virtual user or more, and all together {USERS_MAX}");
            return Err(fault(section.virtual_users.span(), message));
        }
        groups.push(Group {
            name,
            virtual_users,
            pace: pace(section)?,
        });
    }
    Ok(groups)
}

fn pace(section: &GroupSection) -> Result<Option<Pace>, Fault> {
    let checked = |rate: &Spanned<f64>| match *rate.get_ref() {
        given if given > 0.0 && given <= RATE_MAX => Ok(given),
        _ => Err(fault(
            rate.span(),
            format!("a rate is more than 0 and at most {RATE_MAX} a minute"),
        )),
    };
    match (&section.per_minute, &section.requests_per_minute) {
        (None, None) => Ok(None),
        (Some(rate), None) => Ok(Some(Pace::Iterations(checked(rate)?))),
        (None, Some(rate)) => Ok(Some(Pace::Requests(checked(rate)?))),
        (Some(_), Some(rate)) => Err(fault(
            rate.span(),
            "give either `per_minute` or `requests_per_minute`",
        )),
    }
}

/// All branches of the plan, its own and included ones, by their names in the first file.
fn taken_by_root(
    root: &Source,
    groups: &[Group],
    only: &[String],
) -> Result<Vec<BranchUse>, WorkloadError> {
    let mut chosen = Chosen {
        groups,
        taken: Vec::new(),
    };
    let placed = |fault| root.place(fault);
    for branch in &root.section.branches {
        chosen.own(branch).map_err(placed)?;
    }
    for (include, source) in root.section.includes.iter().zip(&root.included) {
        chosen.included(include, source).map_err(placed)?;
    }
    let mut taken = chosen.taken;
    if !only.is_empty() {
        taken.retain(|one| only.contains(&one.called));
        // A branch that is named is taken even if it is left out by default.
        for one in &mut taken {
            one.weight = one.weight.map(|weight| weight.max(1));
        }
    }
    check_weights(root, &taken, groups, only.is_empty()).map_err(placed)?;
    Ok(taken)
}

struct Chosen<'g> {
    groups: &'g [Group],
    taken: Vec<BranchUse>,
}

impl Chosen<'_> {
    fn own(&mut self, branch: &BranchSection) -> Result<(), Fault> {
        let name = branch.name.get_ref().clone();
        let group = self.group(branch.group.as_ref(), &name, branch.name.span())?;
        let taken = BranchUse {
            called: name.clone(),
            name,
            weight: Some(branch.weight),
            group,
        };
        self.push(taken, branch.name.span())
    }

    fn included(&mut self, include: &IncludeSection, source: &Source) -> Result<(), Fault> {
        for (there, name) in include.taken(source) {
            let section = include.section(&there);
            let group = section.and_then(|one| one.group.as_ref());
            let group = group.or(include.group.as_ref());
            let at = section.map_or(include.workload.span(), |one| one.name.span());
            let group = self.group(group, &name, at.clone())?;
            let weight = section.and_then(|one| one.weight);
            let taken = BranchUse {
                called: name.clone(),
                name,
                weight: weight.or_else(|| source.weight(&there)),
                group,
            };
            self.push(taken, at)?;
        }
        Ok(())
    }

    fn group(
        &self,
        wanted: Option<&Spanned<String>>,
        branch: &str,
        at: Range<usize>,
    ) -> Result<Option<usize>, Fault> {
        let Some(wanted) = wanted else {
            return match self.groups.is_empty() {
                true => Ok(None),
                false => Err(fault(
                    at,
                    format!("the branch `{branch}` needs a `group`, as there are groups"),
                )),
            };
        };
        let named = |group: &Group| group.name == *wanted.get_ref();
        let found = self.groups.iter().position(named);
        found.map(Some).ok_or_else(|| {
            let message = format!("there is no group `{}`", wanted.get_ref());
            fault(wanted.span(), message)
        })
    }

    fn push(&mut self, taken: BranchUse, at: Range<usize>) -> Result<(), Fault> {
        if self.taken.len() >= BRANCHES_MAX {
            return Err(fault(at, format!("more than {BRANCHES_MAX} branches")));
        }
        self.taken.push(taken);
        Ok(())
    }
}

fn check_weights(
    root: &Source,
    taken: &[BranchUse],
    groups: &[Group],
    all: bool,
) -> Result<(), Fault> {
    let total = |group: Option<usize>| -> u64 {
        let within = taken.iter().filter(|one| one.group == group);
        within.map(|one| u64::from(one.weight.unwrap_or(1))).sum()
    };
    if groups.is_empty() && !(1..=u64::from(u32::MAX)).contains(&total(None)) {
        return Err(Fault {
            message: "a workload needs a branch with a weight".into(),
            span: None,
        });
    }
    for (number, section) in root.section.groups.iter().enumerate().filter(|_| all) {
        if !(1..=u64::from(u32::MAX)).contains(&total(Some(number))) {
            let message = format!("the group `{}` needs a branch", section.name.get_ref());
            return Err(fault(section.name.span(), message));
        }
    }
    Ok(())
}

/// Removes groups that have no branch after a choice of branches.
fn used_groups(groups: Vec<Group>, mut branches: Vec<Branch>) -> (Vec<Group>, Vec<Branch>) {
    let used: HashSet<usize> = branches.iter().filter_map(|branch| branch.group).collect();
    let number = |old: usize| used.iter().filter(|one| **one < old).count();
    for branch in &mut branches {
        branch.group = branch.group.map(number);
    }
    let groups = groups.into_iter().enumerate();
    let groups = groups.filter(|(number, _)| used.contains(number));
    (groups.map(|(_, group)| group).collect(), branches)
}

struct Assembler {
    names: Names,
    inputs: Inputs,
    initial: Vec<(usize, String)>,
    feeders: Vec<super::plan::FeederSpec>,
    transactions: Vec<super::plan::Transaction>,
    branches: Vec<Branch>,
    /// File and text of each scope of names.
    texts: Vec<(String, String)>,
}

impl Assembler {
    fn new() -> Self {
        let mut names = Names::default();
        let mut input = |name| {
            names.share(name);
            names.set_once(name)
        };
        let inputs = Inputs {
            host: input("host"),
            prefix: input("prefix"),
            tenant: input("tenant"),
            username: input("username"),
            password: input("password"),
        };
        Self {
            names,
            inputs,
            initial: Vec::new(),
            feeders: Vec::new(),
            transactions: Vec::new(),
            branches: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// The login of the first file, or otherwise of the first included one that has any. All
    /// workloads know the variables that it extracts.
    fn login(&mut self, source: &mut Source) -> Result<Option<Request>, WorkloadError> {
        let Some(section) = source.section.login.take() else {
            for included in &mut source.included {
                let login = self.login(included)?;
                if login.is_some() {
                    return Ok(login);
                }
            }
            return Ok(None);
        };
        // Its text has a scope of its own, for messages.
        self.enter(source);
        for extract in &section.extract {
            self.names.share(&extract.get_ref().variable);
        }
        self.variables(source);
        let mut compiler = Compiler {
            names: &mut self.names,
            feeders: &[],
            first_feeder: 0,
            common: &source.section.headers,
            on_error: source.section.on_error,
            folder: source.folder.as_deref(),
        };
        let login = compiler.request(section, &Headers::new(), Lifetime::Once);
        login.map(Some).map_err(|fault| source.place(fault))
    }

    fn enter(&mut self, source: &Source) {
        self.names.enter(self.texts.len());
        self.texts.push((source.file.clone(), source.text.clone()));
    }

    fn variables(&mut self, source: &Source) {
        for (name, value) in &source.section.variables {
            self.initial
                .push((self.names.set_once(name), value.clone()));
        }
    }

    /// Adds what the branches taken from a file need: everything in it when it is `whole`.
    fn add(
        &mut self,
        mut source: Source,
        taken: &[BranchUse],
        whole: bool,
        first: bool,
    ) -> Result<(), WorkloadError> {
        if *source.section.format.get_ref() != 1 {
            let fault = fault(
                source.section.format.span(),
                "this program reads format 1 only",
            );
            return Err(source.place(fault));
        }
        if !whole {
            source.prune(|branch| taken.iter().any(|one| one.name == *branch.name.get_ref()));
        }
        let compiled = self.compile(&mut source, taken, first);
        compiled.map_err(|fault| source.place(fault))?;
        let Source {
            section, included, ..
        } = source;
        for (include, source) in section.includes.iter().zip(included) {
            let ways = include.taken(&source);
            let taken: Vec<BranchUse> = ways
                .into_iter()
                .filter_map(|(name, here)| {
                    let above = taken.iter().find(|one| one.name == here)?;
                    Some(BranchUse {
                        name,
                        ..above.clone()
                    })
                })
                .collect();
            self.add(source, &taken, false, false)?;
        }
        Ok(())
    }

    fn compile(
        &mut self,
        source: &mut Source,
        taken: &[BranchUse],
        first: bool,
    ) -> Result<(), Fault> {
        self.enter(source);
        self.variables(source);
        let owner = source.section.name.clone();
        let own_feeders = feeders(std::mem::take(&mut source.section.feeders), &mut self.names)?;
        let mut compiler = Compiler {
            names: &mut self.names,
            feeders: &own_feeders,
            first_feeder: self.feeders.len(),
            common: &source.section.headers,
            on_error: source.section.on_error,
            folder: source.folder.as_deref(),
        };
        let sections = std::mem::take(&mut source.section.transactions);
        let own_transactions = compiler.transactions(sections)?;
        let first_transaction = self.transactions.len();
        for section in &source.section.branches {
            let Some(taken) = taken.iter().find(|one| one.name == *section.name.get_ref()) else {
                continue;
            };
            let numbers = |names: &[Spanned<String>]| {
                let number = |name: &Spanned<String>| {
                    let mut own = own_transactions.iter();
                    let found = own.position(|one| one.name == *name.get_ref());
                    let missing = || {
                        let message = format!("there is no transaction `{}`", name.get_ref());
                        fault(name.span(), message)
                    };
                    found.map(|at| first_transaction + at).ok_or_else(missing)
                };
                names.iter().map(number).collect::<Result<Vec<_>, _>>()
            };
            self.branches.push(Branch {
                name: taken.called.clone(),
                weight: taken.weight.unwrap_or(section.weight),
                group: taken.group,
                draws: draws(&compiler, section)?,
                steps: numbers(&section.steps)?,
                setup: numbers(&section.setup)?,
                teardown: numbers(&section.teardown)?,
            });
        }
        for mut feeder in own_feeders {
            if !first {
                feeder.name = format!("{owner}/{}", feeder.name);
            }
            self.feeders.push(feeder);
        }
        for mut transaction in own_transactions {
            if self
                .transactions
                .iter()
                .any(|one| one.name == transaction.name)
            {
                transaction.name = format!("{owner}/{}", transaction.name);
            }
            self.transactions.push(transaction);
        }
        Ok(())
    }

    fn check_variables(&self) -> Result<(), WorkloadError> {
        let Some((scope, name)) = self.names.never_set() else {
            return Ok(());
        };
        let reference = format!("${{{name}}}");
        let (file, text) = &self.texts[scope];
        let start = text.find(&reference).unwrap_or(0);
        let message = format!("nothing sets the variable `{reference}`");
        Err(super::source::place(
            file,
            text,
            fault(start..start, message),
        ))
    }
}

fn draws(compiler: &Compiler<'_>, section: &BranchSection) -> Result<Vec<usize>, Fault> {
    let mut draws = Vec::new();
    for draw in &section.draws {
        let number = compiler.first_feeder + compiler.feeder(draw)?;
        if draws.contains(&number) {
            return Err(fault(draw.span(), "a branch draws one row from a feeder"));
        }
        draws.push(number);
    }
    Ok(draws)
}
