//! Converts JMeter's timers to pauses. JMeter reads a delay that is not a number as 0, and so does
//! a draft.

use super::text::{Piece, pieces};
use super::tree::Element;
use super::values::Values;
use crate::model::Think;
use crate::note::Notes;

pub(super) const TIMERS: &str = "pauses";

/// Whether an element pauses, or is meant to hold a rate.
pub(super) fn is_timer(kind: &str) -> bool {
    kind.ends_with("Timer")
}

/// The pause before each request in the timer's scope.
pub(super) fn pause(timer: &Element, values: &Values, notes: &mut Notes) -> Think {
    let mut note = |what: &str| {
        notes.add(timer.line, TIMERS, format!("{}: {what}", timer.label()));
    };
    let (delay, is_number) = delay(timer.text("ConstantTimer.delay"), values);
    if !is_number {
        note(match values.constant(timer.text("ConstantTimer.delay")) {
            Some(_) => "its constant part is no number, which JMeter takes as 0",
            None => "its constant part is not known before the plan runs; 0 in the draft",
        });
    }
    let range = timer.text("RandomTimer.range");
    let range = match values
        .constant(range)
        .map(|text| text.trim().parse::<f64>())
    {
        Some(Ok(range)) if range.is_finite() => range.abs(),
        _ => 0.0,
    };
    match timer.kind.as_str() {
        "ConstantTimer" => delay,
        "UniformRandomTimer" => Think {
            uniform_ms: delay.uniform_ms.saturating_add(range as u64),
            ..delay
        },
        "GaussianRandomTimer" => {
            note("normally distributed; uniform with the same deviation in the draft");
            spread(delay.constant_ms as f64, range)
        }
        "PoissonRandomTimer" => {
            note("Poisson distributed; uniform with the same deviation in the draft");
            spread(delay.constant_ms as f64 + range, range.sqrt())
        }
        "ConstantThroughputTimer" | "PreciseThroughputTimer" => {
            let rate = match timer.kind.as_str() {
                "ConstantThroughputTimer" => format!("{} a minute", timer.text("throughput")),
                _ => {
                    let period = timer.text("throughputPeriod");
                    format!("{} in {period} s", timer.text("throughput"))
                }
            };
            note(&format!(
                "holds a rate ({rate}); run the draft with --open --rate for that"
            ));
            Think::default()
        }
        _ => {
            note("not taken");
            Think::default()
        }
    }
}

/// A uniform pause around `middle` with this standard deviation.
fn spread(middle: f64, deviation: f64) -> Think {
    let half = deviation * 3f64.sqrt();
    let least = (middle - half).max(0.0);
    Think {
        constant_ms: least.round() as u64,
        uniform_ms: (middle + half - least).max(0.0).round() as u64,
    }
}

/// A delay, and whether JMeter reads a number there. A random number becomes a uniform part.
pub(super) fn delay(text: &str, values: &Values) -> (Think, bool) {
    if let [
        Piece::Function {
            name, arguments, ..
        },
    ] = &pieces(text.trim())[..]
        && name == "Random"
        && let [Some(least), Some(most)] =
            [0, 1].map(|at| arguments.get(at).and_then(|text| values.number(text)))
    {
        let think = Think {
            constant_ms: least,
            uniform_ms: most.saturating_sub(least),
        };
        return (think, true);
    }
    let number = values.constant(text);
    let number = number.map(|text| text.trim().parse::<f64>());
    match number {
        Some(Ok(number)) if number.is_finite() => {
            let think = Think {
                constant_ms: number.max(0.0) as u64,
                uniform_ms: 0,
            };
            (think, true)
        }
        _ => (Think::default(), text.trim().is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_numbers_random_numbers_or_nothing() {
        let values = Values::default();
        let of = |text| {
            let (think, is_number) = delay(text, &values);
            (think.constant_ms, think.uniform_ms, is_number)
        };
        assert_eq!(of("300"), (300, 0, true));
        assert_eq!(of("${__Random(300,500,)}"), (300, 200, true));
        assert_eq!(of("${__P(x,250)}"), (250, 0, true));
        assert_eq!(of("1000 + ${offset}"), (0, 0, false));
        let think = spread(500.0, 300.0);
        assert_eq!((think.constant_ms, think.uniform_ms), (0, 1020));
        let think = spread(1000.0, 100.0);
        assert_eq!((think.constant_ms, think.uniform_ms), (827, 346));
    }
}
