//! Groups of virtual users, each with a part of the work and a rate of its own: a library's whole
//! day at once. `arrivals` computes what is due when; this says which group waits for what.

use std::time::Duration;

use super::arrivals::{Arrivals, Rate};
use super::options::{RunError, RunOptions};
use crate::feeder::Feeders;
use crate::workload::{Pace, Workload};

/// The arrivals of each group.
#[derive(Debug, Default)]
pub(super) struct Groups {
    paces: Vec<Option<(Pace, Arrivals)>>,
}

impl Groups {
    /// The rates of a workload's groups over a time; what was due before `offset` was taken by an
    /// earlier part of the run.
    pub(super) fn new(workload: &Workload, length: Duration, offset: Duration) -> Self {
        let paces = workload.groups.iter().map(|group| {
            let pace = group.pace?;
            let (Pace::Iterations(a_minute) | Pace::Requests(a_minute)) = pace;
            let a_second = a_minute / 60.0;
            let rate = Rate {
                from: a_second,
                to: a_second,
            };
            Some((pace, Arrivals::new(&[(rate, length)], offset)))
        });
        Self {
            paces: paces.collect(),
        }
    }

    pub(super) fn are_there(&self) -> bool {
        !self.paces.is_empty()
    }

    pub(super) fn are_paced(&self) -> bool {
        self.paces.iter().any(Option::is_some)
    }

    /// The arrivals of a group's iterations, if it has a rate of them.
    pub(super) fn iterations(&self, group: usize) -> Option<&Arrivals> {
        match self.paces.get(group)?.as_ref()? {
            (Pace::Iterations(_), arrivals) => Some(arrivals),
            (Pace::Requests(_), _) => None,
        }
    }

    /// The arrivals of a group's single requests, if it has a rate of them.
    pub(super) fn requests(&self, group: usize) -> Option<&Arrivals> {
        match self.paces.get(group)?.as_ref()? {
            (Pace::Requests(_), arrivals) => Some(arrivals),
            (Pace::Iterations(_), _) => None,
        }
    }

    /// How many were due within a time from the end of the ramp-up, and how many of them were
    /// begun.
    pub(super) fn due_and_taken(&self, time: Duration) -> (u64, u64) {
        let paces = self.paces.iter().flatten();
        paces.fold((0, 0), |(due, taken), (_, arrivals)| {
            let within = arrivals.due_within(time);
            (due + within, taken + arrivals.taken().min(within))
        })
    }
}

/// The options of a run whose workload has groups: these set the number of users, and exclude other
/// rates and weights.
pub(super) fn settled(mut options: RunOptions) -> Result<RunOptions, RunError> {
    let Some(users) = options.workload.grouped_users() else {
        return Ok(options);
    };
    let name = &options.workload.name;
    let refused = |option: &str| {
        let message = format!(
            "{name} has groups of virtual users with rates of their own, so {option} makes no \
             sense; leave it out, or change the groups in a copy (octavo workload show {name})"
        );
        Err(RunError::Options(message))
    };
    if options.rate.is_some() {
        return refused("--open");
    }
    if !options.stages.is_empty() {
        return refused("--stage, --steps or --rounds");
    }
    if options.weights.is_some() {
        return refused("--distribution");
    }
    if options.ramp_up >= options.duration {
        let message = "the groups' rates begin when the ramp-up is over: make --duration longer";
        return Err(RunError::Options(message.to_owned()));
    }
    options.virtual_users = users;
    Ok(options)
}

/// Checks that each group has test data for at least one of its branches; otherwise its users would
/// wait for the whole run.
pub(super) fn check_data(
    workload: &Workload,
    weights: &[u32],
    feeders: &Feeders,
) -> Result<(), RunError> {
    for (number, group) in workload.groups.iter().enumerate() {
        let branches = workload.branches.iter().zip(weights);
        let mine = branches.filter(|(one, weight)| one.group == Some(number) && **weight > 0);
        let empty: Vec<_> = mine
            .map(|(branch, _)| {
                branch
                    .draws
                    .iter()
                    .find(|feeder| feeders.len(**feeder) == 0)
            })
            .collect();
        if empty.iter().any(Option::is_none) {
            continue;
        }
        let names = empty.into_iter().flatten();
        let mut names: Vec<_> = names
            .map(|at| workload.feeders[*at].name.as_str())
            .collect();
        names.dedup();
        return Err(RunError::Options(format!(
            "the group {} of {} has no test data: nothing for {}. Load records into the tenant, give \
             --feeder NAME=FILE, or name the branches to run with --only",
            group.name,
            workload.name,
            names.join(", ")
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::parse;

    fn workload() -> Workload {
        let text = r#"
            format = 1
            name = "day"
            title = "A day"
            [[group]]
            name = "desk"
            virtual_users = 2
            per_minute = 120
            [[group]]
            name = "search"
            virtual_users = 3
            requests_per_minute = 30
            [[group]]
            name = "import"
            virtual_users = 1
            [[branch]]
            name = "a"
            group = "desk"
            steps = ["T"]
            [[branch]]
            name = "b"
            group = "search"
            steps = ["T"]
            [[branch]]
            name = "c"
            group = "import"
            steps = ["T"]
            [[transaction]]
            name = "T"
            [[transaction.request]]
            label = "r"
            send = "GET /x"
        "#;
        parse("day.toml", text).unwrap()
    }

    #[test]
    fn each_group_has_its_users_and_its_rate() {
        let workload = workload();
        assert_eq!(workload.grouped_users(), Some(6));
        let of: Vec<_> = (0..7).map(|user| workload.group_of(user)).collect();
        let expected = [Some(0), Some(0), Some(1), Some(1), Some(1), Some(2), None];
        assert_eq!(of, expected);
        let groups = Groups::new(&workload, Duration::from_secs(60), Duration::ZERO);
        assert!(groups.are_paced());
        assert!(groups.iterations(1).is_none() && groups.requests(0).is_none());
        assert!(groups.iterations(2).is_none() && groups.requests(2).is_none());
        let due = |arrivals: &Arrivals| std::iter::from_fn(|| arrivals.take()).count();
        assert_eq!(due(groups.requests(1).unwrap()), 30);
        assert_eq!(groups.due_and_taken(Duration::from_secs(30)), (60 + 15, 15));
        assert_eq!(due(groups.iterations(0).unwrap()), 120);
        assert_eq!(groups.due_and_taken(Duration::from_secs(60)), (150, 150));
    }
}
