//! The wiki: its articles, a search in them, and new ones.

use ratatui::Frame;
use ratatui::layout::Rect;
use serde::{Deserialize, Serialize};
use svc_core::live::LiveBody;
use svc_core::wiki::{ArticleFilter, ArticlePage, ArticleSummary, NewArticle};

use super::context::Context;
use super::destination::Destination;
use super::editor::Editor;
use super::kept::{ARTICLE, Kept};
use super::list::Selection;
use super::loaded::Loaded;
use super::reading::Reading;
use super::rendered::Rendered;
use super::screen::{Handled, KeyHint, Mode, Screen, key};
use crate::action::Action;
use crate::backend::{Backend, Result};
use crate::view::View;

/// Articles that are read at once.
const PAGE: usize = 50;

/// The articles of the wiki.
#[derive(Default)]
pub(crate) struct Wiki {
    /// The articles that were read.
    pub(crate) articles: Loaded<ArticlePage>,
    /// The text to search for; empty for all articles.
    pub(crate) filter: Editor,
    /// Whether letters are typed into the filter.
    pub(crate) typing: bool,
    /// The selected article.
    pub(crate) selection: Selection,
    /// The details of the selected article, in a wide window.
    pub(crate) details: Rendered,
    /// Where the list was drawn.
    pub(crate) area: Rect,
    /// A new article that the hub does not have yet.
    pub(crate) unsaved: Option<NewText>,
    /// Why the search failed.
    pub(crate) problem: Option<String>,
    /// How many articles are asked for.
    wanted: usize,
    reading: Reading,
}

/// A new article on its way to the hub. It is kept with the drafts until the hub has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NewText {
    /// Its title.
    pub(crate) title: String,
    body: String,
    /// The idempotency key of all attempts with this title and text.
    key: String,
    /// Why it could not be created; none while it is on its way.
    #[serde(default)]
    pub(crate) failed: Option<String>,
}

impl NewText {
    fn restore(kept: &Kept) -> Option<Self> {
        let found: Self = serde_json::from_str(kept.text(ARTICLE)).ok()?;
        Some(Self { failed: found.failed.or_else(|| Some("the program ended".to_owned())), ..found })
    }

    fn keep(&self, kept: &mut Kept) {
        if let Ok(text) = serde_json::to_string(self) {
            kept.set_text(ARTICLE, &text);
        }
    }
}

impl Wiki {
    /// The list, not read yet.
    pub(crate) fn new() -> Self {
        Self { wanted: PAGE, ..Self::default() }
    }

    /// The selected article.
    pub(crate) fn selected(&self) -> Option<&ArticleSummary> {
        self.articles.get()?.articles.get(self.selection.index)
    }

    /// Whether the list is being read.
    pub(crate) fn is_reading(&self) -> bool {
        self.reading.is_under_way()
    }

    fn count(&self) -> usize {
        self.articles.get().map_or(0, |page| page.articles.len())
    }

    /// Reads the list for another text.
    fn search(&mut self, context: &mut Context<'_>) {
        self.wanted = PAGE;
        self.selection = Selection::default();
        self.reading.expire();
        self.settle(context);
    }

    fn answered(&mut self, asked: &str, answer: Result<ArticlePage>, context: &mut Context<'_>) {
        self.reading.ends();
        // An answer to a text that has changed meanwhile is of no use: the next request has been noted.
        if asked == self.filter.text() {
            let chosen = self.selected().map(|article| article.slug.clone());
            self.problem = None;
            match self.articles.take(answer) {
                Some(failure) if asked.is_empty() => context.fail(&failure),
                Some(failure) => self.problem = Some(failure.message),
                None => {}
            }
            let articles = self.articles.get().map(|page| page.articles.as_slice()).unwrap_or_default();
            if let Some(index) = articles.iter().position(|article| Some(&article.slug) == chosen.as_ref()) {
                self.selection.index = index;
            }
            self.selection.limit(self.count());
        }
        self.settle(context);
    }

