/** Announcements for screen readers. */
export class Announcer {
  text = $state('');

  say(text: string): void {
    // The same sentence twice in a row is no change, which a screen reader would pass over.
    this.text = text === this.text ? `${text}\u00a0` : text;
  }
}
