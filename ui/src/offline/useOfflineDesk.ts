// The desk without the server: what a scan means, and what the stage says of the last one.
import { useCallback, useEffect, useRef, useState } from 'react'
import { announce } from '#/app/live'
import type { DeskSession } from '#/desk/session'
import { play } from '#/desk/sounds'
import type { Scan } from '#/desk/types'
import { useSnapshot } from '#/desk/useDeskSession'
import type { DeskAct } from '#/desk/words'
import { useText } from '#/i18n/text'
import { blockedCard } from './blocked'
import { isCard } from './card'
import { queue } from './queue'
import type { Entry } from './types'
import { useHandover } from './useHandover'
import { useKeep } from './useKeep'

export type Last = { entry: Entry } | { card: string; blocked?: boolean } | { failed: string }

export function useOfflineDesk(act: DeskAct, session: DeskSession) {
  const t = useText()
  const keep = useKeep()
  const { patron, modifiers } = useSnapshot(session)
  const [last, setLast] = useState<Last>()
  const now = useRef({ patron, inHouse: modifiers.inHouse })
  useEffect(() => {
    now.current = { patron, inHouse: modifiers.inHouse }
  }, [patron, modifiers.inHouse])

  const scan = useCallback(
    async (barcode: string, waited?: Scan) => {
      const card = waited?.patronBarcode ?? now.current.patron
      if (act === 'checkOut' && (!card || isCard(barcode, known()))) {
        // At once, not with the next rendering: the scanner does not wait for it.
        now.current.patron = barcode
        session.setPatron(barcode)
        setLast({ card: barcode })
        announce(t('offline.cardScanned', { code: barcode }))
        if (!(await blockedCard(barcode))) return
        play('blocked')
        announce(t('offline.blocked'), true)
        // An item may have been scanned meanwhile.
        setLast((now) =>
          now && 'card' in now && now.card === barcode ? { card: barcode, blocked: true } : now,
        )
        return
      }
      const kind = act === 'checkOut' ? 'checkOut' : now.current.inHouse ? 'inHouse' : 'checkIn'
      try {
        const entry = await keep(kind, barcode, {
          userBarcode: act === 'checkOut' ? card : undefined,
          scan: waited,
        })
        setLast({ entry })
        play('offline')
        announce(t(kind === 'checkIn' ? 'offline.aside' : 'offline.kept'))
      } catch {
        setLast({ failed: barcode })
        play('blocked')
        announce(`${t('offline.notKept')} ${t('offline.notKeptWhat')}`, true)
      }
    },
    [act, keep, session, t],
  )
  const take = useCallback((waited: Scan) => void scan(waited.barcode, waited), [scan])
  useHandover(session, take)
  return { scan, last, card: act === 'checkOut' ? patron : undefined }
}

function known() {
  const rows = queue.snapshot()
  return {
    cards: rows.flatMap(({ entry }) => (entry.userBarcode ? [entry.userBarcode] : [])),
    items: rows.map(({ entry }) => entry.itemBarcode),
  }
}
