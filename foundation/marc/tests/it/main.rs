//! The codec's public interface: good and bad files, and properties that hold for any bytes.

#![allow(
    clippy::unwrap_used,
    reason = "a test's helpers may panic as its body may"
)]

mod hostile;
mod iso2709;
mod properties;
mod xml;

use octavo_marc::{Record, parse_text};

/// A record in Unicode with interleaved tags, an empty value and a repeated subfield.
pub fn sample() -> Record {
    parse_text(
        "LEADER 00000nam a2200000 i 4500\n\
         001 ocm00012345\n\
         008 870220s1987    nyua          000 0 eng d\n\
         020   $a0786808772 (pbk.) :$c{dollar}22.95\n\
         245 14$aThe glassblower's çırak & son :$bnovella /$cIda Holm.\n\
         500   $a\n\
         650  0$aGlass$xHistory$xTo 1900.\n\
         651  0$aØresund (Denmark and Sweden)\n\
         650  4$aファンタジー\n",
    )
    .unwrap()
}
