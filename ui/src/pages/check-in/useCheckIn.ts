// The check-in session of this person at this desk.
import { useEffect, useRef } from 'react'
import { useSelf } from '#/api/self'
import { hear } from '#/desk/heard'
import { checkIn } from '#/desk/service'
import type { Scan } from '#/desk/types'
import { sessionOf } from '#/desk/useDeskSession'
import { useSlips } from '#/desk/useSlips'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useFormats } from '#/lib/format'

/** So many items are asked at the same time; their rows keep the order of the scans. */
const WIDTH = 4

const answered = new Map<string, (scan: Scan) => void>()

export function useCheckIn() {
  const { user } = useSelf()
  const desk = useDesk()
  const t = useText()
  const formats = useFormats()
  const servicePointId = desk?.id ?? ''
  const key = `check-in:${user.id}:${servicePointId}`
  const sessionId = useRef(crypto.randomUUID())
  const session = sessionOf({
    key,
    width: WIDTH,
    ask: (scan) => checkIn(scan, { servicePointId, sessionId: sessionId.current }),
    onAnswered: (scan) => answered.get(key)?.(scan),
  })
  const print = useSlips(session)
  useEffect(() => {
    answered.set(key, (scan) => {
      hear(scan, t, formats, 'checkIn')
      if (scan.slip && !scan.slip.printed && scan.modifiers?.printAtOnce) void print([scan])
    })
    return () => void answered.delete(key)
  }, [key, t, formats, print])
  return session
}
