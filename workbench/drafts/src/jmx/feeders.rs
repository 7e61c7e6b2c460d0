//! Converts CSV data sets to feeders: a name from the file's, the columns, and how rows are shared.

use super::tree::Element;
use super::values::Values;
use crate::model::Feeder;
use crate::note::Notes;
use crate::reference;

const FEEDERS: &str = "test data";

/// The feeders of all data sets here and below.
pub(super) fn collect(
    elements: &[Element],
    values: &Values,
    feeders: &mut Vec<Feeder>,
    notes: &mut Notes,
) {
    for element in elements
        .iter()
        .filter(|one| one.enabled || one.kind == "TestFragmentController")
    {
        if matches!(
            element.short_kind(),
            "CSVDataSet" | "RandomCSVDataSetConfig"
        ) {
            add(element, values, feeders, notes);
        }
        collect(&element.children, values, feeders, notes);
    }
}

fn add(element: &Element, values: &Values, feeders: &mut Vec<Feeder>, notes: &mut Notes) {
    let mut note = |what: &str| {
        notes.add(
            element.line,
            FEEDERS,
            format!("{}: {what}", element.label()),
        );
    };
    let names = values
        .constant(element.text("variableNames"))
        .unwrap_or_default();
    let columns = names.split(|letter| ",;\t".contains(letter));
    let columns: Vec<String> = columns
        .map(|name| name.trim().trim_matches('"'))
        .filter(|name| !name.is_empty())
        .map(reference::variable)
        .collect();
    let file = element.text("filename").trim();
    let file = values.constant(file).unwrap_or_else(|| file.to_owned());
    // Most names begin with the plan's folder and a separator.
    let file = file.replace("//", "/");
    let file = file.strip_prefix("./").unwrap_or(&file).to_owned();
    if columns.is_empty() {
        note(&format!(
            "not taken: the names of its columns stand in {file}"
        ));
        return;
    }
    let delimiter = element.text("delimiter").trim();
    if !matches!(delimiter, "" | "," | ";" | "\\t" | "\t") {
        note(&format!(
            "its delimiter `{delimiter}` is to be replaced by a comma in {file}"
        ));
    }
    if element.is_true("ignoreFirstLine") {
        note(&format!(
            "the first line of {file} is passed over only if it names a column"
        ));
    }
    let recycled = element.text("recycle").trim() != "false";
    if !recycled {
        note("rows go round in the draft; the plan ends with the last");
    }
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(&file);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let stem = match stem.is_empty() || stem.contains("${") {
        true => element.name.trim(),
        false => stem,
    };
    let stem: String = stem
        .chars()
        .map(|letter| {
            if letter.is_alphanumeric() || "-_".contains(letter) {
                letter
            } else {
                '-'
            }
        })
        .collect();
    let same = feeders
        .iter()
        .any(|one| one.file == file && one.columns == columns);
    if same {
        return;
    }
    let mut name = stem.clone();
    for number in 2.. {
        if !feeders.iter().any(|one| one.name == name) {
            break;
        }
        name = format!("{stem}-{number}");
    }
    feeders.push(Feeder {
        name,
        columns,
        shared: recycled,
        file,
        line: element.line,
    });
}
