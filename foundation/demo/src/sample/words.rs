//! The words from which titles, names and notes of the large sample are composed.

use crate::identity::{choice, pick};

const TITLE: u64 = 31;
const NAME: u64 = 32;

/// One in so many titles is about the city of Aba: FOLIO's own load tests search for the keyword
/// `aba` and need a hit in libraries of any size.
const ABA_EVERY: u64 = 500;

const QUALITIES: [&str; 40] = [
    "hidden",
    "silent",
    "golden",
    "distant",
    "northern",
    "southern",
    "forgotten",
    "early",
    "late",
    "modern",
    "ancient",
    "common",
    "rural",
    "urban",
    "coastal",
    "comparative",
    "practical",
    "illustrated",
    "critical",
    "applied",
    "popular",
    "sacred",
    "secret",
    "unfinished",
    "broken",
    "bright",
    "long",
    "living",
    "changing",
    "divided",
    "electric",
    "quiet",
    "restless",
    "wandering",
    "imagined",
    "written",
    "spoken",
    "shared",
    "second",
    "last",
];

const SUBJECTS: [(&str, &str); 40] = [
    ("rivers", "551"),
    ("gardens", "635"),
    ("harbours", "387"),
    ("markets", "381"),
    ("railways", "385"),
    ("letters", "808"),
    ("maps", "912"),
    ("mountains", "796"),
    ("islands", "910"),
    ("forests", "582"),
    ("birds", "598"),
    ("insects", "595"),
    ("glaciers", "551.3"),
    ("volcanoes", "551.2"),
    ("numbers", "512"),
    ("machines", "621"),
    ("languages", "410"),
    ("proverbs", "398.9"),
    ("songs", "782"),
    ("dances", "792"),
    ("paintings", "759"),
    ("cathedrals", "726"),
    ("bridges", "624"),
    ("kitchens", "641"),
    ("textiles", "677"),
    ("schools", "371"),
    ("hospitals", "362"),
    ("elections", "324"),
    ("treaties", "341"),
    ("empires", "909"),
    ("migrations", "304"),
    ("childhoods", "305"),
    ("economies", "330"),
    ("climates", "551.6"),
    ("galaxies", "523"),
    ("enzymes", "572"),
    ("novels", "809"),
    ("dreams", "154"),
    ("archives", "027"),
    ("algorithms", "005.1"),
];

const PLACES: [&str; 40] = [
    "Iceland",
    "Patagonia",
    "the Baltic",
    "Bengal",
    "Catalonia",
    "Anatolia",
    "Ethiopia",
    "Jutland",
    "the Carpathians",
    "Brittany",
    "Hokkaido",
    "Yucatán",
    "Saxony",
    "the Hebrides",
    "Kerala",
    "Tuscany",
    "Java",
    "Lapland",
    "Galicia",
    "Morocco",
    "Quebec",
    "the Mekong",
    "Bohemia",
    "Crete",
    "Senegal",
    "Sichuan",
    "Tasmania",
    "the Volga",
    "Wales",
    "Oaxaca",
    "Zanzibar",
    "Silesia",
    "Provence",
    "the Andes",
    "Luzon",
    "Armenia",
    "Flanders",
    "Shetland",
    "Ghana",
    "Samarkand",
];

const KINDS: [&str; 16] = [
    "a history",
    "an introduction",
    "selected essays",
    "a handbook",
    "studies and sources",
    "a reader's guide",
    "an anthology",
    "collected papers",
    "a field guide",
    "the untold story",
    "perspectives and problems",
    "a chronicle",
    "theory and practice",
    "an atlas",
    "a memoir",
    "questions and answers",
];

const GIVEN_NAMES: [&str; 48] = [
    "Ada", "Aisha", "Akira", "Alva", "Amir", "Ana", "Asger", "Bao", "Beatriz", "Bruno", "Chidi",
    "Clara", "Dalia", "Devi", "Elif", "Emil", "Fatou", "Freya", "Goran", "Hana", "Henrik", "Ines",
    "Ivo", "Jamal", "Jana", "Kaito", "Katya", "Kofi", "Lars", "Leila", "Luca", "Maja", "Marek",
    "Mei", "Nadia", "Nils", "Oluwa", "Paola", "Priya", "Rafael", "Rosa", "Samir", "Sofia", "Tariq",
    "Tove", "Uma", "Viktor", "Zola",
];

