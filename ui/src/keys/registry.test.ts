import { expect, test, vi } from 'vitest'
import { comboOf } from './combos'
import { PROFILE_KEYS } from './profiles'
import { type Command, KeyRegistry } from './registry'

const command = (id: string, keys: string, more: Partial<Command> = {}) => ({
  id,
  keys,
  title: 'shell.search' as const,
  group: 'app' as const,
  run: vi.fn(),
  ...more,
})
const press = (registry: KeyRegistry, key: string, at = 0, more = {}) =>
  registry.press({ key, timeStamp: at, ...more })

test('a sequence runs its command, and is forgotten after a while', () => {
  const registry = new KeyRegistry()
  const go = command('go.checkIn', 'g i')
  registry.register([go])
  press(registry, 'g', 0)
  press(registry, 'i', 100)
  expect(go.run).toHaveBeenCalledTimes(1)
  press(registry, 'g', 1000)
  press(registry, 'i', 3000)
  expect(go.run).toHaveBeenCalledTimes(1)
})

test('typing in a field runs nothing, a combination does', () => {
  const registry = new KeyRegistry()
  const keys = command('app.keys', '?')
  const search = command('app.search', 'Mod+K')
  registry.register([keys, search])
  const target = document.createElement('input')
  press(registry, '?', 0, { target })
  press(registry, 'k', 1, { target, ctrlKey: true, code: 'KeyK' })
  expect(keys.run).not.toHaveBeenCalled()
  expect(search.run).toHaveBeenCalledTimes(1)
})

test('the page comes before the application, and a disabled command does nothing', () => {
  const registry = new KeyRegistry()
  const app = command('app.x', 'Alt+E')
  const page = command('page.x', 'Alt+E', { group: 'page', disabled: 'no' })
  registry.register([app, page])
  expect(press(registry, 'e', 0, { altKey: true, code: 'KeyE' })).toBe(true)
  expect(app.run).not.toHaveBeenCalled()
  expect(page.run).not.toHaveBeenCalled()
})

test('a page that goes takes away its own commands only', () => {
  const registry = new KeyRegistry()
  const gone = registry.register([command('desk.end', 'Alt+E')])
  const next = command('desk.end', 'Alt+E')
  registry.register([next])
  gone()
  press(registry, 'e', 0, { altKey: true, code: 'KeyE' })
  expect(next.run).toHaveBeenCalled()
})

test('combinations do not depend on the layout', () => {
  expect(comboOf({ key: '€', code: 'KeyE', altKey: true })).toBe('Alt+E')
  expect(comboOf({ key: '?', shiftKey: true, code: 'Slash' })).toBe('?')
  expect(comboOf({ key: 'F10', shiftKey: true })).toBe('Shift+F10')
})

test('no profile gives two commands one combination', () => {
  for (const [profile, keys] of Object.entries(PROFILE_KEYS)) {
    const combos = Object.values(keys)
    expect(new Set(combos).size, profile).toBe(combos.length)
  }
})
