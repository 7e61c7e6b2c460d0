//! Random queries on given records. Terms are pieces of the records' texts, slightly altered.

use std::collections::BTreeMap;

use octavo_cql::{Clause, Comparison, Modifier, Node, Operator, Query, Relation, SortKey, Term};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use super::json as stored;
use super::records::words;

/// Tables with the fields that queries use.
const FIELDS: [(&str, &str); 3] = [
    (
        "book",
        "id libraryId seriesId genreId hrid title subtitle series shelfmark signature mark note \
        remark status.name status.date status languages contributors contributors.name \
        copiesCount price volume circulates anything anything.deep keyword heading nowhere contributors contributors \
        library.name library.id library.founded copies.barcode copies.condition copies.id \
        copies.bookId library.books.title Title",
    ),
    (
        "library",
        "id name city founded books.title books.keyword books.genreId books.copies.condition \
        copies.condition copies.barcode books.id",
    ),
    (
        "copy",
        "id bookId barcode condition book.title book.libraryId book.price book.library.name \
        book.status.name book.copies.condition",
    ),
];

/// Fields whose texts do not consist only of clearly separated words: they are not searched for
/// words.
const ODD: &str = "shelfmark series signature mark remark price volume anything deep z longer heading id \
    libraryId seriesId genreId bookId";

const MODIFIERS: &str =
    "respectcase ignorecase RespectAccents ignoreaccents string number number masked";

/// Terms that do not come from records, one a line.
const TERMS: &str = "\n*\n**\n?\n*?\n  \n[]\n0\n2\n-3\n1e1\nNaN\ninf\nx\n*\\\"war\\\"*\n6\n\
    00000000-0000-4000-8000-000000000000\n1*\n0001-4a*\n00004a01-4*\nwar peace\nwar*\n\\*\n\\?\n\\\\\n\
    ％\n*％*\n＼\n*＼\n’*\n'*\na'b*\n\\\\*\na*b\\*";

/// The same for searches for words.
const WORD_TERMS: &str = "\n*\n**\n?\n*?\n  \nwar peace\nwar*\n\\*\n\\?\n\\\\\n％\n*％*\n’*\n'*\nwar *\na'b*\n\\\\*\n\
    ＼*\n&*\n!*\n:*\n\\* \\*\nwar ' peace\nwar* p*\n日*\n\
    war * peace\nwar  *\n* war\n war \n * \nwar *p\n\\ *\nwar \\*";

/// A query and its table.
#[derive(Debug, Clone)]
pub struct Asked {
    pub table: &'static str,
    pub query: Query,
}

/// Queries about these records.
pub fn queries(records: &BTreeMap<String, Vec<Value>>) -> BoxedStrategy<Asked> {
    let tables = FIELDS
        .iter()
        .zip([6, 1, 2])
        .map(|((table, fields), weight)| {
            let values = values_by_field(records);
            let clauses = clause(fields, values);
            let node = clauses.prop_recursive(3, 12, 4, |inner| {
                let operator = select(vec![Operator::And, Operator::Or, Operator::Not]);
                (inner.clone(), vec((operator, inner), 1..4)).prop_map(|(first, more)| {
                    more.into_iter()
                        .fold(first, |left, (operator, right)| left.join(operator, right))
                })
            });
            let sort = prop_oneof![3 => Just(Vec::new()), 1 => vec(sort_key(fields), 1..4)];
            let asked = (node, sort).prop_map(|(root, sort)| Asked {
                table,
                query: Query {
                    sort,
                    ..Query::new(root)
                },
            });
            (weight, asked.boxed())
        });
    proptest::strategy::Union::new_weighted(tables.collect()).boxed()
}

/// The texts in records, by the last name of their path: the source of terms.
type Values = BTreeMap<String, Vec<String>>;

/// The key under which [`Values`] has the words of all fields.
const ANY: &str = "";

fn is_odd(name: &str) -> bool {
    ODD.split_whitespace().any(|odd| odd == name)
}

fn values_by_field(records: &BTreeMap<String, Vec<Value>>) -> Values {
    let mut values = Values::new();
    for record in records.values().flatten() {
        collect(record, "", &mut values);
    }
    values
}

fn collect(value: &Value, name: &str, values: &mut Values) {
    if !name.is_empty() && !value.is_null() {
        let text = stored::text(value);
        if value.is_string() && !is_odd(name) {
            values.entry(ANY.to_owned()).or_default().push(text.clone());
        }
        values.entry(name.to_owned()).or_default().push(text);
    }
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                collect(value, name, values);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                collect(element, name, values);
            }
        }
        _ => {}
    }
}

