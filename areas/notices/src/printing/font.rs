//! Helvetica, which every reader of PDF has: which characters it shows, and how wide they are.

/// The widths of the characters from blank to tilde, in thousandths of the size.
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// What Windows' western code page has between ASCII and Latin 1.
#[rustfmt::skip]
const WESTERN: [(char, u8); 27] = [
    ('€', 0x80), ('‚', 0x82), ('ƒ', 0x83), ('„', 0x84), ('…', 0x85), ('†', 0x86), ('‡', 0x87),
    ('ˆ', 0x88), ('‰', 0x89), ('Š', 0x8a), ('‹', 0x8b), ('Œ', 0x8c), ('Ž', 0x8e), ('‘', 0x91),
    ('’', 0x92), ('“', 0x93), ('”', 0x94), ('•', 0x95), ('–', 0x96), ('—', 0x97), ('˜', 0x98),
    ('™', 0x99), ('š', 0x9a), ('›', 0x9b), ('œ', 0x9c), ('ž', 0x9e), ('Ÿ', 0x9f),
];

/// The byte that encodes a character; a question mark where the font has none.
#[must_use]
pub fn byte(one: char) -> u8 {
    match one {
        ' '..='~' => one as u8,
        '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(one)).unwrap_or(b'?'),
        _ => {
            let known = WESTERN.iter().find(|(known, _)| *known == one);
            known.map_or(b'?', |(_, byte)| *byte)
        }
    }
}

/// The width of a character in points of a size. Bold ones are a little wider.
#[must_use]
pub fn width(one: char, size: f32, is_bold: bool) -> f32 {
    let wide = match byte(one) {
        ascii @ b' '..=b'~' => WIDTHS[usize::from(ascii - b' ')],
        0xa0 => 278,
        // Capitals with a mark, and the widest signs.
        0xc0..=0xde | 0x85 | 0x89 | 0x8c | 0x97 | 0x99 => 800,
        _ => 600,
    };
    let wide = f32::from(wide) * size / 1_000.0;
    match is_bold {
        true => wide * 1.08,
        false => wide,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_bytes_and_widths() {
        for (one, expected) in [
            ('A', b'A'),
            ('é', 0xe9),
            ('€', 0x80),
            ('—', 0x97),
            ('漢', b'?'),
        ] {
            assert_eq!(byte(one), expected, "{one}");
        }
        assert!((width('W', 10.0, false) - 9.44).abs() < 0.001);
        assert!(width('i', 10.0, true) > width('i', 10.0, false));
    }
}
