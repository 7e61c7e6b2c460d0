// All routes, each with its page's loader; a page is a chunk of its own. See ui/README.md, "A new page".
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { failureOf } from './api/errors'
import { localeQuery } from './api/locale'
import { queryClient } from './api/query'
import { selfQuery } from './api/self'
import { session } from './api/session'
import { PageFailed } from './app/PageFailed'
import type { InventorySearch } from './inventory/search'
import { deskChoice } from './lib/desk'

const root = createRootRoute({ component: Outlet, errorComponent: PageFailed })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { next?: string; tenant?: string } => ({
    // Only a path of the client: a foreign address must not follow a log-in.
    next:
      typeof search.next === 'string' && /^\/(?!\/)/.test(search.next) ? search.next : undefined,
    tenant: typeof search.tenant === 'string' ? search.tenant : undefined,
  }),
  component: lazyRouteComponent(() => import('./pages/login/page'), 'LoginPage'),
})

/** Everything behind the log-in: the person, his permissions and the tenant's locale are there. */
const shell = createRoute({
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
  component: lazyRouteComponent(() => import('./app/Shell'), 'Shell'),
  errorComponent: PageFailed,
})

const desk = createRoute({
  getParentRoute: () => shell,
  path: '/desk',
  validateSearch: (search: Record<string, unknown>): { next?: string } => ({
    next:
      typeof search.next === 'string' && /^\/(?!\/)/.test(search.next) ? search.next : undefined,
  }),
  loader: async () => (await import('./pages/desk/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/desk/page'), 'DeskPage'),
})

/** Pages that need to know where they stand. */
function needsDesk({ location }: { location: { href: string } }) {
  if (!deskChoice.read().desk) throw redirect({ to: '/desk', search: { next: location.href } })
}

const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/check-in' })
  },
})

const checkIn = createRoute({
  getParentRoute: () => shell,
  path: '/check-in',
  beforeLoad: needsDesk,
  loader: async () => (await import('./pages/check-in/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/check-in/page'), 'CheckInPage'),
})

const checkOut = createRoute({
  getParentRoute: () => shell,
  path: '/check-out',
  validateSearch: (search: Record<string, unknown>): { patron?: string } => ({
    patron: search.patron === undefined ? undefined : String(search.patron),
  }),
  beforeLoad: needsDesk,
  loader: async () => (await import('./pages/check-out/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/check-out/page'), 'CheckOutPage'),
})

const inventory = createRoute({
  getParentRoute: () => shell,
  path: '/inventory',
  // The page reads it with care: what that takes is not for the first route.
  validateSearch: (search: Record<string, unknown>) => search as InventorySearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, cause }) =>
    (await import('./pages/inventory/page')).loader({ ...deps }, cause === 'enter'),
  component: lazyRouteComponent(() => import('./pages/inventory/page'), 'InventoryPage'),
})

const instance = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId',
  validateSearch: (search: Record<string, unknown>): { tab?: string } => ({
    tab: typeof search.tab === 'string' ? search.tab : undefined,
  }),
  loader: async ({ params }) => (await import('./pages/instance/page')).loader(params.instanceId),
  component: lazyRouteComponent(() => import('./pages/instance/page'), 'InstancePage'),
})

const browse = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/browse',
  validateSearch: (search: Record<string, unknown>): { list?: string; from?: string } => ({
    list: typeof search.list === 'string' ? search.list : undefined,
    from: search.from === undefined ? undefined : String(search.from),
  }),
  loader: async () => (await import('./pages/browse/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/browse/page'), 'BrowsePage'),
})

const instanceForm = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/new',
  validateSearch: (search: Record<string, unknown>): { like?: string } => ({
    like: typeof search.like === 'string' ? search.like : undefined,
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) =>
    (await import('./pages/instance-form/page')).loader(undefined, deps.like),
  component: lazyRouteComponent(() => import('./pages/instance-form/page'), 'InstanceFormPage'),
})

const offline = createRoute({
  getParentRoute: () => shell,
  path: '/offline',
  validateSearch: (search: Record<string, unknown>): { show?: 'kept' | 'all' } => ({
    show: search.show === 'kept' || search.show === 'all' ? search.show : undefined,
  }),
  loader: async () => (await import('./pages/offline/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/offline/page'), 'OfflinePage'),
})

const rules = createRoute({
  getParentRoute: () => shell,
  path: '/settings/rules',
  loader: async () => (await import('./pages/rules/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/rules/page'), 'RulesPage'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  validateSearch: (search: Record<string, unknown>): { of?: string; id?: string } => ({
    of: typeof search.of === 'string' ? search.of : undefined,
    id: typeof search.id === 'string' ? search.id : undefined,
  }),
  loaderDeps: ({ search: { of } }) => ({ of }),
  loader: async ({ deps }) => (await import('./pages/settings/page')).loader(deps.of),
  component: lazyRouteComponent(() => import('./pages/settings/page'), 'SettingsPage'),
})

const data = createRoute({
  getParentRoute: () => shell,
  path: '/data',
  validateSearch: (search: Record<string, unknown>): { tab?: string } => ({
    tab: search.tab === 'export' ? 'export' : undefined,
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await import('./pages/data/page')).loader(deps.tab),
  component: lazyRouteComponent(() => import('./pages/data/page'), 'DataPage'),
})

const importJob = createRoute({
  getParentRoute: () => shell,
  path: '/data/job/$jobId',
  validateSearch: (
    search: Record<string, unknown>,
  ): { all?: boolean; at?: number; record?: string } => ({
    all: search.all === true ? true : undefined,
    at: Number(search.at) > 1 ? Math.floor(Number(search.at)) : undefined,
    record: typeof search.record === 'string' ? search.record : undefined,
  }),
  loader: async ({ params }) => (await import('./pages/import-job/page')).loader(params.jobId),
  component: lazyRouteComponent(() => import('./pages/import-job/page'), 'ImportJobPage'),
})

const preferences = createRoute({
  getParentRoute: () => shell,
  path: '/preferences',
  component: lazyRouteComponent(() => import('./pages/preferences/page'), 'PreferencesPage'),
})

const tree = root.addChildren([
  login,
  shell.addChildren([
    start,
    desk,
    checkIn,
    checkOut,
    offline,
    rules,
    settings,
    data,
    importJob,
    inventory,
    browse,
    instanceForm,
    instance,
    preferences,
  ]),
])

export const router = createRouter({
  routeTree: tree,
  basepath: '/staff',
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultErrorComponent: PageFailed,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
