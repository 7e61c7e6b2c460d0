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
import type { RequestsSearch } from './pages/requests/source'
import type { UserSearch } from './pages/users/record/search'
import type { UsersSearch } from './pages/users/source'

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

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

interface Browse {
  list?: string
  from?: string
  way?: 'after' | 'before'
}

const browse = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/browse',
  validateSearch: (search: Record<string, unknown>): Browse => ({
    list: text(search.list),
    from: search.from === undefined ? undefined : String(search.from),
    way: search.way === 'after' || search.way === 'before' ? search.way : undefined,
  }),
  loader: async () => (await import('./pages/browse/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/browse/page'), 'BrowsePage'),
})

const instanceForm = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/new',
  validateSearch: (search: Record<string, unknown>): { like?: string } => ({
    like: text(search.like),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) =>
    (await import('./pages/instance-form/page')).loader(undefined, deps.like),
  component: lazyRouteComponent(() => import('./pages/instance-form/page'), 'InstanceFormPage'),
})

/** What a new record is made from, and where it belongs. */
interface Origin {
  like?: string
  holdings?: string
}
const origin = (search: Record<string, unknown>): Origin => ({
  like: text(search.like),
  holdings: text(search.holdings),
})

const instanceEdit = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/edit',
  loader: async ({ params }) =>
    (await import('./pages/instance-form/page')).loader(params.instanceId),
  component: lazyRouteComponent(() => import('./pages/instance-form/page'), 'InstanceEditPage'),
})

const marc = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/marc',
  loader: async ({ params }) => (await import('./pages/marc/page')).loader(params.instanceId),
  component: lazyRouteComponent(() => import('./pages/marc/page'), 'MarcPage'),
})

const marcEdit = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/marc/edit',
  loader: async ({ params }) =>
    (await import('./pages/marc-editor/page')).loader(params.instanceId),
  component: lazyRouteComponent(() => import('./pages/marc-editor/page'), 'MarcEditorPage'),
})

const holdings = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/holdings/$holdingsId',
  loader: async ({ params }) => (await import('./pages/holdings/page')).loader(params),
  component: lazyRouteComponent(() => import('./pages/holdings/page'), 'HoldingsPage'),
})

const holdingsNew = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/holdings/new',
  validateSearch: origin,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) =>
    (await import('./pages/holdings-form/page')).loader({ ...params, ...deps }),
  component: lazyRouteComponent(() => import('./pages/holdings-form/page'), 'HoldingsNewPage'),
})

const holdingsEdit = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/holdings/$holdingsId/edit',
  loader: async ({ params }) => (await import('./pages/holdings-form/page')).loader(params),
  component: lazyRouteComponent(() => import('./pages/holdings-form/page'), 'HoldingsEditPage'),
})

const item = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/items/$itemId',
  loader: async ({ params }) => (await import('./pages/item/page')).loader(params),
  component: lazyRouteComponent(() => import('./pages/item/page'), 'ItemPage'),
})

const itemNew = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/items/new',
  validateSearch: origin,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) =>
    (await import('./pages/item-form/page')).loader({ ...params, ...deps }),
  component: lazyRouteComponent(() => import('./pages/item-form/page'), 'ItemNewPage'),
})

const itemEdit = createRoute({
  getParentRoute: () => shell,
  path: '/inventory/$instanceId/items/$itemId/edit',
  loader: async ({ params }) => (await import('./pages/item-form/page')).loader(params),
  component: lazyRouteComponent(() => import('./pages/item-form/page'), 'ItemEditPage'),
})

const preferences = createRoute({
  getParentRoute: () => shell,
  path: '/preferences',
  component: lazyRouteComponent(() => import('./pages/preferences/page'), 'PreferencesPage'),
})

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)
const texts = (value: unknown) =>
  Array.isArray(value) && value.length
    ? value.map(String)
    : text(value)
      ? [String(value)]
      : undefined
/** One of the words, else nothing: the address is typed by anybody. */
const oneOf = <T extends string>(value: unknown, words: readonly T[]) =>
  words.find((word) => word === value)

