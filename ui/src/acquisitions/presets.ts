// Adjustments of invoices that a library has prepared, as FOLIO's settings keep them.
import type { Values } from '#/settings/paths'

/** mod-configuration keeps a preset as JSON in a text; presets have no name but their description. */
export const PRESETS = 'module=="INVOICE" and configName=="INVOICE.adjustments"'

export function presetOf(entry: Values): Values {
  const { value, ...rest } = entry
  try {
    return { ...rest, ...(JSON.parse(String(value)) as Values), id: entry.id }
  } catch {
    return { ...rest, description: String(value ?? '') }
  }
}

const OF_ENTRY = ['id', 'module', 'configName', 'code', 'enabled', 'default', 'userId', 'metadata']

export function entryOf(preset: Values, stored: Values | undefined): Values {
  const inner = Object.entries(preset).filter(([name]) => !OF_ENTRY.includes(name))
  const outer = Object.entries(stored ?? {}).filter(([name]) => OF_ENTRY.includes(name))
  return {
    ...Object.fromEntries(outer),
    id: preset.id,
    module: 'INVOICE',
    configName: 'INVOICE.adjustments',
    // FOLIO wants a code of its own for each entry of one name.
    code: stored?.code ?? preset.id,
    enabled: true,
    value: JSON.stringify(Object.fromEntries(inner)),
  }
}
