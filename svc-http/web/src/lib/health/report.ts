/** The examination of the hub (`/api/admin/health`), in the words of an operator. */

import type { Schemas } from '../api/client';
import { workerTitle } from './readiness';

export type Report = Schemas['HealthReport'];
export type Finding = Schemas['Finding'];
export type FindingState = Schemas['FindingState'];
export type Node = Schemas['NodeInfo'];
export type Queue = Schemas['QueueBacklog'];

/** The worst first. */
const STATES: readonly FindingState[] = ['problem', 'warning', 'ok'];
const TITLES: Readonly<Record<string, string>> = {
  disk: 'Free space',
  files: 'Attachments',
  run_confinement: 'Confinement of runs',
  workers: 'Background workers',
};
const DAY = 86_400;
/** A unit is used from twice its length on, so that little is lost by rounding down. */
const UNITS = [
  ['day', DAY],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Problems, then what to look at, then what is in order; each in the order of the hub. */
export function byUrgency(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((left, right) => STATES.indexOf(left.state) - STATES.indexOf(right.state));
}

/** The whole state in a few words, and a sentence about it. */
export function headline({ state, findings }: Pick<Report, 'state' | 'findings'>): {
  title: string;
  text: string;
} {
  const number = (wanted: FindingState) => findings.filter((finding) => finding.state === wanted).length;
  const [problems, warnings] = [number('problem'), number('warning')];
  const toLookAt = counted(warnings, 'thing to look at', 'things to look at');
  if (state === 'problem') {
    const more = warnings > 0 ? ` There ${warnings === 1 ? 'is' : 'are'} also ${toLookAt}.` : '';
    return {
      title: counted(problems, 'problem', 'problems'),
      text: `A part of the hub does not work.${more}`,
    };
  }
  if (state === 'warning') return { title: toLookAt, text: 'The hub works.' };
  return { title: 'Everything works', text: `All ${findings.length} checks are fine.` };
}

export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** The name of a part for people. */
export function checkTitle(check: string): string {
  return TITLES[check] ?? workerTitle(check);
}

/** The state that the hub gives a part; nothing when it says nothing about it. */
export function stateOf({ findings }: Pick<Report, 'findings'>, check: string): FindingState | undefined {
  return findings.find((finding) => finding.check === check)?.state;
}

/** A text of the hub in pieces: what stands between backticks is code. */
export function pieces(text: string): readonly { readonly text: string; readonly isCode: boolean }[] {
  return text
    .split(/`([^`]+)`/)
    .map((piece, index) => ({ text: piece, isCode: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** The newest version among the nodes. */
export function newestVersion(nodes: readonly Pick<Node, 'version'>[]): string | undefined {
  return nodes
    .map(({ version }) => version)
    .sort(compareVersions)
    .at(-1);
}

/** `45 seconds`, `3 minutes`, `2 hours`, `4 days`: rounded down, as the hub does it. */
export function ageInWords(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  const [unit, length] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ['second', 1];
  return counted(Math.floor(seconds / length), unit, `${unit}s`);
}

/** By number, and a release after its own candidates (`1.2.0-rc.1`). */
function compareVersions(left: string, right: string): number {
  const [[leftNumbers = '', leftStage], [rightNumbers = '', rightStage]] = [
    left.split(/-(.*)/),
    right.split(/-(.*)/),
  ];
  const byNumbers = leftNumbers.localeCompare(rightNumbers, 'en', { numeric: true });
  if (byNumbers !== 0 || leftStage === rightStage) return byNumbers;
  if (leftStage === undefined || rightStage === undefined) return leftStage === undefined ? 1 : -1;
  return leftStage.localeCompare(rightStage, 'en', { numeric: true });
}