    /// Asks for more articles when the end of the list is near.
    fn read_on(&mut self, context: &mut Context<'_>) {
        let count = self.count();
        let more = self.articles.get().is_some_and(|page| page.next_cursor.is_some());
        if more && self.selection.index + 5 >= count && self.wanted <= count {
            self.wanted = count + PAGE;
            self.reading.expire();
            self.settle(context);
        }
    }

    fn open(&self, context: &mut Context<'_>) {
        if let Some(article) = self.selected() {
            context.go(Destination::Article(article.slug.clone()));
        }
    }

    /// Reacts while the filter is typed.
    fn act_typing(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        match action {
            Action::Back => {
                self.typing = false;
                if !self.filter.text().is_empty() {
                    self.filter.set("");
                    self.search(context);
                }
            }
            Action::Enter | Action::Down | Action::Up => self.typing = false,
            Action::NewLine => {}
            Action::Click { column, row } => {
                self.typing = false;
                return self.click(*column, *row, context);
            }
            action => {
                let before = self.filter.text().to_owned();
                if !self.filter.act(action) {
                    return Handled::No;
                }
                if self.filter.text() != before {
                    self.search(context);
                }
            }
        }
        Handled::Yes
    }

    /// Asks for a title, then for the text.
    fn write(title: &str, body: String, context: &mut Context<'_>) {
        context.prompt("Title of the article", title, move |_: &mut Self, title, context| {
            let title = title.trim().to_owned();
            if title.is_empty() {
                context.note("An article needs a title.");
                return;
            }
            let before = body.clone();
            context.edit(body, "md", move |screen: &mut Self, text, context| {
                let body = text.unwrap_or(before);
                if body.trim().is_empty() {
                    context.note("Nothing was written, so no article was created.");
                    return;
                }
                let key = context.shared.new_key();
                screen.create(NewText { title, body, key, failed: None }, context);
            });
        });
    }

    fn create(&mut self, mut new: NewText, context: &mut Context<'_>) {
        new.failed = None;
        new.keep(&mut context.shared.kept);
        let (article, key) = (NewArticle::titled(new.title.clone(), new.body.clone()), new.key.clone());
        self.unsaved = Some(new);
        context.change(
            move |hub| async move { hub.create_article(article, &key).await },
            |screen: &mut Self, answer, context| match answer {
                Ok(article) => {
                    screen.unsaved = None;
                    context.shared.kept.set_text(ARTICLE, "");
                    context.note("The article is created.");
                    context.go(Destination::Article(article.slug));
                }
                Err(failure) => {
                    if let Some(new) = &mut screen.unsaved {
                        new.failed = Some(failure.message.clone());
                        new.keep(&mut context.shared.kept);
                    }
                    context.fail(&failure);
                }
            },
        );
    }

