//! A plan as an outline for people: one line for each part, with the index that serves it.

use super::{Predicate, TextMatch, Words};
use crate::index::Index;

impl Predicate {
    /// The outline: a line for each part, nested parts indented. It contains values.
    #[must_use]
    pub fn outline(&self) -> String {
        let mut lines = String::new();
        write(self, 0, &mut lines);
        lines
    }
}

fn write(predicate: &Predicate, depth: usize, out: &mut String) {
    let mut line = |text: &str| {
        out.push_str(&"  ".repeat(depth));
        out.push_str(text);
        out.push('\n');
    };
    let nested: Vec<&Predicate> = match predicate {
        Predicate::Everything => {
            line("every record");
            vec![]
        }
        Predicate::Nothing => {
            line("no record: the value cannot occur");
            vec![]
        }
        Predicate::All(parts) => {
            line("all of");
            parts.iter().collect()
        }
        Predicate::Any(parts) => {
            line("any of");
            parts.iter().collect()
        }
        Predicate::Except(wanted, unwanted) => {
            line("the first but not the second of");
            vec![&**wanted, &**unwanted]
        }
        Predicate::IdIn(column, ids) => {
            line(&format!(
                "{column} is one of {} ids, by its column",
                ids.len()
            ));
            vec![]
        }
        Predicate::IdDiffers(column, id) => {
            line(&format!("{column} is set and not {id}"));
            vec![]
        }
        Predicate::IdOutside(column, low, high) => {
            line(&format!("{column} is set and not from {low} to {high}"));
            vec![]
        }
        Predicate::IdOrder(column, operator, id) => {
            line(&format!("{column} {operator} {id}, by its column"));
            vec![]
        }
        Predicate::IdBetween(column, low, high) => {
            line(&format!("{column} from {low} to {high}, by its column"));
            vec![]
        }
        Predicate::IdPresent(column) => {
            line(&format!("{column} is set"));
            vec![]
        }
        Predicate::Present(path) => {
            line(&format!("{path} is there"));
            vec![]
        }
        Predicate::Readable(index) => {
            line(&format!("{} is there", index.field));
            vec![]
        }
        Predicate::Contains(json, part) => {
            line(&format!("{json} contains {part}"));
            vec![]
        }
        Predicate::Text(text) | Predicate::Like(text) => {
            let TextMatch {
                index,
                by,
                operator,
                value,
            } = text;
            let by = served_by(by.as_deref());
            line(&format!("{} {operator} {value:?}, {by}", index.field));
            vec![]
        }
        Predicate::TextIn(text, values) => {
            let by = served_by(text.by.as_deref());
            let (field, count) = (&text.index.field, values.len());
            line(&format!("{field} is one of {count} values, {by}"));
            vec![]
        }
        Predicate::Words(search) => {
            let joined = match search.joined {
                "<->" => " followed by ",
                "&&" => " and ",
                _ => " or ",
            };
            let words: Vec<String> = search.words.iter().map(word).collect();
            let by = served_by(Some(&*search.index).filter(|_| search.declared));
            line(&format!(
                "{} has {}, {by}",
                search.index.field,
                words.join(joined)
            ));
            vec![]
        }
        Predicate::Number(number) => {
            let by = match number.by {
                Some(_) => "by its number index",
                None => "by no index",
            };
            line(&format!(
                "{} {} {} as a number, {by}",
                number.field, number.operator, number.digits
            ));
            vec![]
        }
        Predicate::Elements(search) => {
            line(&format!(
                "one element of {} satisfies the last of",
                search.array
            ));
            search.candidates.iter().chain([&search.element]).collect()
        }
        Predicate::Across(crossing) | Predicate::Gathered(crossing) => {
            line(&format!(
                "{} is {} of a record of {} with",
                crossing.column, crossing.other, crossing.table
            ));
            vec![&crossing.predicate]
        }
    };
    for part in nested {
        write(part, depth + 1, out);
    }
}

fn served_by(index: Option<&Index>) -> String {
    match index {
        Some(index) => format!("by {} {}", index.kind.name(), index.field),
        None => "by no index".to_owned(),
    }
}

fn word(word: &Words) -> String {
    match word {
        Words::Phrase(text) => format!("{text:?}"),
        Words::Starting(text) => format!("{text:?}…"),
    }
}
