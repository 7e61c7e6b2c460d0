// The loans in view as a file.
import { useText } from '#/i18n/text'
import { dayOf } from '#/lib/csv'
import { everyLoan, type LoanState } from '#/patrons/loans/queries'
import type { PatronLoan } from '#/patrons/loans/types'
import type { Patron } from '#/patrons/types'
import { CsvSave } from '#/ui/CsvSave'
import { useCsv } from '#/ui/useCsv'

interface Props {
  user: Patron
  state: LoanState
  sort: string
}

export function LoansCsv({ user, state, sort }: Props) {
  const t = useText()
  const csv = useCsv<PatronLoan>({
    name: `loans-${user.barcode ?? user.id}`,
    load: everyLoan(user.id, state, sort),
    head: [
      t('loans.titleOf'),
      t('loans.contributors'),
      t('loans.barcode'),
      t('loans.callNumber'),
      t('loans.location'),
      t('loans.itemStatus'),
      t('loans.lent'),
      t('loans.due'),
      t('loans.back'),
      t('loans.renewed'),
      t('loans.policy'),
      t('loans.fees'),
    ],
    row: ({ item, ...loan }) => [
      item?.title,
      item?.primaryContributor ?? item?.contributors?.map((one) => one.name).join('; '),
      item?.barcode,
      item?.callNumber,
      item?.location?.name,
      item?.status?.name,
      dayOf(loan.loanDate),
      dayOf(loan.dueDate),
      dayOf(loan.returnDate),
      loan.renewalCount ?? 0,
      loan.loanPolicy?.name,
      loan.feesAndFines?.amountRemainingToPay,
    ],
  })
  return <CsvSave csv={csv} />
}
