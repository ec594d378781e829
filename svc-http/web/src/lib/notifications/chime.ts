/** A short sound of two notes. It is made here, so that no file has to be loaded. */

const NOTES = [
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.12 },
] as const;
const LENGTH_SECONDS = 0.18;
const LOUDNESS = 0.08;

let context: AudioContext | undefined;

/** Plays it. Browsers stay silent on pages on which nobody has clicked yet. */
export function chime(): void {
  try {
    context ??= new AudioContext();
    void context.resume();
    for (const { hertz, at } of NOTES) play(context, hertz, context.currentTime + at);
  } catch {
    // A device without sound.
  }
}

function play(audio: AudioContext, hertz: number, start: number): void {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(LOUDNESS, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH_SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + LENGTH_SECONDS);
}
