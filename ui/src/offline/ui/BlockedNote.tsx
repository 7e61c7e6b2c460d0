// A card that could not borrow when the server last said something of it.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Note } from '#/ui/Note'
import type { BlockedCard } from '../blocked'

const SHOWN_MAX = 3

export function BlockedNote({ card }: { card: BlockedCard }) {
  const t = useText()
  const formats = useFormats()
  return (
    <Note kind="blocked">
      <p>
        <strong>{t('offline.blocked')}</strong>
      </p>
      {card.blocks.slice(0, SHOWN_MAX).map(({ why }) => (
        <p key={why} className="sm" dir="auto">
          {why}
        </p>
      ))}
      <p className="sm">{t('offline.blockedWhat', { time: formats.dayTime(card.at) })}</p>
    </Note>
  )
}
