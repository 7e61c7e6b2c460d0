//! JMeter plans as drafts: parses the plan, inserts included files and modules, collects variables,
//! walks the thread groups, and finishes the result.

mod checks;
mod conditions;
mod expand;
mod feeders;
mod groups;
mod sampler;
mod script;
mod text;
mod timers;
mod tree;
mod values;
mod walk;

use std::rc::Rc;

pub(crate) use sampler::decoded;

use self::groups::{Branches, Role};
use self::tree::Element;
use self::values::Values;
use self::walk::{Item, Walker};
use crate::draft::{Draft, DraftError, RunOptions, workload_name};
use crate::model::{Transaction, Workload};
use crate::note::Notes;
use crate::{finish, login, write};

const INCLUDES_NESTED_MAX: usize = 4;
const INCLUDES_MAX: usize = 200;
const DISABLED: &str = "disabled elements, passed over";
const LOGINS: &str = "logins";

/// The draft of a plan.
pub(crate) fn draft(
    text: &str,
    name: &str,
    include: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<Draft, DraftError> {
    let mut plan = tree::parse(text, None)?;
    let mut left = INCLUDES_MAX;
    read_includes(&mut plan, include, INCLUDES_NESTED_MAX, &mut left)?;
    let title = plan.first().map_or("", |plan| plan.name.trim()).to_owned();
    let mut values = Values::default();
    values.define(&plan);
    values.settle();
    let mut walker = Walker::new(&plan, values);
    let mut run = RunOptions::default();
    let mut workload = Workload {
        name: workload_name(name),
        title: match title.as_str() {
            "" => name.to_owned(),
            title => title.to_owned(),
        },
        description: format!("A draft of the JMeter plan {name}."),
        ..Workload::default()
    };
    let branches = thread_groups(&mut walker, &mut run, &mut workload)?;
    settle(&plan, walker, branches, run, workload)
}

/// Inserts the content of included files below the controllers that include them.
fn read_includes(
    elements: &mut [Element],
    include: &mut dyn FnMut(&str) -> Option<String>,
    nested: usize,
    left: &mut usize,
) -> Result<(), DraftError> {
    for element in elements {
        if element.kind == "IncludeController" && element.enabled && nested > 0 && *left > 0 {
            let path = element
                .text("IncludeController.includepath")
                .trim()
                .to_owned();
            if let Some(text) = include(&path) {
                *left -= 1;
                let file: Rc<str> = path.as_str().into();
                let mut included = content(tree::parse(&text, Some(&file))?);
                read_includes(&mut included, include, nested - 1, left)?;
                element.children = included;
            }
        }
        read_includes(&mut element.children, include, nested, left)?;
    }
    Ok(())
}

/// The part of a file that is included: its fragments, or otherwise all below its plan.
fn content(top: Vec<Element>) -> Vec<Element> {
    let below: Vec<Element> = top.into_iter().flat_map(|plan| plan.children).collect();
    let is_fragment = |one: &Element| one.kind == "TestFragmentController";
    match below.iter().any(is_fragment) {
        false => below,
        true => {
            let parts = below.into_iter().flat_map(|one| match is_fragment(&one) {
                true => one.children,
                false if one.short_kind().ends_with("ThreadGroup") => Vec::new(),
                false => vec![one],
            });
            parts.collect()
        }
    }
}

fn thread_groups(
    walker: &mut Walker<'_>,
    run: &mut RunOptions,
    workload: &mut Workload,
) -> Result<Branches, DraftError> {
    let mut branches = Branches::default();
    let plan = walker.plan;
    let mut groups: Vec<(Role, &[Element], &Element)> = Vec::new();
    for top in plan {
        for element in top.children.iter().filter(|one| one.enabled) {
            if let Some(role) = groups::role(element) {
                groups.push((role, &top.children, element));
            }
        }
    }
    groups.sort_by_key(|(role, _, _)| *role);
    let mut continues_after_error = 0i64;
    for (role, siblings, group) in &groups {
        let items = walker.thread_group(siblings, group)?;
        let name = group.name.trim();
        match role {
            Role::Before => branches.once(&items, name),
            Role::After => branches.at_the_end(&items, name),
            Role::Load => {
                let users = groups::options(group, &walker.values, run, &mut walker.notes);
                let does = groups::continues_after_error(group, &mut walker.notes);
                continues_after_error += if does { 1 } else { -1 };
                let (once, body) = groups::parted(items);
                branches.once(&once, name);
                load(&mut branches, &body, group, users, &mut walker.notes);
            }
        }
    }
    workload.continues_after_error = continues_after_error > 0;
    let loads = groups
        .iter()
        .filter(|(role, _, _)| *role == Role::Load)
        .count();
    if loads > 1 {
        let what = format!(
            "{loads} thread groups are branches, weighted by their threads: shares of iterations, \
             not of users"
        );
        walker.notes.add(0, groups::GROUPS, what);
    }
    if branches.is_empty() {
        branches.once_is_all("plan");
    }
    if branches.is_empty() {
        fragments(walker, &mut branches)?;
    }
    if branches.is_empty() {
        logins_are_all(walker, &mut branches);
    }
    Ok(branches)
}

fn load(branches: &mut Branches, body: &[Item], group: &Element, users: u64, notes: &mut Notes) {
    let (ways, cut) = expand::ways(body, group.name.trim());
    if cut {
        let what = format!(
            "{}: it has more combinations of choices than a draft distinguishes; of the rest the \
             most frequent part is taken",
            group.label()
        );
        notes.add(group.line, groups::GROUPS, what);
    }
    branches.load(ways, group.name.trim(), users);
}

/// A file without thread groups that other plans include.
fn fragments(walker: &mut Walker<'_>, branches: &mut Branches) -> Result<(), DraftError> {
    let plan = walker.plan;
    for top in plan {
        for element in &top.children {
            let is_part = element.kind == "TestFragmentController"
                || (element.enabled && element.short_kind().ends_with("Controller"));
            if !is_part {
                continue;
            }
            let items = walker.thread_group(&top.children, element)?;
            let what = format!(
                "{}: taken though no thread group leads to it",
                element.label()
            );
            walker.notes.add(element.line, groups::GROUPS, what);
            load(branches, &items, element, 1, &mut walker.notes);
        }
    }
    Ok(())
}

/// A plan that measures logins.
fn logins_are_all(walker: &mut Walker<'_>, branches: &mut Branches) {
    let login = walker.login.iter().chain(&walker.logins).next();
    if let Some(mut call) = login.cloned() {
        login::adopt(&mut call, &mut walker.notes);
        call.extract.clear();
        let what = "the plan does nothing else, so the login is the draft's request, too";
        walker.notes.add(call.line, LOGINS, what);
        branches.once(&[Item::Call(call)], "login");
        branches.once_is_all("login");
    }
}

fn settle(
    plan: &[Element],
    walker: Walker<'_>,
    branches: Branches,
    mut run: RunOptions,
    mut workload: Workload,
) -> Result<Draft, DraftError> {
    let Walker {
        values,
        mut notes,
        mut knowledge,
        count,
        login: found,
        origins,
        ..
    } = walker;
    let requests: usize = ["HTTPSamplerProxy", "HTTPSampler", "HTTPSampler2"]
        .iter()
        .map(|kind| plan.iter().map(|one| one.count(kind)).sum::<usize>())
        .sum();
    if branches.is_empty() {
        let reason = match requests {
            0 => {
                "the plan has no HTTP sampler; of included files give their paths beside the \
                  plan's own"
            }
            _ => {
                "no enabled thread group, module or fragment of the plan leads to its samplers; \
                  enable one with JMeter"
            }
        };
        return Err(DraftError::NoRequest {
            reason: reason.to_owned(),
        });
    }
    feeders::collect(plan, &values, &mut workload.feeders, &mut notes);
    workload.variables = values.constants;
    branches.settle(&mut workload, &mut notes);
    hosts(&origins, &mut notes);
    add_login(&mut workload, &mut knowledge, found, &mut notes);
    finish::finish(&mut workload, &knowledge, &mut notes);
    disabled(plan, &mut notes);
    run.feeders = workload
        .feeders
        .iter()
        .map(|one| (one.name.clone(), one.file.clone()))
        .collect();
    let notes = notes.into_sorted();
    let head = head(&workload, &run, &notes);
    Ok(Draft {
        toml: write::toml(&workload, &head),
        notes,
        run,
        requests,
        taken: count.taken.len(),
    })
}

fn add_login(
    workload: &mut Workload,
    knowledge: &mut finish::Knowledge,
    found: Option<crate::model::Call>,
    notes: &mut Notes,
) {
    let needs = |one: &Transaction| {
        let mut headers = one.calls.iter().flat_map(|call| &call.headers);
        headers.any(|(name, _)| login::is_token_header(name))
    };
    let mut call = match found {
        Some(call) => call,
        None if workload.transactions.iter().any(needs) => {
            notes.add(
                0,
                LOGINS,
                "the plan takes its token from elsewhere; the draft logs in",
            );
            login::own()
        }
        None => return,
    };
    let token = login::adopt(&mut call, notes);
    one_tenant(workload, &mut call, notes);
    for call in workload
        .transactions
        .iter_mut()
        .flat_map(|one| &mut one.calls)
    {
        login::hide_tokens(call, &token);
    }
    workload.login = Some(call);
    knowledge.token = Some(token);
}

/// A plan that always names its tenant in the same way uses the command line's.
fn one_tenant(workload: &mut Workload, login: &mut crate::model::Call, notes: &mut Notes) {
    let calls = workload.transactions.iter().flat_map(|one| &one.calls);
    let headers = calls.flat_map(|call| &call.headers).chain(&login.headers);
    let mut lines: Vec<String> = headers
        .filter(|(name, _)| login::is_tenant_header(name))
        .map(|(_, value)| value.clone())
        .collect();
    lines.sort();
    lines.dedup();
    match &lines[..] {
        [] => {}
        [one] => {
            if one != "${tenant}" {
                let what = format!("the tenant `{one}` is that of `workload run --tenant`");
                notes.add(0, LOGINS, what);
            }
            let all = workload
                .transactions
                .iter_mut()
                .flat_map(|one| &mut one.calls);
            for call in all.chain(std::iter::once(&mut *login)) {
                let tenants = call.headers.iter_mut();
                for (_, value) in tenants.filter(|(name, _)| login::is_tenant_header(name)) {
                    *value = "${tenant}".to_owned();
                }
            }
        }
        more => {
            let what = format!("the plan speaks of several tenants: {}", more.join(", "));
            notes.add(0, LOGINS, what);
        }
    }
    let has_tenant = login
        .headers
        .iter()
        .any(|(name, _)| login::is_tenant_header(name));
    if !has_tenant {
        let tenant = ("X-Okapi-Tenant".to_owned(), "${tenant}".to_owned());
        login.headers.push(tenant);
    }
}

fn hosts(origins: &std::collections::BTreeMap<sampler::Origin, (usize, usize)>, notes: &mut Notes) {
    let most = origins.values().map(|(_, count)| *count).max();
    let mut main = origins
        .iter()
        .filter(|(_, (_, count))| Some(*count) == most);
    let main = main.next().map(|(origin, _)| origin.clone());
    for (origin, (line, count)) in origins {
        if Some(origin) != main.as_ref() {
            let what = format!(
                "{count} requests are for `{}` in the plan, not for `{}`; the draft sends all to \
                 --url",
                origin.0,
                main.as_ref().map_or("", |main| main.0.as_str())
            );
            notes.add(*line, "hosts", what);
        }
    }
}

/// Counts disabled elements: the outermost only.
fn disabled(plan: &[Element], notes: &mut Notes) {
    fn count(elements: &[Element], found: &mut std::collections::BTreeMap<String, (usize, usize)>) {
        for element in elements {
            let is_fragment = element.kind == "TestFragmentController";
            match element.enabled || is_fragment {
                true => count(&element.children, found),
                false => {
                    let kind = element.short_kind().to_owned();
                    found.entry(kind).or_insert((element.line, 0)).1 += 1;
                }
            }
        }
    }
    let mut found = std::collections::BTreeMap::new();
    count(plan, &mut found);
    for (kind, (line, count)) in found {
        notes.add(line, DISABLED, format!("{kind}: {count}, the first here"));
    }
}

/// The comment at the beginning of the draft.
fn head(workload: &Workload, run: &RunOptions, notes: &[crate::Note]) -> String {
    let file = format!("{}.toml", workload.name);
    let mut head = format!(
        "A draft of a JMeter plan, to be finished by hand. The format is described in \
         workloads/README.md.\nRun it as the plan would:\n  {}\n",
        run.command(&file)
    );
    for group in notes.chunk_by(|one, next| one.group == next.group) {
        head.push_str(&format!(
            "To look at: {} ({})\n",
            group[0].group,
            group.len()
        ));
    }
    head
}
