// The desk's pages.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { needsDesk, shell } from './shell'

const desk = createRoute({
  getParentRoute: () => shell,
  path: '/desk',
  validateSearch: (search: Record<string, unknown>): { next?: string } => ({
    next:
      typeof search.next === 'string' && /^\/(?!\/)/.test(search.next) ? search.next : undefined,
  }),
  loader: async () => (await import('../pages/desk/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/desk/page'), 'DeskPage'),
})

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
  loader: async () => (await import('../pages/check-in/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/check-in/page'), 'CheckInPage'),
})

const checkOut = createRoute({
  getParentRoute: () => shell,
  path: '/check-out',
  validateSearch: (search: Record<string, unknown>): { patron?: string } => ({
    patron: search.patron === undefined ? undefined : String(search.patron),
  }),
  beforeLoad: needsDesk,
  loader: async () => (await import('../pages/check-out/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/check-out/page'), 'CheckOutPage'),
})

const offline = createRoute({
  getParentRoute: () => shell,
  path: '/offline',
  validateSearch: (search: Record<string, unknown>): { show?: 'kept' | 'all' } => ({
    show: search.show === 'kept' || search.show === 'all' ? search.show : undefined,
  }),
  loader: async () => (await import('../pages/offline/page')).loader(),
  component: lazyRouteComponent(() => import('../pages/offline/page'), 'OfflinePage'),
})

export const deskRoutes = [start, desk, checkIn, checkOut, offline]
