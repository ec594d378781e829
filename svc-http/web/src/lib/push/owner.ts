/**
 * Whose push subscription this browser has: what is meant for somebody else must not show up here. With the login that
 * made it, because a subscription ends with its login, and only then may the program renew it by itself.
 */

type Place = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface Owner {
  readonly username: string;
  /** The number of the login session. */
  readonly session: number | undefined;
}

const OWNER = 'svc.push';

export function subscriptionOwner(storage: Place): Owner | undefined {
  try {
    const [username, session] = storage().getItem(OWNER)?.split(' ') ?? [];
    if (!username) return undefined;
    return { username, session: session ? Number(session) : undefined };
  } catch {
    return undefined;
  }
}

export function ownSubscription(storage: Place, owner: Owner | undefined): void {
  try {
    if (owner === undefined) storage().removeItem(OWNER);
    else storage().setItem(OWNER, `${owner.username} ${owner.session ?? ''}`);
  } catch {
    // Without storage the switch is off after the next visit, and can be turned on again.
  }
}
