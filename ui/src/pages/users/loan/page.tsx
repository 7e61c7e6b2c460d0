// One loan: what was lent to whom, its dates and policies, and its history.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { LoanState } from '#/patrons/loans/LoanState'
import { historyQuery, loanQuery } from '#/patrons/loans/queries'
import { patronQuery } from '#/patrons/queries'
import { Code } from '#/ui/Code'
import { Description } from '#/ui/Description'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { LoanHistory } from './LoanHistory'

export async function loader({ params }: { params: { userId: string; loanId: string } }) {
  await Promise.all([
    loadTexts('lists', 'forms', 'users', 'loans'),
    queryClient.ensureQueryData(loanQuery(params.loanId)),
    queryClient.ensureQueryData(patronQuery(params.userId)),
  ])
}

export function LoanPage() {
  const t = useText()
  const formats = useFormats()
  const { userId, loanId } = useParams({ from: '/shell/users/$userId/loans/$loanId' })
  const loan = useLoaded(loanQuery(loanId))
  const user = useLoaded(patronQuery(userId))
  const { data: history, error } = useQuery(historyQuery(loanId))
  const { item } = loan
  const when = (text: string | undefined) => (text ? formats.dayTime(text) : undefined)
  const owed = loan.feesAndFines?.amountRemainingToPay
  return (
    <>
      <RecordHead
        title={item?.title ?? item?.barcode ?? loan.id}
        path={
          <>
            <Link to="/users/$userId" params={{ userId }}>
              <bdi>{fullName(user.personal ?? {}) || user.username}</bdi>
            </Link>{' '}
            / {t('loans.one')}
          </>
        }
        sub={<LoanState loan={loan} />}
      />
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          <Description
            lines={[
              [t('loans.barcode'), item?.barcode ? <Code>{item.barcode}</Code> : undefined],
              [t('loans.callNumber'), item?.callNumber],
              [
                t('loans.contributors'),
                item?.primaryContributor ?? item?.contributors?.map((one) => one.name).join('; '),
              ],
              [t('loans.location'), item?.location?.name],
              [t('loans.itemStatus'), item?.status?.name],
              [t('loans.lent'), when(loan.loanDate)],
              [t('loans.lentAt'), loan.checkoutServicePoint?.name],
              [t('loans.due'), when(loan.dueDate)],
              [t('loans.renewed'), formats.number(loan.renewalCount ?? 0)],
              [t('loans.claimedOn'), when(loan.claimedReturnedDate)],
              [t('loans.lostOn'), when(loan.declaredLostDate)],
              [t('loans.back'), when(loan.returnDate)],
              [t('loans.backAt'), loan.checkinServicePoint?.name],
              [t('loans.policy'), loan.loanPolicy?.name],
              [t('loans.finePolicy'), loan.overdueFinePolicy?.name],
              [t('loans.lostPolicy'), loan.lostItemPolicy?.name],
              [t('loans.groupThen'), loan.patronGroupAtCheckout?.name],
              [t('loans.fees'), owed ? formats.money(owed) : undefined],
            ]}
          />
          <LoanHistory history={history} error={error} />
        </div>
      </div>
    </>
  )
}