const FAMILY_NAMES: [&str; 64] = [
    "Abara",
    "Adeyoye",
    "Almqvist",
    "Andrade",
    "Arslanoğlu",
    "Bakkerveld",
    "Banerji",
    "Bergholt",
    "Castellan",
    "Chikwe",
    "Dahlberg",
    "Delacour",
    "Dimitrou",
    "Dragomir",
    "Eklundh",
    "Escobedo",
    "Falkner",
    "Farouki",
    "Fischbach",
    "Fontaine",
    "Gallardo",
    "Ghoshal",
    "Haddadin",
    "Halvorsen",
    "Hashimoto",
    "Holmgren",
    "Ibarrola",
    "Ishikura",
    "Jankovec",
    "Jorgensby",
    "Kamaran",
    "Kaplanek",
    "Kimathi",
    "Kowalczuk",
    "Laurentin",
    "Lindqvist",
    "Lombardo",
    "Machado",
    "Makenzi",
    "Mendieta",
    "Moreau",
    "Nakagawa",
    "Ndiaye",
    "Novotna",
    "Okonjo",
    "Olander",
    "Ortega",
    "Ozturk",
    "Papadakis",
    "Pereira",
    "Petrovna",
    "Quintana",
    "Rahmani",
    "Rasmusson",
    "Rosenthal",
    "Salazar",
    "Sandberg",
    "Takeda",
    "Tanaka",
    "Urbanek",
    "Vasquez",
    "Wójcik",
    "Yamada",
    "Zielinska",
];

const PUBLISHERS: [(&str, &str); 16] = [
    ("Copenhagen", "Strandgade Press"),
    ("Leiden", "Rapenburg Academic"),
    ("Chicago", "Lakefront University Press"),
    ("Edinburgh", "Old Town Books"),
    ("Leipzig", "Lindenau Verlag"),
    ("Lyon", "Éditions du Confluent"),
    ("Bologna", "Portici Editore"),
    ("Madrid", "Editorial Retiro"),
    ("Lagos", "Marina House"),
    ("Mumbai", "Colaba Publishers"),
    ("Kyoto", "Kamogawa Shobo"),
    ("Melbourne", "Yarra Press"),
    ("Toronto", "Don Valley Books"),
    ("Cape Town", "Signal Hill Press"),
    ("Warsaw", "Wisła Publishing"),
    ("São Paulo", "Livraria Paulista"),
];

/// What an instance is about: the parts of its title and of its description.
pub(super) struct Topic {
    pub title: String,
    /// A subject heading.
    pub subject: String,
    /// The heading of a place: its name without an article.
    pub place: &'static str,
    /// Dewey class.
    pub class: &'static str,
}

/// The topic of an instance.
pub(super) fn topic(seed: u64, instance: u64) -> Topic {
    let quality = pick(&QUALITIES, choice(seed, TITLE, instance));
    let bits = choice(seed, TITLE + 100, instance);
    let (subject, class) = pick(&SUBJECTS, bits);
    let place = pick(&PLACES, bits >> 16);
    let kind = pick(&KINDS, bits >> 32);
    let title = if instance % ABA_EVERY == 1 {
        format!("Aba and its {quality} {subject} : {kind}")
    } else {
        match bits >> 60 {
            0..=5 => format!("The {quality} {subject} of {place} : {kind}"),
            6..=9 => format!("{place} and the {quality} {subject}"),
            10..=12 => format!("A {quality} world : {subject} in {place}"),
            _ => format!("On {quality} {subject} : {kind}"),
        }
    };
    Topic {
        title: capitalised(title),
        subject: capitalised(subject.to_owned()),
        place: place.strip_prefix("the ").unwrap_or(place),
        class,
    }
}

/// Given name and family name of the `number`-th person of a series.
pub(super) fn person(seed: u64, series: u64, number: u64) -> (&'static str, &'static str) {
    let bits = choice(seed, NAME + series, number);
    (pick(&GIVEN_NAMES, bits), pick(&FAMILY_NAMES, bits >> 32))
}

/// Place and name of a publisher.
pub(super) fn publisher(bits: u64) -> (&'static str, &'static str) {
    pick(&PUBLISHERS, bits)
}

/// Capitalises the first letter; the words here all start with ASCII letters.
fn capitalised(mut text: String) -> String {
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_vary_and_aba_is_found_in_any_library() {
        assert!(topic(1, 1).title.starts_with("Aba and "));
        let titles: std::collections::HashSet<String> =
            (1..=1_000).map(|number| topic(1, number).title).collect();
        assert!(titles.len() > 980, "{} distinct titles", titles.len());
        let aba = |title: &&String| title.split_whitespace().any(|word| word == "Aba");
        assert_eq!(titles.iter().filter(aba).count(), 2);
    }
}
