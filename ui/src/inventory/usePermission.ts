// Whether the person has one of FOLIO's permissions; the reason names it where he lacks it.
import { useSelf } from '#/api/self'
import { useText } from '#/i18n/text'
import type { Allowance } from '#/lib/permissions'

export function usePermission(permission: string): Allowance {
  const t = useText()
  const { permissions } = useSelf()
  if (permissions.has(permission)) return { allowed: true }
  return { allowed: false, reason: t('shell.needsPermission', { permission }) }
}
