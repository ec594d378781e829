/** What can be done to a message. Failures are shown as notes. */

import { answer, type Api, type Message } from '../api/client';
import { Problem, reasonOf } from '../api/problem';
import type { App } from '../app/context';
import type { Claims } from './claims.svelte';
import { renderer } from '../markdown/renderer.svelte';
import type { Pins } from '../pins/pins.svelte';
import { saveMessage } from '../saved/saved.svelte';
import { moveTo, stateOf, type ReactionKind, type WorkflowState } from './workflow';

type Reacted = { reactions: Message['reactions']; workflow_state?: Message['workflow_state'] };

/**
 * Sees to it that my reaction stands. The server takes one back that stands when it is sent again, as after an answer
 * that got lost; what is meant is that it stands.
 */
export async function setReaction(api: Api, id: number, reaction: ReactionKind): Promise<Reacted> {
  const send = () =>
    answer(api.POST('/api/messages/{id}/reactions', { params: { path: { id } }, body: { reaction } }));
  const change = await send();
  return change.action === 'removed' ? send() : change;
}

/** Sets my reaction, or takes back the one on screen; the result is the message as it is then. */
export async function toggleReaction(
  { api, toasts, account }: Pick<App, 'api' | 'toasts' | 'account'>,
  message: Message,
  reaction: ReactionKind,
): Promise<Message | undefined> {
  const stands = message.reactions.some((one) => one.reaction === reaction && one.by === account.handle);
  try {
    const params = { path: { id: message.id }, query: { reaction } };
    const change = stands
      ? await answer(api.DELETE('/api/messages/{id}/reactions', { params }))
      : await setReaction(api, message.id, reaction);
    return withReactions(message, change);
  } catch (error) {
    toasts.failed(
      error instanceof Problem && error.code === 'already_claimed'
        ? `Already claimed: ${error.detail}`
        : reasonOf(error),
    );
    return undefined;
  }
}

/** Adds my emoji, or removes the one on screen; the result is the message as it is then. */
export async function toggleEmoji(
  { api, toasts }: Pick<App, 'api' | 'toasts'>,
  message: Message,
  emoji: string,
): Promise<Message | undefined> {
  const stands = message.emoji?.some((one) => one.emoji === emoji && one.mine) === true;
  const params = { path: { id: message.id, emoji } };
  try {
    const under = stands
      ? await answer(api.DELETE('/api/messages/{id}/emoji/{emoji}', { params }))
      : await answer(api.PUT('/api/messages/{id}/emoji/{emoji}', { params }));
    return { ...message, emoji: under.emoji };
  } catch (error) {
    toasts.failed(reasonOf(error));
    return undefined;
  }
}

/** Brings a message to a state by my reactions, and says so when those of others keep it elsewhere. */
export async function moveMessage(
  { api, toasts, account, announce }: Pick<App, 'api' | 'toasts' | 'account' | 'announce'>,
  message: Message,
  target: WorkflowState,
): Promise<Message | undefined> {
  const { remove, add } = moveTo(message, target, account.handle);
  let changed = message;
  try {
    for (const reaction of remove) {
      const params = { path: { id: message.id }, query: { reaction } };
      changed = withReactions(changed, await answer(api.DELETE('/api/messages/{id}/reactions', { params })));
    }
    if (add) {
      changed = withReactions(changed, await setReaction(api, message.id, add));
    }
  } catch (error) {
    toasts.failed(reasonOf(error));
    return changed === message ? undefined : changed;
  }
  const state = changed.workflow_state;
  if (state === target) announce(`Moved to ${stateOf(target).title}`);
  else if (state) {
    toasts.failed(`Still ${stateOf(state).title.toLowerCase()}: reactions by others take precedence.`);
  }
  return changed;
}

/** Replaces the text of my message; the result is the message as it is then. */
export async function editMessage(
  { api }: Pick<App, 'api'>,
  message: Message,
  body: string,
): Promise<Message> {
  const params = { path: { id: message.id } };
  // Whoever has changed it in another window meanwhile is not overwritten.
  return answer(api.PATCH('/api/messages/{id}', { params, body: { body, version: message.version } }));
}

/** Ticks a task of my message, or takes that back; the result is the message as it is then, if that went well. */
export async function tickTask(
  app: Pick<App, 'api' | 'toasts'>,
  message: Message,
  index: number,
  isDone: boolean,
): Promise<Message | undefined> {
  const body = renderer.withTask?.(message.body, index, isDone);
  if (body === undefined) return undefined;
  try {
    return body === message.body ? message : await editMessage(app, message, body);
  } catch (error) {
    app.toasts.failed(reasonOf(error));
    return undefined;
  }
}

/** Deletes a message; the result is what remains of it. */
export async function deleteMessage({ api }: Pick<App, 'api'>, { id }: Message): Promise<Message> {
  return answer(api.DELETE('/api/messages/{id}', { params: { path: { id } } }));
}

/** Whether I may delete a message: it is mine or my agent's, I own its channel, or I am an admin. */
export function isDeletable({ account, store }: Pick<App, 'account' | 'store'>, message: Message): boolean {
  if (message.deleted_at != null || (message.metadata as { mention?: unknown } | null)?.mention) return false;
  const me = account.handle;
  const owner = message.channel == null ? undefined : store.channel(message.channel)?.owner;
  return (
    message.from === me ||
    store.agent(message.from) !== undefined ||
    (owner !== undefined && (owner === me || store.agent(owner) !== undefined)) ||
    store.me?.role === 'admin'
  );
}

/** Claims a message to me, so that I alone work on it. */
export async function claimMessage(
  { announce, toasts }: Pick<App, 'announce' | 'toasts'>,
  claims: Pick<Claims, 'claim'>,
  message: Message,
): Promise<void> {
  try {
    await claims.claim(message);
    announce('Message claimed');
  } catch (error) {
    toasts.failed(reasonOf(error));
  }
}

/** Pins a message for everybody in the conversation, or removes the pin. */
export async function setPinned(
  { announce, toasts }: Pick<App, 'announce' | 'toasts'>,
  pins: Pick<Pins, 'pin' | 'unpin'>,
  { id }: Pick<Message, 'id'>,
  isPinned: boolean,
): Promise<void> {
  try {
    await (isPinned ? pins.pin(id) : pins.unpin(id));
    announce(isPinned ? 'Message pinned' : 'Pin removed');
  } catch (error) {
    toasts.failed(reasonOf(error));
  }
}

/** Saves a message for later, for myself. */
export async function saveForLater(
  { api, router, toasts }: Pick<App, 'api' | 'router' | 'toasts'>,
  { id }: Pick<Message, 'id'>,
): Promise<void> {
  try {
    await saveMessage(api, id);
    toasts.done('Saved for later.', { title: 'Show saved', run: () => router.navigate('/saved') });
  } catch (error) {
    toasts.failed(reasonOf(error));
  }
}

/** Marks a message to me as done or failed. */
export async function finish(
  { api, toasts }: Pick<App, 'api' | 'toasts'>,
  message: Message,
  outcome: 'done' | 'failed',
): Promise<void> {
  const params = { path: { id: message.id } };
  try {
    if (outcome === 'done') await api.POST('/api/messages/{id}/done', { params, body: {} });
    else await api.POST('/api/messages/{id}/fail', { params, body: {} });
  } catch (error) {
    toasts.failed(reasonOf(error));
  }
}

function withReactions(message: Message, { reactions, workflow_state }: Reacted): Message {
  return { ...message, reactions, workflow_state };
}
