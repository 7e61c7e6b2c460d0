//! Finds overlapping ranges. Both ends are inclusive.

use crate::compiled::split;
use crate::record::{NormalHours, Weekday};

/// The indexes of overlapping ranges, in order. Ranges that end before they begin overlap none.
pub(super) fn overlapping<T: Ord>(ranges: &[(T, T)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.retain(|at| ranges[*at].0 <= ranges[*at].1);
    order.sort_by(|a, b| ranges[*a].0.cmp(&ranges[*b].0));
    let mut met = vec![false; ranges.len()];
    for (behind, first) in order.iter().enumerate() {
        let end = &ranges[*first].1;
        let later = order[behind + 1..].iter();
        for second in later.take_while(|second| ranges[**second].0 <= *end) {
            met[*first] = true;
            met[*second] = true;
        }
    }
    (0..ranges.len()).filter(|at| met[*at]).collect()
}

/// The normal hours that overlap others on some weekday.
pub(super) fn overlapping_hours(hours: &[NormalHours]) -> Vec<NormalHours> {
    let parts: Vec<_> = hours
        .iter()
        .enumerate()
        .flat_map(|(at, hours)| split(hours).into_iter().map(move |part| (at, part)))
        .collect();
    let mut met = vec![false; hours.len()];
    for day in Weekday::ALL {
        let of_day: Vec<_> = parts.iter().filter(|(_, part)| part.0 == day).collect();
        let ranges: Vec<_> = of_day
            .iter()
            .map(|(_, (_, opening))| (opening.start, opening.end))
            .collect();
        for at in overlapping(&ranges) {
            met[of_day[at].0] = true;
        }
    }
    let kept = hours.iter().zip(met).filter(|(_, met)| *met);
    kept.map(|(hours, _)| *hours).collect()
}
