// Setting a password by a link: the link's own token speaks, not the cookies of whoever is logged in here.
import { ApiFailure, failureFrom } from './errors'

interface Link {
  token: string
  tenant: string
}

async function call(path: string, { token, tenant }: Link, body: unknown): Promise<void> {
  const response = await fetch(`/bl-users/password-reset/${path}`, {
    method: 'POST',
    credentials: 'omit',
    headers: {
      'Content-Type': 'application/json',
      'X-Requested-With': 'octavo',
      'X-Okapi-Token': token,
      ...(tenant ? { 'X-Okapi-Tenant': tenant } : {}),
    },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new ApiFailure({ kind: 'unreachable' })
  })
  if (response.ok) return
  const type = response.headers.get('content-type') ?? ''
  throw new ApiFailure(failureFrom(response.status, await response.text(), type))
}

export const validateLink = (link: Link) => call('validate', link, {})
export const setPassword = (link: Link, newPassword: string) => call('reset', link, { newPassword })

/** The same link, leading to this client; the server's leads where the library has set it. */
export function ownLink(link: string): string {
  const found = /([^/?]+)\?tenant=([^&]+)/.exec(link)
  return found ? `${location.origin}/staff/reset-password/${found[1]}?tenant=${found[2]}` : link
}
