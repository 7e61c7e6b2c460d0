// Why a record of this kind may not be made, changed or deleted; undefined when it may.
import { useSelf } from '#/api/self'
import { useText } from '#/i18n/text'
import type { Kind } from '#/settings/kinds'

export function useMayWrite(kind: Kind, act: 'post' | 'put' | 'delete'): string | undefined {
  const t = useText()
  const { permissions } = useSelf()
  const own = `${kind.permission}.${act}`
  const named = { post: kind.makePermission, put: kind.changePermission, delete: undefined }[act]
  const permission = named ?? own
  const missing = [permission, kind.alsoNeeds].find((one) => one && !permissions.has(one))
  return missing && t('shell.needsPermission', { permission: missing })
}
