//! An article of the wiki: its text, its links, and how a change of it reaches the hub.

mod merge;
mod unsaved;

use ratatui::Frame;
use ratatui::layout::Rect;
use svc_core::live::LiveBody;
use svc_core::model::wiki::sections;
use svc_core::wiki::{Article, ArticleSave};

pub(crate) use self::merge::changed;
use self::merge::has_marks;
pub(crate) use self::unsaved::{Conflict, SaveState, Unsaved};
use super::context::Context;
use super::destination::Destination;
use super::loaded::Loaded;
use super::reading::Reading;
use super::rendered::Rendered;
use super::screen::{Handled, KeyHint, Screen, key};
use crate::action::Action;
use crate::backend::{Failure, Result};
use crate::text;
use crate::view::View;

/// Links in one menu.
const LINKS: usize = 12;

/// Which text of a conflict is shown in a narrow window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Side {
    /// The text that was saved first.
    #[default]
    Theirs,
    /// The text of the person.
    Yours,
}

/// An article.
pub(crate) struct ArticleScreen {
    slug: String,
    /// The article.
    pub(crate) article: Loaded<Article>,
    /// The text on the screen.
    pub(crate) body: Rendered,
    /// Headings with their levels and, after the last drawing, their lines on the screen.
    pub(crate) outline: Vec<(usize, String, usize)>,
    /// A text that the hub does not have yet.
    pub(crate) unsaved: Option<Unsaved>,
    /// The text of a conflict that is shown in a narrow window.
    pub(crate) side: Side,
    /// The two texts of a conflict on the screen.
    pub(crate) texts: [Rendered; 2],
    reading: Reading,
}

impl ArticleScreen {
    /// The screen of an article, with nothing read yet.
    pub(crate) fn new(slug: String) -> Self {
        Self {
            slug,
            article: Loaded::Waiting,
            body: Rendered::default(),
            outline: Vec::new(),
            unsaved: None,
            side: Side::default(),
            texts: <[Rendered; 2]>::default(),
            reading: Reading::default(),
        }
    }

    fn answered(&mut self, answer: Result<Article>, context: &mut Context<'_>) {
        self.reading.ends();
        match answer {
            Ok(article) => self.show(article, context),
            Err(failure) => {
                if let Some(failure) = self.article.take(Err(failure)) {
                    context.fail(&failure);
                }
            }
        }
        self.settle(context);
    }

    fn show(&mut self, article: Article, context: &mut Context<'_>) {
        if article.slug != self.slug {
            self.rename(article.slug.clone(), context);
        }
        // A text that was saved although its answer got lost waits for nothing.
        let is_there = |unsaved: &mut Unsaved| unsaved.state == SaveState::Kept && unsaved.text == article.body;
        if self.unsaved.take_if(is_there).is_some() {
            Unsaved::forget(&mut context.shared.kept, &self.slug);
        }
        self.outline = sections(&article.body).into_iter().map(|section| (section.level, section.heading, 0)).collect();
        self.article = Loaded::Here(article);
    }

    /// Follows the article to another slug, with the text that is not saved.
    fn rename(&mut self, slug: String, context: &mut Context<'_>) {
        let kept = &mut context.shared.kept;
        Unsaved::forget(kept, &self.slug);
        self.slug = slug;
        if self.unsaved.is_none() {
            self.unsaved = Unsaved::restore(kept, &self.slug);
        }
        if let Some(unsaved) = &self.unsaved {
            unsaved.keep(kept, &self.slug);
        }
    }

    /// Goes to the heading after or before the first line on screen.
    fn jump(&mut self, forward: bool) {
        let lines = || self.outline.iter().map(|(_, _, line)| *line);
        let at = self.body.offset;
        let line = if forward { lines().find(|line| *line > at) } else { lines().rev().find(|line| *line < at) };
        let most = self.body.lines.len().saturating_sub(self.body.height);
        self.body.offset = line.unwrap_or(if forward { at } else { 0 }).min(most);
    }

    /// Opens the text in the editor: that of the article, or the one that is not saved.
    fn edit(&mut self, context: &mut Context<'_>) {
        let (start, base, base_revision) = match (&self.unsaved, self.article.get()) {
            (Some(Unsaved { state: SaveState::Saving, .. }), _) => {
                context.note("The text is being saved.");
                return;
            }
            (Some(unsaved), _) => match unsaved.conflict() {
                Some(conflict) => (unsaved.merged(conflict), conflict.body.clone(), conflict.revision),
                None => (unsaved.text.clone(), unsaved.base.clone(), unsaved.base_revision),
            },
            (None, Some(article)) => (article.body.clone(), article.body.clone(), article.revision),
            (None, None) => return,
        };
        context.edit(start, "md", move |screen: &mut Self, text, context| match text {
            Some(text) => screen.edited(Unsaved { text, base, base_revision, state: SaveState::Kept }, context),
            None => context.note("The text was not changed."),
        });
    }

