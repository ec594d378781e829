/** Where the sidebar and the palette lead. An entry shows only when its page exists. */

import AtSign from '@lucide/svelte/icons/at-sign';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import ChartColumn from '@lucide/svelte/icons/chart-column';
import BookUser from '@lucide/svelte/icons/book-user';
import BookOpen from '@lucide/svelte/icons/book-open';
import Bookmark from '@lucide/svelte/icons/bookmark';
import BookText from '@lucide/svelte/icons/book-text';
import Bot from '@lucide/svelte/icons/bot';
import Cpu from '@lucide/svelte/icons/cpu';
import Footprints from '@lucide/svelte/icons/footprints';
import Gavel from '@lucide/svelte/icons/gavel';
import HeartPulse from '@lucide/svelte/icons/heart-pulse';
import Hash from '@lucide/svelte/icons/hash';
import House from '@lucide/svelte/icons/house';
import MailX from '@lucide/svelte/icons/mail-x';
import Play from '@lucide/svelte/icons/play';
import Repeat from '@lucide/svelte/icons/repeat';
import Search from '@lucide/svelte/icons/search';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import Settings from '@lucide/svelte/icons/settings';
import Sparkles from '@lucide/svelte/icons/sparkles';
import Stethoscope from '@lucide/svelte/icons/stethoscope';
import Target from '@lucide/svelte/icons/target';
import Users from '@lucide/svelte/icons/users';
import type { Component } from 'svelte';

export interface Place {
  readonly href: string;
  readonly title: string;
  readonly icon: Component<{ size?: number | string }>;
  readonly group: 'top' | 'more' | 'account' | 'palette';
  /** The second key after `g`. */
  readonly key?: string;
  /** Other words by which the palette finds it. */
  readonly also?: string;
  /** Whether only administrators can use it. */
  readonly isForAdmins?: boolean;
}

const all: readonly Place[] = [
  { href: '/', title: 'Home', icon: House, group: 'top', key: 'h' },
  { href: '/mentions', title: 'Mentions', icon: AtSign, group: 'top', key: 'm' },
  { href: '/search', title: 'Search', icon: Search, group: 'top', key: 's' },
  { href: '/saved', title: 'Saved', icon: Bookmark, group: 'top', key: 'v', also: 'bookmarks later notes' },
  {
    href: '/scheduled',
    title: 'Scheduled',
    icon: CalendarClock,
    group: 'top',
    key: 'l',
    also: 'send later messages',
  },
  { href: '/agents', title: 'Agents', icon: Bot, group: 'top', key: 'a' },
  { href: '/runs', title: 'Runs', icon: Play, group: 'top', key: 'r' },
  { href: '/goals', title: 'Goals', icon: Target, group: 'top', key: 'o' },
  {
    href: '/tasks',
    title: 'Tasks',
    icon: Gavel,
    group: 'top',
    key: 'k',
    also: 'auction bids bid work post accept complete',
  },
  { href: '/wiki', title: 'Wiki', icon: BookText, group: 'top', key: 'w' },
  {
    href: '/people',
    title: 'Directory',
    icon: BookUser,
    group: 'top',
    key: 'p',
    also: 'people profiles members users',
  },
  { href: '/channels', title: 'Channels', icon: Hash, group: 'palette', key: 'c' },
  { href: '/analytics', title: 'Analytics', icon: ChartColumn, group: 'more' },
  { href: '/traces', title: 'Traces', icon: Footprints, group: 'more', key: 't' },
  { href: '/dead-letters', title: 'Dead letters', icon: MailX, group: 'more', key: 'd' },
  { href: '/loops', title: 'Loops', icon: Repeat, group: 'more' },
  { href: '/skills', title: 'Skills', icon: Sparkles, group: 'more' },
  { href: '/machines', title: 'Machines', icon: Cpu, group: 'more' },
  { href: '/hub', title: 'Hub status', icon: HeartPulse, group: 'more' },
  {
    href: '/admin/people',
    title: 'People',
    icon: Users,
    group: 'more',
    also: 'accounts users roles passwords deactivate administration',
    isForAdmins: true,
  },
  {
    href: '/admin/invites',
    title: 'Invitations',
    icon: Users,
    group: 'palette',
    also: 'invite join link administration',
    isForAdmins: true,
  },
  {
    href: '/admin/agents',
    title: 'All agents',
    icon: Bot,
    group: 'palette',
    also: 'owners administration',
    isForAdmins: true,
  },
  {
    href: '/admin/clients',
    title: 'OAuth clients',
    icon: Users,
    group: 'palette',
    also: 'applications connected administration',
    isForAdmins: true,
  },
  {
    href: '/admin/audit',
    title: 'Audit log',
    icon: ScrollText,
    group: 'more',
    also: 'logins security events export administration',
    isForAdmins: true,
  },
  {
    href: '/admin/health',
    title: 'Health',
    icon: Stethoscope,
    group: 'more',
    also: 'doctor findings nodes workers queues disk administration',
    isForAdmins: true,
  },
  { href: '/docs', title: 'API reference', icon: BookOpen, group: 'more' },
  { href: '/settings', title: 'Settings', icon: Settings, group: 'account', key: ',' },
];

/** The places whose addresses have a page. Those for admins are left out until the role is known. */
export function placesIn(patterns: readonly string[], role: 'admin' | 'user' | undefined): readonly Place[] {
  return all.filter(({ href, isForAdmins }) => patterns.includes(href) && (!isForAdmins || role === 'admin'));
}
