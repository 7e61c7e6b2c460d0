//! Kinds of dates that 008/06 tells apart.
//!
//! Ids, names and codes are those that FOLIO ships, so that records mapped here and there agree.

use super::{Term, term};

/// Date types by the code in 008/06.
#[rustfmt::skip]
pub(in crate::fixed) static DATE_TYPES: &[Term] = &[
    term("b", "No dates given; B.C. date involved", "77a09c3c-37bd-4ad3-aae4-9d86fc1b33d8"),
    term("c", "Continuing resource currently published", "0750f52b-3bfc-458d-9307-e9afc8bcdffa"),
    term("d", "Continuing resource ceased publication", "42dac21e-3c81-4cb1-9f16-9e50c81bacc4"),
    term("e", "Detailed date", "9669a463-5971-42dc-9eee-046bbd678fb1"),
    term("i", "Inclusive dates of collection", "6de732c5-c29b-4a10-9db0-0729ca960f12"),
    term("k", "Range of years of bulk of collection", "ccc293d5-9e88-4222-ac04-d058351ddb7b"),
    term("m", "Multiple dates", "8fa6d067-41ff-4362-96a0-96b16ddce267"),
    term("n", "Dates unknown", "e77bb7ed-2e53-4c62-8b06-5907b8934ba7"),
    term(
        "p",
        "Date of distribution/release/issue and production/recording session when different",
        "5f84208a-0aa6-4694-a58f-5310b654f012",
    ),
    term("q", "Questionable date", "4afa7d3d-e6f5-4134-9ab5-32ad377d2432"),
    term("r", "Reprint/reissue date and original date", "47622598-61eb-4348-899a-1208275c3882"),
    term("s", "Single known date/probable date", "24a506e8-2a92-4ecc-bd09-ff849321fd5a"),
    term("t", "Publication date and copyright date", "3a4296bf-504b-451b-9355-5806f8d88253"),
    term("u", "Continuing resource status unknown", "5a1a1adb-de71-45e6-ba94-1c0838969f04"),
    term("|", "No attempt to code", "6f8cd9a8-26ac-4df6-8709-62fe2c0d04f8"),
];