    fn edited(&mut self, unsaved: Unsaved, context: &mut Context<'_>) {
        unsaved.keep(&mut context.shared.kept, &self.slug);
        let is_marked = has_marks(&unsaved.text) && !has_marks(&unsaved.base);
        self.unsaved = Some(unsaved);
        if is_marked {
            self.fail_with("it still has the marks of a conflict".to_owned());
            context.confirm("The text still has the marks of a conflict. Save it anyway?", Self::save);
        } else {
            self.save(context);
        }
    }

    fn fail_with(&mut self, reason: String) {
        if let Some(unsaved) = &mut self.unsaved {
            unsaved.state = SaveState::Failed(reason);
        }
    }

    /// Sends the text to the hub, which merges it with changes of other lines.
    fn save(&mut self, context: &mut Context<'_>) {
        let Some(unsaved) = &mut self.unsaved else { return };
        if unsaved.state == SaveState::Saving {
            return;
        }
        unsaved.state = SaveState::Saving;
        let save = ArticleSave { merge: true, ..ArticleSave::body(unsaved.base_revision, unsaved.text.clone()) };
        let slug = self.slug.clone();
        context.change(
            move |hub| async move { hub.save_article(&slug, save).await },
            |screen: &mut Self, answer, context| screen.saved(answer, context),
        );
    }

    fn saved(&mut self, answer: Result<Article>, context: &mut Context<'_>) {
        match answer {
            Ok(article) => {
                Unsaved::forget(&mut context.shared.kept, &self.slug);
                let is_merged = self.unsaved.take().is_some_and(|unsaved| unsaved.text != article.body);
                let how = if is_merged { ", merged with a change of somebody else" } else { "" };
                context.note(format!("Saved as revision {}{how}.", article.revision));
                self.show(article, context);
            }
            Err(failure) => self.not_saved(&failure, context),
        }
    }

    fn not_saved(&mut self, failure: &Failure, context: &mut Context<'_>) {
        if let Some(unsaved) = &mut self.unsaved {
            unsaved.failed(failure);
            if unsaved.conflict().is_some() {
                self.side = Side::default();
                self.texts.iter_mut().for_each(Rendered::rewind);
            }
        }
        context.fail(failure);
        self.reading.expire();
        self.settle(context);
    }

    /// Saves the text of the person in place of the one that was saved first.
    fn overwrite(conflict: &Conflict, context: &mut Context<'_>) {
        let question = format!("Replace revision {} of @{} with your text?", conflict.revision, conflict.updated_by);
        let (base, base_revision) = (conflict.body.clone(), conflict.revision);
        context.confirm(text::one_line(&question), move |screen: &mut Self, context| {
            let Some(unsaved) = &mut screen.unsaved else { return };
            *unsaved = Unsaved { text: unsaved.text.clone(), base, base_revision, state: SaveState::Kept };
            unsaved.keep(&mut context.shared.kept, &screen.slug);
            screen.save(context);
        });
    }

    fn discard(context: &mut Context<'_>) {
        context.confirm("Discard your text? It cannot be brought back.", |screen: &mut Self, context| {
            screen.unsaved = None;
            Unsaved::forget(&mut context.shared.kept, &screen.slug);
            context.note("Your text is discarded.");
        });
    }

    fn follow(&mut self, context: &mut Context<'_>) {
        let links = self.article.get().map_or_else(Vec::new, |article| text::links(&article.body));
        match links.as_slice() {
            [] => context.note("This article has no links."),
            [link] => open(link, context),
            links => choose(links, context),
        }
    }

