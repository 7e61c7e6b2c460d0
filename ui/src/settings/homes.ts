// Settings that are single values. FOLIO has moved them from one module to another over the years, and the server
// reads the first home that has one: what is stored stays where it is, so that nothing older hides what was saved.
import { get, post, put } from '#/api/client'
import { all, equals } from '#/api/cql'
import type { Wire } from './kinds'
import type { Values } from './paths'

interface Entry {
  id: string
  value?: unknown
  [name: string]: unknown
}

interface Store {
  path: string
  key: string
  where: (name: string, owner: string) => string
  fresh: (name: string, owner: string) => Values
  /** Its value is JSON in a text. */
  isText?: true
}

const STORES = {
  /** mod-settings; the owner is its scope. */
  entries: {
    path: '/settings/entries',
    key: 'items',
    where: (name, owner) => all(equals('scope', owner), equals('key', name)),
    fresh: (key, scope) => ({ id: crypto.randomUUID(), scope, key }),
  },
  /** mod-configuration; the owner is its module. */
  configuration: {
    path: '/configurations/entries',
    key: 'configs',
    where: (name, owner) => all(equals('module', owner), equals('configName', name)),
    fresh: (configName, module) => ({ module, configName, enabled: true }),
    isText: true,
  },
  circulation: {
    path: '/circulation/settings',
    key: 'circulationSettings',
    where: (name) => equals('name', name),
    fresh: (name) => ({ id: crypto.randomUUID(), name }),
  },
} as const satisfies Record<string, Store>

export interface Home {
  in: keyof typeof STORES
  owner: string
  /** The records that make up the setting, each with the properties that it has; all of them, where none is named. */
  parts: readonly { name: string; has?: readonly string[] }[]
}

export interface Setting {
  /** In the order in which the server looks. */
  homes: readonly Home[]
  /** Where it goes when it is nowhere yet. */
  fresh: Home
}

async function entryOf(home: Home, name: string): Promise<Entry | undefined> {
  const { path, key, where } = STORES[home.in] as Store
  const found = await get<Record<string, Entry[]>>(path, {
    query: where(name, home.owner),
    limit: 1,
  })
  return found[key]?.[0]
}

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What an entry says; what cannot be read says nothing. */
export function saidIn(entry: Entry | undefined): Values {
  if (typeof entry?.value !== 'string') return isValues(entry?.value) ? entry.value : {}
  try {
    const said: unknown = JSON.parse(entry.value)
    return isValues(said) ? said : {}
  } catch {
    return {}
  }
}

async function found({ homes }: Setting) {
  for (const home of homes) {
    const entries = await Promise.all(home.parts.map(({ name }) => entryOf(home, name)))
    if (entries.some(Boolean)) return { home, entries }
  }
  return undefined
}

async function read(setting: Setting): Promise<Values> {
  const entries = (await found(setting))?.entries ?? []
  return Object.assign({}, ...entries.map(saidIn))
}

/** Adds what the form has to what is stored: other programs keep more in the same value. */
async function write(setting: Setting, value: Values) {
  const there = await found(setting)
  const home = there?.home ?? setting.fresh
  const { path, fresh, isText } = STORES[home.in] as Store
  for (const [at, { name, has }] of home.parts.entries()) {
    const entry = there?.entries[at]
    const own = has ? Object.fromEntries(has.map((one) => [one, value[one]])) : value
    // What the form has emptied goes: JSON leaves out what is undefined.
    const whole = { ...saidIn(entry), ...own }
    const kept = isText ? JSON.stringify(whole) : whole
    if (entry) await put(`${path}/${entry.id}`, { ...entry, value: kept })
    else await post(path, { ...fresh(name, home.owner), value: kept })
  }
}

/** A form of several settings, each a property of it. */
export function formOf(id: string, settings: Readonly<Record<string, Setting>>): Wire {
  return {
    read: async () => {
      const values = await Promise.all(
        Object.entries(settings).map(async ([name, setting]) => [name, await read(setting)]),
      )
      return { id, ...Object.fromEntries(values) }
    },
    store: async (form, before) => {
      for (const [name, setting] of Object.entries(settings)) {
        const value = (form[name] ?? {}) as Values
        const old = (before?.[name] ?? {}) as Values
        if (JSON.stringify(value) === JSON.stringify(old)) continue
        const emptied = Object.fromEntries(Object.keys(old).map((one) => [one, undefined]))
        await write(setting, { ...emptied, ...value })
      }
    },
  }
}
