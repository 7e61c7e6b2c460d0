import { expect, test, vi } from 'vitest'
import { announce, joined, onAnnounced } from './live'

test('a burst is told in sums', () => {
  expect(joined(['Shelve, A', 'Send, B'])).toBe('Shelve, A. Send, B')
  expect(joined(['Shelve, A', 'Shelve, B', 'Send, C', 'Shelve, D'])).toBe('3 Shelve, 1 Send')
})

test('outcomes and refusals go to their own regions', () => {
  vi.useFakeTimers()
  const heard = vi.fn()
  onAnnounced(heard)
  announce('Shelve, A')
  announce('Question', true)
  vi.advanceTimersByTime(500)
  expect(heard).toHaveBeenCalledExactlyOnceWith('Shelve, A', 'Question')
  vi.useRealTimers()
})
