// Users, their loans, and requests.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { RequestsSearch } from '../pages/requests/source'
import type { UserSearch } from '../pages/users/record/search'
import type { ReportSearch } from '../pages/users/reports/useReportChoice'
import type { UsersSearch } from '../pages/users/source'
import type { Status } from '../patrons/costs/costs'
import { oneOf, text, texts } from './search'
import { needsDesk, root, shell } from './shell'

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
  loader: async (context) => (await import('../pages/users/page')).loader(context),
  component: lazyRouteComponent(() => import('../pages/users/page'), 'UsersPage'),
})

const newUser = createRoute({
  getParentRoute: () => shell,
  path: '/users/new',
  loader: async () => (await import('../pages/users/new/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/users/new/page'), 'NewUserPage'),
})

const costs = createRoute({
  getParentRoute: () => shell,
  path: '/users/actual-costs',
  validateSearch: (search: Record<string, unknown>): { status?: Status } => ({
    status: oneOf(search.status, ['open', 'billed', 'cancelled', 'expired']),
  }),
  loaderDeps: ({ search }) => search,
  loader: async (context) => (await import('../pages/users/costs/page')).loader(context),
  component: lazyRouteComponent(() => import('../pages/users/costs/page'), 'CostsPage'),
})

const reports = createRoute({
  getParentRoute: () => shell,
  path: '/users/reports',
  validateSearch: (search: Record<string, unknown>): ReportSearch => ({
    of: text(search.of),
    from: text(search.from),
    to: text(search.to),
    desk: text(search.desk),
    owner: text(search.owner),
    takers: texts(search.takers),
    desks: texts(search.desks),
  }),
  beforeLoad: needsDesk,
  loader: async () => (await import('../pages/users/reports/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/users/reports/page'), 'ReportsPage'),
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
  loader: async (context) => (await import('../pages/users/record/page')).loader(context),
  component: lazyRouteComponent(() => import('../pages/users/record/page'), 'UserPage'),
})

const editUser = createRoute({
  getParentRoute: () => shell,
  path: '/users/$userId/edit',
  loader: async (context) => (await import('../pages/users/edit/page')).loader(context),
  component: lazyRouteComponent(() => import('../pages/users/edit/page'), 'EditUserPage'),
})

const loan = createRoute({
  getParentRoute: () => shell,
  path: '/users/$userId/loans/$loanId',
  loader: async (context) => (await import('../pages/users/loan/page')).loader(context),
  component: lazyRouteComponent(() => import('../pages/users/loan/page'), 'LoanPage'),
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
  loader: async (context) => (await import('../pages/requests/page')).loader(context),
  component: lazyRouteComponent(() => import('../pages/requests/page'), 'RequestsPage'),
})

const newRequest = createRoute({
  getParentRoute: () => shell,
  path: '/requests/new',
  validateSearch: (
    search: Record<string, unknown>,
  ): { requester?: string; item?: string; instance?: string; like?: string } => ({
    requester: text(search.requester),
    // A number as words: barcodes are.
    item: search.item === undefined ? undefined : String(search.item),
    instance: text(search.instance),
    like: text(search.like),
  }),
  loader: async () => (await import('../pages/requests/new/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/requests/new/page'), 'NewRequestPage'),
})

const shelf = createRoute({
  getParentRoute: () => shell,
  path: '/requests/shelf',
  beforeLoad: needsDesk,
  loader: async () => (await import('../pages/requests/shelf/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/requests/shelf/page'), 'ShelfPage'),
})

const request = createRoute({
  getParentRoute: () => shell,
  path: '/requests/$requestId',
  loader: async (context) => (await import('../pages/requests/record/page')).loader(context),
  component: lazyRouteComponent(() => import('../pages/requests/record/page'), 'RequestPage'),
})

const queue = createRoute({
  getParentRoute: () => shell,
  path: '/requests/queue/$of/$id',
  loader: async (context) => (await import('../pages/requests/queue/page')).loader(context),
  component: lazyRouteComponent(() => import('../pages/requests/queue/page'), 'QueuePage'),
})

/** Behind a link for a new password, where nobody is logged in. */
export const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password/$token',
  validateSearch: (search: Record<string, unknown>): { tenant?: string } => ({
    tenant: text(search.tenant),
  }),
  loader: async () => (await import('../pages/reset-password/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/reset-password/page'), 'ResetPasswordPage'),
})

export const peopleRoutes = [
  users,
  newUser,
  costs,
  reports,
  user,
  editUser,
  loan,
  requests,
  newRequest,
  shelf,
  request,
  queue,
]
