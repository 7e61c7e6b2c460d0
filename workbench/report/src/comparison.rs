//! A comparison as a table of changes, coloured only where they are more than chance.

use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{Cell, CellAlignment, Color, ContentArrangement, Table};
use octavo_figures::compare::Change;

/// The table of a comparison. Colour is only for a terminal.
pub fn comparison(changes: &[Change], before: &str, after: &str, colour: bool) -> String {
    let mut table = Table::new();
    table
        .load_style(UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(["times in ms", "", before, after, "change", "95 % sure", ""]);
    match colour {
        true => table.enforce_styling(),
        false => table.force_no_tty(),
    };
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let mut last = "";
    for change in changes {
        let name = if change.name == last {
            ""
        } else {
            &change.name
        };
        last = &change.name;
        let verdict = match change.real {
            Some(true) => "",
            Some(false) => "may be chance",
            None => "spread unknown",
        };
        let interval = change
            .interval_per_cent
            .map_or(String::new(), |[low, high]| {
                format!("{low:+.1} … {high:+.1} %")
            });
        let mut delta = right(format!("{:+.1} %", change.per_cent()));
        if change.real == Some(true) {
            let worse = change.per_cent() > 0.0;
            delta = delta.fg(if worse { Color::Red } else { Color::Green });
        }
        table.add_row(vec![
            Cell::new(name),
            Cell::new(&change.statistic),
            right(format!("{:.2}", change.before_ms)),
            right(format!("{:.2}", change.after_ms)),
            delta,
            right(interval),
            Cell::new(verdict),
        ]);
    }
    format!("{table}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(after_ms: f64, real: Option<bool>) -> Change {
        Change {
            name: "Check-Out Controller".to_owned(),
            transaction: true,
            statistic: "p95".to_owned(),
            before_ms: 100.0,
            after_ms,
            interval_per_cent: real.map(|_| [1.0, 19.0]),
            chance: None,
            real,
        }
    }

    #[test]
    fn only_what_is_real_has_a_colour() {
        let changes = [
            change(110.0, Some(true)),
            change(104.0, Some(false)),
            change(90.0, None),
        ];
        let text = comparison(&changes, "before", "after", true);
        assert_eq!(text.matches("\u{1b}[38;5;9m").count(), 1, "{text}");
        assert!(
            text.contains("may be chance") && text.contains("spread unknown"),
            "{text}"
        );
        assert_eq!(text.matches("Check-Out Controller").count(), 1);
        let plain = comparison(&changes, "before", "after", false);
        assert!(
            !plain.contains('\u{1b}') && plain.contains("+10.0 %"),
            "{plain}"
        );
    }
}
