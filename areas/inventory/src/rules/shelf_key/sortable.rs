//! Texts with numbers in them, made sortable: words in capitals, numbers prefixed by the count of their
//! digits, everything else a blank.

/// What the last character belonged to.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Start,
    Word,
    Number,
    Gap,
}

/// Appends the sortable form of a text. A number may contain points. A blank separates a word from a
/// following number, but not a number from a following word.
pub(super) fn push_text(key: &mut String, text: &str) {
    let mut state = State::Start;
    let mut number = String::new();
    for c in text.chars() {
        let next = match c {
            '0'..='9' => State::Number,
            '.' if state == State::Number => State::Number,
            'a'..='z' | 'A'..='Z' => State::Word,
            // What comes before the first word or number leaves no gap.
            _ if state == State::Start => State::Start,
            _ => State::Gap,
        };
        if state == State::Number && next != State::Number {
            push_number(key, &number);
            number.clear();
        }
        let to_gap = next == State::Gap && state != State::Gap;
        if to_gap || (state == State::Word && next == State::Number) {
            key.push(' ');
        }
        match next {
            State::Word => key.push(c.to_ascii_uppercase()),
            State::Number => number.push(c),
            State::Start | State::Gap => {}
        }
        state = next;
    }
    if state == State::Number {
        push_number(key, &number);
    }
}

/// Appends a number without leading zeroes, led by the count of digits before its point.
pub(super) fn push_number(key: &mut String, number: &str) {
    let significant = number.trim_start_matches('0');
    let whole = significant.find('.').unwrap_or(significant.len());
    key.push_str(&whole.to_string());
    key.push_str(significant);
}

/// Appends a blank unless the key is empty or ends in one.
pub(super) fn push_gap(key: &mut String) {
    if !key.is_empty() && !key.ends_with(' ') {
        key.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_told_apart() {
        for (text, sortable) in [
            ("v.13 no 2", "V 213 NO 12"),
            ("-d A-1908 (Map)", "D A 41908 MAP "),
            ("12a", "212A"),
            ("1.2.3.", "11.2.3."),
            ("007", "17"),
            ("0", "0"),
            ("0.5", "0.5"),
            ("  ..", ""),
            ("été", "T "),
        ] {
            let mut key = String::new();
            push_text(&mut key, text);
            assert_eq!(key, sortable, "{text}");
        }
    }
}