    /// Reacts while a conflict is shown.
    fn act_on_conflict(&mut self, action: &Action, conflict: &Conflict, context: &mut Context<'_>) -> Handled {
        let moved = self.texts.iter_mut().map(|text| text.act(action)).filter(|moved| *moved).count();
        if moved > 0 {
            return Handled::Yes;
        }
        match action {
            Action::Left => self.side = Side::Theirs,
            Action::Right => self.side = Side::Yours,
            Action::Edit => self.edit(context),
            Action::Open => Self::overwrite(conflict, context),
            Action::Reject => Self::discard(context),
            Action::Copy => self.copy(context),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    /// Copies the text of the person that is not saved, or that of the article.
    fn copy(&self, context: &mut Context<'_>) {
        let unsaved = self.unsaved.as_ref().map(|unsaved| unsaved.text.clone());
        if let Some(text) = unsaved.or_else(|| self.article.get().map(|article| article.body.clone())) {
            context.copy(text);
            context.note("The text is copied.");
        }
    }
}

/// Opens an article or an address.
fn open(link: &str, context: &mut Context<'_>) {
    match link.strip_prefix("wiki/") {
        Some(slug) => context.go(Destination::Article(slug.to_owned())),
        None => context.open(link),
    }
}

/// Lets the person choose a link, a few at a time.
fn choose(links: &[String], context: &mut Context<'_>) {
    let keys = ('1'..='9').chain('a'..='l');
    let mut items: Vec<_> = keys.zip(links.iter().take(LINKS)).map(|(key, link)| (key, text::fit(link, 60))).collect();
    let targets: Vec<_> = items.iter().map(|(key, _)| *key).zip(links.iter().cloned()).collect();
    let rest = links.get(LINKS..).unwrap_or_default().to_vec();
    if !rest.is_empty() {
        items.push(('m', format!("{} more …", rest.len())));
    }
    context.menu("Follow a link", items, move |_: &mut ArticleScreen, chosen, context| {
        match targets.into_iter().find(|(key, _)| *key == chosen) {
            Some((_, link)) => open(&link, context),
            None => choose(&rest, context),
        }
    });
}

impl Screen for ArticleScreen {
    fn destination(&self) -> Destination {
        Destination::Article(self.slug.clone())
    }

    fn title(&self) -> String {
        let title = self.article.get().map_or(self.slug.as_str(), |article| article.title.as_str());
        format!("Wiki: {}", text::fit(title, 60))
    }

    fn load(&mut self, context: &mut Context<'_>) {
        if self.unsaved.is_none() {
            self.unsaved = Unsaved::restore(&context.shared.kept, &self.slug);
        }
        self.reading.expire();
        self.settle(context);
    }

    fn act(&mut self, action: &Action, context: &mut Context<'_>) -> Handled {
        if let Some(conflict) = self.unsaved.as_ref().and_then(Unsaved::conflict).cloned() {
            return self.act_on_conflict(action, &conflict, context);
        }
        if self.body.act(action) {
            return Handled::Yes;
        }
        match action {
            Action::Left => self.jump(false),
            Action::Right => self.jump(true),
            Action::Enter | Action::Open => self.follow(context),
            Action::Edit => self.edit(context),
            Action::Copy => self.copy(context),
            Action::Retry if self.unsaved.is_some() => self.save(context),
            Action::Reject if self.unsaved.is_some() => Self::discard(context),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn news(&mut self, news: &LiveBody, context: &mut Context<'_>) {
        match news {
            LiveBody::WikiChanged(news) if news.renamed_from.as_ref() == Some(&self.slug) => {
                self.rename(news.slug.clone(), context);
                self.reading.expire();
            }
            LiveBody::WikiChanged(news) if news.slug == self.slug => self.reading.expire(),
            LiveBody::Reset(_) => self.reading.expire(),
            _ => {}
        }
    }

    fn settle(&mut self, context: &mut Context<'_>) {
        if self.reading.begins() {
            let slug = self.slug.clone();
            context.ask(
                move |hub| async move { hub.article(&slug).await },
                |screen: &mut Self, answer, context| screen.answered(answer, context),
            );
        }
    }

    fn keys(&self) -> Vec<KeyHint> {
        match &self.unsaved {
            Some(unsaved) if unsaved.conflict().is_some() => vec![
                key("E", "merge in the editor"),
                key("o", "overwrite with yours"),
                key("x", "discard yours"),
                key("← →", "theirs, yours"),
                key("y", "copy yours"),
            ],
            Some(_) => vec![
                key("E", "continue editing"),
                key("R", "save again"),
                key("x", "discard"),
                key("y", "copy your text"),
                key("o", "follow a link"),
            ],
            None => vec![
                key("E", "edit"),
                key("o", "follow a link"),
                key("← →", "previous, next heading"),
                key("y", "copy"),
                key("Ctrl+R", "read again"),
            ],
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
        crate::view::article::draw(self, frame, area, view);
    }
}
