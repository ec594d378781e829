-- The wiki. Everything that changes an article, a slug or a link holds the row of `wiki`, so that counts agree with
-- what they count.
CREATE TABLE wiki (
    id            BIGINT NOT NULL,
    -- Articles that can be read.
    article_count BIGINT NOT NULL,
    -- All articles, with deleted ones.
    stored_count  BIGINT NOT NULL,
    CONSTRAINT wiki_pkey PRIMARY KEY (id),
    CONSTRAINT wiki_one_check CHECK (id = 1)
);
INSERT INTO wiki (id, article_count, stored_count) VALUES (1, 0, 0);

CREATE TABLE wiki_articles (
    id                BIGINT GENERATED ALWAYS AS IDENTITY,
    slug              TEXT    NOT NULL,
    title             TEXT    NOT NULL,
    -- The title as lists sort it.
    title_key         TEXT COLLATE "C" NOT NULL,
    -- The newest revision, which has the text.
    revision          BIGINT NOT NULL,
    size              BIGINT NOT NULL,
    protected         TEXT,
    stale_after       BIGINT,
    -- `stale_after`, unless the article was verified at that time or later.
    stale_at          BIGINT,
    verified_by       TEXT,
    verified_at       BIGINT,
    verified_revision BIGINT,
    -- Other articles that link to one of its slugs.
    backlink_count    BIGINT NOT NULL,
    created_by        TEXT    NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_by        TEXT    NOT NULL,
    updated_at        BIGINT NOT NULL,
    deleted_by        TEXT,
    deleted_at        BIGINT,
    words             tsvector NOT NULL DEFAULT '',
    CONSTRAINT wiki_articles_pkey PRIMARY KEY (id),
    CONSTRAINT wiki_articles_revision_check CHECK (revision > 0),
    CONSTRAINT wiki_articles_backlinks_check CHECK (backlink_count >= 0),
    CONSTRAINT wiki_articles_protected_check CHECK (protected IN ('humans'))
);
CREATE UNIQUE INDEX wiki_articles_slug_key ON wiki_articles (slug);
CREATE INDEX wiki_articles_updated_idx ON wiki_articles (updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX wiki_articles_title_idx ON wiki_articles (title_key, id) WHERE deleted_at IS NULL;
CREATE INDEX wiki_articles_backlinks_idx ON wiki_articles (backlink_count, id) WHERE deleted_at IS NULL;
CREATE INDEX wiki_articles_orphan_idx ON wiki_articles (updated_at, id)
    WHERE deleted_at IS NULL AND backlink_count = 0;
CREATE INDEX wiki_articles_stale_idx ON wiki_articles (stale_at, id)
    WHERE deleted_at IS NULL AND stale_at IS NOT NULL;
CREATE INDEX wiki_articles_deleted_idx ON wiki_articles (deleted_at, id) WHERE deleted_at IS NOT NULL;

-- Every change of an article with the title and the text after it.
CREATE TABLE wiki_revisions (
    article_id BIGINT NOT NULL,
    number     BIGINT NOT NULL,
    action     TEXT    NOT NULL,
    slug       TEXT    NOT NULL,
    title      TEXT    NOT NULL,
    summary    TEXT,
    size       BIGINT NOT NULL,
    -- None for an operator, and for an author of another hub.
    author_id  BIGINT,
    author     TEXT    NOT NULL,
    created_at BIGINT NOT NULL,
    body       TEXT    NOT NULL,
    CONSTRAINT wiki_revisions_pkey PRIMARY KEY (article_id, number),
    CONSTRAINT wiki_revisions_action_check CHECK (action IN
        ('created', 'edited', 'merged', 'reverted', 'configured', 'renamed', 'deleted', 'restored')),
    CONSTRAINT wiki_revisions_article_id_fkey FOREIGN KEY (article_id) REFERENCES wiki_articles (id),
    CONSTRAINT wiki_revisions_author_id_fkey FOREIGN KEY (author_id) REFERENCES participants (id)
);

-- Slugs: of articles, now or formerly, and slugs that texts link to and that no article has.
CREATE TABLE wiki_slugs (
    slug       TEXT COLLATE "C" NOT NULL,
    article_id BIGINT,
    -- Articles with a link to it.
    link_count BIGINT NOT NULL,
    -- No article that can be read has it.
    is_wanted  BOOLEAN NOT NULL,
    CONSTRAINT wiki_slugs_pkey PRIMARY KEY (slug),
    CONSTRAINT wiki_slugs_link_count_check CHECK (link_count >= 0),
    CONSTRAINT wiki_slugs_wanted_check CHECK (is_wanted OR article_id IS NOT NULL),
    CONSTRAINT wiki_slugs_article_id_fkey FOREIGN KEY (article_id) REFERENCES wiki_articles (id)
);
CREATE INDEX wiki_slugs_article_idx ON wiki_slugs (article_id, slug) WHERE article_id IS NOT NULL;
CREATE INDEX wiki_slugs_wanted_idx ON wiki_slugs (link_count, slug) WHERE is_wanted AND link_count > 0;

-- The links in the newest texts of articles that can be read, without those to itself.
CREATE TABLE wiki_links (
    source_id BIGINT NOT NULL,
    slug      TEXT COLLATE "C" NOT NULL,
    CONSTRAINT wiki_links_pkey PRIMARY KEY (source_id, slug),
    CONSTRAINT wiki_links_source_id_fkey FOREIGN KEY (source_id) REFERENCES wiki_articles (id),
    CONSTRAINT wiki_links_slug_fkey FOREIGN KEY (slug) REFERENCES wiki_slugs (slug)
);
CREATE INDEX wiki_links_slug_idx ON wiki_links (slug, source_id);

-- The words of articles that can be read, those of the title with the weight A; see `message_words`.
CREATE INDEX wiki_words ON wiki_articles USING gin (words);
