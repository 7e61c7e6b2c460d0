// All routes, each with its page's loader; a page is a chunk of its own. See ui/README.md, "A new page".
import { createRouter } from '@tanstack/react-router'
import { PageFailed } from './app/PageFailed'
import { acquisitionRoutes } from './routes/acquisitions'
import { authorityRoutes } from './routes/authorities'
import { deskRoutes } from './routes/desk'
import { inventoryRoutes } from './routes/inventory'
import { peopleRoutes, resetPassword } from './routes/people'
import { login, root, shell } from './routes/shell'
import { systemRoutes } from './routes/system'

const tree = root.addChildren([
  login,
  resetPassword,
  shell.addChildren([
    ...deskRoutes,
    ...inventoryRoutes,
    ...authorityRoutes,
    ...peopleRoutes,
    ...acquisitionRoutes,
    ...systemRoutes,
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
