//! Joins several rows into one, for requests that ask for many records at once.

use super::Row;
use crate::workload::Together;

/// Joins every so many rows into one row, with a separator between the values of a column.
/// Left-over rows are dropped.
pub fn joined(rows: &[Row], together: &Together) -> Vec<Row> {
    let one = |part: &[Row]| -> Row {
        let columns = part.first().map_or(0, |row| row.len());
        let column = |at: usize| {
            let values: Vec<&str> = part.iter().map(|row| &*row[at]).collect();
            values.join(&together.between).into_boxed_str()
        };
        (0..columns).map(column).collect()
    };
    rows.chunks_exact(together.rows).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_become_one_and_the_rest_is_left_out() {
        let rows: Vec<Row> = (0..5)
            .map(|at| [format!("a{at}").into(), format!("b{at}").into()].into())
            .collect();
        let together = Together {
            rows: 2,
            between: " or ".to_owned(),
        };
        let joined = joined(&rows, &together);
        assert_eq!(joined.len(), 2);
        assert_eq!(&*joined[1][0], "a2 or a3");
        assert_eq!(&*joined[1][1], "b2 or b3");
    }
}
