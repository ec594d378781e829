/** The calls about push notifications, their settings and presence, with short names for the types of their answers. */

import { answer, type Api, type Schemas } from '../api/client';

export type Subscription = Schemas['PushSubscription'];
export type SubscriptionList = Schemas['PushSubscriptionList'];
export type NewSubscription = Schemas['NewPushSubscription'];
export type Kind = keyof Schemas['NotificationKinds'];
export type QuietHours = Schemas['QuietHours'];
export type Level = Schemas['AttentionLevel'];
export type ConversationLevel = Schemas['ConversationLevel'];
export type Settings = Schemas['NotificationSettings'];
/** A change of the settings. Absent parts stay as they are. */
export interface SettingsUpdate {
  kinds?: Partial<Record<Kind, boolean>>;
  quiet_hours?: QuietHours | null;
  conversations?: ConversationLevel[];
}
export type Presence = Schemas['Presence'];

/** The key with which the server signs what it sends, in base64url. */
export async function vapidKey(api: Api): Promise<string> {
  return (await answer(api.GET('/api/push/vapid-key'))).public_key;
}

export function listSubscriptions(api: Api): Promise<SubscriptionList> {
  return answer(api.GET('/api/push/subscriptions'));
}

/** Adds a device; an endpoint that is known already is brought up to date. */
export function addSubscription(api: Api, body: NewSubscription): Promise<Subscription> {
  return answer(api.POST('/api/push/subscriptions', { body }));
}

export async function removeSubscription(api: Api, id: number): Promise<void> {
  await api.DELETE('/api/push/subscriptions/{id}', { params: { path: { id } } });
}

/** The number of this login session. */
export async function currentSession(api: Api): Promise<number | undefined> {
  const { sessions } = await answer(api.GET('/auth/sessions'));
  return sessions.find(({ current }) => current)?.id;
}

/** Sends a test to all devices; the result says to how many. */
export async function sendTest(api: Api): Promise<number> {
  return (await answer(api.POST('/api/push/test', { body: {} }))).queued;
}

export function getSettings(api: Api): Promise<Settings> {
  return answer(api.GET('/api/notifications/settings'));
}

export function putSettings(api: Api, body: SettingsUpdate): Promise<Settings> {
  return answer(api.PUT('/api/notifications/settings', { body }));
}

/** Says whether a tab is on screen. It arrives also when the tab is closed meanwhile. */
export async function putPresence(api: Api, body: Presence): Promise<void> {
  await api.PUT('/api/presence', { body, keepalive: true });
}
