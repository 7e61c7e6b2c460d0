// Whether the person may do something. The answer is a reason to show, not a condition to hide by.
import { useMemo } from 'react'
import { useSelf } from '#/api/self'
import { useText } from '#/i18n/text'

/** The permissions of FOLIO's interfaces that the client asks for, by what they allow. */
export const MAY = {
  checkIn: 'circulation.check-in-by-barcode.post',
  checkOut: 'circulation.check-out-by-barcode.post',
  readRequests: 'circulation.requests.collection.get',
  readUsers: 'users.collection.get',
  readInventory: 'inventory.items.collection.get',
  searchInventory: 'search.instances.collection.get',
  searchAuthorities: 'search.authorities.collection.get',
  changeDueDate: 'circulation.loans.change-due-date.post',
  overridePatronBlock: 'circulation.override-patron-block.post',
  overrideItemLimit: 'circulation.override-item-limit-block.post',
  overrideNotLoanable: 'circulation.override-item-not-loanable-block.post',
  createItems: 'inventory.items.item.post',
  readRules: 'circulation.rules.get',
  writeRules: 'circulation.rules.put',
  importData: 'data-import.uploadDefinitions.processFiles.item.post',
  stopImport: 'data-import.jobexecution.cancel',
  exportData: 'data-export.export.post',
  quickExport: 'data-export.quick.export.post',
  readOrganizations: 'organizations.organizations.collection.get',
  readOrders: 'orders.collection.get',
  readInvoices: 'invoice.invoices.collection.get',
  readFinance: 'finance.budgets.collection.get',
} as const

export type Act = keyof typeof MAY

export interface Allowance {
  allowed: boolean
  /** Why not, in words with the permission's name; undefined when allowed. */
  reason?: string
}

export function allowance(permissions: ReadonlySet<string>, needed: string): boolean {
  return permissions.has(needed)
}

export const useMay = (act: Act | undefined): Allowance => useNeeds(act && MAY[act])

/** The same for a permission by name: pages beyond the first keep their own names. */
export function useNeeds(permission: string | undefined): Allowance {
  const t = useText()
  const { permissions } = useSelf()
  return useMemo(() => {
    if (!permission || allowance(permissions, permission)) return { allowed: true }
    return { allowed: false, reason: t('shell.needsPermission', { permission }) }
  }, [permission, permissions, t])
}
