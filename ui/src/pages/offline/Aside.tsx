// Returns on the pile: checked in with their dates when somebody stands before it, because a hold then
// sends its notice at once.
import { useText } from '#/i18n/text'
import { queue } from '#/offline/queue'
import type { Kept } from '#/offline/types'
import { sendNow } from '#/offline/watch'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'

interface Props {
  rows: readonly Kept[]
  away: boolean
  /** They are being checked in: where each goes stands in its row. */
  onSent: () => void
}

export function Aside({ rows, away, onSent }: Props) {
  const t = useText()
  const checkIn = async () => {
    for (const { entry } of rows)
      await queue.settle({ id: entry.id, state: 'ready', at: Date.now() })
    onSent()
    await sendNow()
  }
  return (
    <Note kind="offline" icon="archive">
      <p>
        <strong>{t('offline.asideCount', { count: rows.length })}</strong>
      </p>
      <p className="sm">{t('offline.asideDo')}</p>
      <div className="row">
        <Button
          small
          kind="primary"
          disabled={away ? t('offline.serverAway') : undefined}
          onPress={() => void checkIn()}
        >
          {t('offline.checkInAside', { count: rows.length })}
        </Button>
      </div>
    </Note>
  )
}
