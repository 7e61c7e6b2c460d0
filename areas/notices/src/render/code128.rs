//! Code 128, the bar code of FOLIO's labels: text to bars, and bars to a picture (PNG, one bit a
//! pixel). Digits go in pairs where that is shorter.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Maximal length of a text.
pub const CHARACTERS_MAX: usize = 80;

/// Pixels of the narrowest bar.
const MODULE_PIXELS: usize = 3;
/// The quiet zone on both sides, in modules: scanners need it.
const QUIET_MODULES: usize = 10;
const HEIGHT_PIXELS: usize = 94;

const START_B: u8 = 104;
const START_C: u8 = 105;
const TO_B: u8 = 100;
const TO_C: u8 = 99;
const STOP: u8 = 106;

/// The widths of the bars and gaps of each symbol.
const WIDTHS: [&str; 107] = [
    "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212",
    "221213", "221312", "231212", "112232", "122132", "122231", "113222", "123122", "123221",
    "223211", "221132", "221231", "213212", "223112", "312131", "311222", "321122", "321221",
    "312212", "322112", "322211", "212123", "212321", "232121", "111323", "131123", "131321",
    "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331", "132131",
    "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131",
    "311123", "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111",
    "111224", "111422", "121124", "121421", "141122", "141221", "112214", "112412", "122114",
    "122411", "142112", "142211", "241211", "221114", "413111", "241112", "134111", "111242",
    "121142", "121241", "114212", "124112", "124211", "411212", "421112", "421211", "212141",
    "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
    "113141", "114131", "311141", "411131", "211412", "211214", "211232", "2331112",
];

/// The picture of a text; `None` when it cannot be drawn: it is empty, too long, or has characters
/// beyond printable ASCII.
#[must_use]
pub fn picture(text: &str) -> Option<Vec<u8>> {
    let symbols = symbols(text)?;
    let mut modules = vec![false; QUIET_MODULES];
    for symbol in symbols {
        let mut black = true;
        for width in WIDTHS[usize::from(symbol)].bytes() {
            modules.extend(std::iter::repeat_n(black, usize::from(width - b'0')));
            black = !black;
        }
    }
    modules.extend([false; QUIET_MODULES]);
    png(&modules)
}

fn symbols(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    let printable = bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    if bytes.is_empty() || bytes.len() > CHARACTERS_MAX || !printable {
        return None;
    }
    let digits_from = |at: usize| {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
        digits.count()
    };
    let mut symbols = Vec::with_capacity(bytes.len() + 4);
    let mut pairs = false;
    let mut at = 0;
    while at < bytes.len() {
        let run = digits_from(at);
        let at_an_end = at == 0 || at + run == bytes.len();
        let worth = run >= 6 || (run >= 4 && at_an_end) || (run == 2 && bytes.len() == 2);
        if pairs && run >= 2 {
            symbols.push((bytes[at] - b'0') * 10 + bytes[at + 1] - b'0');
            at += 2;
        } else if !pairs && worth && run.is_multiple_of(2) {
            symbols.push(if at == 0 { START_C } else { TO_C });
            pairs = true;
        } else {
            match (pairs, at) {
                (_, 0) => symbols.push(START_B),
                (true, _) => symbols.push(TO_B),
                (false, _) => {}
            }
            pairs = false;
            symbols.push(bytes[at] - b' ');
            at += 1;
        }
    }
    let sum: usize = symbols
        .iter()
        .enumerate()
        .map(|(place, symbol)| place.max(1) * usize::from(*symbol))
        .sum();
    symbols.push((sum % 103) as u8);
    symbols.push(STOP);
    Some(symbols)
}

fn png(modules: &[bool]) -> Option<Vec<u8>> {
    let width = modules.len() * MODULE_PIXELS;
    let mut row = vec![0_u8; 1 + width.div_ceil(8)];
    let pixels = modules
        .iter()
        .flat_map(|module| std::iter::repeat_n(*module, MODULE_PIXELS));
    for (at, black) in pixels.enumerate() {
        // A set bit is white.
        row[1 + at / 8] |= u8::from(!black) << (7 - at % 8);
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    for _ in 0..HEIGHT_PIXELS {
        encoder.write_all(&row).ok()?;
    }
    let mut head = Vec::new();
    head.extend(u32::try_from(width).ok()?.to_be_bytes());
    head.extend((HEIGHT_PIXELS as u32).to_be_bytes());
    head.extend([1, 0, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [
        (b"IHDR", head),
        (b"IDAT", encoder.finish().ok()?),
        (b"IEND", Vec::new()),
    ] {
        png.extend(u32::try_from(data.len()).ok()?.to_be_bytes());
        let mut sum = flate2::Crc::new();
        sum.update(kind);
        sum.update(&data);
        png.extend(kind);
        png.extend(&data);
        png.extend(sum.sum().to_be_bytes());
    }
    Some(png)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::io::Read;

    use super::*;

    #[test]
    fn symbols_are_eleven_modules_wide_and_all_different() {
        let total = |widths: &str| {
            widths
                .bytes()
                .map(|width| usize::from(width - b'0'))
                .sum::<usize>()
        };
        let (stop, others) = WIDTHS.split_last().expect("there are some");
        assert_eq!(total(stop), 13);
        for widths in others {
            assert_eq!(total(widths), 11, "{widths}");
            let bars: usize = widths
                .bytes()
                .step_by(2)
                .map(|width| usize::from(width - b'0'))
                .sum();
            assert_eq!(bars % 2, 0, "{widths}");
        }
        assert_eq!(WIDTHS.iter().collect::<HashSet<_>>().len(), 107);
    }

    #[test]
    fn digits_go_in_pairs_where_that_is_shorter() {
        for (text, expected) in [
            // The worked example of the standard's text books: check symbol 88 and 54.
            (
                "PJJ123C",
                Some(vec![104, 48, 42, 42, 17, 18, 19, 35, 55, 106]),
            ),
            ("42", Some(vec![105, 42, 44, 106])),
            ("1234", Some(vec![105, 12, 34, 82, 106])),
            ("12345", Some(vec![104, 17, 99, 23, 45, 53, 106])),
            ("a", Some(vec![104, 65, 66, 106])),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(symbols(text), expected, "{text}");
        }
        let long = "9".repeat(CHARACTERS_MAX);
        assert!(symbols(&long).is_some());
        assert!(symbols(&format!("{long}9")).is_none());
    }

    #[test]
    fn the_picture_shows_the_bars() {
        let png = picture("1234").expect("it can be drawn");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        let width = u32::from_be_bytes(png[16..20].try_into().expect("four bytes")) as usize;
        assert_eq!(width, (20 + 4 * 11 + 13) * MODULE_PIXELS);
        let at = png
            .windows(4)
            .position(|four| four == b"IDAT")
            .expect("data")
            + 4;
        let mut rows = Vec::new();
        flate2::read::ZlibDecoder::new(&png[at..])
            .read_to_end(&mut rows)
            .expect("deflated");
        let bytes = 1 + width.div_ceil(8);
        assert_eq!(rows.len(), bytes * HEIGHT_PIXELS);
        let white = |x: usize| rows[1 + x / 8] >> (7 - x % 8) & 1 == 1;
        let middle = |module: usize| white(module * MODULE_PIXELS + 1);
        let start: Vec<bool> = (8..21).map(|module| !middle(module)).collect();
        // Two quiet modules, then start C: 2 1 1 2 3 2.
        let drawn = "0011010011100";
        assert_eq!(
            start,
            drawn.chars().map(|one| one == '1').collect::<Vec<_>>()
        );
    }
}
