// Texts by typed id. Ids are the keys of messages/en/*.json; a new area's file is added to `Ids`.
import { useMemo } from 'react'
import { type IntlShape, useIntl } from 'react-intl'

type Ids = keyof typeof import('../../messages/en/shell.json') & string
type DeskIds = keyof typeof import('../../messages/en/desk.json') & string
type CheckInIds = keyof typeof import('../../messages/en/check-in.json') & string
type CheckOutIds = keyof typeof import('../../messages/en/check-out.json') & string
type ResetIds = keyof typeof import('../../messages/en/reset.json') & string
type ListIds = keyof typeof import('../../messages/en/lists.json') & string
type OfflineIds = keyof typeof import('../../messages/en/offline.json') & string
type SettingsIds = keyof typeof import('../../messages/en/settings.json') & string
type DataIds = keyof typeof import('../../messages/en/data.json') & string
type InventoryIds = keyof typeof import('../../messages/en/inventory.json') & string
type FormIds = keyof typeof import('../../messages/en/forms.json') & string
type UserIds = keyof typeof import('../../messages/en/users.json') & string
type LoanIds = keyof typeof import('../../messages/en/loans.json') & string
type FeeIds = keyof typeof import('../../messages/en/fees.json') & string
type WorkbenchIds = keyof typeof import('../../messages/en/workbench.json') & string
type PreferenceIds = keyof typeof import('../../messages/en/preferences.json') & string
type LoginIds = keyof typeof import('../../messages/en/login.json') & string
type AuthorityIds = keyof typeof import('../../messages/en/authorities.json') & string
type RequestIds = keyof typeof import('../../messages/en/request.json') & string

type AcquisitionIds =
  | (keyof typeof import('../../messages/en/acquisitions.json') & string)
  | (keyof typeof import('../../messages/en/finance.json') & string)

type ReportIds = keyof typeof import('../../messages/en/reports.json') & string

type PatronIds = FormIds | UserIds | LoanIds | FeeIds | RequestIds
export type TextId =
  | PatronIds
  | SettingsIds
  | ReportIds
  | AcquisitionIds
  | WorkbenchIds
  | PreferenceIds
  | LoginIds
  | DataIds
  | OfflineIds
  | ListIds
  | InventoryIds
  | AuthorityIds
  | Ids
  | DeskIds
  | CheckInIds
  | ResetIds
  | CheckOutIds
type Value = string | number | boolean | Date | null | undefined
export type Text = (id: TextId, values?: Record<string, Value>) => string

export const textOf =
  (intl: IntlShape): Text =>
  (id, values) =>
    intl.formatMessage({ id }, values) as string

export function useText(): Text {
  const intl = useIntl()
  return useMemo(() => textOf(intl), [intl])
}
