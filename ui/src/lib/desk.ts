// The desk that this computer stands at.
import { isRecord, isText } from './check'
import { stored } from './stored'
import { useStored } from './useStored'

export interface Desk {
  id: string
  name: string
}

interface Kept {
  desk?: Desk
  /** The desks of the last person who logged in: offered on the log-in page. */
  offered: Desk[]
}

const isDesk = (value: unknown): value is Desk =>
  isRecord(value) && isText(value.id) && isText(value.name)

export const deskChoice = stored<Kept>({
  name: 'desk',
  version: 1,
  fallback: { offered: [] },
  check: (value): value is Kept =>
    isRecord(value) &&
    (value.desk === undefined || isDesk(value.desk)) &&
    Array.isArray(value.offered) &&
    value.offered.every(isDesk),
})

export const useDesk = (): Desk | undefined => useStored(deskChoice)[0].desk

export function chooseDesk(desk: Desk) {
  deskChoice.write({ ...deskChoice.read(), desk })
}
