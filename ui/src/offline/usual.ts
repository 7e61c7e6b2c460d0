// For how many days things are usually lent at this computer: what the desk can say of a due date while
// the server is away.
import { isRecord } from '#/lib/check'
import { stored } from '#/lib/stored'

const DAY_MS = 24 * 3600_000

const periods = stored<Record<string, number>>({
  name: 'usualPeriods',
  version: 1,
  fallback: {},
  check: (value): value is Record<string, number> =>
    isRecord(value) && Object.values(value).every((count) => typeof count === 'number'),
})

export function learnPeriod(lentAt: number, dueDate: string) {
  const days = Math.round((Date.parse(dueDate) - lentAt) / DAY_MS)
  if (!(days >= 1)) return
  const known = periods.read()
  periods.write({ ...known, [days]: (known[days] ?? 0) + 1 })
}

/** Undefined where nothing was lent yet. */
export function usualDue(lentAt: number): number | undefined {
  const [first] = Object.entries(periods.read()).toSorted(([, one], [, other]) => other - one)
  return first && lentAt + Number(first[0]) * DAY_MS
}
