// Makes kept scans: at this desk, by this person, now or at the time of a scan that waited for the server.
import { useCallback } from 'react'
import { useSelf } from '#/api/self'
import { session } from '#/api/session'
import type { Scan } from '#/desk/types'
import { useDesk } from '#/lib/desk'
import { fullName } from '#/lib/names'
import { queue } from './queue'
import type { Entry, EntryKind } from './types'

export type Keep = (
  kind: EntryKind,
  itemBarcode: string,
  more?: { userBarcode?: string; scan?: Scan },
) => Promise<Entry>

export function useKeep(): Keep {
  const { user } = useSelf()
  const desk = useDesk()
  const staff = fullName(user.personal ?? {}) || user.username || ''
  const { id: deskId = '', name: deskName = '' } = desk ?? {}
  return useCallback(
    async (kind, itemBarcode, { userBarcode, scan } = {}) => {
      const entry: Entry = {
        version: 1,
        // The id under which it was perhaps sent already: the server then knows that it is the same act.
        id: scan?.id ?? crypto.randomUUID(),
        kind,
        at: scan?.at ?? Date.now(),
        itemBarcode,
        userBarcode: scan?.proxyBarcode ?? userBarcode,
        proxyBarcode: scan?.proxyBarcode ? userBarcode : undefined,
        answers: scan?.answers,
        tenant: session.tenant,
        desk: { id: deskId, name: deskName },
        staff: { id: user.id, name: staff },
      }
      await queue.add(entry)
      return entry
    },
    [deskId, deskName, user.id, staff],
  )
}
