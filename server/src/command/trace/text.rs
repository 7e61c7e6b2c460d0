//! A traced request as lines for a terminal: the start and duration of each span, its part of the
//! whole, and the tree.

use std::fmt::Write;

use octavo_trace::Node;

use super::picture::{Picture, Row, details, ms, one_line, rows};

/// The width of a bar, in characters.
const BAR: usize = 24;
/// The fewest characters of a statement that are printed, however narrow the terminal is.
const LABEL_MIN: usize = 24;

pub(super) fn draw(picture: &Picture, width: usize) -> String {
    let root = picture.tree();
    let mut text = format!("{}\n", picture.request);
    let _ = writeln!(
        text,
        "{} answered {} with {} bytes\n",
        picture.place, picture.status, picture.bytes
    );
    let _ = writeln!(text, "{:>10} {:>10}", "start ms", "took ms");
    let end = root.duration_us.unwrap_or_default();
    for row in rows(&root) {
        line(&mut text, &row, end, width);
    }
    let _ = writeln!(text, "\n{}", picture.sums());
    for remark in picture.remarks() {
        let _ = writeln!(text, "{remark}");
    }
    text
}

fn line(text: &mut String, row: &Row<'_>, end: f64, width: usize) {
    let node = row.node;
    let took = node.duration_us.map_or_else(String::new, ms);
    let mut line = format!(
        "{:>10} {took:>10}  {}  {}",
        ms(node.start_us),
        bar(node, end),
        glyphs(&row.last)
    );
    let used = line.chars().count();
    let details = match details(node) {
        details if details.is_empty() => details,
        details => format!("  [{details}]"),
    };
    let label = match &node.sql {
        Some(sql) => one_line(sql),
        None => node.name.clone(),
    };
    let room = width
        .saturating_sub(used + details.chars().count())
        .max(LABEL_MIN);
    line.push_str(&shortened(&label, room));
    line.push_str(&details);
    let _ = writeln!(text, "{}", line.trim_end());
}

/// The bar of a span; even the shortest one is visible.
fn bar(node: &Node, end: f64) -> String {
    if end <= 0.0 {
        return " ".repeat(BAR);
    }
    let at = |us: f64| (us / end * BAR as f64).clamp(0.0, BAR as f64);
    let (from, to) = (at(node.start_us), at(node.end_us(end)));
    let first = (from.floor() as usize).min(BAR - 1);
    let last = (to.ceil() as usize).clamp(first + 1, BAR);
    let full = if to - from < 0.5 { '▏' } else { '█' };
    let mut bar = " ".repeat(first);
    bar.extend(std::iter::repeat_n(
        full,
        if full == '▏' { 1 } else { last - first },
    ));
    let missing = BAR - bar.chars().count();
    bar + &" ".repeat(missing)
}

fn glyphs(last: &[bool]) -> String {
    let Some((own, above)) = last.split_last() else {
        return String::new();
    };
    let mut glyphs: String = above
        .iter()
        .map(|last| if *last { "   " } else { "│  " })
        .collect();
    glyphs.push_str(if *own { "└─ " } else { "├─ " });
    glyphs
}

fn shortened(label: &str, room: usize) -> String {
    if label.chars().count() <= room {
        return label.to_owned();
    }
    let mut short: String = label.chars().take(room.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_cut_by_characters() {
        assert_eq!(shortened("SELECT é", 8), "SELECT é");
        assert_eq!(shortened("SELECT éa", 8), "SELECT …");
        assert_eq!(glyphs(&[]), "");
        assert_eq!(glyphs(&[false, true]), "│  └─ ");
    }
}
