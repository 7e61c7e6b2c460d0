// The acts on the chosen fees.
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { possible } from '#/patrons/fees/acts'
import type { Account, FeeAct } from '#/patrons/fees/types'
import { BulkBar } from '#/ui/BulkBar'
import { Button } from '#/ui/Button'

interface Props {
  chosen: readonly Account[]
  total: number
  onAct: (act: FeeAct) => void
  onClear: () => void
}

const ACTS: readonly FeeAct[] = ['pay', 'waive', 'transfer', 'refund', 'cancel']

export function FeeBar({ chosen, total, onAct, onClear }: Props) {
  return (
    <BulkBar count={chosen.length} total={total} onClear={onClear}>
      {ACTS.map((act) => (
        <One key={act} act={act} chosen={chosen} onAct={onAct} />
      ))}
    </BulkBar>
  )
}

function One({ act, chosen, onAct }: { act: FeeAct } & Pick<Props, 'chosen' | 'onAct'>) {
  const t = useText()
  const { reason } = useNeeds(`feesfines.accounts-bulk.${act}.post`)
  const not = possible(chosen, act)
    ? undefined
    : t(`fees.not.${act === 'refund' ? 'refund' : 'open'}`)
  return (
    <Button
      small
      icon={act === 'pay' ? 'coins' : undefined}
      disabled={reason ?? not}
      onPress={() => onAct(act)}
    >
      {t(`fees.act.${act}`)}
    </Button>
  )
}
