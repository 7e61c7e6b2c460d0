// What the user may not do, above everything: the reason, and what still is allowed.

import { useText } from '#/i18n/text'
import type { blocksQuery } from '#/patrons/queries'
import { Note } from '#/ui/Note'

type Blocks = Awaited<ReturnType<NonNullable<ReturnType<typeof blocksQuery>['queryFn']>>>

export function BlockNote({ blocks }: { blocks: Blocks | undefined }) {
  const t = useText()
  if (!blocks) return null
  const manual = blocks.manual.filter(isCurrent)
  const borrowing =
    manual.some((one) => one.borrowing) || blocks.automated.some((one) => one.blockBorrowing)
  const renewals =
    manual.some((one) => one.renewals) || blocks.automated.some((one) => one.blockRenewals)
  const requests =
    manual.some((one) => one.requests) || blocks.automated.some((one) => one.blockRequests)
  if (!borrowing && !renewals && !requests) return null
  const what = borrowing
    ? t('users.borrowingBlocked')
    : renewals
      ? t('users.renewalsBlocked')
      : t('users.requestsBlocked')
  const reasons = [
    ...manual.map((one) => one.desc),
    ...blocks.automated.map((one) => one.message),
  ].filter(Boolean)
  return (
    <Note kind="blocked" bar>
      <p className="grow">
        <strong>{what}</strong> <bdi>{reasons.slice(0, 3).join(' ')}</bdi>
      </p>
    </Note>
  )
}

export const isCurrent = ({ expirationDate }: { expirationDate?: string }): boolean =>
  !expirationDate || Date.parse(expirationDate) > Date.now()
