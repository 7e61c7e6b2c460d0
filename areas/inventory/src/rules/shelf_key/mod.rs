//! Shelf keys: texts whose order is that of call numbers on the shelf. The rules are marc4j's, so that
//! keys equal FOLIO's exactly; numbers are prefixed by the count of their digits.

mod dewey;
mod library_of_congress;
mod sortable;
mod superintendent;

/// The id of the call number type "Library of Congress classification".
pub const LC: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
/// The id of the call number type "National Library of Medicine classification".
pub const NLM: &str = "054d460d-d6b9-4469-9e37-7a78a2266655";
/// The id of the call number type "Dewey Decimal classification".
pub const DEWEY: &str = "03dd64d0-5626-4ecd-8ece-4531e0069f35";
/// The id of the call number type "Superintendent of Documents classification".
pub const SUDOC: &str = "fc388041-6cd0-4806-8a74-ebe3b9ab4c6e";

/// The shelf key of a call number; of types without rules, the call number itself.
#[must_use]
pub fn of(type_id: Option<&str>, call_number: &str) -> String {
    let key = match type_id {
        Some(LC | NLM) => library_of_congress::key(call_number),
        Some(DEWEY) => dewey::key(call_number),
        Some(SUDOC) => superintendent::key(call_number),
        _ => call_number.to_owned(),
    };
    key.trim().to_owned()
}

/// The text up to the first character that is not wanted, and the rest.
fn take_while(text: &str, wanted: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !wanted(c)).unwrap_or(text.len()))
}

