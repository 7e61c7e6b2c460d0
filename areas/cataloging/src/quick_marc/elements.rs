//! The elements of the fixed fields: which characters of 006, 007 and 008 have which name, by the type
//! of material. Names and positions are those of FOLIO's editor.

/// Some characters of a fixed field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Element {
    pub name: &'static str,
    /// The first character.
    pub position: usize,
    /// How many characters it has.
    pub length: usize,
    /// Whether each character is a list element.
    pub list: bool,
}

const fn text(name: &'static str, position: usize, length: usize) -> Element {
    Element {
        name,
        position,
        length,
        list: false,
    }
}

const fn list(name: &'static str, position: usize, length: usize) -> Element {
    Element {
        name,
        position,
        length,
        list: true,
    }
}

pub(super) const LENGTH_006: usize = 18;
/// The length of 008 in bibliographic and authority records.
pub(super) const LENGTH_008: usize = 40;
/// The length of 008 in holdings records.
pub(super) const LENGTH_008_HOLDINGS: usize = 32;
/// Where the characters of 008 begin that depend on the material; in 006 they begin at 1.
pub(super) const MATERIAL_IN_008: usize = 18;
/// Their end.
pub(super) const MATERIAL_END_IN_008: usize = 35;

/// The first character of 006.
pub(super) const TYPE: Element = text("Type", 0, 1);

const BOOKS: &[Element] = &[
    list("Ills", 1, 4),
    text("Audn", 5, 1),
    text("Form", 6, 1),
    list("Cont", 7, 4),
    text("GPub", 11, 1),
    text("Conf", 12, 1),
    text("Fest", 13, 1),
    text("Indx", 14, 1),
    text("LitF", 16, 1),
    text("Biog", 17, 1),
];

const FILES: &[Element] = &[
    text("Audn", 5, 1),
    text("Form", 6, 1),
    text("File", 9, 1),
    text("GPub", 11, 1),
];

const CONTINUING: &[Element] = &[
    text("Freq", 1, 1),
    text("Regl", 2, 1),
    text("SrTp", 4, 1),
    text("Orig", 5, 1),
    text("Form", 6, 1),
    text("EntW", 7, 1),
    list("Cont", 8, 3),
    text("GPub", 11, 1),
    text("Conf", 12, 1),
    text("Alph", 16, 1),
    text("S/L", 17, 1),
];

const MAPS: &[Element] = &[
    list("Relf", 1, 4),
    text("Proj", 5, 2),
    text("CrTp", 8, 1),
    text("GPub", 11, 1),
    text("Form", 12, 1),
    text("Indx", 14, 1),
    list("SpFm", 16, 2),
];

const MIXED: &[Element] = &[text("Form", 6, 1)];

const MUSIC: &[Element] = &[
    text("Comp", 1, 2),
    text("FMus", 3, 1),
    text("Part", 4, 1),
    text("Audn", 5, 1),
    text("Form", 6, 1),
    list("AccM", 7, 6),
    list("LTxt", 13, 2),
    text("TrAr", 16, 1),
];

const VISUAL: &[Element] = &[
    list("Time", 1, 3),
    text("Audn", 5, 1),
    text("GPub", 11, 1),
    text("Form", 12, 1),
    text("TMat", 16, 1),
    text("Tech", 17, 1),
];

/// An unknown material is shown as one element.
const UNKNOWN: &[Element] = &[text("Value", 1, 17)];

/// The elements of 006 by its first character; counted from it.
pub(super) fn of_006(kind: char) -> &'static [Element] {
    match kind {
        'a' | 't' => BOOKS,
        's' => CONTINUING,
        'm' => FILES,
        'e' | 'f' => MAPS,
        'p' => MIXED,
        'c' | 'd' | 'i' | 'j' => MUSIC,
        'g' | 'k' | 'o' | 'r' => VISUAL,
        _ => UNKNOWN,
    }
}

/// The elements of 008 that depend on the material, by type of record and bibliographic level (leader
/// 06 and 07); counted as in 006.
pub(super) fn of_material(record_type: char, level: char) -> &'static [Element] {
    match (record_type, level) {
        ('a', 'b' | 'i' | 's') => CONTINUING,
        (other, _) => of_006(other),
    }
}