fn sort_key(fields: &'static str) -> BoxedStrategy<SortKey> {
    let own = fields
        .split_whitespace()
        .filter(|field| !field.contains('.'));
    let modifiers = "sort.descending sort.ascending number ignorecase Descending respectCase \
                     respectaccents";
    (
        select(own.collect::<Vec<_>>()),
        vec(word_of(modifiers), 0..2),
    )
        .prop_map(|(field, modifiers)| SortKey {
            index: field.to_owned(),
            modifiers: modifiers.into_iter().map(bare).collect(),
            offset: 0,
        })
        .boxed()
}

fn word_of(words: &'static str) -> impl Strategy<Value = &'static str> {
    select(words.split_whitespace().collect::<Vec<_>>())
}

fn bare(name: &str) -> Modifier {
    Modifier {
        name: name.to_owned(),
        comparison: None,
        value: None,
    }
}

fn comparison() -> impl Strategy<Value = Comparison> {
    use Comparison::{
        Adj, All, Any, Equal, Exact, Greater, GreaterEqual, Less, LessEqual, NotEqual,
    };
    prop_oneof![
        2 => Just(Equal),
        2 => Just(Exact),
        4 => select(vec![NotEqual, Less, Greater, LessEqual, GreaterEqual]),
        3 => select(vec![Adj, All, Any]),
    ]
}

fn asks_for_words(comparison: Comparison) -> bool {
    use Comparison::{Adj, All, Any, Equal};
    matches!(comparison, Equal | Adj | All | Any)
}

fn clause(fields: &'static str, values: Values) -> BoxedStrategy<Node> {
    let modifiers = prop_oneof![3 => Just(Vec::new()), 1 => vec(word_of(MODIFIERS), 1..3)];
    let choices = (
        word_of(fields),
        comparison(),
        modifiers,
        any::<Index>(),
        bend(),
        0..24_u8,
    );
    let build = move |(field, comparison, modifiers, value, bend, elsewhere): Choices| {
        if elsewhere == 0 {
            let everything = Clause::new("cql.AllRecords", Comparison::Equal, Term::new("1"));
            return Node::Clause(everything);
        }
        let careless = elsewhere % 8 == 1;
        let (comparison, modifiers) = match careless {
            true => (comparison, modifiers),
            false => sensible(field, comparison, modifiers),
        };
        let about = about(field, comparison, elsewhere);
        let values = values.get(about).or(values.get(ANY)).unwrap();
        let value: &String = value.get(values);
        let term = match bend {
            Bend::Fixed(at) if modifiers.contains(&"number") && !careless => {
                let numbers = [
                    "0",
                    "2",
                    "-3",
                    "2.50",
                    "1e1",
                    "+5",
                    "7.",
                    "12345678901234567890",
                ];
                Term::new(numbers[at.index(numbers.len())])
            }
            _ if modifiers.contains(&"number") && value.parse::<f64>().is_ok() => Term::new(value),
            _ if is_id(field) && is_order(comparison) && !careless => Term::exactly(value),
            bend => term(about, comparison, value, bend, elsewhere),
        };
        let mut clause = Clause::new(field, comparison, term);
        clause.relation = Relation {
            comparison,
            modifiers: modifiers.into_iter().map(bare).collect(),
        };
        if field == "contributors" {
            clause
                .relation
                .modifiers
                .extend(element_modifiers(elsewhere, value));
        }
        Node::Clause(clause)
    };
    choices.prop_map(build).boxed()
}

/// Without queries that are certain to be refused.
fn sensible(
    field: &str,
    comparison: Comparison,
    mut modifiers: Vec<&'static str>,
) -> (Comparison, Vec<&'static str>) {
    if is_id(field) {
        let comparison = match asks_for_words(comparison) {
            true => Comparison::Equal,
            false => comparison,
        };
        return (comparison, Vec::new());
    }
    let last = field.rsplit('.').next().unwrap_or(field);
    let is_number = "copiesCount price volume founded anything".contains(last);
    if !is_number
        || matches!(
            comparison,
            Comparison::Adj | Comparison::All | Comparison::Any
        )
    {
        modifiers.retain(|name| *name != "number");
    }
    (comparison, modifiers)
}

fn is_id(field: &str) -> bool {
    let last = field.rsplit('.').next();
    matches!(last, Some("id" | "libraryId" | "bookId"))
}

fn is_order(comparison: Comparison) -> bool {
    use Comparison::{Greater, GreaterEqual, Less, LessEqual};
    matches!(comparison, Less | Greater | LessEqual | GreaterEqual)
}

type Choices = (&'static str, Comparison, Vec<&'static str>, Index, Bend, u8);

fn term(about: &str, comparison: Comparison, value: &str, bend: Bend, elsewhere: u8) -> Term {
    let words = asks_for_words(comparison);
    match about {
        "id" | "libraryId" | "bookId" => bend.term(value, false),
        "seriesId" | "genreId" if matches!(comparison, Comparison::Equal | Comparison::Adj) => {
            Term::exactly(value)
        }
        odd if words && is_odd(odd) => {
            Term::new(if elsewhere.is_multiple_of(2) { "" } else { "*" })
        }
        _ => bend.term(value, words),
    }
}

/// None, or some that look into the elements of an array; now and then an undeclared one.
fn element_modifiers(choice: u8, value: &str) -> Vec<Modifier> {
    let with_value = |name: &str, comparison, term: &str| Modifier {
        comparison: Some(comparison),
        value: Some(Term::exactly(term).as_str().to_owned()),
        ..bare(name)
    };
    let word = value.split_whitespace().next().unwrap_or("war");
    match choice {
        2..=4 => vec![with_value("@kind", Comparison::Equal, "war")],
        5 | 6 => vec![with_value("@kind", Comparison::NotEqual, word)],
        7 | 8 => vec![bare("@Kind")],
        9 | 10 => vec![bare("@name"), bare("@kind")],
        11 | 12 => vec![with_value("@name", Comparison::Equal, word), bare("@kind")],
        13 => vec![bare("@nowhere")],
        _ => Vec::new(),
    }
}

/// The field whose values a term for `field` is made from.
fn about(field: &'static str, comparison: Comparison, elsewhere: u8) -> &'static str {
    let own = match field.rsplit('.').next() {
        Some("keyword") => "title",
        Some("heading") => "shelfmark",
        Some("contributors") => "name",
        Some(other) => other,
        None => field,
    };
    // Some ask for the value of another field.
    match elsewhere == 1 && (!asks_for_words(comparison) || !is_odd(own)) {
        true => ANY,
        false => own,
    }
}

/// How a value of a record becomes a term.
#[derive(Debug, Clone)]
enum Bend {
    Whole,
    Cut(Index, Index),
    Truncated(Index),
    Ending(Index),
    Inner(Index, Index),
    OneUnknown(Index),
    Swapped,
    Fixed(Index),
    Text(String),
}

fn bend() -> BoxedStrategy<Bend> {
    let at = any::<Index>;
    prop_oneof![
        4 => Just(Bend::Whole),
        2 => (at(), at()).prop_map(|(from, to)| Bend::Cut(from, to)),
        3 => at().prop_map(Bend::Truncated),
        1 => at().prop_map(Bend::Ending),
        1 => (at(), at()).prop_map(|(from, to)| Bend::Inner(from, to)),
        1 => at().prop_map(Bend::OneUnknown),
        2 => Just(Bend::Swapped),
        2 => at().prop_map(Bend::Fixed),
        1 => words().prop_map(Bend::Text),
    ]
    .boxed()
}

impl Bend {
    fn term(self, value: &str, words: bool) -> Term {
        let characters: Vec<char> = value.chars().collect();
        let masked = |part: &[char]| {
            Term::exactly(&part.iter().collect::<String>())
                .as_str()
                .to_owned()
        };
        let place = |at: Index| at.index(characters.len() + 1);
        let between = |one: Index, other: Index| {
            let (one, other) = (place(one), place(other));
            &characters[one.min(other)..one.max(other)]
        };
        let text = match self {
            Bend::Whole => masked(&characters),
            Bend::Cut(from, to) => masked(between(from, to)),
            Bend::Truncated(at) => masked(&characters[..place(at)]) + "*",
            Bend::Ending(at) if !words => format!("*{}", masked(&characters[place(at)..])),
            Bend::Inner(from, to) if !words => format!("*{}*", masked(between(from, to))),
            Bend::OneUnknown(at) if !words && !characters.is_empty() => {
                let at = at.index(characters.len());
                masked(&characters[..at]) + "?" + &masked(&characters[at + 1..])
            }
            Bend::Ending(_) | Bend::Inner(..) | Bend::OneUnknown(_) => {
                // The last word, truncated.
                let last = value.split_whitespace().next_back().unwrap_or("");
                format!("{}*", Term::exactly(last).as_str())
            }
            Bend::Swapped => {
                let swapped = value.chars().flat_map(|character| {
                    let lower: Vec<char> = character.to_lowercase().collect();
                    let upper: Vec<char> = character.to_uppercase().collect();
                    match (lower.as_slice(), upper.as_slice()) {
                        ([one], _) if *one != character => lower,
                        (_, [one]) if *one != character => upper,
                        _ => vec![character],
                    }
                });
                Term::exactly(&swapped.collect::<String>())
                    .as_str()
                    .to_owned()
            }
            Bend::Fixed(at) => {
                let lines = if words { WORD_TERMS } else { TERMS };
                let lines: Vec<&str> = lines.split('\n').collect();
                lines[at.index(lines.len())].to_owned()
            }
            Bend::Text(text) => Term::exactly(&text).as_str().to_owned(),
        };
        Term::new(&text)
    }
}
