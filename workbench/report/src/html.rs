//! A document as one self-contained HTML file, with styles, script and data.

use std::fmt::Write;

use crate::assets::{UPLOT_SCRIPT, UPLOT_STYLE};
use crate::document::{Block, Bullet, Cell, Document, Section, Table, Tile, Tone};
use crate::escape::{html as escaped, script};
use crate::plot::Plot;

const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");

/// Texts of so many characters may be broken into lines.
const LONG_FROM: usize = 32;

/// Nothing may be loaded, whatever is in the file.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
img-src data:; base-uri 'none'; form-action 'none'";

/// A report contains the plots' library, and therefore its licence.
const LICENCE: &str = include_str!("../assets/uplot/LICENSE");

pub(crate) fn page(document: &Document) -> String {
    let mut plots = Vec::new();
    let mut body = String::new();
    // Writing into a string cannot fail, here and below.
    for one in &document.sections {
        section(one, &mut plots, &mut body);
    }
    let contents = document
        .sections
        .iter()
        .fold(String::new(), |mut text, one| {
            let _ = write!(
                text,
                "<li><a href=\"#{}\">{}</a></li>",
                one.id,
                escaped(&one.title)
            );
            text
        });
    let data = serde_json::to_string(&plots).expect("invariant: plots are plain values");
    let licence = escaped(LICENCE);
    let (title, subtitle) = (escaped(&document.title), escaped(&document.subtitle));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"license\" content=\"Plots are drawn by uPlot. {licence}\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>{UPLOT_STYLE}\n{STYLE}</style>\n</head>\n<body>\n\
         <header><h1>{title}</h1><p>{subtitle}</p></header>\n\
         <div class=\"page\">\n<nav aria-label=\"Contents\"><ol>{contents}</ol></nav>\n\
         <main>\n<noscript><p class=\"note\">Plots need JavaScript; the tables have all figures.</p></noscript>\n\
         {body}</main>\n</div>\n\
         <script type=\"application/json\" id=\"plot-data\">{}</script>\n\
         <script>{UPLOT_SCRIPT}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        script(&data)
    )
}

fn section<'d>(section: &'d Section, plots: &mut Vec<&'d Plot>, out: &mut String) {
    let _ = writeln!(
        out,
        "<section id=\"{}\">\n<h2>{}</h2>",
        section.id,
        escaped(&section.title)
    );
    for one in &section.blocks {
        block(one, plots, out);
    }
    out.push_str("</section>\n");
}

fn block<'d>(block: &'d Block, plots: &mut Vec<&'d Plot>, out: &mut String) {
    let _ = match block {
        Block::Heading(text) => writeln!(out, "<h3>{}</h3>", escaped(text)),
        Block::Paragraph(text) => writeln!(out, "<p>{}</p>", escaped(text)),
        Block::Note(text) => writeln!(out, "<p class=\"note\">{}</p>", escaped(text)),
        Block::Tiles(all) => tiles(all, out),
        Block::Bullets(all) => bullets(all, out),
        Block::Table(one) => table(one, out),
        Block::Quoted(what, text) => writeln!(
            out,
            "<details class=\"quoted\"><summary>{}</summary><pre>{}</pre></details>",
            escaped(what),
            escaped(text)
        ),
        Block::Plots(all) => {
            out.push_str("<div class=\"plots\">\n");
            for plot in all {
                let _ = writeln!(
                    out,
                    "<figure class=\"plot\" data-plot=\"{}\"><figcaption>{}</figcaption></figure>",
                    plots.len(),
                    escaped(&plot.title)
                );
                plots.push(plot);
            }
            writeln!(out, "</div>")
        }
    };
}

fn tiles(all: &[Tile], out: &mut String) -> std::fmt::Result {
    out.push_str("<dl class=\"tiles\">\n");
    for one in all {
        writeln!(
            out,
            "<div{}><dt>{}</dt><dd><b>{}</b><small>{}</small></dd></div>",
            class(&[tone(one.tone)]),
            escaped(&one.name),
            escaped(&one.value),
            escaped(&one.remark)
        )?;
    }
    writeln!(out, "</dl>")
}

fn bullets(all: &[Bullet], out: &mut String) -> std::fmt::Result {
    out.push_str("<ul class=\"bullets\">\n");
    for one in all {
        // The tone in words, for readers who see no colour.
        let mark = match one.tone {
            Tone::Good => "<span class=\"mark\" title=\"good\" aria-label=\"good\">✓</span>",
            Tone::Bad => {
                "<span class=\"mark\" title=\"look at this\" aria-label=\"look at this\">!</span>"
            }
            Tone::Plain | Tone::Quiet => "<span class=\"mark\">·</span>",
        };
        writeln!(
            out,
            "<li{}>{mark}{}</li>",
            class(&[tone(one.tone)]),
            escaped(&one.text)
        )?;
    }
    writeln!(out, "</ul>")
}

fn table(table: &Table, out: &mut String) -> std::fmt::Result {
    // A scrollable region must be reachable by keyboard, and therefore has a name.
    write!(
        out,
        "<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><caption>{}</caption>\n<thead><tr>",
        escaped(&table.caption),
        escaped(&table.caption)
    )?;
    for column in &table.columns {
        let number = if column.number { "n" } else { "" };
        write!(
            out,
            "<th scope=\"col\"{}>{}</th>",
            class(&[number]),
            escaped(&column.title)
        )?;
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        write!(
            out,
            "<tr{}>",
            class(&[if row.strong { "strong" } else { "" }])
        )?;
        for (cell_of, column) in row.cells.iter().zip(&table.columns) {
            cell(cell_of, column.number, out)?;
        }
        out.push_str("</tr>\n");
    }
    writeln!(out, "</tbody></table></div>")
}

fn cell(cell: &Cell, number: bool, out: &mut String) -> std::fmt::Result {
    let number = if number { "n" } else { "" };
    let long = match cell.text.chars().count() > LONG_FROM && !cell.code {
        true => "long",
        false => "",
    };
    write!(out, "<td{}>", class(&[number, tone(cell.tone), long]))?;
    match cell.code {
        true => write!(out, "<code>{}</code>", escaped(&cell.text))?,
        false => write!(out, "{}", escaped(&cell.text))?,
    }
    if !cell.small.is_empty() {
        write!(out, "<small>{}</small>", escaped(&cell.small))?;
    }
    write!(out, "</td>")
}

fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Quiet => "quiet",
    }
}

fn class(names: &[&str]) -> String {
    let names: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| !name.is_empty())
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(" class=\"{}\"", names.join(" ")),
    }
}
