//! Tables for terminals.

/// The alignment of a column.
#[derive(Debug, Clone, Copy)]
pub enum Align {
    /// For texts.
    Left,
    /// For numbers.
    Right,
}

/// Rows with aligned columns, separated by two blanks.
pub fn printed(rows: &[Vec<String>], align: &[Align]) -> String {
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..align.len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .zip(align)
            .map(|((cell, width), align)| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// A number of bytes as people read it.
pub fn bytes(count: i64) -> String {
    let count = count.max(0) as f64;
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    match units.iter().find(|(_, unit)| count >= *unit) {
        Some((name, unit)) => format!("{:.1} {name}", count / unit),
        None => format!("{count:.0} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let rows = [["n", "name"], ["10", "é"], ["7", "longer"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            printed(&rows, &[Align::Right, Align::Left]),
            " n  name\n10  é\n 7  longer\n"
        );
    }

    #[test]
    fn bytes_have_a_unit_that_fits() {
        let shown = [0, 999, 8_192, 1_500_000, 2_000_000_000].map(bytes);
        assert_eq!(shown, ["0 B", "999 B", "8.2 kB", "1.5 MB", "2.0 GB"]);
    }
}
