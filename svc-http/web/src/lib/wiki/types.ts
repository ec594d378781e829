/** The wiki as the API has it. The names are those of the server's model. */

import type { Schemas } from '../api/client';

export type Protection = Schemas['Protection'];
export type ArticleSort = Schemas['ArticleSort'];
export type ArticleState = Schemas['ArticleState'];
export type WikiAction = Schemas['WikiAction'];
export type Article = Schemas['Article'];
export type ArticleSummary = Schemas['ArticleSummary'];
export type ArticlePage = Schemas['ArticlePage'];
export type NewArticle = Schemas['NewArticle'];
export type ArticleSave = Schemas['ArticleSave'];
export type ArticleRename = Schemas['ArticleRename'];
export type ArticleRestore = Schemas['ArticleRestore'];
export type ArticleVerify = Schemas['ArticleVerify'];
export type Revision = Schemas['Revision'];
export type RevisionPage = Schemas['RevisionPage'];
export type RevisionText = Schemas['RevisionText'];
export type DiffPart = Schemas['DiffPart'];
export type DiffLine = Schemas['DiffLine'];
export type DiffHunk = Schemas['DiffHunk'];
export type ArticleDiff = Schemas['ArticleDiff'];
export type Backlink = Schemas['Backlink'];
export type BacklinkPage = Schemas['BacklinkPage'];
export type WantedArticle = Schemas['WantedArticle'];
export type MapLink = Schemas['MapLink'];
export type WikiMap = Schemas['WikiMap'];

export interface ArticleFilter {
  readonly q?: string;
  readonly sort?: ArticleSort;
  readonly state?: ArticleState;
  readonly cursor?: string;
  readonly limit?: number;
}

/** What a refused save says about the text that was saved first. */
export interface EditConflict {
  readonly revision: number;
  readonly title: string;
  readonly body: string;
  readonly updated_by: string;
  readonly updated_at: string;
  readonly merge_is_clean: boolean;
  readonly merged?: string | null;
}
