// How many were lent; receipt; done.

import { printElements } from '#/desk/print'
import type { PatronCard } from '#/desk/published/patron'
import type { Scan } from '#/desk/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { page } from '#/ui/Page'
import { receiptElement } from './receipt'

interface Props {
  lent: readonly Scan[]
  card: PatronCard | null | undefined
  onDone: () => void
}

export function Foot({ lent, card, onDone }: Props) {
  const t = useText()
  const formats = useFormats()
  return (
    <div className={page.foot}>
      <p>
        <span className="strong">{t('desk.items', { count: lent.length })}</span>{' '}
        <span className="muted">{card ? t('checkout.inAll', { count: card.openLoans }) : ''}</span>
      </p>
      <div className="row push">
        <Button
          icon="printer"
          disabled={lent.length ? undefined : t('checkout.nothingLent')}
          onPress={() => printElements([receiptElement(lent, card?.user, t, formats)])}
        >
          {t('checkout.printReceipt')}
        </Button>
        <Button keys="Alt+E" onPress={onDone}>
          {t('checkout.done')}
        </Button>
      </div>
    </div>
  )
}
