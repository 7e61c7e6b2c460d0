//! A report independent of its format: sections of sentences, tables and plots. All text in it is
//! plain; the writers of HTML and Markdown escape all of it, so that nothing is forgotten.

use crate::plot::Plot;

#[derive(Debug, Clone, Default)]
pub struct Document {
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The sections in order.
    pub sections: Vec<Section>,
}

/// A part with a heading.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// Its anchor for links; letters and hyphens only.
    pub id: String,
    pub title: String,
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug, Clone)]
pub enum Block {
    /// A smaller heading.
    Heading(String),
    /// Sentences.
    Paragraph(String),
    /// Explanations, in a less prominent style.
    Note(String),
    /// Key figures: name, value, remark.
    Tiles(Vec<Tile>),
    /// A list.
    Bullets(Vec<Bullet>),
    /// A table.
    Table(Table),
    /// A group of plots. Markdown leaves them out.
    Plots(Vec<Plot>),
    /// Text as a server sent it, below a caption.
    Quoted(String, String),
}

/// One key figure at the head of a report.
#[derive(Debug, Clone)]
pub struct Tile {
    pub name: String,
    /// The figure with its unit.
    pub value: String,
    /// The text below.
    pub remark: String,
    pub tone: Tone,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bullet {
    pub tone: Tone,
    pub text: String,
}

/// Whether something is good or bad, where that is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tone {
    #[default]
    Plain,
    Good,
    Bad,
    /// Less important.
    Quiet,
}

#[derive(Debug, Clone, Default)]
pub struct Table {
    pub caption: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
}

/// A column's head.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its name, with the unit.
    pub title: String,
    /// Whether it contains numbers, which are right-aligned.
    pub number: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Row {
    /// A cell for each column.
    pub cells: Vec<Cell>,
    /// Whether it is emphasized, as a sum of others, such as a transaction among requests.
    pub strong: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Cell {
    pub text: String,
    /// Smaller text behind or below it: an interval.
    pub small: String,
    pub tone: Tone,
    /// Whether it is code: a statement.
    pub code: bool,
}

impl Section {
    /// An empty section.
    pub fn new(id: &str, title: &str) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            blocks: Vec::new(),
        }
    }

    pub fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    pub fn note(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Note(text.into()));
    }

    pub fn heading(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(text.into()));
    }

    /// Adds a table, unless it has no rows.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    /// Adds those plots that are not empty.
    pub fn plots(&mut self, plots: impl IntoIterator<Item = Option<Plot>>) {
        let plots: Vec<Plot> = plots.into_iter().flatten().collect();
        if !plots.is_empty() {
            self.blocks.push(Block::Plots(plots));
        }
    }

    /// Adds a list, unless it is empty.
    pub fn bullets(&mut self, bullets: Vec<Bullet>) {
        if !bullets.is_empty() {
            self.blocks.push(Block::Bullets(bullets));
        }
    }
}

impl Table {
    /// A table without rows. Columns whose names begin with `#` contain numbers.
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Self {
        Self {
            caption: caption.into(),
            columns: columns.iter().map(|title| Column::new(title)).collect(),
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(Row {
            cells,
            strong: false,
        });
    }

    /// Adds a row, emphasized or not.
    pub fn row_strong(&mut self, cells: Vec<Cell>, strong: bool) {
        self.rows.push(Row { cells, strong });
    }
}

impl Column {
    /// A column by its name; one that begins with `#` contains numbers.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.strip_prefix('#').unwrap_or(title).to_owned(),
            number: title.starts_with('#'),
        }
    }
}

impl Cell {
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    pub fn code(text: impl Into<String>) -> Self {
        Self {
            code: true,
            ..Self::new(text)
        }
    }

    /// The same with smaller text behind it.
    #[must_use]
    pub fn with(mut self, small: impl Into<String>) -> Self {
        self.small = small.into();
        self
    }

    /// The same with a tone.
    #[must_use]
    pub fn toned(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }
}

impl Bullet {
    /// A sentence that is neither good nor bad.
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            tone: Tone::Plain,
            text: text.into(),
        }
    }

    /// Good news.
    pub fn good(text: impl Into<String>) -> Self {
        Self {
            tone: Tone::Good,
            text: text.into(),
        }
    }

    /// Bad news.
    pub fn bad(text: impl Into<String>) -> Self {
        Self {
            tone: Tone::Bad,
            text: text.into(),
        }
    }
}
