import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StandInBrowser, type Tab } from './tabs';

let browser: StandInBrowser;
let open: Tab[];

beforeEach(() => {
  vi.useFakeTimers();
  browser = new StandInBrowser();
  open = [];
});

afterEach(() => {
  for (const tab of open) tab.close();
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(1);

async function openTab(name: string): Promise<Tab> {
  const tab = browser.tab(name);
  open.push(tab);
  await settle();
  return tab;
}

test('seven tabs use one stream, and all of them hear', async () => {
  const first = await openTab('1');
  first.greet(10);
  const others = [];
  for (const name of ['2', '3', '4', '5', '6', '7']) others.push(await openTab(name));
  first.say(11);
  await settle();
  expect(browser.opened).toEqual([{ tab: '1', after: undefined }]);
  for (const tab of [first, ...others]) {
    expect(tab.live.state).toBe('live');
    expect(tab.heard).toEqual(['11']);
    expect(tab.live.skew).toBe(60_000);
  }
});

test('tabs that were opened before the server answered are greeted with the first', async () => {
  const first = await openTab('1');
  const second = await openTab('2');
  const greeted = vi.fn();
  second.live.on('hello', greeted);
  expect(second.live.state).toBe('connecting');
  first.greet(10);
  await settle();
  expect(second.live.state).toBe('live');
  expect(greeted).toHaveBeenCalledOnce();
});

test('when the leader is closed the next tab resumes after the last event, and nobody loses or doubles one', async () => {
  const [first, second, third] = [await openTab('1'), await openTab('2'), await openTab('3')];
  first.greet(10);
  first.say(11);
  await settle();
  first.close();
  await settle();
  expect(browser.opened[1]).toEqual({ tab: '2', after: '11' });
  expect(third.live.state).toBe('live');
  second.greet(11);
  second.say(12);
  await settle();
  expect(second.heard).toEqual(['11', '12']);
  expect(third.heard).toEqual(['11', '12']);
  expect(browser.streams.size).toBe(1);
});

test('a tab that had got less than the next leader is told what it missed, once', async () => {
  const [first, second, third] = [await openTab('1'), await openTab('2'), await openTab('3')];
  first.greet(10);
  await settle();
  third.isDeaf = true;
  first.say(11);
  first.send('unread_update', { kind: 'channel', name: 'general', unread: 1, mentions: 0 });
  await settle();
  third.isDeaf = false;
  const counted = vi.fn();
  third.live.on('unread_update', counted);
  first.close();
  await settle();
  second.greet(11);
  second.say(12);
  await settle();
  expect(third.heard).toEqual(['11', '12']);
  expect(counted).toHaveBeenCalledOnce();
});

test('a leader that has seen less tells nothing twice', async () => {
  const [first, second, third] = [await openTab('1'), await openTab('2'), await openTab('3')];
  first.greet(10);
  await settle();
  second.isDeaf = true;
  first.say(11);
  await settle();
  second.isDeaf = false;
  first.close();
  await settle();
  expect(browser.opened[1]).toEqual({ tab: '2', after: '10' });
  second.greet(10);
  second.say(11);
  second.say(12);
  await settle();
  expect(second.heard).toEqual(['11', '12']);
  expect(third.heard).toEqual(['11', '12']);
});

test('whoever is too far behind loads anew', async () => {
  const [first, second] = [await openTab('1'), await openTab('2')];
  first.greet(10);
  await settle();
  second.isDeaf = true;
  for (let id = 11; id < 1_011; id += 1) first.say(id);
  await settle();
  second.isDeaf = false;
  second.live.retry();
  await settle();
  expect(second.heard).toEqual(['reset']);
  first.say(1_011);
  await settle();
  expect(second.heard).toEqual(['reset', '1011']);
});

test('a leader that comes without a place makes those who had one load anew', async () => {
  const [first, second] = [await openTab('1'), await openTab('2')];
  first.greet(10);
  await settle();
  first.isDeaf = true;
  const third = browser.tab('3');
  open.push(third);
  await vi.advanceTimersByTimeAsync(4_500);
  expect(browser.opened[1]).toEqual({ tab: '3', after: undefined });
  third.greet(20);
  third.say(21);
  await settle();
  expect(second.heard).toEqual(['reset', '21']);
});

test('a browser that refuses the lock gives each tab its own stream', async () => {
  browser.refuses = true;
  const [first, second] = [await openTab('1'), await openTab('2')];
  expect(browser.streams.size).toBe(2);
  first.greet(10);
  second.greet(10);
  second.say(11);
  await settle();
  expect([first.heard, second.heard]).toEqual([[], ['11']]);
});

test('a leader that is frozen loses the lead, and follows when it wakes', async () => {
  const [first, second] = [await openTab('1'), await openTab('2')];
  first.greet(10);
  await settle();
  first.isDeaf = true;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(browser.opened[1]).toEqual({ tab: '2', after: '10' });
  expect(browser.streams.has(first)).toBe(false);
  second.greet(10);
  first.isDeaf = false;
  second.say(11);
  first.live.retry();
  await settle();
  second.say(12);
  await settle();
  expect(first.heard).toEqual(['11', '12']);
  expect(second.heard).toEqual(['11', '12']);
});

test('the state of the connection is that of the leader; a try in any tab is one of the leader', async () => {
  const [first, second] = [await openTab('1'), await openTab('2')];
  first.greet(10);
  await settle();
  first.end();
  await settle();
  expect(second.live.state).toBe('reconnecting');
  second.live.retry();
  await settle();
  expect(browser.opened).toEqual([
    { tab: '1', after: undefined },
    { tab: '1', after: '10' },
  ]);
  first.greet(10);
  await settle();
  expect(second.live.state).toBe('live');
});

test('an ended session is told in every tab', async () => {
  const [first, second] = [await openTab('1'), await openTab('2')];
  first.end('nobody');
  await settle();
  expect([first.refusals, second.refusals]).toEqual([1, 1]);
});

test('a tab that was stopped, as by an ended login, goes on where it was', async () => {
  const [first, second] = [await openTab('1'), await openTab('2')];
  first.greet(10);
  first.say(11);
  await settle();
  second.close();
  first.say(12);
  second.close = second.live.start('ada');
  await settle();
  expect(second.heard).toEqual(['11', '12']);
  expect(browser.opened).toHaveLength(1);
});
