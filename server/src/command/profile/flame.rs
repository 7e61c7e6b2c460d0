//! Stacks as a flame graph: an SVG for any browser, in which a click enlarges a function and a
//! search marks all functions of a name (`flame.js`).

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::command::xml::escaped;
use octavo_host::profile::Folded;

const WIDTH: f64 = 1_200.0;
const MARGIN: f64 = 10.0;
const ROW: f64 = 17.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 34.0;
/// Narrower boxes, as a part of the whole, are left out: nobody would see them, and they make the
/// file large.
const LEAST: f64 = 0.000_2;
const SCRIPT: &str = include_str!("flame.js");

pub(super) struct Flame<'a> {
    pub title: String,
    pub unit: Unit,
    pub folded: &'a Folded,
}

/// The unit of the numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unit {
    Samples,
    Bytes,
}

impl Unit {
    /// A number for people.
    pub(super) fn amount(self, number: u64) -> String {
        const KIB: f64 = 1024.0;
        let bytes = number as f64;
        match self {
            Unit::Samples => format!("{number} samples"),
            Unit::Bytes if bytes < KIB * KIB => format!("{:.1} KiB", bytes / KIB),
            Unit::Bytes if bytes < KIB * KIB * KIB => format!("{:.1} MiB", bytes / KIB / KIB),
            Unit::Bytes => format!("{:.1} GiB", bytes / KIB / KIB / KIB),
        }
    }
}

/// A function below its callers.
#[derive(Default)]
struct Frame<'a> {
    number: u64,
    below: BTreeMap<&'a str, usize>,
}

/// A function's box.
struct Placed<'a> {
    name: &'a str,
    depth: usize,
    /// Where it begins, in units.
    from: u64,
    number: u64,
}

impl Flame<'_> {
    pub(super) fn draw(&self) -> String {
        let total = self.folded.total().max(1);
        let placed = self.placed(total);
        let depth = placed.iter().map(|one| one.depth).max().unwrap_or(0);
        let height = TOP + (depth + 1) as f64 * ROW + BOTTOM;
        let mut svg = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" data-margin=\"{MARGIN}\">\n<title>{title}</title>\n\
             <style>text{{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#222}}\
             .f text{{font-size:11px;pointer-events:none}}.f:hover rect{{stroke:#000}}\
             .button{{cursor:pointer;fill:#2f6fba}}.f{{cursor:pointer}}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"{MARGIN}\" y=\"24\" style=\"font-size:15px;font-weight:bold\">{title}</text>\n\
             <text x=\"{MARGIN}\" y=\"46\" class=\"button\" id=\"whole\">whole picture</text>\n\
             <text x=\"{}\" y=\"46\" class=\"button\" id=\"search\">search (Ctrl-F)</text>\n\
             <text x=\"{}\" y=\"46\" id=\"found\"></text>\n\
             <text x=\"{MARGIN}\" y=\"{}\" id=\"details\"></text>\n<g id=\"frames\">\n",
            MARGIN + 120.0,
            MARGIN + 260.0,
            height - 12.0,
            title = escaped(&self.title),
        );
        for one in &placed {
            self.frame(&mut svg, one, total, height);
        }
        let _ = write!(
            svg,
            "</g>\n<script><![CDATA[\n{SCRIPT}]]></script>\n</svg>\n"
        );
        svg
    }

    fn frame(&self, svg: &mut String, one: &Placed<'_>, total: u64, height: f64) {
        let inner = WIDTH - 2.0 * MARGIN;
        let part = |units: u64| units as f64 / total as f64;
        let x = MARGIN + part(one.from) * inner;
        let width = part(one.number) * inner;
        let y = height - BOTTOM - (one.depth + 1) as f64 * ROW;
        let title = format!(
            "{} ({}, {:.2} %)",
            one.name,
            self.unit.amount(one.number),
            100.0 * part(one.number)
        );
        let _ = writeln!(
            svg,
            "<g class=\"f\" data-x=\"{:.7}\" data-w=\"{:.7}\" data-d=\"{}\"><title>{}</title>\
             <rect x=\"{x:.2}\" y=\"{y}\" width=\"{width:.2}\" height=\"{}\" rx=\"1\" \
             fill=\"{}\"/><text x=\"{:.2}\" y=\"{}\">{}</text></g>",
            part(one.from),
            part(one.number),
            one.depth,
            escaped(&title),
            ROW - 1.0,
            colour(one.name),
            x + 3.0,
            y + 12.0,
            escaped(&fitting(one.name, width)),
        );
    }

    fn placed(&self, total: u64) -> Vec<Placed<'_>> {
        let mut frames = vec![Frame::default()];
        for (stack, number) in self.folded.stacks() {
            let mut at = 0;
            frames[at].number += number;
            for function in stack {
                let next = frames.len();
                at = *frames[at].below.entry(function).or_insert(next);
                if at == next {
                    frames.push(Frame::default());
                }
                frames[at].number += number;
            }
        }
        let least = (total as f64 * LEAST) as u64;
        let mut placed = Vec::new();
        let mut waiting = vec![("all", 0_usize, 0_usize, 0_u64)];
        while let Some((name, at, depth, from)) = waiting.pop() {
            let frame = &frames[at];
            placed.push(Placed {
                name,
                depth,
                from,
                number: frame.number,
            });
            let mut from = from;
            for (name, below) in &frame.below {
                let number = frames[*below].number;
                if number > least {
                    waiting.push((*name, *below, depth + 1, from));
                }
                from += number;
            }
        }
        placed
    }
}