/// The elements of 008 that every bibliographic record has.
pub(super) const COMMON_008: &[Element] = &[
    text("Entered", 0, 6),
    text("DtSt", 6, 1),
    text("Date1", 7, 4),
    text("Date2", 11, 4),
    text("Ctry", 15, 3),
    text("Lang", 35, 3),
    text("MRec", 38, 1),
    text("Srce", 39, 1),
];

/// The elements of 008 in holdings records, in the order in which the editor shows them.
pub(super) const HOLDINGS_008: &[Element] = &[
    text("AcqStatus", 6, 1),
    text("AcqMethod", 7, 1),
    text("AcqEndDate", 8, 4),
    text("Compl", 16, 1),
    text("Copies", 17, 3),
    text("Date Ent", 0, 6),
    text("Gen ret", 12, 1),
    text("Lang", 22, 3),
    text("Lend", 20, 1),
    text("Repro", 21, 1),
    text("Rept date", 26, 6),
    text("Sep/comp", 25, 1),
    list("Spec ret", 13, 3),
];

/// The elements of 008 in authority records.
pub(super) const AUTHORITY_008: &[Element] = &[
    text("Date Ent", 0, 6),
    text("Geo Subd", 6, 1),
    text("Roman", 7, 1),
    text("Lang", 8, 1),
    text("Kind rec", 9, 1),
    text("Cat Rules", 10, 1),
    text("SH Sys", 11, 1),
    text("Series", 12, 1),
    text("Numb Series", 13, 1),
    text("Main use", 14, 1),
    text("Subj use", 15, 1),
    text("Series use", 16, 1),
    text("Type Subd", 17, 1),
    text("Undef_18", 18, 10),
    text("Govt Ag", 28, 1),
    text("RefEval", 29, 1),
    text("Undef_30", 30, 1),
    text("RecUpd", 31, 1),
    text("Pers Name", 32, 1),
    text("Level Est", 33, 1),
    text("Undef_34", 34, 4),
    text("Mod Rec", 38, 1),
    text("Source", 39, 1),
];

/// A category of material in 007.
#[derive(Debug)]
pub(super) struct Category {
    /// Its first character.
    pub code: char,
    /// Its name in the editor.
    pub name: &'static str,
    /// The length of the field.
    pub length: usize,
    pub elements: &'static [Element],
}

const fn category(
    code: char,
    name: &'static str,
    length: usize,
    elements: &'static [Element],
) -> Category {
    Category {
        code,
        name,
        length,
        elements,
    }
}

/// The category of unknown codes.
pub(super) const UNKNOWN_CATEGORY: &str = "Unknown";

pub(super) fn category_of(code: char) -> Option<&'static Category> {
    CATEGORIES.iter().find(|category| category.code == code)
}

const CATEGORY: Element = text("Category", 0, 1);
const SMD: Element = text("SMD", 1, 1);
const COLOR: Element = text("Color", 3, 1);
const SOUND_ON_MEDIUM: Element = text("Sound on medium or separate", 5, 1);
const MEDIUM_FOR_SOUND: Element = text("Medium for sound", 6, 1);
const DIMENSIONS: Element = text("Dimensions", 7, 1);
const PLAIN: &[Element] = &[CATEGORY, SMD];

