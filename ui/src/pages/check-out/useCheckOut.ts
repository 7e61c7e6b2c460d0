// The check-out session of this person at this desk.
import { useEffect, useRef } from 'react'
import { queryClient } from '#/api/query'
import { useSelf } from '#/api/self'
import { hear } from '#/desk/heard'
import type { Scan } from '#/desk/types'
import { sessionOf } from '#/desk/useDeskSession'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useFormats } from '#/lib/format'
import { learnPeriod } from '#/offline/usual'
import { endCheckOut } from './end'
import { lend } from './lend'

const answered = new Map<string, (scan: Scan) => void>()

export function useCheckOut() {
  const { user } = useSelf()
  const desk = useDesk()
  const t = useText()
  const formats = useFormats()
  const servicePointId = desk?.id ?? ''
  const key = `check-out:${user.id}:${servicePointId}`
  const sessionId = useRef(crypto.randomUUID())
  // One after the other: a patron's limits depend on what was lent before.
  const session = sessionOf({
    key,
    width: 1,
    ask: (scan) =>
      lend(scan, session, { servicePointId, sessionId: sessionId.current }, endCheckOut),
    onAnswered: (scan) => answered.get(key)?.(scan),
  })
  useEffect(() => {
    answered.set(key, (scan) => {
      if (!scan.isCard) hear(scan, t, formats, 'checkOut')
      if (scan.outcome?.dueDate) learnPeriod(scan.at, scan.outcome.dueDate)
      void queryClient.invalidateQueries({ queryKey: ['patron-card'] })
    })
    return () => void answered.delete(key)
  }, [key, t, formats])
  return { session, servicePointId }
}