/// The digits at the beginning of a text, and the decimal fraction after them, if any.
fn take_number(text: &str) -> (&str, &str, &str) {
    let digit = |c: char| c.is_ascii_digit();
    let (digits, rest) = take_while(text, digit);
    let fraction = match rest.strip_prefix('.') {
        Some(after) if !digits.is_empty() => take_while(after, digit).0.len(),
        _ => 0,
    };
    // The point belongs to the fraction only if digits follow it.
    let (fraction, rest) = rest.split_at(if fraction > 0 { fraction + 1 } else { 0 });
    (digits, fraction, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_marc4js() {
        let cases = [
            (LC, "PN2 .A6", "PN 12 A6"),
            (LC, "PN2 .A6 v. 3 no. 2 1999", "PN 12 A6 V 13 NO 12 41999"),
            (LC, "PN2 .A69 no. 2 1922 1", "PN 12 A69 NO 12 41922 11"),
            (
                LC,
                "PR9199.3 1920 .L33 1475 .A6",
                "PR 49199.3 41920 L33 41475 A6",
            ),
            (LC, "PQ2678.K26 P54", "PQ 42678 K26 P54"),
            (LC, "PQ8550.21.R57 V5 1992", "PQ 48550.21 R57 V5 41992"),
            (LC, "PR9199.48 .B3", "PR 49199.48 B3"),
            (LC, "7307.I5 S5", "47307 I5 S5"),
            (LC, "RR 718", "RR 3718"),
            (LC, "KF26 bis .L3", "KF 226 _BIS L3"),
            (LC, "", ""),
            (
                NLM,
                "QS 11 .GA1 E53 2005 2005",
                "QS 211 G A1 E53 42005 42005",
            ),
            (NLM, "WB 102.5 B62 2018 2018", "WB 3102.5 B62 42018 42018"),
            (NLM, "N7307.I5 S5", "N 47307 I5 S5"),
            (DEWEY, "341.7", "3341.7"),
            (DEWEY, "341.7/58 / 21", "3341.7 258 221"),
            (DEWEY, "394.1 O41b", "3394.1 O41 B"),
            (
                DEWEY,
                "621.56 W91m v.3 no. 2 1999",
                "3621.56 W91 M V 13 NO 12 41999",
            ),
            (DEWEY, "21 E23", "221 E23"),
            (DEWEY, "00001", "11"),
            (
                DEWEY,
                "325-d A-1908 (Freetown) Map",
                "3325 D A 41908 FREETOWN MAP",
            ),
            (DEWEY, "5001 Microfilm", "45001 MICROFILM"),
            (DEWEY, "9A2 C0444218 Music CD", "19 A2 C 6444218 MUSIC CD"),
            (DEWEY, "N7307.I5 S5", "N 47307.I 15 S 15"),
            (
                SUDOC,
                "T22.19/2:V88/989/student/spanish",
                "T 222 219 12  !V 288 !3989  !STUDENT  !SPANISH",
            ),
            (SUDOC, "7307.I5 S5", "!47307  !I 15  !S 15"),
            (SUDOC, "D 3.186/7-3", "D 13 !3186 17 13"),
            (SUDOC, "EP 1.23:91-44", "EP 11 223 291 244"),
            (SUDOC, "EP 1.23:A 62 A 1.35", "EP 11 223  !A 262  !A 11 235"),
            (SUDOC, "Y3.M58/summ", "Y 13  !M 258  !SUMM"),
            (SUDOC, "C 55.309/2-10", "C 255 !3309 12 210"),
        ];
        for (type_id, call_number, expected) in cases {
            assert_eq!(of(Some(type_id), call_number), expected, "{call_number}");
        }
    }

    /// Call numbers as libraries have them, each with the key that marc4j gives it (FOLIO's own class
    /// in the case of SuDoc). Up to the remark they stand as on the shelf.
    const TABLES: [(&str, &str); 5] = [
        (LC, include_str!("testdata/lc.txt")),
        (NLM, include_str!("testdata/nlm.txt")),
        (DEWEY, include_str!("testdata/dewey.txt")),
        (SUDOC, include_str!("testdata/sudoc.txt")),
        ("another scheme", include_str!("testdata/other.txt")),
    ];

    #[test]
    fn keys_of_real_call_numbers_are_marc4js_and_sort_as_on_the_shelf() {
        let mut checked = 0;
        for (type_id, table) in TABLES {
            let (shelf, rest) = table.split_once("# ").expect("a remark");
            let rows = |text: &'static str| text.lines().filter_map(|line| line.split_once('\t'));
            let mut keys = Vec::new();
            for (call_number, expected) in rows(shelf).chain(rows(rest)) {
                assert_eq!(of(Some(type_id), call_number), expected, "{call_number}");
                checked += 1;
            }
            for (call_number, _) in rows(shelf) {
                let key = of(Some(type_id), call_number);
                assert!(
                    keys.last() <= Some(&key),
                    "{call_number} sorts before its neighbour"
                );
                keys.push(key);
            }
            assert!(keys.len() > 10);
        }
        assert!(checked > 600, "{checked}");
    }

    #[test]
    fn other_call_numbers_are_taken_as_they_are() {
        assert_eq!(of(None, " free-text "), "free-text");
        assert_eq!(of(Some("unknown"), "GROUP Smith"), "GROUP Smith");
    }

    #[test]
    fn keys_sort_as_on_the_shelf() {
        let shelves: [(&str, &[&str]); 3] = [
            (LC, &["A1", "B2 .C3", "B2 .C32", "B10 .C3", "B100", "BF1"]),
            (
                DEWEY,
                &["21 E23", "100", "341.7", "341.75 A1", "342", "1000"],
            ),
            (
                SUDOC,
                &[
                    "J29.2:D84/982",
                    "J29.2:D84/2",
                    "L36.202:F15/990",
                    "T22.19:M54",
                    "T22.19/2:P94",
                ],
            ),
        ];
        for (type_id, shelf) in shelves {
            let keys: Vec<String> = shelf.iter().map(|text| of(Some(type_id), text)).collect();
            assert!(keys.is_sorted(), "{keys:?}");
        }
    }

    #[test]
    fn no_text_is_too_strange_for_a_key() {
        for text in [
            "…",
            "É1 .É2",
            "A",
            "A.",
            "A .b",
            "1.",
            "..",
            ":/-",
            "0",
            "000.5",
            "\u{0}A1\n.B2",
        ] {
            for type_id in [LC, NLM, DEWEY, SUDOC] {
                let _ = of(Some(type_id), text);
            }
        }
    }
}
