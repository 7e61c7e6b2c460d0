//! The figures published in FOLIO's performance reports, by workload and release.

use std::collections::BTreeSet;

/// The published figures; each line names workload, release, transaction or request, users, figure
/// and milliseconds.
const PUBLISHED: &str = include_str!("../data/baselines.tsv");

/// One published figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The workload's name.
    pub workload: &'static str,
    /// FOLIO's release.
    pub release: &'static str,
    /// The transaction or request.
    pub name: &'static str,
    /// Virtual users of the run.
    pub virtual_users: usize,
    /// `average`, `p50`, `p75` or `p95`.
    pub statistic: &'static str,
    pub ms: f64,
}

/// All published figures.
pub fn published() -> Vec<Published> {
    let lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).filter_map(read).collect()
}

/// The source of the figures of a workload and release.
pub fn source(workload: &str, release: &str) -> String {
    let report = match workload {
        "check-in-check-out" => "Check-in-check-out",
        "get-items" => "Get items",
        "load-items" => "Load items on instance record",
        other => other,
    };
    let page = match (workload, release) {
        ("check-in-check-out", "Sunflower CSP1") => ", page 1209040897",
        ("orders-queries", _) => return format!("FOLIO issue {release}, with its indexes"),
        _ => "",
    };
    format!("FOLIO wiki, Performance Task Force, report \u{201c}{report}\u{201d}, {release}{page}")
}

fn read(line: &'static str) -> Option<Published> {
    let mut cells = line.split('\t');
    let mut next = || cells.next();
    Some(Published {
        workload: next()?,
        release: next()?,
        name: next()?,
        virtual_users: next()?.parse().ok()?,
        statistic: next()?,
        ms: next()?.parse().ok()?,
    })
}

/// The figures of a release for a workload, from the run with the nearest number of users, and that
/// number. A release is named ignoring case, in full or by a prefix.
///
/// # Errors
/// Names the published releases.
pub fn baseline(
    workload: &str,
    release: &str,
    virtual_users: usize,
) -> Result<(usize, Vec<Published>), String> {
    let all: Vec<_> = published()
        .into_iter()
        .filter(|one| one.workload == workload)
        .collect();
    if all.is_empty() {
        let known: BTreeSet<_> = published().iter().map(|one| one.workload).collect();
        let known: Vec<_> = known.into_iter().collect();
        return Err(format!(
            "nothing is published for the workload {workload}; there is something for {}",
            known.join(", ")
        ));
    }
    let releases: BTreeSet<_> = all.iter().map(|one| one.release).collect();
    let wanted = release.to_lowercase();
    let named = |begin: bool| {
        releases.iter().find(|one| match begin {
            true => one.to_lowercase().starts_with(&wanted),
            false => one.to_lowercase() == wanted,
        })
    };
    let Some(release) = named(false).or_else(|| named(true)) else {
        let known: Vec<_> = releases.into_iter().collect();
        return Err(format!(
            "there is no baseline {release:?} for {workload}; there are {}",
            known.join(", ")
        ));
    };
    let mine: Vec<_> = all
        .into_iter()
        .filter(|one| one.release == *release)
        .collect();
    let distance = |one: &&Published| one.virtual_users.abs_diff(virtual_users);
    let nearest = mine
        .iter()
        .min_by_key(distance)
        .map_or(0, |one| one.virtual_users);
    let nearest_rows = mine.into_iter().filter(|one| one.virtual_users == nearest);
    Ok((nearest, nearest_rows.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(published().len(), lines.count() - 1);
    }

    #[test]
    fn a_baseline_is_that_of_the_nearest_run() {
        let (users, rows) = baseline("check-in-check-out", "nolana", 19).unwrap();
        assert_eq!(users, 20);
        let out = rows.iter().find(|one| one.name == "Check-Out Controller");
        assert_eq!(
            out.map(|one| (one.statistic, one.ms)),
            Some(("average", 658.0))
        );
        assert_eq!(baseline("check-in-check-out", "morning", 1).unwrap().0, 20);
        let unknown = baseline("check-in-check-out", "x", 1).unwrap_err();
        assert!(unknown.contains("Morning Glory, Nolana"), "{unknown}");
        let nothing = baseline("batch-lookup", "nolana", 1).unwrap_err();
        assert!(
            nothing.contains("check-in-check-out, get-items, load-items, orders-queries"),
            "{nothing}"
        );
    }
}
