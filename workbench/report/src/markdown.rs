//! A document as Markdown in GitHub's dialect: the same sections and tables, columns aligned.

use std::fmt::Write;

use crate::document::{Block, Cell, Document, Table, Tone};
use crate::escape::{markdown as escaped, markdown_block, markdown_code, markdown_line};

/// Wider columns are not padded further: one long statement would push all others away.
const PADDED_MAX: usize = 60;

pub(crate) fn page(document: &Document) -> String {
    let mut out = format!(
        "# {}\n\n{}\n",
        markdown_line(&document.title),
        markdown_line(&document.subtitle)
    );
    // Writing into a string cannot fail, here and below.
    for section in &document.sections {
        let mut body = String::new();
        section.blocks.iter().for_each(|one| block(one, &mut body));
        // A section with only plots is empty here.
        if !body.is_empty() {
            let _ = write!(out, "\n## {}\n{body}", markdown_line(&section.title));
        }
    }
    out
}

fn block(block: &Block, out: &mut String) {
    let _ = match block {
        Block::Heading(text) => write!(out, "\n### {}\n", markdown_line(text)),
        Block::Paragraph(text) => write!(out, "\n{}\n", markdown_line(text)),
        Block::Note(text) => write!(out, "\n> {}\n", markdown_line(text)),
        Block::Tiles(all) => {
            let mut tiles = Table::new("", &["figure", "#value", "remark"]);
            for one in all {
                tiles.row(vec![
                    Cell::new(one.name.clone()),
                    Cell::new(one.value.clone()),
                    Cell::new(one.remark.clone()),
                ]);
            }
            table(&tiles, out)
        }
        Block::Bullets(all) => {
            out.push('\n');
            all.iter().try_for_each(|one| {
                let mark = match one.tone {
                    Tone::Good => "✅ ",
                    Tone::Bad => "⚠️ ",
                    Tone::Plain | Tone::Quiet => "",
                };
                writeln!(out, "- {mark}{}", markdown_line(&one.text))
            })
        }
        Block::Table(one) => table(one, out),
        Block::Plots(_) => Ok(()),
        Block::Quoted(what, text) => {
            write!(out, "\n{}\n\n{}", markdown_line(what), markdown_block(text))
        }
    };
}

fn table(table: &Table, out: &mut String) -> std::fmt::Result {
    if !table.caption.is_empty() {
        write!(out, "\n**{}**\n", markdown_line(&table.caption))?;
    }
    let head: Vec<String> = table
        .columns
        .iter()
        .map(|one| escaped(&one.title))
        .collect();
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.cells.iter().map(cell).collect())
        .collect();
    let widths: Vec<usize> = (0..head.len())
        .map(|at| {
            let own = rows
                .iter()
                .filter_map(|row| row.get(at))
                .chain(head.get(at));
            let widest = own.map(|text| text.chars().count()).max().unwrap_or(0);
            widest.clamp(3, PADDED_MAX)
        })
        .collect();
    out.push('\n');
    line(&head, &widths, table, out)?;
    for (width, column) in widths.iter().zip(&table.columns) {
        match column.number {
            true => write!(out, "| {}: ", "-".repeat(width - 1))?,
            false => write!(out, "| {} ", "-".repeat(*width))?,
        }
    }
    out.push_str("|\n");
    rows.iter()
        .try_for_each(|row| line(row, &widths, table, out))
}

fn line(cells: &[String], widths: &[usize], table: &Table, out: &mut String) -> std::fmt::Result {
    for ((text, width), column) in cells.iter().zip(widths).zip(&table.columns) {
        match column.number {
            true => write!(out, "| {text:>width$} ")?,
            false => write!(out, "| {text:<width$} ")?,
        }
    }
    writeln!(out, "|")
}

fn cell(cell: &Cell) -> String {
    let text = match cell.code {
        true => markdown_code(&cell.text),
        false => escaped(&cell.text),
    };
    // What HTML shows in colour is bold here.
    let text = match cell.tone {
        Tone::Good | Tone::Bad if !text.is_empty() && !cell.code => format!("**{text}**"),
        _ => text,
    };
    match cell.small.is_empty() {
        true => text,
        false => format!("{text} ({})", escaped(&cell.small)),
    }
}
