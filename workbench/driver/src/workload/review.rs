//! Reviews a compiled workload: a description of it, and possible mistakes in it. Examines the plan
//! only; nothing is sent.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use super::plan::{FeederSpec, Pace, Request, Transaction, Workload};

/// The result of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Lines of the description.
    pub description: Vec<String>,
    /// Lines about possible mistakes.
    pub warnings: Vec<String>,
}

/// Reviews a workload.
pub fn review(workload: &Workload) -> Review {
    let mut description = groups(workload);
    description.extend(branches(workload));
    let transactions = workload.transactions.iter();
    description.extend(transactions.map(|one| transaction(workload, one)));
    description.extend(workload.feeders.iter().map(|one| feeder(workload, one)));
    let mut warnings = Vec::new();
    warn_of_feeders(workload, &mut warnings);
    warn_of_transactions(workload, &mut warnings);
    warn_of_unread(workload, &mut warnings);
    warn_of_early_reads(workload, &mut warnings);
    Review {
        description,
        warnings,
    }
}

fn groups(workload: &Workload) -> Vec<String> {
    let groups = workload.groups.iter().map(|group| {
        let pace = match group.pace {
            None => "as fast as it is answered".to_owned(),
            Some(Pace::Iterations(rate)) => format!("{rate} iterations a minute"),
            Some(Pace::Requests(rate)) => format!("{rate} requests a minute"),
        };
        let (name, users) = (&group.name, group.virtual_users);
        format!("group {name}: {users} virtual users, {pace}")
    });
    groups.collect()
}

fn branches(workload: &Workload) -> Vec<String> {
    let branches = workload.branches.iter().map(|branch| {
        let within = match branch.group {
            Some(group) => format!(" in group {}", workload.groups[group].name),
            None => String::new(),
        };
        let requests = |steps: &[usize]| {
            let requests = steps
                .iter()
                .map(|step| &workload.transactions[*step].requests);
            requests.map(Vec::len).sum::<usize>()
        };
        let mut line = format!(
            "branch {}: weight {}{within}, {} requests",
            branch.name,
            branch.weight,
            requests(&branch.steps)
        );
        if !branch.setup.is_empty() || !branch.teardown.is_empty() {
            let (before, after) = (requests(&branch.setup), requests(&branch.teardown));
            // Writing into a string cannot fail, here and below.
            let _ = write!(
                line,
                ", and once for each user {before} before and {after} after"
            );
        }
        line
    });
    branches.collect()
}

fn transaction(workload: &Workload, transaction: &Transaction) -> String {
    let requests = &transaction.requests;
    let think = requests.iter().map(|one| one.think);
    let think_ms: u64 = think
        .map(|one| u64::from(one.constant_ms) + u64::from(one.uniform_ms) / 2)
        .sum();
    let mut line = format!(
        "transaction {}: {} requests",
        transaction.name,
        requests.len()
    );
    if think_ms > 0 {
        let _ = write!(line, ", pauses {:.1} s on average", think_ms as f64 / 1e3);
    }
    for (request, repeat) in requests
        .iter()
        .filter_map(|one| Some((one, one.repeat.as_ref()?)))
    {
        let _ = write!(
            line,
            ", {} up to {} times every {} s",
            request.label,
            repeat.at_most,
            repeat.every.as_secs_f64()
        );
    }
    let read: BTreeSet<&str> = requests
        .iter()
        .flat_map(reads)
        .map(|slot| workload.names.name(slot))
        .filter(|name| !["host", "prefix", "tenant"].contains(name))
        .collect();
    if !read.is_empty() {
        let read: Vec<_> = read.into_iter().collect();
        let _ = write!(line, "; variables {}", read.join(", "));
    }
    line
}

fn feeder(workload: &Workload, feeder: &FeederSpec) -> String {
    let source = match &feeder.tenant {
        Some(tenant) => format!("from GET {}", tenant.target),
        None if feeder.starts_empty => "empty at first, filled by requests".to_owned(),
        None => format!("from a file only: --feeder {}=FILE", feeder.name),
    };
    let columns: Vec<_> = feeder
        .slots
        .iter()
        .map(|slot| workload.names.name(*slot))
        .collect();
    format!("feeder {} ({}): {source}", feeder.name, columns.join(", "))
}