const CATEGORIES: &[Category] = &[
    category(
        'c',
        "Electronic resource",
        14,
        &[
            CATEGORY,
            SMD,
            COLOR,
            text("Dimensions", 4, 1),
            text("Sound", 5, 1),
            text("Image bit depth", 6, 3),
            text("File formats", 9, 1),
            text("Quality assurance target(s)", 10, 1),
            text("Antecedent/ Source", 11, 1),
            text("Level of compression", 12, 1),
            text("Reformatting quality", 13, 1),
        ],
    ),
    category(
        'd',
        "Globe",
        6,
        &[
            CATEGORY,
            SMD,
            COLOR,
            text("Physical medium", 4, 1),
            text("Type of reproduction", 5, 1),
        ],
    ),
    category('o', "Kit", 2, PLAIN),
    category(
        'a',
        "Map",
        8,
        &[
            CATEGORY,
            SMD,
            COLOR,
            text("Physical medium", 4, 1),
            text("Type of reproduction", 5, 1),
            text("Production/reproduction details", 6, 1),
            text("Positive/negative aspect", 7, 1),
        ],
    ),
    category(
        'h',
        "Microform",
        13,
        &[
            CATEGORY,
            SMD,
            text("Positive/negative aspect", 3, 1),
            text("Dimensions", 4, 1),
            text("Reduction ratio range/Reduction ratio", 5, 4),
            text("Color", 9, 1),
            text("Emulsion on film", 10, 1),
            text("Generation", 11, 1),
            text("Base of film", 12, 1),
        ],
    ),
    category(
        'm',
        "Motion picture",
        23,
        &[
            CATEGORY,
            SMD,
            COLOR,
            text("Motion picture presentation format", 4, 1),
            SOUND_ON_MEDIUM,
            MEDIUM_FOR_SOUND,
            DIMENSIONS,
            text("Configuration of playback channels", 8, 1),
            text("Production elements", 9, 1),
            text("Positive/negative aspect", 10, 1),
            text("Generation", 11, 1),
            text("Base of film", 12, 1),
            text("Refined categories of color", 13, 1),
            text("Kind of color stock or print", 14, 1),
            text("Deterioration stage", 15, 1),
            text("Completeness", 16, 1),
            text("Film inspection date", 17, 6),
        ],
    ),
    category(
        'k',
        "Nonprojected graphic",
        6,
        &[
            CATEGORY,
            SMD,
            COLOR,
            text("Primary support material", 4, 1),
            text("Secondary support material", 5, 1),
        ],
    ),
    category('q', "Notated music", 2, PLAIN),
    category(
        'g',
        "Projected graphic",
        9,
        &[
            CATEGORY,
            SMD,
            COLOR,
            text("Base of emulsion", 4, 1),
            SOUND_ON_MEDIUM,
            MEDIUM_FOR_SOUND,
            DIMENSIONS,
            text("Secondary support material", 8, 1),
        ],
    ),
    category(
        'r',
        "Remote-sensing image",
        11,
        &[
            CATEGORY,
            SMD,
            text("Altitude of sensor", 3, 1),
            text("Attitude of sensor", 4, 1),
            text("Cloud cover", 5, 1),
            text("Platform construction type", 6, 1),
            text("Platform use category", 7, 1),
            text("Sensor type", 8, 1),
            text("Data type", 9, 2),
        ],
    ),
    category(
        's',
        "Sound recording",
        14,
        &[
            CATEGORY,
            SMD,
            text("Speed", 3, 1),
            text("Configuration of playback channels", 4, 1),
            text("Groove width/ groove pitch", 5, 1),
            text("Dimensions", 6, 1),
            text("Tape width", 7, 1),
            text("Tape configuration", 8, 1),
            text("Kind of disc, cylinder, or tape", 9, 1),
            text("Kind of material", 10, 1),
            text("Kind of cutting", 11, 1),
            text("Special playback characteristics", 12, 1),
            text("Capture and storage technique", 13, 1),
        ],
    ),
    category(
        'f',
        "Tactile material",
        10,
        &[
            CATEGORY,
            SMD,
            text("Class of braille writing", 3, 2),
            text("Level of contraction", 5, 1),
            text("Braille music format", 6, 3),
            text("Special physical characteristics", 9, 1),
        ],
    ),
    category('t', "Text", 2, PLAIN),
    category('z', "Unspecified", 2, PLAIN),
    category(
        'v',
        "Videorecording",
        9,
        &[
            CATEGORY,
            SMD,
            COLOR,
            text("Videorecording format", 4, 1),
            SOUND_ON_MEDIUM,
            MEDIUM_FOR_SOUND,
            DIMENSIONS,
            text("Configuration of playback channels", 8, 1),
        ],
    ),
];
