//! Test data is reused: enough for any length of run, and never held by two users at once.

use octavo_driver::drive;

use crate::mini_folio::MiniFolio;
use crate::support::{check_in_check_out, options};

#[test]
fn a_small_library_does_not_run_dry_and_no_item_is_held_twice() {
    let folio = MiniFolio::start(6, 0);
    let mut options = options(&folio.url, check_in_check_out(), 300);
    options.virtual_users = 4;
    let summary = drive::run(options).unwrap();
    // The small FOLIO refuses a second check-out of the same item, so this proves exclusivity.
    assert_eq!(summary.totals.errors, 0, "{:?}", summary.failures);
    assert_eq!(summary.totals.iterations, 300);
    let samples: Vec<_> = summary
        .transactions
        .iter()
        .map(|one| one.figures.as_ref().unwrap().statistics.samples)
        .collect();
    assert_eq!(samples.iter().sum::<u64>(), 300);
    assert!(samples[1] - samples[0] <= 6, "{samples:?}");
    // With 57 check-outs to 43 check-ins, six items must run out now and then.
    let dry = summary
        .substitutions
        .iter()
        .find(|one| one.feeder == "items-available")
        .unwrap();
    assert_eq!(dry.branch, "check-out");
    assert!(
        octavo_report::table(&summary)
            .contains("times check-out was due but items-available was empty")
    );
}

#[test]
fn one_item_and_many_users_wait_for_each_other() {
    let folio = MiniFolio::start(1, 0);
    let mut options = options(&folio.url, check_in_check_out(), 40);
    options.virtual_users = 3;
    let summary = drive::run(options).unwrap();
    assert_eq!((summary.totals.errors, summary.totals.iterations), (0, 40));
    assert!(summary.waits > 0);
}

#[test]
fn patrons_of_no_use_are_left_out() {
    let folio = MiniFolio::start(30, 0);
    // The seventh has expired; remove the third one's group.
    folio.state.lock().unwrap().patrons[3]
        .as_object_mut()
        .unwrap()
        .remove("patronGroup");
    let mut options = options(&folio.url, check_in_check_out(), 30);
    options.weights = Some(vec![0, 1]);
    drive::run(options).unwrap();
    let state = folio.state.lock().unwrap();
    let patrons: Vec<_> = state.items.values().flatten().collect();
    assert_eq!(patrons.len(), 30);
    assert!(!patrons.contains(&&"p7".to_owned()));
    assert!(!patrons.contains(&&"p3".to_owned()));
    assert!(patrons.contains(&&"p8".to_owned()));
}

#[test]
fn feeders_are_read_page_by_page() {
    let folio = MiniFolio::start(1500, 0);
    let mut options = options(&folio.url, check_in_check_out(), 1);
    options.weights = Some(vec![0, 1]);
    drive::run(options).unwrap();
    let state = folio.state.lock().unwrap();
    let pages: Vec<_> = state.seen.iter().map(|one| one.line()).collect();
    let page = |offset| {
        format!(
            r#"GET /item-storage/items?query=status.name=="Available"&limit=1000&offset={offset}"#
        )
    };
    let count = |offset| pages.iter().filter(|line| **line == page(offset)).count();
    assert_eq!((count(0), count(1000), count(2000)), (1, 1, 0));
}
