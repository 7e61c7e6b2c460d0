// The browser of tests, pictures and figures: Chromium without windows, where it is installed. Chromium itself makes a
// window for each context, and in it loads the four hundred scripts of its own address bar beside the page: a third of the
// tests' processor time, and up to a second of a page's first paint that nobody waits for who has the window already.
import { existsSync } from 'node:fs'

const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell'
const WHOLE = '/usr/bin/chromium'

export const CHROMIUM =
  process.env.OCTAVO_CHROMIUM ?? (existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : WHOLE)
