//! The blocks of a text: paragraphs, headings, lists, quotes, code and tables.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::inline::{Piece, pieces};
use super::page::Page;
use crate::text::clean::clean;
use crate::text::highlight::{highlighted, is_short, plain};
use crate::text::table::Table;
use crate::text::wrap::{Break, Row, fit};
use crate::view::look::Look;

const QUOTE: &str = "┃ ";
const CODE: &str = "│ ";
const BULLET: &str = "• ";
/// Longer addresses are cut where they are shown behind the text of a link.
const ADDRESS_MAX: usize = 120;
/// Maximum size of all code with colours in one text, in bytes.
const COLOURED_MAX: usize = 32 * 1024;

/// A fenced or indented block of code that is being read.
struct Code {
    language: String,
    text: String,
}

/// A link that is being read.
struct Link {
    address: String,
    /// The number of spans before it.
    start: usize,
}

/// Turns events of the parser into lines.
pub(super) struct Renderer<'l> {
    look: &'l Look,
    page: Page,
    /// The text of the current block.
    spans: Row,
    styles: Vec<Style>,
    /// The next number of each open list, if it is numbered.
    lists: Vec<Option<u64>>,
    link: Option<Link>,
    code: Option<Code>,
    table: Option<Table>,
    row: Vec<Row>,
    /// Whether an empty line separates the next block from the last one.
    gap: bool,
    coloured: usize,
}

impl<'l> Renderer<'l> {
    pub(super) fn new(columns: usize, look: &'l Look) -> Self {
        Self {
            look,
            page: Page::new(columns),
            spans: Vec::new(),
            styles: Vec::new(),
            lists: Vec::new(),
            link: None,
            code: None,
            table: None,
            row: Vec::new(),
            gap: false,
            coloured: 0,
        }
    }

