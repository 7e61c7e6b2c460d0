// The loan and the requests of an item, at the end side.
import { Link } from '@tanstack/react-router'
import type { Loan, Request } from '#/api/types'
import { useText } from '#/i18n/text'
import { Facts } from '#/inventory/Facts'
import type { StoredItem } from '#/inventory/types'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'

interface Props {
  item: StoredItem
  loan: Loan | undefined
  requests: readonly Request[]
}

export function Circulation({ item, loan, requests }: Props) {
  const t = useText()
  const formats = useFormats()
  const borrower = loan?.borrower
  return (
    <section className="stack">
      <h2>{t('inventory.circulation')}</h2>
      <Facts
        small
        facts={[
          [
            t('inventory.borrower'),
            borrower?.barcode ? (
              <Link to="/check-out" search={{ patron: borrower.barcode }}>
                <bdi>{fullName(borrower)}</bdi>
              </Link>
            ) : undefined,
          ],
          [t('inventory.lent'), loan && formats.dayTime(loan.loanDate)],
          [t('inventory.due'), loan && formats.dayTime(loan.dueDate)],
          [t('inventory.tab.requests'), formats.number(requests.length)],
          [
            t('inventory.waiting'),
            requests.map((one) => (
              <bdi key={one.id} className="line">
                {fullName(one.requester ?? {})}
              </bdi>
            )),
          ],
          [t('inventory.statusSince'), formats.dayTime(item.status.date ?? '').replace(/^, $/, '')],
          [
            t('inventory.lastReturn'),
            item.lastCheckIn?.dateTime && formats.dayTime(item.lastCheckIn.dateTime),
          ],
        ]}
      />
    </section>
  )
}