const users = createRoute({
  getParentRoute: () => shell,
  path: '/users',
  validateSearch: (search: Record<string, unknown>): UsersSearch => ({
    // A number as words: card numbers are.
    q: search.q === undefined ? undefined : String(search.q),
    status: oneOf(search.status, ['active', 'inactive']),
    group: texts(search.group),
    sort: text(search.sort),
  }),
  loaderDeps: ({ search }) => search,
  loader: async (context) => (await import('./pages/users/page')).loader(context),
  component: lazyRouteComponent(() => import('./pages/users/page'), 'UsersPage'),
})

const newUser = createRoute({
  getParentRoute: () => shell,
  path: '/users/new',
  loader: async () => (await import('./pages/users/new/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/users/new/page'), 'NewUserPage'),
})

const user = createRoute({
  getParentRoute: () => shell,
  path: '/users/$userId',
  validateSearch: (search: Record<string, unknown>): UserSearch => ({
    tab: oneOf(search.tab, ['requests', 'details', 'blocks', 'notes', 'permissions']),
    loans: oneOf(search.loans, ['closed']),
    fees: oneOf(search.fees, ['closed', 'all']),
    sort: oneOf(search.sort, [
      'dueDate',
      'dueDate/sort.descending',
      'loanDate',
      'loanDate/sort.descending',
    ]),
  }),
  loader: async (context) => (await import('./pages/users/record/page')).loader(context),
  component: lazyRouteComponent(() => import('./pages/users/record/page'), 'UserPage'),
})

const editUser = createRoute({
  getParentRoute: () => shell,
  path: '/users/$userId/edit',
  loader: async (context) => (await import('./pages/users/edit/page')).loader(context),
  component: lazyRouteComponent(() => import('./pages/users/edit/page'), 'EditUserPage'),
})

const loan = createRoute({
  getParentRoute: () => shell,
  path: '/users/$userId/loans/$loanId',
  loader: async (context) => (await import('./pages/users/loan/page')).loader(context),
  component: lazyRouteComponent(() => import('./pages/users/loan/page'), 'LoanPage'),
})

const requests = createRoute({
  getParentRoute: () => shell,
  path: '/requests',
  validateSearch: (search: Record<string, unknown>): RequestsSearch => ({
    q: search.q === undefined ? undefined : String(search.q),
    kind: texts(search.kind),
    status: texts(search.status),
    level: texts(search.level),
    pickup: texts(search.pickup),
    sort: text(search.sort),
  }),
  loaderDeps: ({ search }) => search,
  loader: async (context) => (await import('./pages/requests/page')).loader(context),
  component: lazyRouteComponent(() => import('./pages/requests/page'), 'RequestsPage'),
})

const newRequest = createRoute({
  getParentRoute: () => shell,
  path: '/requests/new',
  validateSearch: (
    search: Record<string, unknown>,
  ): { requester?: string; item?: string; instance?: string } => ({
    requester: text(search.requester),
    item: text(search.item),
    instance: text(search.instance),
  }),
  loader: async () => (await import('./pages/requests/new/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/requests/new/page'), 'NewRequestPage'),
})

const shelf = createRoute({
  getParentRoute: () => shell,
  path: '/requests/shelf',
  beforeLoad: needsDesk,
  loader: async () => (await import('./pages/requests/shelf/page')).loader(),
  component: lazyRouteComponent(() => import('./pages/requests/shelf/page'), 'ShelfPage'),
})

const request = createRoute({
  getParentRoute: () => shell,
  path: '/requests/$requestId',
  loader: async (context) => (await import('./pages/requests/record/page')).loader(context),
  component: lazyRouteComponent(() => import('./pages/requests/record/page'), 'RequestPage'),
})

const queue = createRoute({
  getParentRoute: () => shell,
  path: '/requests/queue/$of/$id',
  loader: async (context) => (await import('./pages/requests/queue/page')).loader(context),
  component: lazyRouteComponent(() => import('./pages/requests/queue/page'), 'QueuePage'),
})

const tree = root.addChildren([
  login,
  shell.addChildren([
    start,
    desk,
    checkIn,
    checkOut,
    inventory,
    browse,
    instanceForm,
    instance,
    instanceEdit,
    marc,
    marcEdit,
    holdings,
    holdingsNew,
    holdingsEdit,
    item,
    itemNew,
    itemEdit,
    users,
    newUser,
    user,
    editUser,
    loan,
    requests,
    newRequest,
    shelf,
    request,
    queue,
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