/// As much of a name as fits into a box.
fn fitting(name: &str, width: f64) -> String {
    let room = ((width - 6.0) / 6.7) as usize;
    match name.chars().count() {
        _ if room < 3 => String::new(),
        length if length <= room => name.to_owned(),
        _ => name.chars().take(room - 1).chain(['…']).collect(),
    }
}

/// A colour for a function: our own crates stand out from dependencies, and each name has its own
/// shade.
fn colour(name: &str) -> String {
    let hash = name.bytes().fold(2_166_136_261_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
    });
    let shade = hash % 24;
    match name {
        _ if name.contains("octavo") => format!("hsl({},85%,{}%)", 24 + shade / 2, 62 + shade / 3),
        _ if name.contains("postgres") => format!("hsl(212,60%,{}%)", 72 + shade / 3),
        _ => format!("hsl({},35%,{}%)", 40 + shade, 82 + shade / 4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_lie_above_their_callers_as_wide_as_their_number() {
        let folded = Folded::parse("a;b 6\na;c 2\nd 2\n");
        let flame = Flame {
            title: "x < y".to_owned(),
            unit: Unit::Samples,
            folded: &folded,
        };
        let mut placed: Vec<_> = flame
            .placed(10)
            .iter()
            .map(|one| (one.name.to_owned(), one.depth, one.from, one.number))
            .collect();
        placed.sort();
        let expected = [
            ("a", 1, 0, 8),
            ("all", 0, 0, 10),
            ("b", 2, 0, 6),
            ("c", 2, 6, 2),
            ("d", 1, 8, 2),
        ];
        let expected = expected.map(|(name, depth, from, n)| (name.to_owned(), depth, from, n));
        assert_eq!(placed, expected);
        let svg = flame.draw();
        assert!(svg.contains("<title>b (6 samples, 60.00 %)</title>"));
        assert!(svg.contains("x &lt; y") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn bytes_are_reported_in_units_of_their_size() {
        for (bytes, expected) in [
            (1_536, "1.5 KiB"),
            (1_048_576, "1.0 MiB"),
            (5_583_457_485, "5.2 GiB"),
        ] {
            assert_eq!(Unit::Bytes.amount(bytes), expected);
        }
    }
}