    pub(super) fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                let style = self.style().patch(self.look.code);
                self.spans.push(Span::styled(clean(&text), style));
            }
            Event::Html(html) | Event::InlineHtml(html) => self.push(clean(&html)),
            Event::FootnoteReference(name) => self.push(clean(&format!("[^{name}]"))),
            // The web UI breaks lines where the author does.
            Event::SoftBreak | Event::HardBreak => self.push("\n".to_owned()),
            Event::Rule => {
                self.begin();
                let rule = "─".repeat(self.page.room());
                self.page.line(vec![Span::styled(rule, self.look.dim)]);
                self.gap = true;
            }
            Event::TaskListMarker(done) => self.task(if done { "☑ " } else { "☐ " }),
        }
    }

    /// The lines, and the number of those that were left out. Blocks that are still open end here.
    pub(super) fn finish(mut self) -> (Vec<Line<'static>>, usize) {
        self.end_code();
        self.end_table();
        self.flush();
        self.page.finish()
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.begin();
                let first = if level == HeadingLevel::H1 { Modifier::UNDERLINED } else { Modifier::empty() };
                self.styles.push(self.look.heading.add_modifier(first));
            }
            Tag::BlockQuote(_) => {
                self.begin();
                self.page.open(None, Span::styled(QUOTE, self.look.quote));
            }
            Tag::CodeBlock(kind) => {
                self.begin();
                let language = match kind {
                    CodeBlockKind::Fenced(info) => info.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some(Code { language, text: String::new() });
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.begin();
                }
                self.lists.push(first);
            }
            Tag::Item => self.item(),
            Tag::Table(alignments) => {
                self.begin();
                self.table = Some(Table { alignments, ..Table::default() });
            }
            Tag::TableHead | Tag::TableRow => self.row.clear(),
            Tag::TableCell => self.spans.clear(),
            Tag::Emphasis => self.styled(Style::new().add_modifier(Modifier::ITALIC)),
            Tag::Strong => self.styled(self.look.strong),
            Tag::Strikethrough => self.styled(Style::new().add_modifier(Modifier::CROSSED_OUT)),
            Tag::Link { dest_url, .. } => self.open_link(&dest_url),
            Tag::Image { .. } => self.push("[image: ".to_owned()),
            Tag::Paragraph
            | Tag::HtmlBlock
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => self.begin(),
            Tag::Superscript | Tag::Subscript => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.styles.pop();
                self.end_block();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.page.close();
                self.gap = true;
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.gap |= self.lists.is_empty();
            }
            TagEnd::Item => {
                self.flush();
                self.page.close();
            }
            TagEnd::Table => self.end_table(),
            TagEnd::TableHead => {
                let row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.header = row;
                }
            }
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.body.push(row);
                }
            }
            TagEnd::TableCell => self.row.push(std::mem::take(&mut self.spans)),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link => self.close_link(),
            TagEnd::Image => self.push("]".to_owned()),
            TagEnd::Paragraph
            | TagEnd::HtmlBlock
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_) => self.end_block(),
            TagEnd::Superscript | TagEnd::Subscript => {}
        }
    }

    /// Ends the text before a block, and separates the block from the last one.
    fn begin(&mut self) {
        self.flush();
        if std::mem::take(&mut self.gap) {
            self.page.line(Vec::new());
        }
    }

    fn end_block(&mut self) {
        self.flush();
        self.gap = true;
    }

    /// Adds the text of the current block to the page.
    fn flush(&mut self) {
        let spans = std::mem::take(&mut self.spans);
        if !spans.is_empty() {
            self.page.text(spans, Break::Words);
        }
    }

    fn item(&mut self) {
        self.begin();
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            _ => BULLET.to_owned(),
        };
        let rest = Span::raw(" ".repeat(mark.chars().count()));
        let without_room = self.page.open(Some(Span::styled(mark, self.look.dim)), rest);
        self.spans.extend(without_room);
    }

    /// The box of a task replaces the bullet of its item.
    fn task(&mut self, mark: &'static str) {
        match self.page.first_mark() {
            Some(first) if first.content == BULLET => first.content = mark.into(),
            _ => self.push(mark.to_owned()),
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or(self.look.text)
    }

    fn styled(&mut self, style: Style) {
        self.styles.push(self.style().patch(style));
    }

    fn push(&mut self, text: String) {
        self.spans.push(Span::styled(text, self.style()));
    }

    fn text(&mut self, text: &CowStr<'_>) {
        if let Some(code) = &mut self.code {
            return code.text.push_str(text);
        }
        let text = clean(text);
        if self.link.is_some() {
            return self.push(text);
        }
        let style = self.style();
        for piece in pieces(&text) {
            match piece {
                Piece::Text(text) => self.push(text.to_owned()),
                Piece::Name(name) => self.spans.push(Span::styled(name.to_owned(), style.patch(self.look.accent))),
                Piece::Address(address) => {
                    self.spans.push(Span::styled(address.to_owned(), style.patch(self.look.link)));
                }
                Piece::Article { slug, label } => {
                    self.spans.push(Span::styled(label.to_owned(), style.patch(self.look.link)));
                    if label != slug {
                        self.spans.push(Span::styled(format!(" (wiki/{slug})"), self.look.dim));
                    }
                }
            }
        }
    }

    fn open_link(&mut self, address: &str) {
        let beginning: String = address.chars().take(2 * ADDRESS_MAX).collect();
        self.link = Some(Link { address: fit(&beginning, ADDRESS_MAX), start: self.spans.len() });
        self.styled(self.look.link);
    }

    /// Shows the address behind the text, if the text is another one.
    fn close_link(&mut self) {
        self.styles.pop();
        let Some(link) = self.link.take() else { return };
        let spans = self.spans.get(link.start..).unwrap_or_default();
        let text: String = spans.iter().map(|span| &*span.content).collect();
        let text = text.trim();
        if !link.address.is_empty() && fit(text, ADDRESS_MAX) != link.address {
            let before = if text.is_empty() { "" } else { " " };
            self.spans.push(Span::styled(format!("{before}({})", link.address), self.look.dim));
        }
    }

    fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        let text = clean(&code.text);
        let rows = if is_short(&text) && self.coloured + text.len() <= COLOURED_MAX {
            self.coloured += text.len();
            highlighted(&text, &code.language, self.look)
        } else {
            plain(&text, self.look)
        };
        self.page.open(None, Span::styled(CODE, self.look.dim));
        for row in rows {
            self.page.text(row, Break::Anywhere);
        }
        self.page.close();
        self.gap = true;
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else { return };
        for row in table.lines(self.page.room(), self.look) {
            self.page.line(row);
        }
        self.spans.clear();
        self.gap = true;
    }
}
