//! The workloads that come with the program, for the server's page of the workbench.

use octavo_driver::workload::{BUILT_IN, Workload, load};
use octavo_host::workbench::WorkloadSummary;

/// Their names, what they do, and whether they change records.
#[must_use]
pub fn summaries() -> Vec<WorkloadSummary> {
    // One that cannot be read is reported by `octavo workload list`, and keeps no server from starting.
    let readable = BUILT_IN.iter().filter_map(|one| load(one.name).ok());
    readable.map(|workload| summary(&workload)).collect()
}

fn summary(workload: &Workload) -> WorkloadSummary {
    let mut requests = workload.transactions.iter().flat_map(|one| &one.requests);
    WorkloadSummary {
        id: workload.name.clone(),
        name: workload.title.clone(),
        summary: workload.description.trim().to_owned(),
        writes: requests.any(|request| request.method != "GET"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_says_whether_it_writes() {
        let all = summaries();
        assert_eq!(all.len(), BUILT_IN.len());
        let writes = |id: &str| all.iter().find(|one| one.id == id).map(|one| one.writes);
        assert_eq!(writes("check-in-check-out"), Some(true));
        assert_eq!(writes("get-items"), Some(false));
    }
}
