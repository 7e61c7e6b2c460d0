// Why an act was refused: by FOLIO's code in our words where we have them, always with what the server said.
import { useQuery } from '@tanstack/react-query'
import type { Failure } from '#/api/errors'
import { NotDone } from '#/forms/NotDone'
import { type TextId, useText } from '#/i18n/text'
import { ORDER_CODES } from './orderCodes'
import { fundsQuery } from './queries'

/** The codes that staff can do something about. */
const CODES = [
  'fundCannotBePaid',
  'budgetNotFoundForFiscalYear',
  'budgetNotFoundByFundId',
  'budgetNotFoundByFundIdAndFiscalYearId',
  'budgetIsNotActiveOrPlanned',
  'currentFYearNotFound',
  'incorrectFundDistributionTotal',
  'fundDistributionsNotPresent',
  'adjustmentFundDistributionsNotPresent',
  'vendorIsInactive',
  'vendorNotFound',
  'organizationNotAVendor',
  'organizationIsNotVendor',
  'orderApprovalRequired',
  'compositeOrderMissingPoLines',
  'materialTypeRequired',
  'polLimitExceeded',
  'lockCalculatedTotalsMismatch',
  'accountingCodeNotPresent',
  'externalAccountNoIsMissing',
  'barcodeIsNotUnique',
  'lastPiece',
  'thereAreRequestsOnItem',
  'allowableAllocationIdsMismatch',
  'orderRelatesToInvoice',
  'protectedFieldChanging',
  'cannotPayInvoiceWithoutApproval',
  'userHasNoAcqUnitsPermission',
  ...ORDER_CODES,
] as const
type Code = (typeof CODES)[number]

export const codeOf = (failure: Failure | undefined): Code | undefined =>
  failure?.kind === 'refused'
    ? CODES.find((code) => failure.errors.some((one) => one.code === code))
    : undefined

export function Refused({ failure }: { failure: Failure | undefined }) {
  const t = useText()
  const code = codeOf(failure)
  const { data: funds } = useQuery({ ...fundsQuery, enabled: Boolean(code) })
  if (!code || failure?.kind !== 'refused') return <NotDone failure={failure} />
  const named = failure.errors
    .flatMap(({ parameters }) => parameters)
    .flatMap(({ key, value }) => (/fund/i.test(key) && value ? value.split(/[[\],\s"]+/) : []))
    .map((part) => funds?.find((one) => one.id === part)?.code ?? part)
    .filter((part) => part && funds?.some((one) => one.code === part))
  const text = t(`acq.code.${code}` as TextId)
  return (
    <NotDone
      failure={failure}
      text={named.length ? `${text} (${[...new Set(named)].join(', ')})` : text}
    />
  )
}
