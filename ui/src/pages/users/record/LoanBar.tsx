// The acts on the chosen loans. What the person may not do says why.
import { useText } from '#/i18n/text'
import { useMay, useNeeds } from '#/lib/permissions'
import type { PatronLoan } from '#/patrons/loans/types'
import { BulkBar } from '#/ui/BulkBar'
import { Button } from '#/ui/Button'
import type { TaskKind } from './LoanTask'

interface Props {
  chosen: readonly PatronLoan[]
  total: number
  busy: boolean
  onRenew: () => void
  onTask: (kind: TaskKind) => void
  onClear: () => void
}

export function LoanBar({ chosen, total, busy, onRenew, onTask, onClear }: Props) {
  const t = useText()
  const renew = useNeeds('circulation.renew-by-barcode.post')
  const due = useMay('changeDueDate')
  const claim = useNeeds('circulation.loans.claim-item-returned.post')
  const lost = useNeeds('circulation.loans.declare-item-lost.post')
  return (
    <BulkBar count={chosen.length} total={total} onClear={onClear}>
      <Button
        small
        icon="refresh-cw"
        keys="R"
        busy={busy}
        disabled={renew.reason}
        onPress={onRenew}
      >
        {t('loans.renew')}
      </Button>
      <Button small icon="calendar-days" disabled={due.reason} onPress={() => onTask('due')}>
        {t('loans.changeDue')}
      </Button>
      <Button small icon="hand" disabled={claim.reason} onPress={() => onTask('claim')}>
        {t('loans.claim')}
      </Button>
      <Button small icon="octagon-x" disabled={lost.reason} onPress={() => onTask('lost')}>
        {t('loans.declareLost')}
      </Button>
    </BulkBar>
  )
}
