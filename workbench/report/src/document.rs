//! A report before it has a form: sections of sentences, tables and plots. All text in it is plain;
//! whoever writes it as HTML or Markdown escapes it, and so nothing is forgotten.

use crate::plot::Plot;

/// A whole report.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// What is reported.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// The sections in order.
    pub sections: Vec<Section>,
}

/// A part with a heading.
#[derive(Debug, Clone, Default)]
pub struct Section {
    /// What links name it by; letters and hyphens only.
    pub id: String,
    /// The heading.
    pub title: String,
    /// What is in it.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug, Clone)]
pub enum Block {
    /// A smaller heading.
    Heading(String),
    /// Sentences.
    Paragraph(String),
    /// Sentences that explain, in a quieter form.
    Note(String),
    /// What is to be known at a glance: name, value, remark.
    Tiles(Vec<Tile>),
    /// A list.
    Bullets(Vec<Bullet>),
    /// A table.
    Table(Table),
    /// Plots that stand together. Markdown leaves them out.
    Plots(Vec<Plot>),
    /// Text as a server sent it, below a line that says what it is.
    Quoted(String, String),
}

/// One figure at the head of a report.
#[derive(Debug, Clone)]
pub struct Tile {
    /// What it is.
    pub name: String,
    /// The figure with its unit.
    pub value: String,
    /// What stands below.
    pub remark: String,
    /// Whether it is good or bad.
    pub tone: Tone,
}

/// One sentence of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bullet {
    /// Whether it is good or bad.
    pub tone: Tone,
    /// The sentence.
    pub text: String,
}

/// Whether something is good or bad, where that is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tone {
    /// Neither.
    #[default]
    Plain,
    /// Good.
    Good,
    /// Bad.
    Bad,
    /// Of less weight.
    Quiet,
}

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A column's head.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its name, with the unit.
    pub title: String,
    /// Whether it has numbers, which stand right.
    pub number: bool,
}

/// A row.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// A cell for each column.
    pub cells: Vec<Cell>,
    /// Whether it is a sum of others, a transaction among requests, and stands out.
    pub strong: bool,
}

/// A cell.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// What is in it.
    pub text: String,
    /// What stands behind or below it, smaller: an interval.
    pub small: String,
    /// Whether it is good or bad.
    pub tone: Tone,
    /// Whether it is code: a statement.
    pub code: bool,
}

impl Section {
    /// A section without anything in it.
    pub fn new(id: &str, title: &str) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            blocks: Vec::new(),
        }
    }

    /// Adds sentences.
    pub fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds an explanation.
    pub fn note(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Note(text.into()));
    }

    /// Adds a smaller heading.
    pub fn heading(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(text.into()));
    }

    /// Adds a table, unless it has no rows.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    /// Adds those plots that have something to show.
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
    /// A table without rows. Columns whose names begin with `#` have numbers.
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Self {
        Self {
            caption: caption.into(),
            columns: columns.iter().map(|title| Column::new(title)).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(Row {
            cells,
            strong: false,
        });
    }

    /// Adds a row that stands out, or one that does not.
    pub fn row_strong(&mut self, cells: Vec<Cell>, strong: bool) {
        self.rows.push(Row { cells, strong });
    }
}

impl Column {
    /// From its name; one that begins with `#` has numbers.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.strip_prefix('#').unwrap_or(title).to_owned(),
            number: title.starts_with('#'),
        }
    }
}

impl Cell {
    /// A cell with a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// A cell with code.
    pub fn code(text: impl Into<String>) -> Self {
        Self {
            code: true,
            ..Self::new(text)
        }
    }

    /// The same with something behind it.
    #[must_use]
    pub fn with(mut self, small: impl Into<String>) -> Self {
        self.small = small.into();
        self
    }

    /// The same, good or bad.
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
