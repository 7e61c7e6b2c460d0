import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeskSession } from '#/desk/session'
import { OrOffline } from './OrOffline'

const state = { offline: false }
let arrive: (found: { default: () => string }) => void
vi.mock('#/api/useConnection', () => ({ useConnection: () => state }))
vi.mock('./OfflineDesk', () => new Promise((resolve) => (arrive = resolve)))

// What an import takes is not for this clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

test('the desk hears scans until the offline desk is here', async () => {
  const page = () => (
    <OrOffline act="checkIn" session={{} as DeskSession}>
      online
    </OrOffline>
  )
  const { rerender } = render(page())
  state.offline = true
  rerender(page())
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(10_000)
  expect(screen.getByText('online')).toBeTruthy()
  await vi.waitFor(() => expect(arrive).toBeTruthy())
  await act(async () => {
    arrive({ default: () => 'offline' })
    await import('./OfflineDesk')
  })
  // And then only once hands rest.
  expect(screen.getByText('online')).toBeTruthy()
  await pass(300)
  expect(screen.getByText('online')).toBeTruthy()
  await pass(300)
  expect(screen.getByText('offline')).toBeTruthy()
})