/// The variables that a request uses, in no order.
fn reads(request: &Request) -> Vec<usize> {
    let mut read = before_sending(request);
    read.extend(after_sending(request));
    read
}

fn before_sending(request: &Request) -> Vec<usize> {
    let mut read: Vec<usize> = request.when.iter().map(|when| when.slot).collect();
    read.extend(request.sets.iter().flat_map(|(_, value)| value.variables()));
    read.extend(request.head.variables());
    read.extend(request.body.iter().flat_map(|body| body.variables()));
    read
}

fn after_sending(request: &Request) -> Vec<usize> {
    let mut read: Vec<usize> = request
        .checks
        .iter()
        .flat_map(|one| one.variables())
        .collect();
    let changes = request.extracts.iter().flat_map(|one| &one.change);
    read.extend(changes.flat_map(|(_, text)| text.variables()));
    read.extend(request.repeat.iter().flat_map(|one| one.until.variables()));
    read
}

fn all_requests(workload: &Workload) -> impl Iterator<Item = &Request> {
    let transactions = workload.transactions.iter();
    workload
        .login
        .iter()
        .chain(transactions.flat_map(|one| &one.requests))
}

fn warn_of_feeders(workload: &Workload, warnings: &mut Vec<String>) {
    let branches = workload.branches.iter();
    let drawn: HashSet<usize> = branches.flat_map(|one| one.draws.iter().copied()).collect();
    let fills = |number| all_requests(workload).any(|one| one.fills == Some(number));
    let moves = |number| {
        let mut moves = all_requests(workload).filter_map(|one| one.moves);
        moves.any(|one| one.to == number)
    };
    for (number, feeder) in workload.feeders.iter().enumerate() {
        let gets_rows = fills(number) || moves(number);
        if !drawn.contains(&number) && !gets_rows {
            warnings.push(format!("no branch draws from the feeder {}", feeder.name));
        }
        if feeder.starts_empty && !gets_rows {
            warnings.push(format!("nothing fills the feeder {}", feeder.name));
        }
    }
}

fn warn_of_transactions(workload: &Workload, warnings: &mut Vec<String>) {
    let branches = workload.branches.iter();
    let played: HashSet<usize> = branches
        .flat_map(|one| one.steps.iter().chain(&one.setup).chain(&one.teardown))
        .copied()
        .collect();
    for (number, transaction) in workload.transactions.iter().enumerate() {
        if !played.contains(&number) {
            warnings.push(format!(
                "no branch plays the transaction {}",
                transaction.name
            ));
        }
    }
}

fn warn_of_unread(workload: &Workload, warnings: &mut Vec<String>) {
    let mut read: HashSet<usize> = all_requests(workload).flat_map(reads).collect();
    let transactions = workload.transactions.iter();
    read.extend(transactions.filter_map(|one| Some(one.when.as_ref()?.slot)));
    let filled = all_requests(workload).filter_map(|one| one.fills);
    read.extend(filled.flat_map(|feeder| &workload.feeders[feeder].slots));
    for request in all_requests(workload) {
        let taken = request.extracts.iter().map(|one| one.slot);
        for slot in taken.filter(|slot| !read.contains(slot)) {
            warnings.push(format!(
                "{} takes ${{{}}} from its answer, but nothing reads it",
                request.label,
                workload.names.name(slot)
            ));
        }
        for (slot, _) in request.sets.iter().filter(|(slot, _)| !read.contains(slot)) {
            let name = workload.names.name(*slot);
            warnings.push(format!(
                "{} sets ${{{name}}}, but nothing reads it",
                request.label
            ));
        }
    }
}

