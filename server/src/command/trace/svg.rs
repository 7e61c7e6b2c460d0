//! A traced request as a picture for any browser: a row for each span with its bar, and the whole
//! statement as a tooltip.

use std::fmt::Write;

use octavo_trace::{Node, SpanKind};

use super::picture::{Picture, details, ms, one_line, rows};
use crate::command::xml::escaped;

const WIDTH: f64 = 1_400.0;
/// The width of the names' column.
const NAMES: f64 = 560.0;
const ROW: f64 = 19.0;
const TOP: f64 = 92.0;
/// How many characters of a name fit.
const NAME_CHARACTERS: usize = 84;

pub(super) fn draw(picture: &Picture) -> String {
    let root = picture.tree();
    let rows = rows(&root);
    let remarks = picture.remarks();
    let bottom = TOP + rows.len() as f64 * ROW;
    let height = bottom + 44.0 + remarks.len() as f64 * 17.0;
    let end = root.duration_us.unwrap_or_default().max(1.0);
    let mut svg = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\">\n<title>{}</title>\n\
         <style>text{{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#222}}\
         .small{{font-size:11px;fill:#666}}.row:hover .back{{fill:#eef2f7}}\
         .back{{fill:transparent}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        escaped(&picture.request)
    );
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"26\" style=\"font-size:15px;font-weight:bold\">{}</text>\n\
         <text class=\"small\" x=\"16\" y=\"45\">{} answered {} with {} bytes</text>",
        escaped(&shortened(&picture.request, 150)),
        escaped(&picture.place),
        picture.status,
        picture.bytes
    );
    legend(&mut svg);
    axis(&mut svg, end, bottom);
    for (at, row) in rows.iter().enumerate() {
        let y = TOP + at as f64 * ROW;
        span(&mut svg, row.node, row.last.len(), y, end);
    }
    let mut y = bottom + 24.0;
    for line in std::iter::once(picture.sums()).chain(remarks) {
        let _ = writeln!(svg, "<text x=\"16\" y=\"{y}\">{}</text>", escaped(&line));
        y += 17.0;
    }
    svg.push_str("</svg>\n");
    svg
}

/// The x coordinate of a moment.
fn x(us: f64, end: f64) -> f64 {
    NAMES + (us / end).clamp(0.0, 1.0) * (WIDTH - NAMES - 90.0)
}

fn legend(svg: &mut String) {
    let mut left = 16.0;
    for kind in [
        SpanKind::Work,
        SpanKind::Wait,
        SpanKind::Transaction,
        SpanKind::Control,
        SpanKind::Prepare,
        SpanKind::Statement,
        SpanKind::Copy,
    ] {
        let name = match kind {
            SpanKind::Work => "work",
            SpanKind::Wait => "wait",
            SpanKind::Transaction => "transaction",
            SpanKind::Control => "begin, commit",
            SpanKind::Prepare => "prepare",
            SpanKind::Statement => "statement",
            SpanKind::Copy => "copy",
        };
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"56\" width=\"11\" height=\"11\" fill=\"{}\"/>\
             <text class=\"small\" x=\"{}\" y=\"66\">{name}</text>",
            colour(kind),
            left + 16.0
        );
        left += 30.0 + name.len() as f64 * 7.0;
    }
}

/// Five to ten lines at round times.
fn axis(svg: &mut String, end: f64, bottom: f64) {
    let rough = end / 6.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough)
        .unwrap_or(rough);
    let mut at = 0.0;
    while at <= end {
        let x = x(at, end);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{bottom}\" stroke=\"#e4e4e4\"/>\
             <text class=\"small\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{} ms</text>",
            TOP - 4.0,
            TOP - 9.0,
            trimmed(at)
        );
        at += step;
    }
}

fn span(svg: &mut String, node: &Node, depth: usize, y: f64, end: f64) {
    let indent = depth as f64 * 12.0;
    let full = node.sql.as_deref().unwrap_or(&node.name);
    let room = NAME_CHARACTERS.saturating_sub(depth * 2);
    let label = shortened(&one_line(full), room.min(76));
    let (from, to) = (x(node.start_us, end), x(node.end_us(end), end));
    let took = node.duration_us.map_or_else(String::new, ms);
    let details = details(node);
    let title = format!(
        "{full}\nstart {} ms, took {took} ms{}{details}",
        ms(node.start_us),
        if details.is_empty() { "" } else { "\n" }
    );
    let clip = NAMES - 24.0 - indent;
    let _ = writeln!(
        svg,
        "<g class=\"row\"><title>{}</title>\
         <rect class=\"back\" x=\"8\" y=\"{y}\" width=\"{}\" height=\"{ROW}\"/>\
         <svg x=\"{}\" y=\"{y}\" width=\"{clip}\" height=\"{ROW}\"><text y=\"13\">{}</text></svg>\
         <rect x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" rx=\"1\" fill=\"{}\"/>\
         <text class=\"small\" x=\"{:.1}\" y=\"{}\">{took}</text></g>",
        escaped(&title),
        WIDTH - 16.0,
        16.0 + indent,
        escaped(&label),
        y + 3.0,
        (to - from).max(1.5),
        ROW - 6.0,
        colour(node.kind),
        to.max(from + 1.5) + 5.0,
        y + 13.0,
    );
}

fn colour(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Work => "#9aa7b8",
        SpanKind::Wait => "#d9534f",
        SpanKind::Transaction => "#c9d8ee",
        SpanKind::Control => "#6b8fd6",
        SpanKind::Prepare => "#e2a33c",
        SpanKind::Statement => "#2f6fba",
        SpanKind::Copy => "#3b9c74",
    }
}

/// Milliseconds without trailing zeros.
fn trimmed(us: f64) -> String {
    let text = ms(us);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_no_zeros_at_the_end() {
        assert_eq!(trimmed(1_500.0), "1.5");
        assert_eq!(trimmed(0.0), "0");
    }
}
