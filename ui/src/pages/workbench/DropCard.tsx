// Before an index that was made here is dropped.
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { useUnits } from '#/lib/units'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { dropIndex, type Index } from '#/workbench/advice'

export function DropCard({ index, onClose }: { index: Index; onClose: () => void }) {
  const t = useText()
  const { number } = useFormats()
  const units = useUnits()
  const act = useAct()
  const may = useNeeds('octavo.indexes.item.delete')
  return (
    <ConfirmCard
      title={t('bench.dropAsk', { name: index.index })}
      text={t('bench.dropWhat', {
        size: units.bytes(index.bytes ?? 0),
        scans: number(index.scans ?? 0),
      })}
      act={t('bench.drop')}
      danger
      busy={act.busy}
      disabled={may.reason}
      onAct={() => void act.run(() => dropIndex(index.index)).then((done) => done && onClose())}
      onClose={onClose}
    >
      <NotDone failure={act.failure} />
    </ConfirmCard>
  )
}