/// A variable that is used before it is set is sent as its own reference, as in JMeter; usually
/// that is a mistake.
fn warn_of_early_reads(workload: &Workload, warnings: &mut Vec<String>) {
    let inputs = workload.inputs;
    let mut known: HashSet<usize> = [
        inputs.host,
        inputs.prefix,
        inputs.tenant,
        inputs.username,
        inputs.password,
    ]
    .into();
    known.extend(workload.initial.iter().map(|(slot, _)| *slot));
    if let Some(login) = &workload.login {
        known.extend(login.extracts.iter().map(|one| one.slot));
    }
    let mut warned = HashSet::new();
    for branch in &workload.branches {
        let mut known = known.clone();
        let drawn = branch.draws.iter();
        known.extend(drawn.flat_map(|feeder| &workload.feeders[*feeder].slots));
        let steps = branch
            .setup
            .iter()
            .chain(&branch.steps)
            .chain(&branch.teardown);
        for request in steps.flat_map(|step| &workload.transactions[*step].requests) {
            let set = request.sets.iter().map(|(slot, _)| *slot);
            let mut early: Vec<usize> = {
                known.extend(set);
                let read = before_sending(request).into_iter();
                read.filter(|slot| !known.contains(slot)).collect()
            };
            known.extend(request.extracts.iter().map(|one| one.slot));
            let late = after_sending(request).into_iter();
            early.extend(late.filter(|slot| !known.contains(slot)));
            for slot in early {
                if warned.insert((slot, request.label.clone())) {
                    warnings.push(format!(
                        "{} reads ${{{}}} before anything in the branch {} has set it; until then it \
                         is sent as it stands",
                        request.label,
                        workload.names.name(slot),
                        branch.name
                    ));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::{BUILT_IN, load, parse};
    use super::*;

    const TEXT: &str = r#"
        format = 1
        name = "w"
        title = "W"
        [[feeder]]
        name = "drawn"
        columns = ["a"]
        [[feeder]]
        name = "idle"
        columns = ["b"]
        [feeder.tenant]
        path = "/x"
        collection = "xs"
        columns = { b = "$.b" }
        [[feeder]]
        name = "dry"
        columns = ["c"]
        starts_empty = true
        [[branch]]
        name = "only"
        draws = ["drawn", "dry"]
        steps = ["T"]
        [[transaction]]
        name = "T"
        [[transaction.request]]
        label = "first"
        send = "GET /x/${a}/${late}"
        set = { unread = "${uuid()}" }
        think = { constant_ms = 500, uniform_ms = 1000 }
        extract = [{ variable = "late", json = "$.id" }, { variable = "lost", json = "$.x" }]
        [[transaction.request]]
        label = "second"
        send = "GET /y"
        expect = [{ body_contains = "${late}" }]
        repeat = { until = { json = "$.ok" }, every_ms = 250, at_most = 4 }
        [[transaction]]
        name = "Unplayed"
        [[transaction.request]]
        label = "third"
        send = "GET /z/${c}"
    "#;

    #[test]
    fn it_lists_what_there_is_and_warns_of_what_looks_wrong() {
        let review = review(&parse("w.toml", TEXT).unwrap());
        assert_eq!(
            review.description,
            [
                "branch only: weight 1, 2 requests",
                "transaction T: 2 requests, pauses 1.0 s on average, second up to 4 times every \
                 0.25 s; variables a, late",
                "transaction Unplayed: 1 requests; variables c",
                "feeder drawn (a): from a file only: --feeder drawn=FILE",
                "feeder idle (b): from GET /x",
                "feeder dry (c): empty at first, filled by requests",
            ]
        );
        assert_eq!(
            review.warnings,
            [
                "no branch draws from the feeder idle",
                "nothing fills the feeder dry",
                "no branch plays the transaction Unplayed",
                "first takes ${lost} from its answer, but nothing reads it",
                "first sets ${unread}, but nothing reads it",
                "first reads ${late} before anything in the branch only has set it; until then it is \
                 sent as it stands",
            ]
        );
    }

    #[test]
    fn the_built_in_workloads_have_no_mistakes_but_their_plans() {
        for built_in in BUILT_IN {
            let review = review(&load(built_in.name).unwrap());
            // The check-out plan uses the last check-out's user before its first one, and extracts
            // a loan policy that it never uses.
            let plans = ["${user_id}", "${loanPolicy_Id}"];
            let own = |warning: &&String| !plans.iter().any(|name| warning.contains(name));
            let warnings: Vec<_> = review.warnings.iter().filter(own).collect();
            assert!(warnings.is_empty(), "{}: {warnings:#?}", built_in.name);
        }
    }
}
