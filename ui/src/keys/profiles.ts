// Other systems' keys for those who come from there, and a person's own changes.
import { isRecord, isText } from '#/lib/check'
import { look, type PROFILES } from '#/lib/look'
import { stored } from '#/lib/stored'
import type { Command } from './registry'

type Profile = (typeof PROFILES)[number]

export const PROFILE_KEYS: Record<Profile, Record<string, string>> = {
  octavo: {},
  evergreen: {
    'go.checkOut': 'F1',
    'go.checkIn': 'F2',
    'app.search': 'F3',
    'checkOut.lastPatron': 'F8',
    'desk.lastSlip': 'F9',
    'app.keys': 'Mod+H',
  },
  koha: {
    'go.checkOut': 'Alt+U',
    'go.checkIn': 'Alt+R',
    'app.search': 'Alt+Q',
  },
}

export const ownKeys = stored<Record<string, string>>({
  name: 'keys',
  version: 1,
  fallback: {},
  check: (value): value is Record<string, string> =>
    isRecord(value) && Object.values(value).every(isText),
})

export function keysOf(command: Command): string | undefined {
  return ownKeys.read()[command.id] ?? PROFILE_KEYS[look.read().profile][command.id] ?? command.keys
}