    /// Reacts to keys about an article that could not be created.
    fn act_unsaved(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        let Some(new) = self.unsaved.clone().filter(|new| new.failed.is_some()) else { return Handled::No };
        match action {
            Action::Edit => Self::write(&new.title, new.body, context),
            Action::Retry => self.create(new, context),
            Action::Reject => {
                context.confirm("Discard the new article? It cannot be brought back.", |screen: &mut Self, context| {
                    screen.unsaved = None;
                    context.shared.kept.set_text(ARTICLE, "");
                });
            }
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn click(&mut self, column: u16, row: u16, context: &mut Context<'_>) -> Handled {
        if !self.area.contains((column, row).into()) {
            return Handled::No;
        }
        let before = self.selection.index;
        if self.selection.click(usize::from(row - self.area.y), self.count()) && self.selection.index == before {
            self.open(context);
        }
        self.details.rewind();
        Handled::Yes
    }
}

/// The search for a text that is being typed: its last word may be the beginning of one.
fn query(text: &str) -> Option<String> {
    let text = text.trim_start();
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_word = last.chars().count() > 1 && last.chars().all(char::is_alphanumeric);
    let is_quoted = text.matches('"').count() % 2 == 1;
    match text.trim() {
        "" => None,
        _ if is_word && !is_quoted => Some(format!("{text}*")),
        text => Some(text.to_owned()),
    }
}

/// Reads as many articles as are wanted, page by page.
async fn read(hub: &dyn Backend, text: &str, wanted: usize) -> Result<ArticlePage> {
    let mut filter = ArticleFilter { q: query(text), limit: i64::try_from(PAGE).ok(), ..ArticleFilter::default() };
    let mut page = hub.articles(filter.clone()).await?;
    while page.articles.len() < wanted
        && let Some(cursor) = page.next_cursor.take()
    {
        filter.cursor = Some(cursor);
        let next = hub.articles(filter.clone()).await?;
        page.articles.extend(next.articles);
        page.next_cursor = next.next_cursor;
    }
    Ok(page)
}

impl Screen for Wiki {
    fn destination(&self) -> Destination {
        Destination::Wiki
    }

    fn title(&self) -> String {
        "Wiki".to_owned()
    }

    fn load(&mut self, context: &mut Context<'_>) {
        if self.unsaved.is_none() {
            self.unsaved = NewText::restore(&context.shared.kept);
        }
        self.reading.expire();
        self.settle(context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        if self.typing {
            return self.act_typing(action, context);
        }
        if self.selection.act(action, self.count()) {
            self.details.rewind();
            self.read_on(context);
            return Handled::Yes;
        }
        match action {
            Action::Enter | Action::Right => self.open(context),
            Action::Search => self.typing = true,
            Action::Back if !self.filter.text().is_empty() => {
                self.filter.set("");
                self.search(context);
            }
            Action::New if self.unsaved.is_some() => context.note("Another new article is not saved yet."),
            Action::New => Self::write("", String::new(), context),
            Action::Click { column, row } => return self.click(*column, *row, context),
            action => return self.act_unsaved(action, context),
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, _context: &mut Context<'_>) {
        if matches!(news, LiveBody::WikiChanged(_) | LiveBody::Reset(_)) {
            self.reading.expire();
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        if self.reading.begins() {
            let (wanted, text) = (self.wanted, self.filter.text().to_owned());
            let asked = text.clone();
            context.ask(
                move |hub| async move { read(hub.as_ref(), &text, wanted).await },
                move |screen: &mut Self, answer, context| screen.answered(&asked, answer, context),
            );
        }
    }

    fn mode(&self) -> Mode {
        if self.typing { Mode::Line } else { Mode::Command }
    }

    fn keys(&self) -> Vec<KeyHint> {
        if self.typing {
            return vec![key("Enter", "to the list"), key("Esc", "all articles")];
        }
        let list = [key("Enter", "read"), key("/", "search"), key("n", "new article"), key("Ctrl+R", "read again")];
        if self.unsaved.is_some() {
            let unsaved = [key("E", "continue writing"), key("R", "save again"), key("x", "discard")];
            return unsaved.into_iter().chain(list).collect();
        }
        list.to_vec()
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::wiki::draw(self, frame, area, view);
    }
}

#[cfg(test)]
mod tests {
    use super::query;

    #[test]
    fn the_last_word_may_be_a_beginning() {
        for (text, expected) in [
            ("", None),
            ("  ", None),
            ("dep", Some("dep*")),
            ("d", Some("d")),
            ("deploy ", Some("deploy")),
            ("roll dep", Some("roll dep*")),
            ("\"on ca", Some("\"on ca")),
            ("\"on call\" ro", Some("\"on call\" ro*")),
            ("dep*", Some("dep*")),
            ("-staging", Some("-staging")),
        ] {
            assert_eq!(query(text).as_deref(), expected, "{text:?}");
        }
    }
}
