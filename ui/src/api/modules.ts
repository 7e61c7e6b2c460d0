// Interfaces that several modules have under one path, such as custom fields: the request names the module that it means.
import { get } from './client'
import { session } from './session'
import type { Id } from './types'

export async function moduleHeaders(
  name: string,
  what = 'custom-fields',
  signal?: AbortSignal,
): Promise<Record<string, string>> {
  const tenant = encodeURIComponent(session.tenant)
  const path = `/_/proxy/tenants/${tenant}/interfaces/${what}`
  const modules = await get<Id[]>(path, { type: 'multiple' }, signal)
  const id = modules.find((one) => one.id.startsWith(`${name}-`))?.id ?? name
  return { 'X-Okapi-Module-Id': id }
}
