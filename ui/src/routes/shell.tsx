// The root, the log-in, and everything behind it.
import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { failureOf } from '../api/errors'
import { localeQuery } from '../api/locale'
import { queryClient } from '../api/query'
import { selfQuery } from '../api/self'
import { session } from '../api/session'
import { PageFailed } from '../app/PageFailed'
import { loadTexts } from '../i18n/areas'
import { deskChoice } from '../lib/desk'

export const root = createRootRoute({ component: Outlet, errorComponent: PageFailed })

export const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (
    search: Record<string, unknown>,
  ): { next?: string; tenant?: string; forgot?: true } => ({
    // Only a path of the client: a foreign address must not follow a log-in.
    next:
      typeof search.next === 'string' && /^\/(?!\/)/.test(search.next) ? search.next : undefined,
    tenant: typeof search.tenant === 'string' ? search.tenant : undefined,
    // In place of the log-in's form that for a forgotten password or name.
    forgot: search.forgot ? true : undefined,
  }),
  loader: () => loadTexts('login'),
  component: lazyRouteComponent(() => import('../pages/login/page'), 'LoginPage'),
})

/** Everything behind the log-in: the person, his permissions and the tenant's locale are there. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    if (!session.isLikely) throw redirect({ to: '/login', search: { next: location.href } })
    try {
      await Promise.all([
        queryClient.ensureQueryData(selfQuery),
        queryClient.ensureQueryData(localeQuery),
      ])
    } catch (error) {
      if (failureOf(error).kind !== 'expired') throw error
      throw redirect({ to: '/login', search: { next: location.href } })
    }
    if (session.state === 'unknown') session.found()
  },
  component: lazyRouteComponent(() => import('../app/Shell'), 'Shell'),
  errorComponent: PageFailed,
})

/** Pages that need to know where they stand. */
export function needsDesk({ location }: { location: { href: string } }) {
  if (!deskChoice.read().desk) throw redirect({ to: '/desk', search: { next: location.href } })
}
