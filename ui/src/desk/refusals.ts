// The server's reasons in our words. FOLIO's are English sentences, some with a code; what is not known
// here is shown as the server wrote it.
import type { FolioError } from '#/api/errors'
import type { TextId } from '#/i18n/text'
import type { Refusal } from './types'

const BY_CODE: Record<string, TextId> = {
  USER_BARCODE_NOT_FOUND: 'desk.refused.noPatron',
  USER_IS_BLOCKED_MANUALLY: 'desk.refused.blocked',
  USER_IS_BLOCKED_AUTOMATICALLY: 'desk.refused.blocked',
  ITEM_HAS_OPEN_LOAN: 'desk.refused.onLoan',
  ITEM_NOT_LOANABLE: 'desk.refused.notLoanable',
  ITEM_NOT_FOR_IN_HOUSE_USE: 'desk.refused.notInHouse',
}

const BY_TEXT: readonly [RegExp, TextId][] = [
  [/^No item with barcode/, 'desk.refused.noItem'],
  [/already checked out/, 'desk.refused.onLoan'],
  [/inactive user/, 'desk.refused.inactive'],
  [/inactive proxying|relationship is invalid/, 'desk.refused.proxy'],
  [/requested by another patron|cannot be checked out to user/, 'desk.refused.requested'],
  [/has the item status/, 'desk.refused.status'],
  [/unable to acquire lock/, 'desk.refused.busy'],
  [/maximum number of items|item limit|has reached/i, 'desk.refused.limit'],
  [/outside of the date ranges|open periods|timetable/i, 'desk.refused.calendar'],
]

export function refusalOf(errors: readonly FolioError[]): Refusal {
  const detail = errors.map((error) => error.message).join(' ')
  for (const { code, message } of errors) {
    const reason =
      (code && BY_CODE[code]) || BY_TEXT.find(([pattern]) => pattern.test(message))?.[1]
    if (reason) return { reason, detail }
  }
  return { reason: undefined, detail }
}
