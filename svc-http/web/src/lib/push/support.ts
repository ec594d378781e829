/** Whether this browser can show notifications of the server, and what to do when it cannot. */

export type Support = 'ready' | 'insecure' | 'not installed' | 'missing' | 'denied';

/** The facts about a browser that decide. */
export interface Surroundings {
  readonly isSecureContext: boolean;
  readonly hasPush: boolean;
  readonly permission: NotificationPermission | undefined;
  readonly userAgent: string;
  readonly touchPoints: number;
  /** Whether the program was opened from the home screen. */
  readonly isInstalled: boolean;
}

export function surroundingsOf(browser: Window): Surroundings {
  const { navigator } = browser;
  return {
    isSecureContext: browser.isSecureContext,
    hasPush: 'serviceWorker' in navigator && 'PushManager' in browser && 'Notification' in browser,
    permission: 'Notification' in browser ? Notification.permission : undefined,
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    isInstalled:
      Reflect.get(navigator, 'standalone') === true ||
      browser.matchMedia('(display-mode: standalone)').matches,
  };
}

export function supportOf(around: Surroundings): Support {
  if (!around.isSecureContext) return 'insecure';
  if (!around.hasPush) return isAppleMobile(around) && !around.isInstalled ? 'not installed' : 'missing';
  return around.permission === 'denied' ? 'denied' : 'ready';
}

/** An iPad calls itself a Mac, but a Mac has no touch screen. */
export function isAppleMobile({ userAgent, touchPoints }: Pick<Surroundings, 'userAgent' | 'touchPoints'>) {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
}

/** Why there is no switch, and what helps. */
export function supportInWords(support: Exclude<Support, 'ready'>): { title: string; text: string } {
  switch (support) {
    case 'insecure':
      return {
        title: 'Notifications need a secure connection',
        text: 'This page was opened over plain HTTP. Open the hub at its https:// address, or ask its administrator to set one up.',
      };
    case 'not installed':
      return {
        title: 'Add svc to the Home Screen first',
        text: 'On iPhone and iPad, only installed apps get notifications. In Safari, tap Share, then “Add to Home Screen”. Open svc from there and come back to this page. It needs iOS 16.4 or later.',
      };
    case 'denied':
      return {
        title: 'Notifications are blocked in this browser',
        text: 'Open the site settings from the icon beside the address, set Notifications to “Allow”, and reload this page. For an installed app, allow its notifications in the settings of the system.',
      };
    case 'missing':
      return {
        title: 'This browser does not support push notifications',
        text: 'Use a current version of Firefox, Chrome, Edge or Safari. Private windows may not support notifications either.',
      };
  }
}
