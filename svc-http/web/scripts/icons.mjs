/** Draws the icons in `public/` from `favicon.svg`; to be run after that has changed. */

import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const COLOUR = '#3d51c9';
const svg = await readFile('public/favicon.svg', 'utf8');
// Systems cut icons into shapes of their own: those get the colour up to the edge, and the drawing smaller.
const filled = svg.replace('rx="8" ', '');

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
for (const { name, size, drawing, part } of [
  { name: 'icon-192', size: 192, drawing: svg, part: 100 },
  { name: 'icon-512', size: 512, drawing: svg, part: 100 },
  { name: 'icon-180', size: 180, drawing: filled, part: 90 },
  { name: 'icon-maskable-512', size: 512, drawing: filled, part: 80 },
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const background = part < 100 ? COLOUR : 'transparent';
  await page.setContent(
    `<style>*{margin:0}body{display:grid;place-items:center;height:100vh;background:${background}}svg{width:${part}%}</style>${drawing}`,
  );
  await page.screenshot({ path: `public/${name}.png`, omitBackground: true });
  await page.close();
}
await browser.close();
