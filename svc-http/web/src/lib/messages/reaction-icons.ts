/** A picture for each reaction; signs of the system's fonts are missing on some machines. */

import CircleCheck from '@lucide/svelte/icons/circle-check';
import Megaphone from '@lucide/svelte/icons/megaphone';
import ThumbsDown from '@lucide/svelte/icons/thumbs-down';
import ThumbsUp from '@lucide/svelte/icons/thumbs-up';
import Wrench from '@lucide/svelte/icons/wrench';
import type { Component } from 'svelte';
import type { ReactionKind } from './workflow';

export const REACTION_ICONS: Readonly<Record<ReactionKind, Component<{ size?: number | string }>>> = {
  approve: ThumbsUp,
  in_progress: Wrench,
  reject: ThumbsDown,
  done: CircleCheck,
  published: Megaphone,
};
