// Logging in and out.
import { request } from './client'
import { forgetKnown } from './lastKnown'
import { queryClient } from './query'
import { selfQuery } from './self'
import { session } from './session'

export async function logIn(username: string, password: string): Promise<void> {
  const { accessTokenExpiration } = await request<{ accessTokenExpiration?: string }>(
    '/authn/login-with-expiry',
    { method: 'POST', body: { username, password }, impatient: true },
  )
  const before = queryClient.getQueryData(selfQuery.queryKey)?.user.username
  // Another person sees nothing that was fetched for the one before.
  if (before && before !== username) queryClient.clear()
  session.opened(accessTokenExpiration)
}

export async function logOut(): Promise<void> {
  try {
    await request('/authn/logout', { method: 'POST', impatient: true })
  } finally {
    // Who is on the page is forgotten once the page is left: app/useLoggedOut.ts.
    session.closed()
    void forgetKnown()
  }
}
