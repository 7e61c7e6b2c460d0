// What a person chooses for the eyes and ears: theme, contrast, density, language, key profile.
// public/look.js reads the same value before the first paint.
import { CODES, type Language, preferred } from '#/i18n/languages'
import { isRecord, oneOf } from './check'
import { stored } from './stored'
import { useStored } from './useStored'

export const THEMES = ['system', 'light', 'dark'] as const
export const CONTRASTS = ['system', 'more'] as const
export const DENSITIES = ['comfortable', 'compact'] as const
export const PROFILES = ['octavo', 'evergreen', 'koha'] as const

export interface Look {
  theme: (typeof THEMES)[number]
  contrast: (typeof CONTRASTS)[number]
  density: (typeof DENSITIES)[number]
  language: Language
  profile: (typeof PROFILES)[number]
}

const isTheme = oneOf(THEMES)
const isContrast = oneOf(CONTRASTS)
const isDensity = oneOf(DENSITIES)
const isLanguage = oneOf(CODES)
const isProfile = oneOf(PROFILES)

export const look = stored<Look>({
  name: 'look',
  version: 1,
  fallback: {
    theme: 'system',
    contrast: 'system',
    density: 'comfortable',
    language: preferred(),
    profile: 'octavo',
  },
  check: (value): value is Look =>
    isRecord(value) &&
    isTheme(value.theme) &&
    isContrast(value.contrast) &&
    isDensity(value.density) &&
    isLanguage(value.language) &&
    isProfile(value.profile),
})

export function applyLook({ theme, contrast, density }: Look) {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  if (contrast === 'more') dataset.contrast = 'more'
  else delete dataset.contrast
  if (density === 'compact') dataset.density = 'compact'
  else delete dataset.density
}

export const useLook = () => useStored(look)[0]

export function changeLook(change: Partial<Look>) {
  const next = { ...look.read(), ...change }
  look.write(next)
  applyLook(next)
}
